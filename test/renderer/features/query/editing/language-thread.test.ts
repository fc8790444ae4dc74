import { describe, expect, it } from 'vitest';
import {
  createLanguageThread,
  type EditorKnowledge,
  type LanguageAnswer,
  type LanguageRequest,
  type LanguageWorker,
} from '../../../../../src/renderer/features/query/editing/language-thread.ts';
import { platformWellId } from '../../../../../src/shared/wells/well-ids.ts';
import { knowingNothing } from '../../../../../src/shared/language/knowledge.ts';

/** A worker that answers when it is told to. */
function worker() {
  const seen: LanguageRequest[] = [];
  const listeners: ((event: MessageEvent<LanguageAnswer>) => void)[] = [];
  const failures: (() => void)[] = [];
  let terminated = false;
  const made: LanguageWorker = {
    postMessage: (request) => void seen.push(request),
    terminate: () => {
      terminated = true;
    },
    addEventListener(type: 'message' | 'error', listener: (event: MessageEvent<LanguageAnswer>) => void) {
      if (type === 'message') listeners.push(listener);
      else failures.push(() => listener(new MessageEvent('error')));
    },
  };
  return {
    made,
    seen,
    answer: (data: LanguageAnswer) =>
      listeners.forEach((listen) => listen(new MessageEvent('message', { data }))),
    terminated: () => terminated,
    fail: () => failures.forEach((tell) => tell()),
    asked: () => seen.flatMap((request) => ('question' in request ? [request] : [])),
    knows: () => seen.flatMap((request) => ('know' in request ? [request.know] : [])),
  };
}
const knowing = (wellsIn: EditorKnowledge['wellsIn'] = async () => []): EditorKnowledge => ({
  fixed: { ...knowingNothing },
  wellsIn,
});

describe('the thread of the language', () => {
  it('is started at the first need, and once', async () => {
    const one = worker();
    let started = 0;
    const thread = createLanguageThread(() => {
      started += 1;
      return one.made;
    });
    expect(started).toBe(0);
    const first = thread.format('{a:1}');
    const second = thread.format('{b:1}');
    const [a, b] = one.asked();
    // The later question is answered first.
    one.answer({ id: b?.id ?? 0, text: '{ b: 1 }' });
    one.answer({ id: a?.id ?? 0, text: '{ a: 1 }' });
    expect([await first, await second, started]).toEqual(['{ a: 1 }', '{ b: 1 }', 1]);
  });

  it('is told each knowledge once, and lets the one go that was not used longest', () => {
    const one = worker();
    const thread = createLanguageThread(() => one.made);
    const [first, second] = [knowing(), knowing()];
    void thread.lint('{}', 'query', first);
    void thread.hover('{}', 'query', 0, first);
    expect(one.knows()).toHaveLength(1);
    void thread.lint('{}', 'query', second);
    void thread.hover('{}', 'query', 1, first);
    expect(one.knows()).toHaveLength(2);
    for (let more = 0; more < 23; more++) void thread.lint('{}', 'query', knowing());
    const forgotten = one.seen.flatMap((request) => ('forget' in request ? [request.forget] : []));
    expect(forgotten).toEqual([one.knows()[1]]);
    // What was forgotten is told anew.
    void thread.lint('{}', 'query', second);
    expect(one.knows()).toHaveLength(26);
    expect(one.asked().at(-1)?.knowledge).toBe(one.knows().at(-1));
  });

  it('that fails finds nothing and offers nothing; the next question starts another, which is told all anew', async () => {
    const workers = [worker(), worker()];
    let started = 0;
    const thread = createLanguageThread(() => {
      const next = workers[started];
      started += 1;
      if (!next) throw new Error('a third one');
      return next.made;
    });
    const knowledge = knowing();
    const waiting = [
      thread.lint('{', 'query', knowledge),
      thread.complete('{', 'query', 1, knowledge),
      thread.hover('{', 'query', 1, knowledge),
      thread.format('{'),
      thread.options({ kind: 'find', query: '', sort: '', limit: 0 }, knowledge),
    ];
    // What is being typed may be a well: that is looked up first.
    await Promise.resolve();
    await Promise.resolve();
    workers[0]?.fail();
    expect(workers[0]?.terminated()).toBe(true);
    expect(await Promise.all(waiting)).toEqual([[], [], null, null, []]);
    void thread.lint('{', 'query', knowledge);
    expect([started, workers[1]?.knows().length]).toEqual([2, 1]);
  });

  it('that stumbles over one question answers it with nothing', async () => {
    const one = worker();
    const thread = createLanguageThread(() => one.made);
    const asked = thread.lint('{', 'query', knowing());
    one.answer({ id: one.asked()[0]?.id ?? 0, problem: 'it is odd' });
    expect(await asked).toEqual([]);
  });

  it('gets the wells along that a text may speak of; without them it answers all the same', async () => {
    const one = worker();
    const thread = createLanguageThread(() => one.made);
    const asked: unknown[] = [];
    const ridge = { name: 'Ridge A-100H', assetId: null, platformId: platformWellId.parse(7) };
    const knowledge = knowing(async (mentions) => {
      asked.push(mentions);
      return [ridge];
    });
    void thread.lint('{asset_id: {$in: [5003, -7, "Ridge A"]}, a: 1.5}', 'query', knowledge);
    void thread.complete('{asset_id: Ridge A', 'query', 18, knowledge);
    void thread.lint(
      '{a: 1}',
      'query',
      knowing(async () => Promise.reject(new Error('no wells'))),
    );
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).toEqual([
      { ids: [5003], names: ['Ridge A'], typed: null },
      { ids: [], names: [], typed: 'Ridge A' },
    ]);
    expect(one.asked().map(({ wells }) => wells)).toEqual([[ridge], [ridge], []]);
  });
});

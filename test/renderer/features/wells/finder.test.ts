import { describe, expect, it } from 'vitest';
import {
  createFinder,
  type FinderAnswer,
  type FinderRequest,
  type FindingThread,
} from '../../../../src/renderer/features/wells/finder.ts';
import { WellIndex } from '../../../../src/renderer/features/wells/well-index.ts';
import { wellsIn } from '../../../../src/renderer/features/wells/well-text.ts';
import { made } from './made.ts';

/** The searching thread, on this one. */
function threadHere() {
  const index = new WellIndex();
  const sent: FinderRequest[] = [];
  let hear: (event: { data: FinderAnswer }) => void = () => {};
  let die: (event: { message?: string }) => void = () => {};
  const thread: FindingThread = {
    postMessage(request) {
      sent.push(request);
      if (request.ask === 'reset') index.reset();
      else if (request.ask === 'add') index.add(wellsIn(request.text));
      else {
        const positions = index.find(request.question);
        queueMicrotask(() => hear({ data: { id: request.id, positions } }));
      }
    },
    terminate: () => undefined,
    addEventListener(type: 'message' | 'error', listener: typeof hear & typeof die) {
      if (type === 'message') hear = listener;
      else die = listener;
    },
  };
  return { thread, sent, die: () => die({ message: 'out of memory' }) };
}
const question = { text: '', filter: {}, sort: { by: 'name', descending: false } } as const;
const [a, b, c] = [made(1, 'A', 11), made(2, 'B', 12), made(3, 'C', 13)];
const names = (wells: readonly { name: string }[]) => wells.map(({ name }) => name).join('');

describe('a finder', () => {
  it('sends the text that came with the wells, and finds the very same wells', async () => {
    const { thread, sent } = threadHere();
    const finder = createFinder(() => thread);
    const text = JSON.stringify([a, b]);
    finder.add([a, b], text);
    finder.add([c]);
    const found = await finder.find(question);
    expect(found).toEqual([a, b, c]);
    expect(found[0]).toBe(a);
    expect(sent.filter(({ ask }) => ask === 'add')).toEqual([
      { ask: 'add', text },
      { ask: 'add', text: JSON.stringify([c]) },
    ]);
  });

  it('begins again with others, a portion at a time', async () => {
    const { thread, sent } = threadHere();
    const finder = createFinder(() => thread);
    finder.add([a], JSON.stringify([a]));
    await finder.find(question);
    finder.replace(Array.from({ length: 2500 }, (_, at) => made(at, `W ${at}`, at)));
    expect(await finder.find({ ...question, text: 'w 2499' })).toHaveLength(1);
    expect(await finder.find({ ...question, text: 'a' })).toEqual([]);
    expect(sent.filter(({ ask }) => ask === 'add')).toHaveLength(4);
  });

  it('answers with the wells that were asked about, also where others have taken their place meanwhile', async () => {
    const { thread } = threadHere();
    const finder = createFinder(() => thread);
    finder.add([a, b]);
    await finder.find(question);
    const asked = finder.find(question);
    finder.replace([c]);
    expect(names(await asked)).toBe('AB');
    expect(names(await finder.find(question))).toBe('C');
  });

  it('tells who waits that its thread has died, and starts another with all wells', async () => {
    const threads = [threadHere(), threadHere()];
    let started = 0;
    const finder = createFinder(() => {
      started += 1;
      return (threads[started - 1] ?? threadHere()).thread;
    });
    finder.add([a, b], JSON.stringify([a, b]));
    await finder.find(question);
    const waiting = finder.find(question);
    threads[0]?.die();
    await expect(waiting).rejects.toMatchObject({ code: 'internal' });
    expect(names(await finder.find(question))).toBe('AB');
    expect(started).toBe(2);
  });

  it('leaves nobody waiting when it is closed', async () => {
    const { thread } = threadHere();
    const finder = createFinder(() => ({ ...thread, postMessage: () => undefined }));
    finder.add([a]);
    const waiting = finder.find(question);
    await new Promise((resolve) => setTimeout(resolve));
    finder.close();
    await expect(waiting).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('a part of the list', () => {
  it.each(['{}', '[1]', '[{"name":"A"}]', 'hello'])('is not taken for wells: %s', (text) => {
    expect(() => wellsIn(text)).toThrow(SyntaxError);
  });
  it('may be empty', () => {
    expect(wellsIn('[]')).toEqual([]);
  });
});

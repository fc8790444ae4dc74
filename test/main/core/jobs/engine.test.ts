import { describe, expect, it } from 'vitest';
import { type JobEvent, mergeEvents, takeEvents } from '../../../../src/main/core/jobs/jobs.ts';

type Event = JobEvent<string, number>;
const entry = (text: string, flush = false): Event => ({ kind: 'entries', entries: [text], flush });
const failure = new Error('no room');

/** Takes all events; those with the given text fail. */
async function taken(run: AsyncGenerator<Event, number, undefined>, failing?: string) {
  const events: Event[] = [];
  const result = takeEvents(run, async (event) => {
    await Promise.resolve();
    if (event.kind === 'entries' && event.entries.includes(failing ?? '')) throw failure;
    events.push(event);
  });
  return { events, result: await result.catch((error: unknown) => error) };
}

describe('the events of a run', () => {
  it('are taken one after the other, each before the run continues', async () => {
    const order: string[] = [];
    async function* run(): AsyncGenerator<Event, number, undefined> {
      for (const text of ['first', 'second']) {
        yield entry(text);
        order.push(`after ${text}`);
      }
      return 2;
    }
    const result = await takeEvents(run(), async (event) => {
      await Promise.resolve();
      order.push(event.kind === 'entries' ? event.entries.join() : event.kind);
    });
    expect([result, ...order]).toEqual([2, 'first', 'after first', 'second', 'after second']);
  });

  it('that can’t be taken fail the run at their place, and it still ends in its own order', async () => {
    async function* run(): AsyncGenerator<Event, number, undefined> {
      yield entry('first');
      try {
        yield entry('second');
      } catch (error) {
        yield entry('last');
        throw error;
      }
      return 0;
    }
    const { events, result } = await taken(run(), 'second');
    expect(result).toBe(failure);
    expect(events).toEqual([entry('first'), entry('last')]);
  });
});

describe('merged events', () => {
  it('that are sent together are taken together: all entries, the last progress and result, and each file', async () => {
    const file = (path: string): Event => ({ kind: 'artifact', artifact: { kind: 'result', path } });
    const run = mergeEvents<string, number>(async (send) => {
      void send({ kind: 'progress', progress: { rows: 1, bytes: 7 } });
      void send({ kind: 'result', result: 1 });
      void send(file('a'));
      void send(file('b'));
      void send({ kind: 'progress', progress: { rows: 2 } });
      void send({ kind: 'result', result: 2 });
      await Promise.all([send(entry('first')), send(entry('second', true)), send(entry('third'))]);
      return 3;
    });
    const { events, result } = await taken(run);
    expect(result).toBe(3);
    expect(events).toEqual([
      { kind: 'entries', entries: ['first', 'second', 'third'], flush: true },
      { kind: 'progress', progress: { rows: 2, bytes: 7 } },
      { kind: 'result', result: 2 },
      file('a'),
      file('b'),
    ]);
  });

  it('that can’t be taken are rejected with their error, and later ones are taken', async () => {
    const outcomes: unknown[] = [];
    const run = mergeEvents<string, number>(async (send) => {
      for (const text of ['first', 'second', 'third'])
        await send(entry(text)).then(
          () => outcomes.push(text),
          (error: unknown) => outcomes.push(error),
        );
      return 0;
    });
    const { events, result } = await taken(run, 'second');
    expect(result).toBe(0);
    expect(outcomes).toEqual(['first', failure, 'third']);
    expect(events).toEqual([entry('first'), entry('third')]);
  });

  it('are all taken before the error of the work ends the run', async () => {
    const run = mergeEvents<string, number>(async (send) => {
      void send(entry('first'));
      await Promise.resolve();
      throw failure;
    });
    expect(await taken(run)).toEqual({ events: [entry('first')], result: failure });
  });
});

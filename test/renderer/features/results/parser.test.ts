import { describe, expect, it } from 'vitest';
import { Worker } from 'node:worker_threads';
import {
  createParser,
  type ParserAnswer,
  type ParsingThread,
} from '../../../../src/renderer/features/results/parser.ts';

// The worker's own file, on a thread of Node that looks like a browser's to it.
const shim = `
import { parentPort } from 'node:worker_threads';
globalThis.postMessage = (answer, transfer) => parentPort.postMessage(answer, transfer);
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
await import(${JSON.stringify(new URL('../../../../src/renderer/features/results/parse-worker.ts', import.meta.url).href)});
`;

function startThread(started: Worker[]): ParsingThread {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(shim)}`));
  started.push(worker);
  return {
    postMessage: (request, transfer) => worker.postMessage(request, transfer as []),
    addEventListener: (type: string, listener: (event: never) => void) => {
      if (type === 'message') worker.on('message', (data: ParserAnswer) => listener({ data } as never));
      else worker.on('error', (error) => listener({ message: error.message } as never));
    },
  };
}

async function withParser(
  use: (parser: ReturnType<typeof createParser>, started: Worker[]) => Promise<void>,
) {
  const started: Worker[] = [];
  try {
    await use(
      createParser(() => startThread(started)),
      started,
    );
  } finally {
    await Promise.all(started.map((worker) => worker.terminate()));
  }
}

describe('the parser', () => {
  it('turns records into columns on another thread, and hands out single records whole', () =>
    withParser(async (parser, started) => {
      expect(started).toHaveLength(0);
      const page = await parser.parse('[{"a":{"b":9007199254740993}},{"a":{"b":null}}]');
      expect(page.table.rows).toBe(2);
      expect(Array.from(page.table.columns[0]?.cells ?? [])).toEqual([9_007_199_254_740_993n, null]);
      expect(await page.record(0)).toEqual({ a: { b: 9_007_199_254_740_993n } });
      await parser.parse('[]');
      expect(started).toHaveLength(1);
    }));

  it('keeps pages apart and lets go of those released', () =>
    withParser(async (parser) => {
      const [one, two] = await Promise.all([parser.parse('[{"n":1}]'), parser.parse('[{"n":2}]')]);
      expect(await two.record(0)).toEqual({ n: 2 });
      one.release();
      await expect(one.record(0)).rejects.toMatchObject({ code: 'internal' });
      expect(await two.record(0)).toEqual({ n: 2 });
    }));

  it.each(['[{"n":', '{"n":1}'])('rejects %s with an error of ours', (text) =>
    withParser(async (parser) => {
      await expect(parser.parse(text)).rejects.toMatchObject({ code: 'internal' });
    }),
  );

  it('tells those who wait when the thread dies, and starts another at the next need', async () => {
    const listeners: ((event: { message: string }) => void)[] = [];
    let starts = 0;
    const parser = createParser(() => {
      starts += 1;
      return {
        postMessage: () => undefined,
        addEventListener: (type: string, listener: (event: never) => void) => {
          if (type === 'error') listeners.push(listener as never);
        },
      };
    });
    const waiting = parser.parse('[]');
    listeners[0]?.({ message: 'out of memory' });
    await expect(waiting).rejects.toMatchObject({ details: { problem: 'out of memory' } });
    const next = parser.parse('[]');
    listeners[1]?.({ message: 'again' });
    await expect(next).rejects.toThrow();
    expect(starts).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import { readAhead } from '../../../src/main/export/read-ahead.ts';

async function* numbers(count: number, log: string[]): AsyncGenerator<number, void> {
  for (let n = 1; n <= count; n += 1) {
    log.push(`fetch ${n}`);
    if (n === 3) throw new Error('no third');
    yield n;
  }
}

describe('reading ahead', () => {
  it('fetches the next item while one is handled, and not more', async () => {
    const log: string[] = [];
    for await (const n of readAhead(numbers(2, log))) {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`handle ${n}`);
    }
    expect(log).toEqual(['fetch 1', 'fetch 2', 'handle 1', 'handle 2']);
  });

  it('hands out what came before an error, and then the error', async () => {
    const got: number[] = [];
    const all = (async () => {
      for await (const n of readAhead(numbers(5, []))) got.push(n);
    })();
    await expect(all).rejects.toThrow('no third');
    expect(got).toEqual([1, 2]);
  });

  it('leaves no error unhandled when nobody wants the next item', async () => {
    for await (const n of readAhead(numbers(5, []))) if (n === 2) break;
    await new Promise((resolve) => setImmediate(resolve));
  });
});

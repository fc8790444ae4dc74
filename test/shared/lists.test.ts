import { describe, expect, it } from 'vitest';
import { append, countInWords, maxOf, minOf, runForEach } from '../../src/shared/lists.ts';

const many = Array.from({ length: 1_000_000 }, (_, at) => at - 500_000);

describe('lists of any length', () => {
  it('are added to another list', () => {
    const list = [7];
    append(list, many);
    append(list, new Set([1, 2]));
    expect(list).toHaveLength(1_000_003);
    expect([list[0], list[1], list.at(-1)]).toEqual([7, -500_000, 2]);
  });

  it('have a smallest and a largest value as Math.min and Math.max give them', () => {
    expect([minOf(many), maxOf(many)]).toEqual([-500_000, 499_999]);
    for (const few of [[], [3], [3, -1], [1, Number.NaN, 2], [-0, 0]])
      expect([minOf(few), maxOf(few)]).toEqual([Math.min(...few), Math.max(...few)]);
  });
});

it('a count has the noun of its number', () => {
  expect([0, 1, 2].map((count) => countInWords(count, 'row', 'rows'))).toEqual(['0 rows', '1 row', '2 rows']);
});

describe('work for each item', () => {
  it('runs for some at a time, for all of them once', async () => {
    let running = 0;
    let maxRunning = 0;
    const worked: number[] = [];
    await runForEach([1, 2, 3, 4, 5], 2, async (item) => {
      maxRunning = Math.max(maxRunning, ++running);
      await Promise.resolve();
      running--;
      worked.push(item);
    });
    expect([maxRunning, worked.toSorted((a, b) => a - b)]).toEqual([2, [1, 2, 3, 4, 5]]);
  });

  it('begins no further item after a failure', async () => {
    const items: number[] = [];
    const release = Promise.withResolvers<void>();
    const result = runForEach([1, 2, 3, 4], 2, async (item) => {
      items.push(item);
      if (item === 1) throw new Error('one');
      await release.promise;
    });
    await expect(result).rejects.toThrow('one');
    release.resolve();
    await new Promise(setImmediate);
    expect(items).toEqual([1, 2]);
  });
});

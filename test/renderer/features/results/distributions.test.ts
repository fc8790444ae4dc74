import { describe, expect, it } from 'vitest';
import { createSummary } from '../../../../src/renderer/features/records/figures.ts';
import type { ColumnKind, StoredCell } from '../../../../src/renderer/features/records/table.ts';
import { distributionOf, valueFormat } from '../../../../src/renderer/features/results/distributions.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const say = words.results.distribution;

function distributionIn(cells: readonly StoredCell[], kind: ColumnKind, path = ['data', 'rop']) {
  const summary = createSummary(kind);
  for (const cell of cells) summary.add(cell);
  return distributionOf(summary.summary(), { path, kind }, valueFormat({ path, kind }, 'UTC', {}));
}

describe('the distribution of a column', () => {
  it('has a histogram of its numbers, whose highest bar has the full height, and their range', () => {
    const { bars, lines } = distributionIn([0, 1, 1, 1, 24], 'number');
    expect(bars).toHaveLength(24);
    expect(bars.filter((bar) => bar > 0)).toEqual([1 / 3, 1, 1 / 3]);
    expect(lines).toEqual(['0', say.to('24')]);
  });

  it('counts nulls, missing values, and null values such as -999.25 as empty, and excludes them', () => {
    const { lines, text } = distributionIn([5, 10, null, undefined, -999.25], 'number');
    expect(lines).toEqual(['5', say.to('10'), say.empty(3 / 5)]);
    expect(text).toContain(say.rows(5));
  });

  it('of one row, or of equal numbers, is one bar and one number', () => {
    for (const cells of [[7], [7, 7, 7]])
      expect(distributionIn(cells, 'integer')).toMatchObject({ bars: [1], lines: ['7'] });
  });

  it('has the range of times', () => {
    const { lines } = distributionIn([Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)], 'time', ['timestamp']);
    expect(lines).toEqual(['2026-01-01 00:00:00', say.to('2026-01-02 00:00:00')]);
  });

  it('of words has the most frequent ones, and how many there are', () => {
    const { bars, lines } = distributionIn(['drilling', 'drilling', 'tripping', null], 'text');
    expect(bars).toEqual([1, 0.5]);
    expect(lines).toEqual([say.distinct(2), say.empty(1 / 4)]);
  });

  it('of wells counts them, whatever numbers identify them', () => {
    expect(distributionIn([5001, 5002, 5001], 'well', ['asset_id'])).toMatchObject({
      bars: [1, 0.5],
      lines: [say.distinct(2)],
    });
  });

  it('without values has no bars', () => {
    const { bars, lines } = distributionIn([null, -999.25], 'number');
    expect(bars).toEqual([]);
    expect(lines).toEqual([say.none, say.empty(1)]);
  });
});

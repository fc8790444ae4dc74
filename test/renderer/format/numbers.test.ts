import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatPercent } from '../../../src/renderer/format/numbers.ts';

describe('numbers for people', () => {
  it('separates thousands and keeps every digit of a bigint', () => {
    expect(formatCount(200_000)).toBe('200,000');
    expect(formatCount(9_007_199_254_740_993n)).toBe('9,007,199,254,740,993');
  });

  it('shows sizes in steps of a thousand', () => {
    expect([999, 1000, 4_100_000, 3e12].map(formatBytes)).toEqual(['999 B', '1 kB', '4.1 MB', '3 TB']);
  });

  it('says 100 % only when all is done', () => {
    expect([0, 0.999, 1, 1.2].map(formatPercent)).toEqual(['0 %', '99 %', '100 %', '100 %']);
  });
});

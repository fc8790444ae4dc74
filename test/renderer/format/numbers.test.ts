import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCalculated,
  formatCount,
  formatPercent,
} from '../../../src/renderer/format/numbers.ts';

describe('formatted numbers', () => {
  it('have thousands separators and every digit of a bigint', () => {
    expect(formatCount(200_000)).toBe('200,000');
    expect(formatCount(9_007_199_254_740_993n)).toBe('9,007,199,254,740,993');
  });

  it('that are calculated have the digits that were measured, and all digits of whole numbers', () => {
    expect([42_301_345_670_000, 123_456_789, 1 / 3, 123_456_789.123, -2e20].map(formatCalculated)).toEqual([
      '42,301,345,670,000',
      '123,456,789',
      '0.33333333',
      '123,456,789.1',
      '-200000000000000000000',
    ]);
  });

  it('show sizes in steps of a thousand', () => {
    expect([999, 1000, 4_100_000, 3e12].map(formatBytes)).toEqual(['999 B', '1 kB', '4.1 MB', '3 TB']);
  });

  it('show 100% only when complete', () => {
    expect([0, 0.999, 1, 1.2].map(formatPercent)).toEqual(['0%', '99%', '100%', '100%']);
    expect(formatPercent(1 - 1e-9)).toBe('99%');
  });

  it('show each percentage of a hundred records', () => {
    const percents = Array.from({ length: 101 }, (_, count) => count);
    expect(percents.map((count) => formatPercent(count / 100))).toEqual(percents.map((count) => `${count}%`));
  });
});

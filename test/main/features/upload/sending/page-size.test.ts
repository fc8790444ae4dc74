import { describe, expect, it } from 'vitest';
import {
  firstPageSize,
  nextPageSize,
} from '../../../../../src/main/features/upload/sending/read-existing.ts';

const fold = { by: null, into: ['data', 'stations'], rows: 1, end: 1 };

describe('pages of existing records', () => {
  it('are large, except when a record can have megabytes', () => {
    expect(firstPageSize({})).toBe(10_000);
    expect(firstPageSize({ fold })).toBeLessThan(10);
  });

  it('follow the record size of the previous page', () => {
    expect(nextPageSize(4 * 300, 4)).toBe(10_000);
    expect(nextPageSize(10_000 * 440, 10_000)).toBe(10_000);
    expect(nextPageSize(4 * 3_000_000, 4)).toBe(2);
    expect(nextPageSize(50_000_000, 1)).toBe(1);
    expect(nextPageSize(2, 0)).toBe(1);
  });
});

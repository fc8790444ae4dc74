import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { createPageLimit } from '../../../../src/main/core/reading/pages.ts';

const slow = new AppError('timed_out', { service: 'data', host: 'data.example', afterMs: 60_000 });

/** A response with as many records as requested, of this many bytes each. */
const full = (requested: number, size: number) => ({
  requested,
  records: requested,
  bytes: requested * size,
});

describe('the page size', () => {
  it('is small at first, and then the maximum while records are small', () => {
    const limit = createPageLimit();
    expect(limit.current).toBe(100);
    limit.record(full(100, 400));
    expect(limit.current).toBe(10_000);
  });

  it('is smaller when records are large', () => {
    const limit = createPageLimit();
    limit.record(full(10_000, 100_000));
    expect(limit.current).toBe(80);
    limit.record(full(80, 2_000_000));
    expect(limit.current).toBe(4);
  });

  it('has as few concurrent requests as memory requires', () => {
    const limit = createPageLimit();
    expect(limit.concurrency).toBe(1);
    limit.record(full(100, 400));
    expect(limit.concurrency).toBe(16);
    limit.record(full(4, 12_000_000));
    expect(limit).toMatchObject({ current: 4, concurrency: 1 });
  });

  it('has concurrent requests from the first page on if an earlier read has told its size', () => {
    expect(createPageLimit(10_000).concurrency).toBeGreaterThan(16);
  });

  it('stays the same when a service returns fewer, and its pages are expected to be as short', () => {
    const limit = createPageLimit(10_000);
    limit.record({ requested: 10_000, records: 500, bytes: 200_000 });
    expect(limit).toMatchObject({ current: 10_000, expected: 500 });
    limit.record(full(10_000, 400));
    expect(limit).toMatchObject({ current: 10_000, expected: 10_000 });
  });

  it('is halved when responses take too long, once for those that fail together', () => {
    const limit = createPageLimit(10_000);
    expect([limit.halve(10_000, slow), limit.halve(10_000, slow), limit.current]).toEqual([true, true, 5000]);
    let halveCount = 0;
    while (limit.halve(limit.current, slow)) halveCount += 1;
    expect(limit.current).toBe(2);
    expect(halveCount).toBeLessThan(12);
  });

  it('is an eighth of one that was too large: there, eight times the wanted bytes came', () => {
    const limit = createPageLimit();
    const problem = 'it is larger than 61 MB';
    limit.halve(100, new AppError('bad_answer', { service: 'data', problem, partial: 'too_large' }));
    expect(limit.current).toBe(12);
  });

  it('grows again after good pages, later each time that this fails', () => {
    const limit = createPageLimit(4000);
    limit.halve(4000, slow);
    const pagesUntilGrowth = (): number => {
      const { current } = limit;
      let pages = 0;
      for (; limit.current === current; pages += 1) limit.record(full(current, 1));
      return pages;
    };
    expect([pagesUntilGrowth(), limit.current]).toEqual([8, 4000]);
    limit.halve(4000, slow);
    expect([pagesUntilGrowth(), limit.current]).toEqual([16, 4000]);
  });

  it('begins with the size of an earlier read, and doubles with each good page until one fails', () => {
    const limit = createPageLimit(500);
    expect(limit.current).toBe(500);
    limit.record(full(500, 400));
    expect(limit.current).toBe(1000);
    limit.halve(1000, slow);
    limit.record(full(500, 400));
    expect(limit.current).toBe(500);
  });
});

describe('a response with fewer records than requested', () => {
  it('ends the reading only when the service has returned a full page with twice the bytes', () => {
    const limit = createPageLimit();
    const short = { requested: 10_000, bytes: 400_000 };
    expect(limit.endsBelow(short)).toBe(0);
    limit.record({ requested: 10_000, records: 3000, bytes: 1_200_000 });
    expect(limit.endsBelow(short)).toBe(0);
    limit.record(full(10_000, 400));
    expect(limit.endsBelow(short)).toBe(10_000);
    expect(limit.endsBelow({ requested: 10_000, bytes: 3_000_000 })).toBe(0);
  });

  it('proves nothing after full pages of a few records', () => {
    const limit = createPageLimit();
    limit.record(full(12, 400));
    expect(limit.endsBelow({ requested: 12, bytes: 400 })).toBe(0);
  });
});

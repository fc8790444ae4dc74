import { describe, expect, it } from 'vitest';
import { createPageLimit } from '../../../../src/main/core/read/page-limit.ts';

/** A response with as many records as requested, of this many bytes each. */
const full = (requested: number, size: number) => ({
  requested,
  records: requested,
  bytes: requested * size,
});

describe('the page size', () => {
  it('is the maximum from the first request on while records are small', () => {
    const limit = createPageLimit();
    expect(limit.current).toBe(10_000);
    limit.record(full(10_000, 400));
    expect(limit.current).toBe(10_000);
  });

  it('is smaller when records are large', () => {
    const limit = createPageLimit();
    limit.record(full(10_000, 100_000));
    expect(limit.current).toBe(80);
    limit.record(full(80, 2_000_000));
    expect(limit.current).toBe(10);
  });

  it('stays the same when a service returns fewer, and its pages are expected to be as short', () => {
    const limit = createPageLimit();
    limit.record({ requested: 10_000, records: 500, bytes: 200_000 });
    expect(limit).toMatchObject({ current: 10_000, expected: 500 });
    limit.record(full(10_000, 400));
    expect(limit).toMatchObject({ current: 10_000, expected: 10_000 });
  });

  it('is halved when responses take too long, and stays there', () => {
    const limit = createPageLimit();
    expect(limit.halve(limit.current)).toBe(true);
    limit.record(full(5000, 1));
    expect(limit.current).toBe(5000);
    let halveCount = 0;
    while (limit.halve(limit.current)) halveCount += 1;
    expect(limit.current).toBe(10);
    expect(halveCount).toBeLessThan(12);
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

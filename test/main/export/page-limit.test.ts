import { describe, expect, it } from 'vitest';
import { createPageLimit } from '../../../src/main/export/page-limit.ts';

describe('how many records are asked for', () => {
  it('grows while records are small', () => {
    const limit = createPageLimit();
    const asked = [];
    for (let page = 0; page < 4; page += 1) {
      asked.push(limit.current);
      limit.saw(limit.current, limit.current * 300);
    }
    expect(asked).toEqual([1000, 4000, 6666, 6666]);
  });

  it('falls at once when records are large', () => {
    const limit = createPageLimit();
    limit.saw(1000, 100_000_000);
    expect(limit.current).toBe(20);
    limit.saw(20, 4_000_000_000);
    expect(limit.current).toBe(10);
  });

  it('is halved when answers take too long, and stays there', () => {
    const limit = createPageLimit();
    expect(limit.halve(limit.current)).toBe(true);
    limit.saw(500, 500);
    expect(limit.current).toBe(500);
    let halvings = 0;
    while (limit.halve(limit.current)) halvings += 1;
    expect(limit.current).toBe(10);
    expect(halvings).toBeLessThan(10);
  });
});

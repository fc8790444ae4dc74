import { describe, expect, it } from 'vitest';
import { queryInRange } from '../../../src/main/core/requests.ts';
import type { JsonObject, JsonValue } from '../../../src/shared/json.ts';

describe('a query in a range of values', () => {
  const inRange = (condition: JsonValue | undefined) =>
    queryInRange(condition ? { at: condition, well: 7 } : { well: 7 }, 'at', { from: 10, to: 20 });

  it.each<[JsonValue | undefined, JsonObject]>([
    [undefined, { $gte: 10, $lt: 20 }],
    [
      { $gte: 5, $lte: 25 },
      { $gte: 10, $lt: 20 },
    ],
    [
      { $gt: 10, $lt: 20 },
      { $gt: 10, $lt: 20 },
    ],
    [
      { $gte: 12, $lte: 18 },
      { $gte: 12, $lte: 18 },
    ],
    [
      { $gte: 5, $gt: 12, $lte: 25, $lt: 18 },
      { $gte: 5, $gt: 12, $lte: 25, $lt: 18 },
    ],
    [
      { $gte: 12, $gt: 5, $lte: 18, $lt: 25 },
      { $gte: 12, $gt: 5, $lte: 18, $lt: 25 },
    ],
    [
      { $gte: 5, $gt: 6, $lte: 25, $lt: 26 },
      { $gte: 10, $lt: 20 },
    ],
    [{ $exists: true }, { $exists: true, $gte: 10, $lt: 20 }],
    [15, { $in: [15], $gte: 10, $lt: 20 }],
  ])('%j is %j from 10 up to 20', (condition, expected) => {
    expect(inRange(condition)).toEqual({ well: 7, at: expected });
  });

  it('excludes the end, although the user’s limit includes it: it belongs to the next range', () => {
    expect(inRange({ $lte: 20 })).toEqual({ well: 7, at: { $gte: 10, $lt: 20 } });
    expect(queryInRange({ at: { $lte: 20 } }, 'at', { from: 20, to: 30 })).toEqual({
      at: { $gte: 20, $lte: 20 },
    });
  });

  it('keeps a limit that can’t be compared, and refuses a condition that can’t be combined', () => {
    expect(inRange({ $gte: 'a' })).toEqual({ well: 7, at: { $gte: 'a', $lt: 20 } });
    expect(inRange({ $regex: '^a' })).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { canBeWindowed, withBound, withValue } from '../../../../src/main/core/requests.ts';
import {
  fieldsToRequest,
  firstRun,
  firstWindow,
  pageRequest,
} from '../../../../src/main/core/reading/cursor.ts';
import type { JsonObject } from '../../../../src/shared/json.ts';

const bound = { op: '$gt', value: '5' } as const;

describe('a page range combined with the user’s own conditions', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['none', { asset_id: 1 }, { asset_id: 1, timestamp: { $gt: 5 } }],
    ['a single value', { timestamp: 7 }, { timestamp: { $in: [7], $gt: 5 } }],
    ['both ends', { timestamp: { $gte: 1, $lt: 9 } }, { timestamp: { $lt: 9, $gt: 5 } }],
    ['a list', { timestamp: { $in: [6, 7] } }, { timestamp: { $in: [6, 7], $gt: 5 } }],
    ['an exclusion', { timestamp: { $ne: 6 } }, { timestamp: { $ne: 6, $gt: 5 } }],
    ['a nested one', { $or: [{ timestamp: 6 }] }, { $or: [{ timestamp: 6 }], timestamp: { $gt: 5 } }],
  ])('intersects it with %s in one object', (_, query, expected) => {
    expect(canBeWindowed(query, 'timestamp')).toBe(true);
    expect(withBound(query, 'timestamp', bound)).toEqual(expected);
  });

  it('replaces the upper end for a descending range', () => {
    const query = { timestamp: { $gte: 1, $lt: 9 } };
    expect(withBound(query, 'timestamp', { op: '$lt', value: '5' })).toEqual({
      timestamp: { $gte: 1, $lt: 5 },
    });
  });

  it('requests a single value as equality', () => {
    expect(withValue({ asset_id: 1, timestamp: { $gte: 1 } }, 'timestamp', '5')).toEqual({
      asset_id: 1,
      timestamp: 5,
    });
  });

  it.each<[string, JsonObject]>([
    ['a regular expression', { timestamp: { $regex: 'a' } }],
    ['an equal object', { timestamp: { a: 1 } }],
    ['null', { timestamp: null }],
    ['an equal list', { timestamp: [1] }],
  ])('can’t be intersected with %s', (_, query) => {
    expect(canBeWindowed(query, 'timestamp')).toBe(false);
  });
});

describe('a request for a page', () => {
  const pageQuery = { query: { asset_id: 1 }, sort: { version: 1 }, fields: [] } as const;

  it('is the user’s own at the start, and by skip ends its order with the id', () => {
    expect(pageRequest(pageQuery, null, firstWindow)).toEqual({
      query: { asset_id: 1 },
      sort: { version: 1 },
    });
    expect(pageRequest(pageQuery, null, firstRun('all', 0))).toEqual({
      query: { asset_id: 1 },
      sort: { version: 1, _id: 1 },
      skip: 0,
    });
  });

  it('has the id and the key beside the user’s fields', () => {
    expect(fieldsToRequest([], 'timestamp')).toEqual([]);
    expect(fieldsToRequest(['a'], null)).toEqual(['a', '_id']);
    expect(fieldsToRequest(['a', '_id'], 'timestamp')).toEqual(['a', '_id', 'timestamp']);
  });
});

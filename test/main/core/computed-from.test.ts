import { describe, expect, it } from 'vitest';
import { computedFrom } from '../../../src/main/core/requests.ts';

const group = { $group: { _id: '$asset_id', rop: { $avg: '$data.rop' } } };
const aggregate = { match: {}, sort: {}, group: { _id: null } };

describe('what results are computed from', () => {
  it.each([
    [[{ $match: {} }, group], undefined],
    [[{ $match: {} }, group, { $limit: 5 }], undefined],
    [[{ $match: {} }, { $limit: 5 }], undefined],
    [[{ $limit: 1000 }, { $project: { a: 1 } }, group], 'at most 1,000 records'],
    [[{ $skip: 40 }, { $limit: 7 }, { $count: 'n' }], 'at most 7 records'],
    [[{ $skip: 40 }, { $sortByCount: '$a' }], 'all but the first 40 records'],
    [[{ $sample: { size: 100 } }, group], 'a sample of at most 100 records'],
  ])('%j: %s', (stages, part) => {
    expect(computedFrom({ kind: 'pipeline', stages })).toBe(part);
  });

  it('of an aggregate is a part only if it groups and has a limit or a skip', () => {
    const of = (parts: object) => computedFrom({ kind: 'aggregate', aggregate: { ...aggregate, ...parts } });
    expect(of({})).toBeUndefined();
    expect(of({ skip: 0 })).toBeUndefined();
    expect(of({ limit: 10_000 })).toBe('at most 10,000 records');
    expect(of({ skip: 3 })).toBe('all but the first 3 records');
    expect(of({ limit: 10, group: undefined })).toBeUndefined();
  });

  it('of records that aren’t combined counts only for a table of which more is computed', () => {
    const stages = [{ $match: {} }, { $limit: 5 }];
    expect(computedFrom({ kind: 'pipeline', stages }, true)).toBe('at most 5 records');
    expect(computedFrom({ kind: 'pipeline', stages: [group, { $limit: 5 }] }, true)).toBeUndefined();
  });

  it('of a count is nothing', () => {
    expect(computedFrom({ kind: 'count', query: {} })).toBeUndefined();
  });
});

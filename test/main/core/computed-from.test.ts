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

  it.each([
    [[{ $match: {} }, { $limit: 5 }], 5, 'at most 5 records'],
    [[{ $match: {} }, { $limit: 5 }], 4, undefined],
    [[group, { $sort: { rop: -1 } }, { $limit: 5 }, { $project: { rop: 1 } }], 5, 'at most 5 rows'],
    [[group, { $limit: 5 }], 4, undefined],
    [[{ $limit: 5 }, group, { $limit: 9 }], 1, 'at most 5 records'],
    [[{ $sample: { size: 5 } }, { $project: { rop: 1 } }], 5, 'a sample of at most 5 records'],
    [[{ $sample: { size: 5 } }], 4, undefined],
    [[{ $limit: 5 }, { $match: {} }], 1, 'at most 5 records'],
  ])(
    'of a table of which more is computed is a part if a limit was reached: %j, %i rows',
    (stages, rows, part) => {
      expect(computedFrom({ kind: 'pipeline', stages }, rows)).toBe(part);
    },
  );

  it('of a count is nothing', () => {
    expect(computedFrom({ kind: 'count', query: {} })).toBeUndefined();
  });
});

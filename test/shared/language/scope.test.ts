import { describe, expect, it } from 'vitest';
import { datasetShapes, datasetTypes } from '../../../src/shared/datasets/datasets.ts';
import { parseRelaxedObject } from '../../../src/shared/language/relaxed.ts';
import { defaultSort, scopeQuery, startingQuery } from '../../../src/shared/language/scope.ts';
import { assetId } from '../../../src/shared/wells/well-ids.ts';

const ids = (...numbers: number[]) => numbers.map((number) => assetId.parse(number));

describe('what the editor starts with', () => {
  it.each([
    ['time', '{ asset_id: 5003 }', '{ timestamp: -1 }'],
    ['depth', '{ asset_id: 5003 }', '{ measured_depth: -1 }'],
    ['reference', '{ asset_id: 5003 }', '{ _id: 1 }'],
    ['timeseries', '{ "metadata.asset_id": 5003 }', '{ datetime: -1 }'],
    [null, '{ asset_id: 5003 }', '{ _id: 1 }'],
  ] as const)('scopes a dataset of type %s to one well: %s, sorted by %s', (type, query, sort) => {
    expect(startingQuery(type, ids(5003))).toEqual({ query, sort, limit: 1000 });
  });

  it('names several wells with $in, each once', () => {
    expect(scopeQuery('time', ids(5003, 5004, 5003))).toBe('{ asset_id: { $in: [5003, 5004] } }');
  });

  it('breaks the line of many wells', () => {
    const many = ids(...Array.from({ length: 12 }, (_, index) => 5000 + index));
    expect(scopeQuery('timeseries', many)).toBe(
      [
        '{',
        '  "metadata.asset_id": { $in: [',
        '    5000, 5001, 5002, 5003, 5004, 5005, 5006, 5007, 5008, 5009,',
        '    5010, 5011,',
        '  ] },',
        '}',
      ].join('\n'),
    );
  });

  it('asks for everything when no well is selected', () => {
    expect(scopeQuery('time', [])).toBe('{}');
  });

  it.each([...datasetTypes, null])('writes relaxed JSON that can be read again (%s)', (type) => {
    const field = type === null ? 'asset_id' : datasetShapes[type].scopeField;
    for (const count of [1, 2, 10, 11, 500]) {
      const wells = ids(...Array.from({ length: count }, (_, index) => index + 1));
      const { query, sort } = startingQuery(type, wells);
      expect(parseRelaxedObject(query, 'query')).toEqual({ [field]: count === 1 ? 1 : { $in: wells } });
      expect(Object.keys(parseRelaxedObject(sort, 'sort'))).toHaveLength(1);
    }
  });
});

describe('a dataset whose records showed how they belong to wells', () => {
  it.each([
    ['reference', 'company_id', [3], '{ company_id: 3 }'],
    ['reference', 'company_id', [3, 4, 3], '{ company_id: { $in: [3, 4] } }'],
    ['reference', null, [3], '{}'],
    ['timeseries', 'metadata.company_id', [3], '{ "metadata.company_id": 3 }'],
    ['timeseries', 'asset_id', [3], '{ asset_id: 5003 }'],
    ['reference', 'company_id', [], '{}'],
  ] as const)('%s by %s of companies %j starts with %s', (type, field, companies, query) => {
    expect(scopeQuery(type, ids(5003), { field, companies })).toBe(query);
  });
});

describe('the sort of a command that names none', () => {
  it.each([
    ['time', '{ timestamp: 1 }'],
    ['depth', '{ measured_depth: 1 }'],
    ['reference', '{ _id: 1 }'],
    ['timeseries', '{ datetime: 1 }'],
    [null, '{ _id: 1 }'],
  ] as const)('is the index field of %s, ascending: %s', (type, sort) => {
    expect(defaultSort(type)).toBe(sort);
  });
});

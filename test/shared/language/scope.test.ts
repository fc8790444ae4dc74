import { describe, expect, it } from 'vitest';
import { datasetTypes } from '../../../src/shared/datasets/datasets.ts';
import { parseRelaxedObject } from '../../../src/shared/language/relaxed.ts';
import { defaultSort, startingQuery } from '../../../src/shared/language/scope.ts';

describe('the initial query of the editor', () => {
  it.each([
    ['time', '{ asset_id: {{wells}} }', '{ timestamp: -1 }'],
    ['depth', '{ asset_id: {{wells}} }', '{ measured_depth: -1 }'],
    ['reference', '{ asset_id: {{wells}} }', '{ _id: 1 }'],
    ['timeseries', '{ "metadata.asset_id": {{wells}} }', '{ datetime: -1 }'],
    [null, '{ asset_id: {{wells}} }', '{ _id: 1 }'],
  ] as const)('scopes a dataset of type %s to the selected wells: %s, sorted by %s', (type, query, sort) => {
    expect(startingQuery(type, true)).toEqual({ query, sort, limit: 1000 });
  });

  it.each([...datasetTypes, null])('returns all records when no well is selected (%s)', (type) => {
    const { query, sort } = startingQuery(type, false);
    expect(query).toBe('{}');
    expect(Object.keys(parseRelaxedObject(sort, 'sort'))).toHaveLength(1);
  });
});

describe('a dataset whose records showed how they refer to wells', () => {
  it.each([
    ['reference', 'company_id', [3], '{ company_id: 3 }'],
    ['reference', 'company_id', [3, 4, 3], '{ company_id: { $in: [3, 4] } }'],
    ['reference', null, [3], '{}'],
    ['timeseries', 'metadata.company_id', [3], '{ "metadata.company_id": 3 }'],
    ['timeseries', 'asset_id', [3], '{ asset_id: {{wells}} }'],
    ['reference', 'company_id', [], '{}'],
  ] as const)('%s by %s of companies %j starts with %s', (type, field, companies, query) => {
    expect(startingQuery(type, true, { field, companies }).query).toBe(query);
  });

  it('wraps the line of many companies', () => {
    const companies = Array.from({ length: 12 }, (_, index) => 5000 + index);
    const { query } = startingQuery('reference', true, { field: 'company_id', companies });
    expect(query).toContain('\n    5010, 5011,\n');
    expect(parseRelaxedObject(query, 'query')).toEqual({ company_id: { $in: companies } });
  });
});

describe('the default sort of a command', () => {
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

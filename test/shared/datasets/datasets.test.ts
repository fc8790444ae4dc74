import { describe, expect, it } from 'vitest';
import { dataset, datasetTypes, datasetShapes } from '../../../src/shared/datasets/datasets.ts';
import { datasetsQuery } from '../../../src/shared/contract/catalogue.ts';

describe('dataset types', () => {
  it.each([
    ['time', 'asset_id', 'timestamp', null],
    ['depth', 'asset_id', 'measured_depth', 'log_identifier'],
    ['reference', 'asset_id', null, null],
    ['timeseries', 'metadata.asset_id', 'datetime', null],
  ] as const)(
    '%s is scoped by %s and ordered by %s within %s',
    (type, scopeField, indexField, indexScope) => {
      expect(datasetShapes[type]).toMatchObject({ scopeField, indexField, indexScope });
    },
  );

  it('each have the fields that the specification requires of an insert, at least the version', () => {
    for (const type of datasetTypes) {
      const { required, indexField } = datasetShapes[type];
      expect(required).toContain('version');
      if (type === 'time' || type === 'depth')
        expect(required).toEqual(expect.arrayContaining(['asset_id', indexField]));
    }
  });
});

describe('a dataset definition', () => {
  const definition = {
    provider: 'demo',
    dataset: 'wits',
    id: null,
    companyId: null,
    friendlyName: '',
    description: '',
    type: null,
    typeSaid: 'something new',
    plottable: false,
    temporary: false,
    permissions: {},
    indexes: [{ name: 'i', fields: [{ path: 'asset_id', direction: -1 }], unique: false }],
    statistics: { size: null, count: null, storageSize: null, indexSize: null },
    schema: {},
  };

  it('may omit what the specification makes optional, and have an unknown type', () => {
    expect(dataset.parse(definition)).toEqual(definition);
  });

  it.each([
    [
      'a direction that is neither 1 nor -1',
      { indexes: [{ name: 'i', fields: [{ path: 'a', direction: 0 }], unique: false }] },
    ],
    ['an unknown override of the type', { type: 'events' }],
    ['no provider', { provider: '' }],
  ])('is rejected with %s', (_what, given) => {
    expect(dataset.safeParse({ ...definition, ...given }).success).toBe(false);
  });
});

it('a search for datasets finds all by default', () => {
  expect(datasetsQuery.parse({ connection: 'c1' })).toEqual({ connection: 'c1', search: '' });
});

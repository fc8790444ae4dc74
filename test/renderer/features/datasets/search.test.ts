import { describe, expect, it } from 'vitest';
import { dataset, type DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import {
  addressText,
  searchDatasets,
  type TypeFilter,
} from '../../../../src/renderer/features/datasets/search.ts';

const made = (name: string, friendlyName: string, type: DatasetType | null) =>
  dataset.parse({
    provider: 'demo',
    dataset: name,
    id: null,
    companyId: null,
    friendlyName,
    description: `What ${name} holds`,
    type,
    typeSaid: type ?? 'graph',
    plottable: true,
    temporary: false,
    permissions: {},
    indexes: [],
    statistics: { size: null, count: null, storageSize: null, indexSize: null },
    schema: {},
  });
const all = [
  made('wits', 'Drilling, 1 s', 'time'),
  made('surveys', 'Surveys', 'reference'),
  made('net', 'Graph', null),
];

describe('searchDatasets', () => {
  it.each<[string, TypeFilter, string[]]>([
    ['', 'all', ['demo/wits', 'demo/surveys', 'demo/net']],
    ['drilling', 'all', ['demo/wits']],
    ['demo/s', 'all', ['demo/surveys']],
    ['HOLDS what', 'time', ['demo/wits']],
    ['', 'reference', ['demo/surveys']],
    ['', 'depth', []],
  ])('“%s” among %s finds %j', (text, type, found) => {
    expect(searchDatasets(all, text, type).map(addressText)).toEqual(found);
  });
});

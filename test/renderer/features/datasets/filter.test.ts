import { describe, expect, it } from 'vitest';
import {
  filterDatasets,
  noFilter,
  datasetRows,
  type DatasetFilter,
} from '../../../../src/renderer/features/datasets/filter.ts';
import { made } from './made.ts';

const all = [
  made('wits'),
  made('surveys', { type: 'reference', plottable: false }),
  made('trial', { temporary: true }),
];

describe('filterDatasets', () => {
  it.each<[Partial<DatasetFilter>, string[]]>([
    [{}, ['wits', 'surveys', 'trial']],
    [{ plottable: 'yes' }, ['wits', 'trial']],
    [{ plottable: 'no' }, ['surveys']],
    [{ temporary: 'yes' }, ['trial']],
    [{ temporary: 'no', text: 'wit' }, ['wits']],
    [{ type: 'reference', plottable: 'yes' }, []],
  ])('%j leaves %j', (filter, left) => {
    expect(filterDatasets(all, { ...noFilter, ...filter }).map(({ dataset }) => dataset)).toEqual(left);
  });
});

describe('rowsOf', () => {
  const grouping = {
    companies: new Map([
      [2, 'Bluebonnet'],
      [10, 'Aurora'],
    ]),
    unknownCompany: (id: number) => `Company ${id}`,
    collapsed: new Set<string>(),
  };
  const labelsOf = (collapsed: ReadonlySet<string>) =>
    datasetRows(
      [
        made('a', { companyId: 2 }),
        made('b', { companyId: 10 }),
        made('c', { companyId: 2, provider: 'other' }),
        made('d'),
        made('e', { companyId: 7 }),
      ],
      { ...grouping, collapsed },
    ).map((row) => (row.kind === 'group' ? `${row.company} ${row.provider} ${row.count}` : row.key));

  it('groups datasets by company and provider, with those of no company last', () => {
    expect(labelsOf(new Set())).toEqual([
      'Aurora demo 1',
      'demo/b',
      'Bluebonnet demo 1',
      'demo/a',
      'Bluebonnet other 1',
      'other/c',
      'Company 7 demo 1',
      'demo/e',
      'null demo 1',
      'demo/d',
    ]);
  });

  it('omits collapsed groups, and a heading for a single group', () => {
    const [first] = datasetRows([made('a', { companyId: 2 }), made('b', { companyId: 10 })], grouping);
    expect(labelsOf(new Set([first?.key ?? '']))[1]).toBe('Bluebonnet demo 1');
    expect(datasetRows([made('a'), made('b')], grouping).map(({ kind }) => kind)).toEqual([
      'dataset',
      'dataset',
    ]);
  });
});

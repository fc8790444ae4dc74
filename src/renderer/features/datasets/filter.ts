import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { compareNames } from '../../format/order.ts';
import { addressText, searchDatasets, type TypeFilter } from './search.ts';

export type YesNo = 'any' | 'yes' | 'no';

export interface DatasetFilter {
  readonly text: string;
  readonly type: TypeFilter;
  readonly plottable: YesNo;
  readonly temporary: YesNo;
}

export const noFilter: DatasetFilter = { text: '', type: 'all', plottable: 'any', temporary: 'any' };

const matchesFlag = (wanted: YesNo, is: boolean): boolean => wanted === 'any' || (wanted === 'yes') === is;

export function filterDatasets(datasets: readonly Dataset[], filter: DatasetFilter): readonly Dataset[] {
  const { text, type, plottable, temporary } = filter;
  return searchDatasets(datasets, text, type).filter(
    (dataset) => matchesFlag(plottable, dataset.plottable) && matchesFlag(temporary, dataset.temporary),
  );
}

/** The number of active filters in addition to the search. */
export const activeFilterCount = ({ plottable, temporary }: DatasetFilter): number =>
  [plottable, temporary].filter((wanted) => wanted !== 'any').length;

/** A row of the list: a dataset, or the heading of a company and provider. */
export type DatasetListRow =
  | { readonly kind: 'dataset'; readonly key: string; readonly dataset: Dataset }
  | {
      readonly kind: 'group';
      readonly key: string;
      /** Null: the service gives no company. */
      readonly company: string | null;
      readonly provider: string;
      readonly count: number;
      readonly isCollapsed: boolean;
    };

export interface Grouping {
  /** Names of companies by id. */
  readonly companies: ReadonlyMap<number, string>;
  /** The heading of a company without a name. */
  readonly unknownCompany: (id: number) => string;
  readonly collapsed: ReadonlySet<string>;
}

/** Datasets by company and provider in natural order, with a heading for each group if there are several. */
export function datasetRows(
  datasets: readonly Dataset[],
  { companies, unknownCompany, collapsed }: Grouping,
): DatasetListRow[] {
  const companyOf = ({ companyId }: Dataset): string | null =>
    companyId === null ? null : (companies.get(companyId) ?? unknownCompany(companyId));
  const groups = Map.groupBy(datasets, (dataset) => JSON.stringify([companyOf(dataset), dataset.provider]));
  const rows = (group: readonly Dataset[]) =>
    group.map((dataset) => ({ kind: 'dataset', key: addressText(dataset), dataset }) as const);
  if (groups.size < 2) return rows(datasets);
  return [...groups]
    .map(([id, group]) => {
      const [company, provider] = [group[0] ? companyOf(group[0]) : null, group[0]?.provider ?? ''];
      return { id, company, provider, group };
    })
    .toSorted(
      // Unknown companies come last.
      (a, b) =>
        Number(a.company === null) - Number(b.company === null) ||
        compareNames(a.company ?? '', b.company ?? '') ||
        compareNames(a.provider, b.provider),
    )
    .flatMap(({ id, company, provider, group }) => {
      const key = `group ${id}`;
      const isCollapsed = collapsed.has(key);
      const head = { kind: 'group', key, company, provider, count: group.length, isCollapsed } as const;
      return isCollapsed ? [head] : [head, ...rows(group)];
    });
}

import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { compareNames } from '../../format/order.ts';
import { addressInWords, searchDatasets, type TypeFilter } from './search.ts';

/** Yes, no, or all the same. */
export type YesNo = 'any' | 'yes' | 'no';

/** Which datasets are looked for. */
export interface DatasetFilter {
  readonly text: string;
  readonly type: TypeFilter;
  readonly plottable: YesNo;
  readonly temporary: YesNo;
}

export const noFilter: DatasetFilter = { text: '', type: 'all', plottable: 'any', temporary: 'any' };

const fits = (wanted: YesNo, is: boolean): boolean => wanted === 'any' || (wanted === 'yes') === is;

/** The datasets that fit a filter, in their order. */
export function filterDatasets(datasets: readonly Dataset[], filter: DatasetFilter): readonly Dataset[] {
  const { text, type, plottable, temporary } = filter;
  return searchDatasets(datasets, text, type).filter(
    (dataset) => fits(plottable, dataset.plottable) && fits(temporary, dataset.temporary),
  );
}

/** How many filters hold beside the search. */
export const filtersHeld = ({ plottable, temporary }: DatasetFilter): number =>
  [plottable, temporary].filter((wanted) => wanted !== 'any').length;

/** A row of the list: a dataset, or the company and provider that those below it are of. */
export type DatasetListRow =
  | { readonly kind: 'dataset'; readonly key: string; readonly dataset: Dataset }
  | {
      readonly kind: 'group';
      readonly key: string;
      /** Null: the service does not say whose they are. */
      readonly company: string | null;
      readonly provider: string;
      readonly count: number;
      readonly folded: boolean;
    };

export interface Grouping {
  /** Names of companies by id. */
  readonly companies: ReadonlyMap<number, string>;
  /** What to call a company that has no name. */
  readonly unnamed: (id: number) => string;
  readonly folded: ReadonlySet<string>;
}

/**
 * The datasets by company and provider, each group under its heading, sorted as people sort; one group alone needs no
 * heading.
 */
export function rowsOf(
  datasets: readonly Dataset[],
  { companies, unnamed, folded }: Grouping,
): DatasetListRow[] {
  const companyOf = ({ companyId }: Dataset): string | null =>
    companyId === null ? null : (companies.get(companyId) ?? unnamed(companyId));
  const groups = Map.groupBy(datasets, (dataset) => JSON.stringify([companyOf(dataset), dataset.provider]));
  const rows = (group: readonly Dataset[]) =>
    group.map((dataset) => ({ kind: 'dataset', key: addressInWords(dataset), dataset }) as const);
  if (groups.size < 2) return rows(datasets);
  return [...groups]
    .map(([id, group]) => {
      const [company, provider] = [group[0] ? companyOf(group[0]) : null, group[0]?.provider ?? ''];
      return { id, company, provider, group };
    })
    .toSorted(
      // Those whose company is not known come last.
      (a, b) =>
        Number(a.company === null) - Number(b.company === null) ||
        compareNames(a.company ?? '', b.company ?? '') ||
        compareNames(a.provider, b.provider),
    )
    .flatMap(({ id, company, provider, group }) => {
      const key = `group ${id}`;
      const isFolded = folded.has(key);
      const head = { kind: 'group', key, company, provider, count: group.length, folded: isFolded } as const;
      return isFolded ? [head] : [head, ...rows(group)];
    });
}

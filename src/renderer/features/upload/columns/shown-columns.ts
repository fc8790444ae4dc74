import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import type { ColumnType } from './fields.ts';

/** Which columns a list shows. */
export const columnFilters = ['all', 'unmapped', 'problems'] as const;
export type ColumnFilter = (typeof columnFilters)[number];

export type ColumnSort = 'column' | 'type' | 'target';

/** What the list of columns shows, and in which order. */
export interface ColumnView {
  readonly search: string;
  readonly filter: ColumnFilter;
  /** Null: as in the file. */
  readonly sort: { readonly by: ColumnSort; readonly isDescending: boolean } | null;
}

/** A column with what the list shows of it. */
export interface ListedColumn {
  readonly column: MatchedColumn;
  readonly type: ColumnType | undefined;
  /** Number of blank cells and null values. */
  readonly nulls: number;
  /** Whether the user decided its target, or that it is skipped. */
  readonly isChosen: boolean;
}

/** Whether a column goes nowhere, or is kept under its own name because nothing matched it. */
const isUnmapped = ({ column: { column, to, joinedTo }, isChosen }: ListedColumn): boolean =>
  to === null ? joinedTo === null : !isChosen && to !== column && to.startsWith('data.');

const hasProblem = ({ problem, to, examples }: MatchedColumn): boolean =>
  problem !== null || (to !== null && examples.some((example) => example.problem !== null));

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const textOf = ({ column: { column, to }, type }: ListedColumn, by: ColumnSort): string => {
  if (by === 'column') return column;
  return by === 'type' ? (type ?? '') : (to ?? '');
};

/** The keys of the columns to show, in order. */
export function shownColumns(
  columns: readonly ListedColumn[],
  { search, filter, sort }: ColumnView,
): string[] {
  const text = search.trim().toLowerCase();
  const fitting = columns.filter((row) => {
    const { column, to } = row.column;
    if (text !== '' && !`${column}\n${to ?? ''}`.toLowerCase().includes(text)) return false;
    if (filter === 'unmapped') return isUnmapped(row);
    return filter === 'all' || hasProblem(row.column);
  });
  const sign = sort?.isDescending ? -1 : 1;
  const sorted = sort
    ? fitting.toSorted((a, b) => sign * collator.compare(textOf(a, sort.by), textOf(b, sort.by)))
    : fitting;
  return sorted.map(({ column }) => column.column);
}

/** The order after a click on a header: ascending, descending, then as in the file. */
export function nextSort(sort: ColumnView['sort'], by: ColumnSort): ColumnView['sort'] {
  if (sort?.by !== by) return { by, isDescending: false };
  return sort.isDescending ? null : { by, isDescending: true };
}

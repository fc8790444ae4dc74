import type { AppError } from '../../../shared/errors/errors.ts';
import { plainView, type GridView } from '../../../shared/tabs/grid-view.ts';
import type { DataColumn, DataColumnGroup } from '../../ui/grid/index.ts';
import { cellText, cellTip, toneOf, type CellWords } from './cells.ts';
import { columnGroups, pathId, type ColumnTree } from '../records/columns.ts';
import { arranged } from './grid-view.ts';
import type { TimeZone } from '../records/cell-text.ts';
import type { ColumnHead } from '../records/table.ts';
import type { RowsInView } from './rows-in-view.ts';

export interface GridWords extends CellWords {
  /** Heads a column whose name is also a group's. */
  readonly value: string;
  readonly rawUnit: string;
  readonly loadingCell: string;
  readonly failedCell: string;
  readonly failedTip: (error: AppError) => string;
  readonly sortMark: Readonly<Record<SortDirection, string>>;
}

export type SortDirection = 'ascending' | 'descending';

export interface GridColumnsOptions {
  readonly heads: readonly ColumnHead[];
  readonly rows: Pick<RowsInView, 'cell' | 'status'>;
  /** How they stand; absent: as they come. */
  readonly view?: GridView;
  /** The zone of times. */
  readonly zone: TimeZone;
  /** By the dotted path. */
  readonly units?: { readonly get: (path: string) => string | undefined };
  /** What the answer is sorted by, by the dotted path. */
  readonly sorts?: ReadonlyMap<string, SortDirection>;
  readonly words: GridWords;
}

const character = 7.4;
const padding = 20;
const narrowest = 64;
const widest = 280;

/** Wide enough for what it holds, as far as was looked at, and for its own name. */
function widthOf({ kind, characters }: ColumnHead, header: string, zone: TimeZone): number {
  const isTime = kind === 'time' || kind === 'date';
  const needed = isTime && zone !== null ? 23 : Math.max(characters, 4);
  return Math.round(
    Math.min(Math.max(Math.max(needed, header.length) * character + padding, narrowest), widest),
  );
}

const atEnd = new Set<ColumnHead['kind']>(['integer', 'number']);

/** The columns of an answer as the grid shows them: nested ones under their parents, units and zones in their heads. */
export function gridColumns(options: GridColumnsOptions): (DataColumn | DataColumnGroup)[] {
  const { heads, view = plainView } = options;
  const build = (tree: ColumnTree<ColumnHead>): DataColumn | DataColumnGroup =>
    'children' in tree
      ? { id: pathId(tree.path), header: tree.name, children: tree.children.map(build) }
      : leaf(tree.column, tree.name === '' ? options.words.value : tree.name, options);
  return columnGroups(arranged(heads, view)).map(build);
}

function leaf(column: ColumnHead, name: string, options: GridColumnsOptions): DataColumn {
  const { rows, view = plainView, zone, words } = options;
  const { kind, path } = column;
  const id = pathId(path);
  const header = headerOf(column, name, options);
  /** One of three results, by the status of the row. */
  const by = <T>(row: number, loaded: () => T, loading: T, failed: (error: AppError) => T): T => {
    const status = rows.status(row);
    if (status === 'loaded') return loaded();
    return status === 'loading' ? loading : failed(status);
  };
  return {
    id,
    header,
    width: view.widths[id] ?? widthOf(column, header, zone),
    align: atEnd.has(kind) ? 'end' : 'start',
    pinned: view.pinned.includes(id),
    hidden: view.hidden.includes(id),
    tip: path.join('.'),
    text: (row) =>
      by(
        row,
        () => cellText(rows.cell(id, row), kind, zone, words),
        '',
        () => words.failedCell,
      ),
    tone: (row) =>
      by(
        row,
        () => toneOf(rows.cell(id, row)),
        'loading',
        () => 'failed',
      ),
    cellTip: (row) =>
      by(row, () => cellTip(rows.cell(id, row), kind, zone, words), words.loadingCell, words.failedTip),
  };
}

function headerOf({ kind, path }: ColumnHead, name: string, options: GridColumnsOptions): string {
  const { zone, units, sorts, words } = options;
  const dotted = path.join('.');
  const sorted = sorts?.get(dotted);
  return [name, ...unitOf(), ...(sorted ? [words.sortMark[sorted]] : [])].join(' ');

  function unitOf(): string[] {
    if (kind === 'time' || kind === 'date') {
      if (zone !== null) return [`(${zone})`];
      return kind === 'time' ? [`(${words.rawUnit})`] : [];
    }
    const unit = units?.get(dotted);
    return unit === undefined ? [] : [`(${unit})`];
  }
}

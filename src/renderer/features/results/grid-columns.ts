import type { AppError } from '../../../shared/errors/errors.ts';
import { plainView, type GridView } from '../../../shared/tabs/grid-view.ts';
import type { DataColumn, DataColumnGroup } from '../../ui/grid/index.ts';
import { cellText, cellTip, cellTone, type CellWords } from './cells.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnGroups, type ColumnTree } from '../records/columns.ts';
import { orderColumns } from './grid-view.ts';
import type { TimeZone } from '../records/cell-text.ts';
import { isMeasured, type Cell, type ColumnHead } from '../records/table.ts';
import { assetPathOf, nameOfWell, type WellNames } from '../records/well-names.ts';
import { cellConverter, changedUnit, isKnownUnit, type UnitChanges } from '../records/unit-changes.ts';
import type { VisibleRows } from './visible-rows.ts';

export interface GridWords extends CellWords {
  /** The header of a column whose name is also a group's. */
  readonly value: string;
  readonly rawUnit: string;
  /** In the header of a column that can't be converted. */
  readonly storedUnit: string;
  readonly storedTip: (value: string, unit: string) => string;
  readonly loadingCell: string;
  readonly failedCell: string;
  readonly failedTip: (error: AppError) => string;
  /** The header of the names of wells, its tooltip, and that of a well that isn't listed. */
  readonly well: string;
  readonly wellTip: string;
  readonly unknownWell: string;
  readonly sortMark: Readonly<Record<SortDirection, string>>;
}

export type SortDirection = 'ascending' | 'descending';

export interface GridColumnsOptions {
  readonly heads: readonly ColumnHead[];
  readonly rows: Pick<VisibleRows, 'cell' | 'status'>;
  /** The layout; absent: the default. */
  readonly view?: GridView;
  /** The time zone. */
  readonly zone: TimeZone;
  /** By dotted path. */
  readonly units?: { readonly get: (path: string) => string | undefined };
  /** The columns that are shown in another unit; absent: none. */
  readonly changes?: UnitChanges;
  /** Whether a system of units is selected, so that a column without a known unit says so. */
  readonly hasSystem?: boolean;
  /** Whether the rows are computed, by SQL or an aggregation: none of their columns has a known unit. Default: they are records. */
  readonly isComputed?: boolean;
  /** Absent: none. */
  readonly wellNames?: WellNames;
  /** The sort of the result, by dotted path. */
  readonly sorts?: ReadonlyMap<string, SortDirection>;
  readonly words: GridWords;
}

const noChanges: UnitChanges = {};
const noNames: WellNames = new Map();
const character = 7.4;
const padding = 20;
const minWidth = 64;
const maxWidth = 280;
/** A time without fractions of a second. */
const shortTime = 19;

/** A width for the name and this many characters. */
const widthOf = (header: string, characters: number): number =>
  Math.round(
    Math.min(Math.max(Math.max(characters, header.length) * character + padding, minWidth), maxWidth),
  );

/** The characters of the first cells: times are as long as the first one, and a converted number can be longer. */
function charactersOf({ kind, characters }: ColumnHead, first: string, isConverted: boolean): number {
  if (kind === 'time' || kind === 'date') return Math.max(first.length, shortTime);
  return Math.max(characters + (isConverted ? 3 : 0), 4);
}

const rightAlignedKinds = new Set<ColumnHead['kind']>(['integer', 'number']);

/** The columns of a grid: nested under their parents, with units and zones in headers. */
export function gridColumns(options: GridColumnsOptions): (DataColumn | DataColumnGroup)[] {
  const { heads, view = plainView } = options;
  const build = (tree: ColumnTree<ColumnHead>): DataColumn | DataColumnGroup =>
    'children' in tree
      ? { id: pathId(tree.path), header: tree.name, children: tree.children.map(build) }
      : toColumn(tree.column, tree.name === '' ? options.words.value : tree.name, options);
  return columnGroups(orderColumns(heads, view)).map(build);
}

function toColumn(column: ColumnHead, name: string, options: GridColumnsOptions): DataColumn {
  const { rows, view = plainView, zone, wellNames = noNames, changes = noChanges, words } = options;
  const { kind, path } = column;
  const id = pathId(path);
  const isWell = kind === 'well';
  const source = pathId(assetPathOf(column));
  const wellName = (row: number) => nameOfWell(wellNames, rows.cell(source, row));
  const cell = (row: number) => (isWell ? wellName(row) : rows.cell(source, row));
  const convert = cellConverter(changes, id);
  const unit = options.units?.get(id) ?? '';
  const tipOf = (stored: Cell) => {
    const tip = cellTip(stored, kind, zone, words);
    return convert && typeof stored === 'number' && cellTone(stored) === 'plain'
      ? words.storedTip(tip, unit)
      : tip;
  };
  const header = headerText(column, name, options);
  /** One of three results, by the status of the row. */
  const by = <T>(row: number, loaded: () => T, loading: T, failed: (error: AppError) => T): T => {
    const status = rows.status(row);
    if (status === 'loaded') return loaded();
    return status === 'loading' ? loading : failed(status);
  };
  const text = (row: number) =>
    by(
      row,
      () => cellText(convert ? convert(cell(row)) : cell(row), kind, zone, words),
      '',
      () => words.failedCell,
    );
  return {
    id,
    header,
    width: view.widths[id] ?? widthOf(header, charactersOf(column, text(0), convert !== null)),
    align: rightAlignedKinds.has(kind) ? 'end' : 'start',
    pinned: view.pinned.includes(id),
    hidden: view.hidden.includes(id),
    tip: isWell ? words.wellTip : id,
    text,
    tone: (row) =>
      by(
        row,
        () => (isWell ? 'plain' : cellTone(cell(row))),
        'loading',
        () => 'failed',
      ),
    cellTip: (row) =>
      by(
        row,
        () => (isWell ? (wellName(row) ?? words.unknownWell) : tipOf(cell(row))),
        words.loadingCell,
        words.failedTip,
      ),
  };
}

function headerText(column: ColumnHead, name: string, options: GridColumnsOptions): string {
  const { zone, units, changes = noChanges, hasSystem = false, isComputed = false, sorts, words } = options;
  const { kind } = column;
  const dotted = pathId(assetPathOf(column));
  const sorted = sorts?.get(dotted);
  return [kind === 'well' ? words.well : name, ...unitOf(), ...(sorted ? [words.sortMark[sorted]] : [])].join(
    ' ',
  );

  function unitOf(): string[] {
    if (kind === 'time' || kind === 'date') {
      if (zone !== null) return [`(${zone})`];
      return kind === 'time' ? [`(${words.rawUnit})`] : [];
    }
    const unit = changedUnit(changes, pathId(column.path)) ?? units?.get(dotted);
    const hasUnit = isMeasured(column) || (isComputed && kind === 'number');
    const isOpen = hasSystem && hasUnit && !isKnownUnit(unit);
    return [unit, ...(isOpen ? [words.storedUnit] : [])].flatMap((text) =>
      text === undefined ? [] : [`(${text})`],
    );
  }
}

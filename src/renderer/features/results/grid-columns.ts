import { valueUnder } from '../../../shared/json.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';
import { words } from '../../words/words.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { plainView, type GridView } from '../../../shared/tabs/tabs.ts';
import type {
  CellTone,
  DataColumn,
  DataColumnOrGroup,
  RowSource,
  CellSelection,
  Distribution,
} from '../../ui/grid/index.ts';
import { pathId, pathNames } from '../../../shared/column-paths.ts';
import { depthPath, isMeasured } from '../../../shared/datasets/datasets.ts';
import { maxOf } from '../../../shared/lists.ts';
import { columnGroups, type ColumnTree } from '../records/columns.ts';
import type { ComputedColumns } from './calculated-columns.ts';
import {
  sheetValue,
  type RecordView,
  type TimeZone,
  timeText,
  assetPath,
  assetPathOf,
  nameOfWell,
  shownWell,
  type WellNames,
  isLogId,
  nameOfLog,
  cellConverter,
  changedUnit,
  isKnownUnit,
  type UnitChanges,
  decimalsOf,
  figureForm,
  type FigureForm,
  maxDecimals,
  roundedDecimals,
  roundedDigits,
  sampledRows,
} from '../records/shown-cells.ts';
import { isNested, type Cell, type ColumnHead, type Slice, type ColumnKind } from '../records/table.ts';
import type { Records } from '../records/records.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { formatFigure, type FormatStyle } from '../../format/numbers.ts';
import { offsetAt, offsetText } from '../../format/zoned.ts';

/** Rows of a result, or why they couldn't be loaded. */
export interface CellBlock {
  readonly cell: (id: string, at: number) => Cell;
  readonly error?: AppError;
}

export function cellBlock({ columns }: Slice): CellBlock {
  const cells = new Map(columns.map((column) => [pathId(column.path), column.cells]));
  return { cell: (id, at) => cells.get(id)?.[at] };
}

/** The rows of a result for its grid. @param head the first rows, which are loaded already */
export function rowsOfResult(records: Pick<Records, 'rows' | 'shape'>, head: Slice) {
  const first = cellBlock(head);
  const source: RowSource<CellBlock> = {
    // Columns that were calculated since have no values in it.
    loadedRow: (row) =>
      row < head.rows && head.columns.length === records.shape().columns.length
        ? { block: first, at: row }
        : null,
    load: (range, signal) =>
      records
        .rows(range, { signal })
        .then(cellBlock, (error: unknown) => ({ cell: () => undefined, error: toAppError(error) })),
  };
  return { ...source, first };
}

const w = words.results;

export type SortDirection = 'ascending' | 'descending';

export interface CalculatedHead {
  readonly expression: string;
  /** Why it is empty, or what its values are of; null: nothing to say. */
  readonly note: string | null;
}

interface ColumnLayout {
  /** Absent: the default. */
  readonly view?: GridView;
  /** The ids of the columns at the left that stay in view; absent: none. */
  readonly pinned?: readonly string[];
  readonly names: FieldNames;
}

interface ColumnContentOptions
  extends
    Pick<RecordView, 'zone' | 'names' | 'logNames'>,
    Partial<Pick<RecordView, 'changes' | 'wellNames'>> {
  readonly heads: readonly ColumnHead[];
  /** The first rows, which tell how many decimals a column has. */
  readonly first: CellBlock;
  /** By dotted path. */
  readonly units?: { readonly get: (path: string) => string | undefined };
  /** Whether a system of units is selected, so that a column without a known unit says so. */
  readonly hasSystem?: boolean;
  /** Whether the rows are computed, by SQL or an aggregation: none of their columns has a known unit. Default: they are records. */
  readonly isComputed?: boolean;
  /** The columns that a summary computed, by path; absent: none. */
  readonly computed?: ComputedColumns;
  /** The columns that are calculated of others, by path id; absent: none. */
  readonly calculated?: ReadonlyMap<string, CalculatedHead>;
  /** How numbers are written; absent: as in the window. */
  readonly numbers?: FormatStyle['numbers'] | undefined;
  /** What the headers say of the values, by path id; absent: nothing. */
  readonly distributions?: ReadonlyMap<string, Distribution> | undefined;
  /** The sort of the result, by dotted path. */
  readonly sorts?: ReadonlyMap<string, SortDirection>;
}

/** Where records have their measurements (specification, section 2.1). */
const measurements = 'data';
const noChanges: UnitChanges = {};
const noNames: WellNames = new Map();
/** Of a cell, and of a smaller heading, in pixels. */
const character = { cell: 8.2, heading: 7 } as const;
const padding = 20;
const minWidth = 64;
const maxWidth = 280;
/** A time without fractions of a second. */
const shortTime = 19;

const widthOf = ({ header, mark = '', details }: Heading, characters: number): number => {
  const lines = [`${header} ${mark}`, details.join(' ')].map(({ length }) => length * character.heading);
  const content = maxOf([...lines, characters * character.cell]);
  return Math.round(Math.min(Math.max(content + padding, minWidth), maxWidth));
};

/** The characters of the first cells: times are as long as the first one, and a converted number can be longer. */
function charactersOf(
  { kind, characters }: ColumnHead,
  first: string,
  isConverted: boolean,
  isRounded: boolean,
): number {
  if (kind === 'time' || kind === 'date') return Math.max(first.length, shortTime);
  // All digits of a calculation would make a wide column.
  // With room for separators of thousands.
  const shown = isRounded ? Math.min(characters, Math.max(first.length, roundedDigits) + 3) + 1 : characters;
  return Math.max(shown + (isConverted ? 3 : 0), 4);
}

const rightAlignedKinds = new Set<ColumnHead['kind']>(['integer', 'number']);

/** What the columns show, with units and zones in headers, in no layout. */
export const columnContents = (
  options: ColumnContentOptions,
): ReadonlyMap<ColumnHead, DataColumn<CellBlock>> =>
  new Map(options.heads.map((head) => [head, toColumn(head, options)]));

/** The columns of a grid in a layout, nested under their parents. A change of the layout keeps what columns show. */
export function arrangedColumns(
  contents: ReturnType<typeof columnContents>,
  { view = plainView, names, ...layout }: ColumnLayout,
): DataColumnOrGroup<CellBlock>[] {
  const pinned = new Set(layout.pinned);
  const hidden = new Set(view.hidden);
  const build = (tree: ColumnTree<ColumnHead>): DataColumnOrGroup<CellBlock>[] => {
    if ('children' in tree) {
      const id = pathId(tree.path);
      return [{ id, header: names(id).leaf, children: tree.children.flatMap(build) }];
    }
    const content = contents.get(tree.column);
    if (!content) return [];
    const { id, width } = content;
    const shown = {
      width: valueUnder(view.widths, id) ?? width,
      pinned: pinned.has(id),
      hidden: hidden.has(id),
    };
    return [{ ...content, ...shown }];
  };
  return withoutEnvelope(columnGroups(orderColumns([...contents.keys()], view))).flatMap(build);
}

/** The columns of a grid, by their contents and their layout. */
export const gridColumns = (options: ColumnContentOptions & ColumnLayout): DataColumnOrGroup<CellBlock>[] =>
  arrangedColumns(columnContents(options), options);

/** The measurements of a record are all in its `data`: a header over all of them says nothing. */
function withoutEnvelope(trees: readonly ColumnTree<ColumnHead>[]): readonly ColumnTree<ColumnHead>[] {
  const names = new Set(trees.map(({ name }) => name));
  return trees.flatMap((tree) => {
    const isEnvelope = 'children' in tree && tree.path.length === 1 && tree.name === measurements;
    return isEnvelope && tree.children.every(({ name }) => !names.has(name) && name !== '')
      ? tree.children
      : [tree];
  });
}

/**
 * The ids of the columns at the left that stay in view: those that the user pinned, by default the first time or depth and
 * the well.
 * @param isWide whether a default leaves room for other columns
 */
export function pinnedColumns(
  heads: readonly ColumnHead[],
  { pinned }: Pick<GridView, 'pinned'>,
  isWide: boolean,
): readonly string[] {
  if (pinned || !isWide) return pinned ?? [];
  const along = heads.find(({ kind, path: [name] }) => kind === 'time' || name === depthPath);
  const well = heads.find(({ kind }) => kind === 'well');
  return [along, well].flatMap((head) => (head ? [pathId(head.path)] : []));
}

function toColumn(column: ColumnHead, options: ColumnContentOptions): DataColumn<CellBlock> {
  const { first, zone, wellNames = noNames, changes = noChanges } = options;
  const { kind, path } = column;
  const id = pathId(path);
  const isWell = kind === 'well';
  const source = pathId(assetPathOf(column));
  const cell = (at: number, block: CellBlock) => {
    const stored = block.cell(source, at);
    return isWell ? shownWell(wellNames, stored) : stored;
  };
  const convert = cellConverter(changes, id);
  const unit = options.units?.get(id) ?? '';
  const tipOf = (stored: Cell) => {
    const tip = cellTip(stored, kind, zone);
    return convert && typeof stored === 'number' && cellTone(stored) === 'plain'
      ? w.storedTip(tip, unit)
      : tip;
  };
  const heading = headingOf(column, options);
  const value: ReadCell<Cell> = (at, block) => (convert ? convert(cell(at, block)) : cell(at, block));
  const calculated = options.calculated?.get(id);
  const isRounded = calculated !== undefined || options.computed?.get(id)?.isRounded === true;
  // Whole numbers without a unit may identify something.
  const isFigured = kind === 'number' || (kind === 'integer' && unit !== '');
  // The first rows lack what was calculated since.
  const sampleFor = (block: CellBlock) =>
    sampledRows.some((row) => first.cell(source, row) !== undefined) ? first : block;
  const figure = isFigured ? figureText(value, sampleFor, isRounded, options.numbers) : null;
  const logOf: ReadCell<string | undefined> | null = isLogId(path)
    ? (at, block) => nameOfLog(options.logNames, block.cell(pathId(assetPath), at), block.cell(id, at))
    : null;
  const shown: ReadCell<string> = (at, block) =>
    block.error
      ? w.failedCell
      : (figure?.(at, block) ?? logOf?.(at, block) ?? cellText(value(at, block), kind, zone));
  const width = () => {
    const text = shown(0, first);
    const characters = charactersOf(column, text, convert !== null, figure !== null);
    return widthOf(heading, logOf?.(0, first) === undefined ? characters : text.length);
  };
  return {
    id,
    ...heading,
    distribution: options.distributions?.get(id),
    width: width(),
    align: rightAlignedKinds.has(kind) ? 'end' : 'start',
    tip: calculated ? w.calculatedTip(calculated.expression, calculated.note) : isWell ? w.wellTip : id,
    text: shown,
    sheetValue(at, block) {
      const converted = value(at, block);
      return isNested(converted) ? shown(at, block) : sheetValue(converted, kind, zone);
    },
    tone: (at, block) => (block.error ? 'failed' : isWell ? 'plain' : cellTone(cell(at, block))),
    cellTip(at, block) {
      if (block.error) return w.failedTip(block.error);
      const stored = block.cell(source, at);
      return isWell ? (nameOfWell(wellNames, stored) ?? w.unknownWell) : tipOf(stored);
    },
  };
}

type Heading = Required<Pick<DataColumn, 'header' | 'details'>> & Pick<DataColumn, 'mark'>;

function headingOf(column: ColumnHead, options: ColumnContentOptions): Heading {
  const { names, zone, units, changes = noChanges, hasSystem = false, isComputed = false, sorts } = options;
  const { kind } = column;
  const dotted = pathId(assetPathOf(column));
  const sorted = sorts?.get(dotted);
  const name = names(pathId(column.path));
  const header = kind === 'well' ? w.well : name.leaf === '' ? w.value : name.leaf;
  return {
    header,
    details: detailsOf(),
    ...(sorted ? { mark: w.sortMark[sorted] } : {}),
    ...(options.calculated?.has(pathId(column.path)) ? { mark: w.calculatedMark } : {}),
  };

  function detailsOf(): string[] {
    if (kind === 'time' || kind === 'date') {
      if (zone !== null) return [zone];
      return kind === 'time' ? [w.rawUnit] : [];
    }
    const field = kind !== 'well' && name.field !== null ? [name.field] : [];
    const unit = changedUnit(changes, pathId(column.path)) ?? units?.get(dotted);
    const hasUnit = isMeasured(column.path, [kind]) || (isComputed && kind === 'number');
    const isOpen = hasSystem && hasUnit && !isKnownUnit(unit);
    return [...field, unit, ...(isOpen ? [w.storedUnit] : [])].filter((text) => text !== undefined);
  }
}

type ReadCell<T> = (at: number, block: CellBlock) => T;

const isFigure = (cell: Cell): cell is number =>
  typeof cell === 'number' && Number.isFinite(cell) && !isNullToken(cell);

/**
 * The numbers of a column in one form: as many decimals for all, thousands separators by the setting. No digit is lost
 * of a number with few decimals; the tooltip and the record have all.
 * @param isRounded whether the numbers are calculated, so that their last digits say nothing
 * @returns null: the cell isn't such a number
 */
function figureText(
  valueOf: ReadCell<Cell>,
  sampleFor: (block: CellBlock) => CellBlock,
  isRounded: boolean,
  numbers: ColumnContentOptions['numbers'],
): ReadCell<string | null> {
  let first: FigureForm | null = null;
  let sampled: CellBlock | null = null;
  return (at, block) => {
    const value = valueOf(at, block);
    if (typeof value === 'bigint') return formatFigure(value, 0, numbers);
    if (!isFigure(value)) return null;
    if (first === null && sampled !== block) {
      sampled = block;
      const sample = sampleFor(block);
      const samples = sampledRows.map((row) => valueOf(row, sample)).filter(isFigure);
      // The first rows may have null values only.
      if (samples.length > 0) first = figureForm(samples, isRounded);
    }
    const exact = decimalsOf(value);
    if (isRounded && exact === 0) return formatFigure(value, 0, numbers);
    if (!isRounded && exact <= maxDecimals)
      return formatFigure(value, Math.max(first?.decimals ?? 0, exact), numbers);
    const least = roundedDecimals(value, first, isRounded);
    // A small number keeps digits that say something.
    const isSmall = value !== 0 && Math.abs(value) < 10 ** (1 - least);
    return isSmall ? String(Number(value.toPrecision(3))) : formatFigure(value, least, numbers);
  };
}

const isNullToken = (cell: Cell): cell is number => typeof cell === 'number' && isNullNumber(cell);

export function cellTone(cell: Cell): CellTone {
  if (cell === undefined) return 'absent';
  if (cell === null) return 'null';
  if (isNullToken(cell)) return 'sentinel';
  return isNested(cell) ? 'nested' : 'plain';
}

/** A cell's text: numbers with all digits, times in the zone, empty if absent. */
export function cellText(cell: Cell, kind: ColumnKind, zone: TimeZone): string {
  if (cell === undefined) return '';
  if (cell === null) return w.nullCell;
  if (isNested(cell)) return cell.array ? w.items(cell.parts) : cell.preview;
  return timeText(cell, kind, zone) ?? String(cell);
}

/** A cell's tooltip: a time's offset and raw value, the start of an array. */
export function cellTip(cell: Cell, kind: ColumnKind, zone: TimeZone): string {
  if (cell === undefined) return w.absentTip;
  if (cell === null) return w.nullTip;
  if (isNullToken(cell)) return w.sentinelTip(String(cell));
  if (isNested(cell)) return cell.preview;
  const time = timeText(cell, kind, zone);
  if (time === null || zone === null) return String(cell);
  const offset = offsetText(offsetAt(typeof cell === 'number' ? cell : Date.parse(String(cell)), zone));
  const sent = kind === 'time' ? `${String(cell)} ms` : String(cell);
  if (zone === 'UTC') return `${time} UTC · ${sent}`;
  return `${time.endsWith(offset) ? time.slice(0, -offset.length - 1) : time} UTC${offset} · ${sent}`;
}

/** The columns in the user's order. Columns that it doesn't contain follow their default predecessor. */
export function orderColumns(
  heads: readonly ColumnHead[],
  { order }: Pick<GridView, 'order'>,
): readonly ColumnHead[] {
  if (order.length === 0) return heads;
  const places = new Map(order.map((id, at) => [id, at]));
  let last = -1;
  const placed = heads.map((head) => {
    last = places.get(pathId(head.path)) ?? last;
    return { head, place: last };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ head }) => head);
}

/** The paths of the visible columns in order, or of the selected ones among them. */
export function selectedPaths(
  heads: readonly ColumnHead[],
  view: GridView,
  selection: CellSelection | null,
): readonly (readonly string[])[] {
  const ids = selection?.columns && new Set(selection.columns);
  return shownColumns(heads, view)
    .map(({ path }) => path)
    .filter((path) => ids?.has(pathId(path)) ?? true);
}

/** The visible columns in order. */
export function shownColumns(heads: readonly ColumnHead[], view: GridView): readonly ColumnHead[] {
  const hidden = new Set(view.hidden);
  return orderColumns(heads, view).filter(({ path }) => !hidden.has(pathId(path)));
}

/**
 * The fields of the visible columns, for the names of wells their ids, and those that no loaded row has and aren't hidden.
 * @param allFields the dotted paths of fields that other records may have
 */
export function exportedFields(
  heads: readonly ColumnHead[],
  view: GridView,
  allFields: readonly string[],
): readonly string[] {
  const pathsOf = (columns: readonly ColumnHead[]) => columns.map((column) => assetPathOf(column).join('.'));
  const loaded = new Set(pathsOf(heads));
  const unloadedPaths = allFields.filter(
    (path) => !loaded.has(path) && !view.hidden.includes(pathId(pathNames(path))),
  );
  return [...new Set([...pathsOf(shownColumns(heads, view)), ...unloadedPaths])];
}

import { stringifyJson, valueUnder } from '../../../shared/json.ts';
import type { SheetValue } from '../../format/sheet-html.ts';
import { formatZoned } from '../../format/zoned.ts';
import type { Cell, ColumnKind, StoredCell, ColumnHead } from './table.ts';
import { changeOf, type UnitSystem } from '../../../shared/channels/unit-systems.ts';
import {
  converter,
  shownUnit,
  unitNamed,
  unitOf,
  unitPair,
  valueConverter,
} from '../../../shared/channels/units.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { pathId, pathNames } from '../../../shared/column-paths.ts';
import { assetPaths, isAssetPath } from '../../../shared/datasets/datasets.ts';
import { maxOf } from '../../../shared/lists.ts';

/** An IANA name; null: raw times. */
export type TimeZone = string | null;

/** How records are shown. */
export interface RecordView {
  readonly zone: TimeZone;
  readonly names: FieldNames;
  readonly wellNames: WellNames;
  /** Absent: logs are shown by their ids. */
  readonly logNames?: LogNames | undefined;
  /** The columns that are shown in another unit, by the setting and by the user's choice for a column. */
  readonly changes: UnitChanges;
}

/** A time in a zone; null: not a time, or raw. */
export function timeText(cell: Cell | StoredCell, kind: ColumnKind, zone: TimeZone): string | null {
  if (zone === null) return null;
  if (kind === 'time' && typeof cell === 'number') return formatZoned(cell, zone);
  return kind === 'date' && typeof cell === 'string' ? formatZoned(Date.parse(cell), zone) : null;
}

/** A cell as text: times in the zone, nested values as JSON, null and absent as empty text. */
export function plainText(cell: StoredCell, kind: ColumnKind, zone: TimeZone): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'object') return stringifyJson(cell);
  return timeText(cell, kind, zone) ?? String(cell);
}

/** A cell for a spreadsheet: times in the zone, nested values as JSON. */
export function sheetValue(cell: StoredCell, kind: ColumnKind, zone: TimeZone): SheetValue {
  if (typeof cell === 'object' && cell !== null) return stringifyJson(cell);
  const time = timeText(cell, kind, zone);
  return time === null ? cell : { time };
}

/** A column that is shown in another unit than it is stored in, by the symbols of both. */
export interface UnitChange {
  readonly from: string;
  readonly to: string;
}

/** The columns that are shown in another unit, by path id. */
export type UnitChanges = Readonly<Record<string, UnitChange>>;

/**
 * The columns that are shown in another unit.
 * @param units the stored ones, by path id; undefined: unknown
 * @param system of all columns
 * @param unitsById the units of single columns, by path id, which come first
 * @param kept the ids of columns that are shown as stored
 */
export function unitChanges(
  units: Iterable<readonly [id: string, unit: string | undefined]>,
  system: UnitSystem | 'stored',
  unitsById: Readonly<Record<string, string>> = {},
  kept: readonly string[] = [],
): UnitChanges {
  const changes: Record<string, UnitChange> = {};
  const keptIds = new Set(kept);
  for (const [id, text] of units) {
    const isKept = text === undefined || keptIds.has(id);
    const change = isKept ? null : changeOf(text, valueUnder(unitsById, id) ?? system, id);
    if (change) changes[id] = { from: change.from.symbol, to: change.to.symbol };
  }
  return changes;
}

/** Whether a column can be shown in another unit: texts and lists stay as stored, and so does the unit above them. */
export const hasNumbers = ({ kind }: Pick<ColumnHead, 'kind'>): boolean =>
  kind !== 'text' && kind !== 'nested';

/** The ids of columns without a number. */
export const idsWithoutNumbers = (columns: readonly ColumnHead[]): string[] =>
  columns.flatMap((column) => (hasNumbers(column) ? [] : [pathId(column.path)]));

/** The unit in which a column is shown, for people; undefined: the stored one. */
export function changedUnit(changes: UnitChanges, id: string): string | undefined {
  const unit = unitNamed(changes[id]?.to ?? '');
  return unit && shownUnit(unit);
}

/** Whether a system of units can convert a column with this unit. */
export const isKnownUnit = (text: string | undefined): boolean =>
  text !== undefined && unitOf(text) !== undefined;

/** Converts numbers, except null values such as -999.25; null: they are shown as stored. */
export const changeConverter = (change: UnitChange | null | undefined) =>
  valueConverter(unitNamed(change?.from ?? ''), unitNamed(change?.to ?? ''));

/** Converts the numbers of a column; null: it is shown as stored. */
export const columnConverter = (changes: UnitChanges, id: string) => changeConverter(changes[id]);

/** Converts numbers back into the stored unit; null: they are shown as stored. */
export function storedConverter(changes: UnitChanges, id: string): ((value: number) => number) | null {
  const change = changes[id];
  return changeConverter(change && { from: change.to, to: change.from });
}

/** Whether positions in two units can be on one axis; nothing: unknown. */
export const areComparable = (unit: string | null | undefined, shown: string | null | undefined): boolean =>
  (unit ?? '') === (shown ?? '') || unitPair(unit ?? '', shown ?? '') !== undefined;

/**
 * Ranges along an axis in its unit, such as those of notes.
 * @param ranges as stored
 * @param unit in which they are stored; nothing: unknown
 * @param shown the unit of the axis; nothing: unknown
 * @returns the same ranges if one of the units isn't known
 */
export function rangesInUnit<T extends { readonly from: number; readonly to: number | null }>(
  ranges: readonly T[],
  unit: string | null | undefined,
  shown: string | null | undefined,
): readonly T[] {
  const pair = unitPair(unit ?? '', shown ?? '');
  const convert = pair && converter(pair.from, pair.to);
  if (!convert || pair.from === pair.to) return ranges;
  return ranges.map((range) => ({
    ...range,
    from: convert(range.from),
    to: range.to === null ? null : convert(range.to),
  }));
}

/** Minimum number of significant digits of a converted number. */
const minDigits = 6;
const maxDigits = 15;

/** A converted number with a digit more than the stored one: a conversion measures no further ones. */
function readableNumber(converted: number, stored: number): number {
  const digits = String(Math.abs(stored)).replace(/e.*$/, '').replace('.', '').replace(/^0+/, '').length;
  return Number(converted.toPrecision(Math.min(Math.max(digits + 1, minDigits), maxDigits)));
}

/** The cells of a column as they are shown; other values than numbers stay. Null: all stay. */
export function cellConverter(changes: UnitChanges, id: string): (<T>(cell: T) => T | number) | null {
  const convert = columnConverter(changes, id);
  if (!convert) return null;
  return (cell) => {
    const number = typeof cell === 'bigint' ? Number(cell) : cell;
    if (typeof number !== 'number' || isNullNumber(number)) return cell;
    return readableNumber(convert(number), number);
  };
}

/** The names of wells by asset id, as text. */
export type WellNames = ReadonlyMap<string, string>;

/** The path of a record's asset id, beside that of its log. */
export const assetPath = ['asset_id'] as const;
const namePathOf = (assetPath: readonly string[]) => [...assetPath.slice(0, -1), 'well_name'];
const idPaths = new Map(assetPaths.map(pathNames).map((path) => [pathId(namePathOf(path)), path]));

/** The path of the asset id whose well's name is at a path; other paths unchanged. */
export const assetPathOf = ({ path, kind }: Pick<ColumnHead, 'path' | 'kind'>): readonly string[] =>
  (kind === 'well' && idPaths.get(pathId(path))) || path;

export const isAssetId = (path: readonly string[]): boolean => isAssetPath(pathId(path));

/** A usual name's width in characters. */
const characters = 19;

/** The columns with one for the names of wells beside each asset id, unless records have such a field. */
export function withWellNames(heads: readonly ColumnHead[]): readonly ColumnHead[] {
  const ids = new Set(heads.map(({ path }) => pathId(path)));
  return heads.flatMap((head) => {
    const path = namePathOf(head.path);
    return isAssetId(head.path) && !ids.has(pathId(path))
      ? [head, { path, kind: 'well' as const, characters }]
      : [head];
  });
}

/** The columns without the asset ids for which names of wells stand. */
export function withoutAssetIds(heads: readonly ColumnHead[]): readonly ColumnHead[] {
  const wells = heads.filter(({ kind }) => kind === 'well');
  const assets = new Set(wells.map((well) => pathId(assetPathOf(well))));
  return heads.filter(({ kind, path }) => kind === 'well' || !assets.has(pathId(path)));
}

/** The columns of a table with the names of wells, beside their ids or in place of them. */
export function namedHeads(heads: readonly ColumnHead[], hasNames: boolean, hidesIds: boolean) {
  if (!hasNames) return heads;
  return hidesIds ? withoutAssetIds(withWellNames(heads)) : withWellNames(heads);
}

/** The names of logs by the asset id of their well and by their id, as text. */
export type LogNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

export const isLogId = (path: readonly string[]): boolean => pathId(path) === 'log_identifier';

/** The name of a log of a well; undefined: it is shown by its id. @param names absent: none */
export const nameOfLog = (names: LogNames | undefined, well: unknown, log: unknown): string | undefined =>
  names?.get(String(well))?.get(String(log));

/** The name of a cell's well; undefined: unknown. */
export const nameOfWell = (names: WellNames, cell: unknown): string | undefined =>
  typeof cell === 'number' || typeof cell === 'string' ? names.get(String(cell)) : undefined;

/** What the column of wells shows of an asset ID: the name of its well, or the ID if the well isn't listed. */
export const shownWell = <T>(names: WellNames, cell: T): T | string => nameOfWell(names, cell) ?? cell;

/** The first rows, which tell how many decimals a column has. */
export const sampledRows = Array.from({ length: 30 }, (_, at) => at);
/** More are digits of a calculation. */
export const maxDecimals = 4;
/** How many digits the greatest number of a column shows at least, if its numbers have more than that many decimals. */
export const roundedDigits = 5;

/** The decimals of a number as it is written; those of an exponent are too many to show. */
export const decimalsOf = (value: number): number =>
  Number.isInteger(value) ? 0 : (/^-?\d+\.(\d+)$/.exec(String(value))?.[1]?.length ?? Infinity);

/** With as many decimals as the greatest number has room for. */
const decimalsFor = (greatest: number): number =>
  greatest === 0
    ? maxDecimals
    : Math.min(Math.max(roundedDigits - 1 - Math.floor(Math.log10(greatest)), 1), maxDecimals);

/** How many decimals the numbers of a column have, and whether they are rounded to them. */
export interface FigureForm {
  readonly isRound: boolean;
  readonly decimals: number;
}

/** @param isRounded whether the numbers are calculated, so that their last digits say nothing */
export function figureForm(samples: readonly number[], isRounded: boolean): FigureForm {
  const most = maxOf(samples.map(decimalsOf));
  const isRound = isRounded || most > maxDecimals;
  return { isRound, decimals: isRound ? decimalsFor(maxOf(samples.map(Math.abs))) : most };
}

/** The decimals to which a number is rounded. One after whole numbers has the digits of its size. */
export const roundedDecimals = (value: number, first: FigureForm | null, isRounded: boolean): number =>
  first?.isRound ? first.decimals : Math.max(first?.decimals ?? 0, figureForm([value], isRounded).decimals);

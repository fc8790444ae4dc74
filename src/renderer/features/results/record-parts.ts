import { isObject, stringifyJson, type JsonValue } from '../../../shared/json.ts';
import { words } from '../../words/words.ts';
import { timeText, type TimeZone } from '../records/cell-text.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnOrder, kindOf } from '../records/columns.ts';
import { isAssetId, nameOfWell, type WellNames } from '../records/well-names.ts';
import { changedUnit, cellConverter } from '../records/unit-changes.ts';
import { cellTip, cellTone } from './cells.ts';
import type { RecordUnits } from './record-tree.tsx';

/** A field or an array item, with its path. */
export interface RecordPart {
  readonly id: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly value: JsonValue;
  /** The number of its parts; null: a plain value. */
  readonly parts: number | null;
  /** Whether the path includes an array: no condition can refer to a single item. */
  readonly isInArray: boolean;
}

export function partsOf(value: JsonValue, of?: Pick<RecordPart, 'path' | 'isInArray'>): RecordPart[] {
  const base = of?.path ?? [];
  const isInArray = (of?.isInArray ?? false) || Array.isArray(value);
  const named = Array.isArray(value)
    ? value.map((part, at): [string, JsonValue] => [String(at), part])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return named.map(([name, part]) => {
    const path = [...base, name];
    return { id: pathId(path), path, name, value: part, parts: partCount(part), isInArray };
  });
}

/**
 * The parts of a record in the order of the table's columns: the position, the well, and the values, and then what all
 * records of a dataset share.
 * @param record the record
 */
export const recordParts = (record: JsonValue): RecordPart[] =>
  columnOrder(
    partsOf(record).map((part) => ({
      ...part,
      characters: typeof part.value === 'string' ? part.value.length : 0,
    })),
  );

function partCount(value: JsonValue): number | null {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : null;
}

/**
 * A time in the zone, as in the grid, with its raw value as a tooltip; null: not a time, or raw.
 * @param path the path of the value
 */
export function partTime(
  path: readonly string[],
  value: JsonValue,
  zone: TimeZone,
): { readonly text: string; readonly tip: string } | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const kind = kindOf(path, [value]);
  const time = timeText(value, kind, zone);
  return time === null
    ? null
    : { text: words.record.time(time, zone ?? ''), tip: cellTip(value, kind, zone, words.results) };
}

/**
 * A number with its unit, converted as in the table, with the stored number as a tooltip; null: another value, or one
 * without a known unit. Numbers in lists have no columns, so they are as stored.
 */
export function partMeasure(
  { path, value, isInArray }: RecordPart,
  { unitOf, changes }: RecordUnits,
): { readonly text: string; readonly tip: string } | null {
  const stored = unitOf(path.join('.'));
  if (isInArray || stored === undefined || (typeof value !== 'number' && typeof value !== 'bigint'))
    return null;
  if (kindOf(path, [value]) === 'time' || cellTone(value) === 'sentinel') return null;
  const id = pathId(path);
  const shown = cellConverter(changes, id)?.(value) ?? value;
  const text = `${stringifyJson(shown)} ${changedUnit(changes, id) ?? stored}`;
  return { text, tip: words.results.storedTip(stringifyJson(value), stored) };
}

/** The name of the well of an asset id; undefined: unknown, or another value. */
export const wellOfPart = (path: readonly string[], value: JsonValue, names: WellNames): string | undefined =>
  isAssetId(path) ? nameOfWell(names, value) : undefined;

// Longer lists start collapsed, because rendering them takes time.
const maxInitialParts = 60;

/** The objects that start expanded: all except long ones and arrays. */
export function initiallyOpen(record: JsonValue): string[] {
  const open = (parts: readonly RecordPart[]): string[] =>
    parts
      .filter(
        ({ value, parts: count }) => count !== null && count <= maxInitialParts && !Array.isArray(value),
      )
      .flatMap((part) => [part.id, ...open(partsOf(part.value, part))]);
  return open(partsOf(record));
}

/** The part with an id; null: none. */
export function partWithId(record: JsonValue, id: string): RecordPart | null {
  let parts = partsOf(record);
  for (;;) {
    const next = parts.find((part) => id === part.id || id.startsWith(`${part.id}.`));
    if (!next || next.id === id) return next ?? null;
    parts = partsOf(next.value, next);
  }
}

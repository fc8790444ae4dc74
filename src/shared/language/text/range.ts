import type { DatasetType } from '../../datasets/datasets.ts';
import { datasetShapes } from '../../datasets/shapes.ts';
import { millisecondsOf } from '../dates.ts';
import { parseMoment } from '../moments.ts';
import { tryRelaxed } from '../relaxed.ts';
import { conditionOn, withCondition, type UnreadableReason } from './condition.ts';
import { appendItem, prependItem, removeItem, replaceSpan } from './edits.ts';
import { objectOutlineOf, textOf, type ObjectOutline } from './outline.ts';

/** One end of a range. */
export type Bound =
  /** Relative to the time of the run: the text between `{{` and `}}`, such as `now-24h`. */
  | { readonly kind: 'moment'; readonly written: string }
  /** A point in time, in Unix milliseconds. */
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'depth'; readonly depth: number };

/** From a lower bound on, up to an upper one; null: open. It includes its start and excludes its end, unless it says so. */
export interface Range {
  readonly from: Bound | null;
  readonly to: Bound | null;
  readonly excludesFrom?: boolean;
  readonly includesTo?: boolean;
}

export type RangeInText =
  | ({ readonly kind: 'range' } & Range)
  | { readonly kind: 'odd'; readonly why: UnreadableReason };

/** The field of a range, and whether it has times or depths. */
export interface RangeField {
  readonly path: string;
  readonly of: 'time' | 'depth';
}

/** The range field of a dataset type; null: none. */
export function rangeFieldOf(type: DatasetType | null): RangeField | null {
  const path = type === null ? null : datasetShapes[type].indexField;
  return path === null ? null : { path, of: path === 'measured_depth' ? 'depth' : 'time' };
}

/** Depths are written with three decimals, finer than any log. */
const perUnit = 1000;

/**
 * A range of numbers as bounds that include both ends.
 * @param range Unix milliseconds, or a depth
 */
export function boundsOf(
  { of }: RangeField,
  { from, to }: { readonly from: number; readonly to: number },
): Range {
  if (of === 'time')
    return { from: { kind: 'time', ms: Math.floor(from) }, to: { kind: 'time', ms: Math.floor(to) + 1 } };
  return {
    from: { kind: 'depth', depth: Math.floor(from * perUnit) / perUnit },
    to: { kind: 'depth', depth: (Math.floor(to * perUnit) + 1) / perUnit },
  };
}

/** The operators of the ends: those of most ranges first. */
const lower = ['$gte', '$gt'] as const;
const upper = ['$lt', '$lte'] as const;
type EndOperator = (typeof lower | typeof upper)[number];

function readBound(text: string, { of }: RangeField): Bound | null {
  const parameter = /^\{\{([^{}\r\n]*)\}\}$/.exec(text)?.[1]?.trim();
  if (parameter !== undefined)
    return of === 'time' && typeof parseMoment(parameter) === 'object'
      ? { kind: 'moment', written: parameter }
      : null;
  const bound = tryRelaxed(text);
  if (of === 'depth') return typeof bound === 'number' ? { kind: 'depth', depth: bound } : null;
  const ms = typeof bound === 'string' ? millisecondsOf(bound) : bound;
  return typeof ms === 'number' && Number.isInteger(ms) ? { kind: 'time', ms } : null;
}

interface Ends {
  readonly outline: ObjectOutline;
  /** Places of the entries; -1: open. */
  readonly from: number;
  readonly to: number;
}

/** The positions of a range's bounds in a condition; null for another kind of condition. */
function readEnds(value: string): Ends | null {
  const outline = objectOutlineOf(value);
  if (!outline) return null;
  const from = outline.items.findIndex(({ key }) => lower.some((operator) => operator === key));
  const to = outline.items.findIndex(({ key }) => upper.some((operator) => operator === key));
  const count = Number(from >= 0) + Number(to >= 0);
  return count === outline.items.length ? { outline, from, to } : null;
}

/** The range in a query or a $match. */
export function readRange(query: string, field: RangeField): RangeInText {
  const condition = conditionOn(query, field.path);
  if (condition.kind === 'odd') return condition;
  if (condition.kind === 'none') return { kind: 'range', from: null, to: null };
  const { value } = condition;
  const ends = readEnds(value);
  const other: RangeInText = { kind: 'odd', why: 'other' };
  if (!ends) return other;
  const bounds: (Bound | null)[] = [];
  for (const at of [ends.from, ends.to]) {
    const entry = ends.outline.items[at];
    const bound = entry ? readBound(textOf(value, entry.value), field) : null;
    if (entry && !bound) return other;
    bounds.push(bound);
  }
  const [from = null, to = null] = bounds;
  const [lowerKey, upperKey] = [ends.from, ends.to].map((at) => ends.outline.items[at]?.key);
  return {
    kind: 'range',
    from,
    to,
    ...(lowerKey === lower[1] && { excludesFrom: true }),
    ...(upperKey === upper[1] && { includesTo: true }),
  };
}

function writtenBound(bound: Bound): string {
  if (bound.kind === 'moment') return `{{${bound.written}}}`;
  return bound.kind === 'time' ? `ISODate("${new Date(bound.ms).toISOString()}")` : String(bound.depth);
}

const sameBound = (a: Bound | null, b: Bound | null) => JSON.stringify(a) === JSON.stringify(b);

interface NewEnd {
  readonly end: 'from' | 'to';
  readonly bound: Bound | null;
  readonly operator: EndOperator;
}

/** Sets one bound of a condition. */
function withEnd(value: string, { end, bound, operator }: NewEnd, field: RangeField): string | null {
  const ends = readEnds(value);
  if (!ends) return null;
  const { outline } = ends;
  const entry = outline.items[ends[end]];
  if (entry) {
    if (bound === null) return removeItem(value, outline, ends[end]);
    // An equal bound keeps its text.
    const isSame = sameBound(readBound(textOf(value, entry.value), field), bound);
    const withValue = isSame ? value : replaceSpan(value, entry.value, writtenBound(bound));
    // The name precedes its value, so its place is the same.
    return entry.key === operator ? withValue : replaceSpan(withValue, entry.name, operator);
  }
  if (bound === null) return value;
  const written = `${operator}: ${writtenBound(bound)}`;
  return end === 'from' ? prependItem(value, outline, written) : appendItem(value, outline, written);
}

/**
 * Sets the range of a query; everything else remains. An open range removes the condition. Null if the text
 * has no place for it, or has another kind of condition.
 */
export function writeRange(query: string, field: RangeField, range: Range): string | null {
  const { from, to, excludesFrom = false, includesTo = false } = range;
  const condition = conditionOn(query, field.path);
  if (condition.kind === 'odd') return null;
  if (from === null && to === null)
    return condition.kind === 'none' || readEnds(condition.value)
      ? withCondition(query, field.path, null)
      : null;
  const before = condition.kind === 'none' ? '{}' : condition.value;
  const start = { end: 'from', bound: from, operator: lower[excludesFrom ? 1 : 0] } as const;
  const end = { end: 'to', bound: to, operator: upper[includesTo ? 1 : 0] } as const;
  const half = withEnd(before, start, field);
  const value = half === null ? null : withEnd(half, end, field);
  return value === null ? null : withCondition(query, field.path, value, 'last');
}

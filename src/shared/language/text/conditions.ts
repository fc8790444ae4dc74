import { isSignificant, scan } from '../scan.ts';
import { nameOf, idsCondition } from '../scope.ts';
import {
  appendItem,
  prependItem,
  removeItem,
  replaceSpan,
  objectOutlineOf,
  textOf,
  type Entry,
  type ObjectOutline,
  outlineOf,
} from './edits.ts';
import { type DatasetType, indexFieldOf } from '../../datasets/datasets.ts';
import { holdsIsoText, millisecondsOf } from '../literals.ts';
import { parseMoment } from '../moments.ts';
import { tryRelaxed } from '../relaxed.ts';

/** Why a picker can't read or edit the condition on a path. */
type UnreadableReason =
  /** The text isn't an object, or can't be parsed. */
  | 'unreadable'
  /** The path occurs more than once, or inside `$or` and similar operators. */
  | 'several'
  /** The condition is of a kind that the picker doesn't support. */
  | 'other';

/** The condition of a query on a path: its text, none, or why it can't be read. */
type Condition =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'odd'; readonly why: UnreadableReason };

interface Place {
  readonly outline: ObjectOutline;
  readonly entry: Entry | null;
  readonly at: number;
}

// A blank query matches everything, as an empty object.
const orEmpty = (text: string) => (text.trim() === '' ? '{}' : text);

/** How often a path occurs as a name, at any depth. */
function countNames(text: string, path: string): number {
  const pieces = [...scan(text)].filter(isSignificant);
  return pieces.filter(({ kind, start, end }, at) => {
    if (pieces[at + 1]?.kind !== 'colon') return false;
    const source = text.slice(start, end);
    return (kind === 'text' ? source.slice(1, -1) : source) === path;
  }).length;
}

function placeOf(text: string, path: string): Place | UnreadableReason {
  const outline = objectOutlineOf(text);
  if (!outline) return 'unreadable';
  const at = outline.items.findIndex(({ key }) => key === path);
  if (countNames(text, path) > (at < 0 ? 0 : 1)) return 'several';
  return { outline, at, entry: outline.items[at] ?? null };
}

/** The condition of a query, or a $match, on a path. */
export function conditionOn(query: string, path: string): Condition {
  const text = orEmpty(query);
  const place = placeOf(text, path);
  if (typeof place === 'string') return { kind: 'odd', why: place };
  return place.entry ? { kind: 'found', value: textOf(text, place.entry.value) } : { kind: 'none' };
}

/**
 * Replaces the condition on a path; null removes it. Only its characters change.
 * @param where the place of a new condition
 * @returns null if the condition can't be located
 */
export function withCondition(
  query: string,
  path: string,
  value: string | null,
  where: 'first' | 'last' = 'first',
): string | null {
  const text = orEmpty(query);
  const place = placeOf(text, path);
  if (typeof place === 'string') return null;
  const { outline, entry, at } = place;
  if (value === null) return entry ? removeItem(text, outline, at) : query;
  if (entry) return replaceSpan(text, entry.value, value);
  const written = `${nameOf(path)}: ${value}`;
  return where === 'first' ? prependItem(text, outline, written) : appendItem(text, outline, written);
}

/** The wells in the text of a query. */
export type ScopeInText =
  | { readonly kind: 'none' }
  /** `{{wells}}`: the wells that are selected when it runs. */
  | { readonly kind: 'chosen' }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'odd'; readonly why: UnreadableReason };

const selectedWells = '{{wells}}';
const isChosen = (text: string) => /^\{\{\s*wells\s*\}\}$/i.test(text);

const isId = (text: string) => /^\d{1,15}$/.test(text);

function readScopeValue(value: string): ScopeInText {
  const other: ScopeInText = { kind: 'odd', why: 'other' };
  if (isChosen(value)) return { kind: 'chosen' };
  if (isId(value)) return { kind: 'ids', ids: [Number(value)] };
  const operators = objectOutlineOf(value);
  const [onlyOperator, ...otherOperators] = operators?.items ?? [];
  if (!onlyOperator || otherOperators.length > 0) return other;
  const operand = textOf(value, onlyOperator.value);
  if (onlyOperator.key === '$eq' && isId(operand)) return { kind: 'ids', ids: [Number(operand)] };
  if (onlyOperator.key !== '$in') return other;
  if (isChosen(operand)) return { kind: 'chosen' };
  const list = outlineOf(operand, '[');
  if (!list) return other;
  const elements = list.items.map((item) => textOf(operand, item));
  const [first = ''] = elements;
  if (elements.length === 1 && isChosen(first)) return { kind: 'chosen' };
  return elements.every(isId) ? { kind: 'ids', ids: elements.map(Number) } : other;
}

/** The wells in a query or a $match, by a path. */
export function readScope(query: string, path: string): ScopeInText {
  const condition = conditionOn(query, path);
  return condition.kind === 'found' ? readScopeValue(condition.value) : condition;
}

/**
 * Sets the wells of a query; everything else remains. An empty list removes the condition. Null if the text
 * has no place for it.
 */
export function writeScope(
  query: string,
  path: string,
  scope: { readonly kind: 'none' | 'chosen' } | { readonly kind: 'ids'; readonly ids: readonly number[] },
): string | null {
  if (scope.kind === 'chosen') return withCondition(query, path, selectedWells);
  const ids = scope.kind === 'ids' ? [...new Set(scope.ids)] : [];
  return withCondition(query, path, ids.length === 0 ? null : idsCondition(ids));
}

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

export interface RangeField {
  readonly path: string;
  readonly of: 'time' | 'depth';
}

/** The range field of a dataset type; null: none. */
export function rangeFieldOf(type: DatasetType | null): RangeField | null {
  const path = indexFieldOf(type);
  return path === null ? null : { path, of: path === 'measured_depth' ? 'depth' : 'time' };
}

/** Depths are written with three decimals, finer than any log; a product with this can be a little below a whole number. */
const perUnit = 1000;

/** A range of numbers as bounds that include both ends. @param range Unix milliseconds, or a depth */
export function boundsOf(
  { of, path }: RangeField,
  { from, to }: { readonly from: number; readonly to: number },
): Range {
  // Texts are compared by their characters: 07:00:00Z comes after 07:00:00.001Z, and 07:00:00+00:00 before 07:00:00.000Z.
  if (of === 'time' && holdsIsoText(path)) {
    const [first, last] = [Math.floor(from / 1000), Math.floor(to / 1000)];
    return { from: { kind: 'time', ms: first * 1000 - 1 }, to: { kind: 'time', ms: (last + 1) * 1000 } };
  }
  if (of === 'time')
    return { from: { kind: 'time', ms: Math.floor(from) }, to: { kind: 'time', ms: Math.floor(to) + 1 } };
  return {
    from: { kind: 'depth', depth: Math.floor(from * perUnit) / perUnit },
    to: { kind: 'depth', depth: (Math.floor(to * perUnit + 1e-6) + 1) / perUnit },
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

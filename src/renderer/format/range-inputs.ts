import { DateTime } from 'luxon';
import { millisecondsOfMoment, parseMoment, zoneOf } from '../../shared/language/moments.ts';
import { inputText, typedNumber } from './numbers.ts';
import type { Bound, Range, RangeField } from '../../shared/language/text/conditions.ts';

export function formatBound(bound: Bound | null, zone: string): string {
  if (bound === null) return '';
  if (bound.kind === 'moment') return bound.written;
  if (bound.kind === 'depth') return inputText(bound.depth);
  const at = DateTime.fromMillis(bound.ms, { zone: zoneOf(zone) ?? 'utc' });
  return at.toFormat(at.millisecond === 0 ? 'yyyy-MM-dd HH:mm:ss' : 'yyyy-MM-dd HH:mm:ss.SSS');
}

/**
 * When a zone has a local time: of one that occurs twice, the first for a start and the last for an end, whatever the season is
 * now; undefined: it isn't a time, or clocks skip it.
 */
function instantIn(text: string, zone: string, end: 'from' | 'to'): number | undefined {
  const at = DateTime.fromISO(text, { zone: zoneOf(zone) ?? 'utc' });
  const hasOffset = /T.*(?:Z|[+-]\d\d:?(?:\d\d)?)$/i.test(text);
  if (!at.isValid || hasOffset) return at.isValid ? at.toMillis() : undefined;
  const wall = DateTime.fromISO(text, { zone: 'utc' });
  if (text.includes('T') && wall.toMillis() !== at.toMillis() + at.offset * 60_000) return undefined;
  return at
    .getPossibleOffsets()
    .at(end === 'from' ? 0 : -1)
    ?.toMillis();
}

/**
 * The bound of a text; null: open; undefined: invalid.
 * @param end which of two equal local times it is, if clocks are set back over it
 */
export function parseBound(
  text: string,
  of: RangeField['of'],
  zone: string,
  end: 'from' | 'to' = 'from',
): Bound | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (of === 'depth') {
    const depth = typedNumber(trimmed);
    return depth == null ? undefined : { kind: 'depth', depth };
  }
  const moment = parseMoment(trimmed.replace(/^\{\{(.*)\}\}$/, '$1'));
  if (typeof moment === 'object')
    return { kind: 'moment', written: trimmed.replace(/^\{\{(.*)\}\}$/, '$1').trim() };
  if (moment !== undefined || !/^\d{4}-\d{2}/.test(trimmed)) return undefined;
  const ms = instantIn(trimmed.replace(/\s+/, 'T'), zone, end);
  return ms === undefined ? undefined : { kind: 'time', ms };
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

/** The day of a time in a zone, as an ISO date. */
export const dayOf = (ms: number, zone: string): string =>
  DateTime.fromMillis(ms, { zone: zoneOf(zone) ?? 'utc' }).toFormat('yyyy-MM-dd');

/** The first and the last day of typed times, as ISO dates; null: they aren't times with a start and an end. */
export function daysOf({ from, to, zone }: RangeInputs): { first: string; last: string } | null {
  const [start, end] = [parseBound(from, 'time', zone), parseBound(to, 'time', zone, 'to')];
  if (start?.kind !== 'time' || end?.kind !== 'time' || end.ms <= start.ms) return null;
  const [first, last] = [start.ms, end.ms - 1].map((ms) =>
    DateTime.fromMillis(ms, { zone: zoneOf(zone) ?? 'utc' }).toISODate(),
  );
  return first && last && isoDate.test(first) && isoDate.test(last) ? { first, last } : null;
}

/** The times from the start of the first day to the end of the last, as typed. */
export function inputsOfDays(
  { first, last }: { readonly first: string; readonly last: string },
  zone: string,
): Pick<RangeInputs, 'from' | 'to'> {
  const start = DateTime.fromISO(first, { zone: zoneOf(zone) ?? 'utc' });
  const end = DateTime.fromISO(last, { zone: zoneOf(zone) ?? 'utc' }).plus({ days: 1 });
  const text = (at: DateTime) => formatBound({ kind: 'time', ms: at.toMillis() }, zone);
  return { from: text(start), to: text(end) };
}

export interface RangeInputs {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

export type RangeProblem = 'bad' | 'zone' | 'backwards';

/**
 * The range of the inputs, or the invalid ones. A bound whose text is unchanged stays exactly as it was, and so does
 * whether an end is included.
 */
export function parseRange(
  typed: RangeInputs,
  before: Range,
  of: RangeField['of'],
): { range: Range } | { problems: Partial<Record<keyof RangeInputs, RangeProblem>> } {
  const { zone } = typed;
  if (of === 'time' && !zoneOf(zone)) return { problems: { zone: 'zone' } };
  const read = (end: 'from' | 'to') =>
    typed[end] === formatBound(before[end], zone) ? before[end] : parseBound(typed[end], of, zone, end);
  const from = read('from');
  const to = read('to');
  if (from === undefined || to === undefined)
    return {
      problems: { ...(from === undefined && { from: 'bad' }), ...(to === undefined && { to: 'bad' }) },
    };
  const [low, high] = [boundOrder(from), boundOrder(to)];
  // A range that includes both ends can be a single place.
  const isPlace = low === high && !before.excludesFrom && before.includesTo;
  if (low !== null && high !== null && low >= high && !isPlace) return { problems: { to: 'backwards' } };
  return { range: { ...before, from, to } };
}

/** A bound as Unix milliseconds, or a depth; null: it is open, or a relative time, which isn't known before the run. */
export function boundOrder(bound: Bound | null): number | null {
  if (bound === null || bound.kind === 'moment') return null;
  return bound.kind === 'time' ? bound.ms : bound.depth;
}

/**
 * A bound with a relative time as the time that it has now, in UTC.
 * @param now Unix milliseconds
 * @returns null: it is open, or can't be read
 */
export function boundAt(bound: Bound | null, now: number): Bound | null {
  if (bound?.kind !== 'moment') return bound;
  const moment = parseMoment(bound.written);
  const ms = typeof moment === 'object' ? millisecondsOfMoment(moment, now, 'UTC') : undefined;
  return ms === undefined ? null : { kind: 'time', ms };
}

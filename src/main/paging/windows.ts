import { atEnd, firstRun, type Bound, type Cursor, type WindowCursor } from './cursor.ts';
import { fits, isAbove, type PageKeys, type PageOrigin, type Step, type WindowRule } from './rule.ts';
import { compareIds, compareValues } from './values.ts';

/** More ids than this are not carried along; only a service that rounds what it shows would need them. */
const mostKnown = 100;

/** Neighbouring records of a page with the same value. */
interface Group {
  readonly value: string | null;
  readonly records: number[];
}

interface WindowPage extends PageOrigin {
  /** How many ids the file of ids holds, for a run that begins here. */
  readonly ids: number;
}

/**
 * What a page of a window leads to. Every value but the page's last is complete and is written, ordered by `_id`; the
 * last is held back, since more of it may follow, and comes again with the next page. So each record is written once,
 * and where pages end leaves no trace. A window ends at an empty page, or at one that no record can follow; a page with
 * one value only is paged inside.
 * A page that was asked for ahead holds everything beyond the cursor, up to its end, if and only if it begins with a
 * record before the cursor: records come in order. Otherwise it is detached.
 */
export function advanceWindow(
  rule: WindowRule,
  cursor: WindowCursor,
  keys: PageKeys,
  { ids, overlaps, isLast }: WindowPage,
): Step<Cursor> {
  const first = overlaps ? countBefore(rule, cursor, keys) : 0;
  if (overlaps && (first === 0 || first === keys.count)) return { isDetached: true };
  const groups = groupsOf(keys, cursor.known, first);
  // Records before the cursor prove the limit of a page that was asked for ahead; it may have been asked for without one.
  const problem = problemOf(rule, overlaps ? { ...cursor, bound: null } : cursor, groups);
  if (problem !== null) return { giveUp: problem };
  const isLate = ({ value }: Group): boolean => value !== null && isAbove(rule, value);
  // Values are in order, so that only descending pages can begin with late ones; ascending ones end with them.
  const inTime = (all: Group[]): Group[] =>
    rule.direction === -1 && all[0] && isLate(all[0]) ? all.filter((group) => !isLate(group)) : all;
  const order = ({ records }: Group): number[] => byId(records, keys, rule.tie);
  const held = groups.at(-1);
  if (rule.direction === 1 && held && isLate(held))
    return { emit: groups.filter((group) => !isLate(group)).flatMap(order), next: atEnd };
  if (!held) return { emit: [], next: afterValues(rule, ids) };
  if (isLast)
    return {
      emit: inTime(groups).flatMap(order),
      next: held.value === null ? atEnd : afterValues(rule, ids),
    };
  const complete = groups.slice(0, -1);
  const last = complete.at(-1);
  if (!last) return { emit: [], next: inside(held, cursor.bound, ids) };
  const emit = inTime(complete).flatMap(order);
  return { emit, next: following(rule, cursor, { last, held, keys, ids }), passed: held.records[0] ?? 0 };
}

/** How many records at the begin of a page lie before a cursor. */
function countBefore(rule: WindowRule, { bound }: WindowCursor, keys: PageKeys): number {
  if (bound === null) return 0;
  const isBefore = (value: string | null): boolean => {
    if (value === null) return rule.direction === 1;
    if (!fits(rule, value)) return false;
    const order = rule.direction * compareValues(value, bound.value);
    return bound.op === '$gte' ? order < 0 : order <= 0;
  };
  let record = 0;
  while (record < keys.count && isBefore(keys.value(record))) record += 1;
  return record;
}

/** What comes when no record with a value is left. */
export function afterValues(rule: WindowRule, ids: number): Cursor {
  return rule.direction === -1 && rule.nulls ? firstRun('nulls', ids) : atEnd;
}

/** The window beyond a value that is complete. */
export function beyond(
  rule: WindowRule,
  value: string,
  expect: string | null,
  known: string[] = [],
): WindowCursor {
  return { at: 'window', bound: { op: rule.direction === 1 ? '$gt' : '$lt', value }, expect, known };
}

/** The first window behind the records without a value. */
export const fromValue = (value: string): WindowCursor => ({
  at: 'window',
  bound: { op: '$gte', value },
  expect: value,
  known: [],
});

function inside({ value }: Group, bound: Bound | null, ids: number): Cursor {
  return value === null ? firstRun('nulls', ids) : firstRun('value', ids, { value, bound });
}

interface PageEnd {
  readonly last: Group;
  readonly held: Group;
  readonly keys: PageKeys;
  readonly ids: number;
}

function following(
  rule: WindowRule,
  { bound, known }: WindowCursor,
  { last, held, keys, ids }: PageEnd,
): Cursor {
  if (held.value === null) return firstRun('nulls', ids);
  if (last.value === null) return fromValue(held.value);
  const again = bound !== null && compareValues(bound.value, last.value) === 0 ? known : [];
  const written = last.records.map((record) => keys.id(record)).filter((id) => id !== null);
  const carried = [...again, ...written];
  // The first page beyond a bound must begin with the value held back: so it is seen whether the filter matches.
  return beyond(
    rule,
    last.value,
    bound === null ? held.value : null,
    carried.length > mostKnown ? [] : carried,
  );
}

function groupsOf(keys: PageKeys, known: readonly string[], first: number): Group[] {
  const dropped = new Set(known);
  const groups: Group[] = [];
  for (let record = first; record < keys.count; record += 1) {
    // What was written already can only come again at the begin, with the first value.
    if (dropped.size > 0 && groups.length < 2 && dropped.has(keys.id(record) ?? '')) continue;
    const value = keys.value(record);
    const group = groups.at(-1);
    if (group && sameValue(group.value, value)) group.records.push(record);
    else groups.push({ value, records: [record] });
  }
  return groups;
}

const sameValue = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : compareValues(a, b) === 0;

function byId(records: number[], keys: PageKeys, tie: 1 | -1): number[] {
  return records.length === 1 ? records : records.sort((a, b) => tie * compareIds(keys.id(a), keys.id(b)));
}

/** Why windows can't be trusted with this service and dataset, in words; null when all is as it must be. */
function problemOf(
  rule: WindowRule,
  { bound, expect }: WindowCursor,
  groups: readonly Group[],
): string | null {
  const { field, direction } = rule;
  const values = groups.map(({ value }) => value);
  if (values.some((value) => value !== null && !fits(rule, value)))
    return `${field} has values of different types`;
  if (!values.every((value, nth) => nth === 0 || inOrder(values[nth - 1] ?? null, value, direction)))
    return `the service doesn't sort by ${field} consistently`;
  // In order they are, so that the outermost speak for all.
  const outermost = [values.at(0), values.at(-1)].filter((value) => value !== undefined);
  if (bound && outermost.some((value) => value === null || !inOrder(bound.value, value, direction)))
    return `the service ignores a limit of ${field}`;
  if (expect !== null && !values.some((value) => sameValue(value, expect)))
    return `the service's filter does not match the values of ${field} that it shows`;
  return null;
}

/** Whether a value may come after another one; without a value counts as lowest. */
function inOrder(before: string | null, after: string | null, direction: 1 | -1): boolean {
  if (before === null || after === null) return direction === 1 ? before === null : after === null;
  return direction * compareValues(before, after) <= 0;
}

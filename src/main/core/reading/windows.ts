import type { PageKeys } from '../records/scan.ts';
import {
  endCursor,
  firstRun,
  type Cursor,
  type WindowCursor,
  isOfKind,
  isAbove,
  type PageOrigin,
  type PageStep,
  type WindowRule,
  type WindowField,
} from './cursor.ts';
import { compareIds, compareValues } from '../records/values.ts';
import { type DatasetType, datasetShapes } from '../../../shared/datasets/datasets.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { canBeWindowed, type Bound } from '../requests.ts';

/** Maximum number of ids in a cursor; only a service that rounds values needs them. */
const maxKnownIds = 100;

/** Neighboring records with the same value. */
interface Group {
  readonly value: string | null;
  readonly records: [number, ...number[]];
}

interface WindowPage extends PageOrigin {
  /** Number of ids in the file of ids, for a run that starts here. */
  readonly ids: number;
}

/**
 * Advances a window by a page. Every value except the last is complete and is written, ordered by `_id`; the
 * last is held back, since more of its records may follow, and comes again with the next page. So each record
 * is written once, wherever pages end. A window ends at an empty or last page; a page with only one value is
 * continued as a run. A prefetched page is complete if and only if it starts with a record before the cursor,
 * because records are ordered; otherwise it is detached.
 */
export function advanceWindow(
  rule: WindowRule,
  cursor: WindowCursor,
  keys: PageKeys,
  { ids, overlaps, isLastPage }: WindowPage,
): PageStep<Cursor> {
  const firstRecord = overlaps ? countBefore(rule, cursor, keys) : 0;
  if (overlaps && (firstRecord === 0 || firstRecord === keys.count)) return { isDetached: true };
  const groups = groupsOf(keys, cursor.known, firstRecord);
  // In a prefetched page, records before the cursor prove the limit; it may have been requested without one.
  const problem = problemOf(rule, overlaps ? { ...cursor, bound: null } : cursor, groups);
  if (problem !== null) return { fallbackReason: problem };
  const isLate = ({ value }: Group): boolean => value !== null && isAbove(rule, value);
  // Late records are at the start of descending pages and at the end of ascending ones.
  const withoutLate = (allGroups: Group[]): Group[] =>
    rule.direction === -1 && allGroups[0] && isLate(allGroups[0])
      ? allGroups.filter((group) => !isLate(group))
      : allGroups;
  const order = ({ records }: Group): number[] => sortById(records, keys, rule.tie);
  const heldBack = groups.at(-1);
  if (rule.direction === 1 && heldBack && isLate(heldBack))
    return { emit: groups.filter((group) => !isLate(group)).flatMap(order), next: endCursor };
  if (!heldBack) return { emit: [], next: afterValues(rule, ids) };
  if (isLastPage)
    return {
      emit: withoutLate(groups).flatMap(order),
      next: heldBack.value === null ? endCursor : afterValues(rule, ids),
    };
  const complete = groups.slice(0, -1);
  const last = complete.at(-1);
  if (!last) return { emit: [], next: runInside(heldBack, cursor.bound, ids) };
  const emit = withoutLate(complete).flatMap(order);
  return {
    emit,
    next: nextCursor(rule, cursor, { last, heldBack, keys, ids }),
    recordsBeforeNext: heldBack.records[0],
  };
}

function countBefore(rule: WindowRule, { bound }: WindowCursor, keys: PageKeys): number {
  if (bound === null) return 0;
  const isBefore = (value: string | null): boolean => {
    if (value === null) return rule.direction === 1;
    if (!isOfKind(rule, value)) return false;
    const order = rule.direction * compareValues(value, bound.value);
    return bound.op === '$gte' ? order < 0 : order <= 0;
  };
  let record = 0;
  while (record < keys.count && isBefore(keys.value(record))) record += 1;
  return record;
}

/** The cursor after the last record with a value. */
export function afterValues(rule: WindowRule, ids: number): Cursor {
  return rule.direction === -1 && rule.nulls ? firstRun('nulls', ids) : endCursor;
}

/** The window after a complete value. */
export function windowAfter(
  rule: WindowRule,
  value: string,
  expect: string | null,
  known: string[] = [],
): WindowCursor {
  return { at: 'window', bound: { op: rule.direction === 1 ? '$gt' : '$lt', value }, expect, known };
}

/** The first window after the records without a value. */
export const windowFrom = (value: string): WindowCursor => ({
  at: 'window',
  bound: { op: '$gte', value },
  expect: value,
  known: [],
});

function runInside({ value }: Group, bound: Bound | null, ids: number): Cursor {
  return value === null ? firstRun('nulls', ids) : firstRun('value', ids, { value, bound });
}

interface PageEnd {
  readonly last: Group;
  readonly heldBack: Group;
  readonly keys: PageKeys;
  readonly ids: number;
}

function nextCursor(
  rule: WindowRule,
  { bound, known }: WindowCursor,
  { last, heldBack, keys, ids }: PageEnd,
): Cursor {
  if (heldBack.value === null) return firstRun('nulls', ids);
  if (last.value === null) return windowFrom(heldBack.value);
  const earlierIds = bound !== null && compareValues(bound.value, last.value) === 0 ? known : [];
  const newIds = last.records.map((record) => keys.id(record)).filter((id) => id !== null);
  const knownIds = [...earlierIds, ...newIds];
  // The first page after a bound must start with the value held back, which proves that the filter matches.
  return windowAfter(
    rule,
    last.value,
    bound === null ? heldBack.value : null,
    knownIds.length > maxKnownIds ? [] : knownIds,
  );
}

function groupsOf(keys: PageKeys, known: readonly string[], firstRecord: number): Group[] {
  const droppedIds = new Set<string | null>(known);
  const groups: Group[] = [];
  for (let record = firstRecord; record < keys.count; record += 1) {
    // Written records can come again only at the start, with the first value.
    if (droppedIds.size > 0 && groups.length < 2 && droppedIds.has(keys.id(record))) continue;
    const value = keys.value(record);
    const group = groups.at(-1);
    if (group && sameValue(group.value, value)) group.records.push(record);
    else groups.push({ value, records: [record] });
  }
  return groups;
}

const sameValue = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : compareValues(a, b) === 0;

function sortById(records: number[], keys: PageKeys, tie: 1 | -1): number[] {
  return records.length === 1 ? records : records.sort((a, b) => tie * compareIds(keys.id(a), keys.id(b)));
}

/** Why windows don't work with this service and dataset; null if they do. */
function problemOf(
  rule: WindowRule,
  { bound, expect }: WindowCursor,
  groups: readonly Group[],
): string | null {
  const { field, direction } = rule;
  const values = groups.map(({ value }) => value);
  if (values.some((value) => value !== null && !isOfKind(rule, value)))
    return `${field} has values of different types`;
  if (!values.every((value, index) => index === 0 || isInOrder(values[index - 1] ?? null, value, direction)))
    return `the service doesn't sort by ${field} consistently`;
  // The values are ordered, so the first and the last are sufficient.
  const outerValues = [values.at(0), values.at(-1)].filter((value) => value !== undefined);
  if (bound && outerValues.some((value) => value === null || !isInOrder(bound.value, value, direction)))
    return `the service ignores a limit of ${field}`;
  if (expect !== null && !values.some((value) => sameValue(value, expect)))
    return `the service's filter does not match the values of ${field} that it shows`;
  return null;
}

/** Whether a value may follow another; a missing value is the lowest. */
function isInOrder(before: string | null, after: string | null, direction: 1 | -1): boolean {
  if (before === null || after === null) return direction === 1 ? before === null : after === null;
  return direction * compareValues(before, after) <= 0;
}

const indexFields: ReadonlySet<string> = new Set(
  Object.values(datasetShapes).flatMap(({ indexField }) => indexField ?? []),
);

/**
 * The key field of pages: the sort field, if the dataset has an index on it and the user's condition on it
 * can be combined with a window. `_id` may follow it in the sort.
 * @returns null if pages need `skip`
 */
export function windowsFor(
  type: DatasetType | null,
  query: JsonObject,
  sort: JsonObject,
): WindowField | null {
  const [first, second, ...others] = Object.entries(sort);
  if (!first || others.length > 0 || (second && second[0] !== '_id')) return null;
  const [field, direction] = first;
  const isIndexed = type === null ? indexFields.has(field) : datasetShapes[type].indexField === field;
  if (!(isIndexed || field === '_id') || !canBeWindowed(query, field)) return null;
  return { field, direction: direction === -1 ? -1 : 1, tie: second?.[1] === -1 ? -1 : 1 };
}

import { AppError } from '../../shared/errors/errors.ts';
import { atEnd, type Cursor, type RunCursor } from './cursor.ts';
import { idKey, type IdSet } from './id-set.ts';
import { fits, isLast, type PageKeys, type PageOrigin, type Step, type WindowRule } from './rule.ts';
import { compareValues } from './values.ts';
import { afterValues, beyond, fromValue } from './windows.ts';

/** How far a run goes back at first when records before it were deleted; doubled each time. */
const firstStepBack = 1000;

/** So many pages without a new record, one after the other, and the service does not skip at all. */
const mostStale = 50;

/**
 * What a page of a run leads to: records seen before are dropped, the others written in the order they came. The run
 * ends at an empty page, at one that no record can follow, or at the first record that no longer belongs to it.
 * @param rule null for a run through everything
 * @param seen the ids seen in this run; those of this page are added
 * @throws AppError bad_answer when the service sends the same records for ever
 */
export function advanceRun(
  rule: WindowRule | null,
  cursor: RunCursor,
  keys: PageKeys,
  seen: IdSet,
  origin: Pick<PageOrigin, 'isLast'>,
): Step<Cursor> {
  const { skip, step, by, of } = cursor;
  const some = keys.count > 0;
  if (
    of === 'value' &&
    by === 'equal' &&
    skip === 0 &&
    !(some && where(rule, cursor, keys.value(0)) === 'in')
  )
    return { emit: [], next: { ...cursor, by: 'range' } };
  if ((step === 'overlap' || step === 'check') && !(some && isInPlace(cursor, keys.id(0), seen)))
    return { emit: [], next: back(cursor) };
  if (step === 'confirm') return confirm(rule, cursor, keys, seen);
  if (step === 'check' && keys.count === 1) return checked(rule, cursor);
  const { emit, stopped } = take(rule, cursor, keys, seen);
  const counted = { ...cursor, seen: cursor.seen + emit.length };
  if (some && stopped === null && !origin.isLast) return { emit, next: onward(counted, keys, emit.length) };
  const ended = end(rule, counted, stopped === null ? null : keys.value(stopped));
  return 'next' in ended ? { emit, next: ended.next } : ended;
}

/** Whether a page begins with a record up to which everything was seen. */
function isInPlace({ step, anchor, doubted }: RunCursor, id: string | null, seen: IdSet): boolean {
  if (id === null) return true;
  return step === 'check' ? id === anchor : seen.has(idKey(id)) && !doubted.includes(id);
}

/**
 * A page behind one that held the last record only: the run's end, or a service that sends single records. The first
 * record is written, but not relied upon until the one before it is seen in its place again.
 */
function confirm(rule: WindowRule | null, cursor: RunCursor, keys: PageKeys, seen: IdSet): Step<Cursor> {
  const next: RunCursor = { ...cursor, skip: cursor.skip - 1, step: 'check', gained: null, behind: null };
  if (keys.count === 0) return { emit: [], next };
  const place = where(rule, cursor, keys.value(0));
  if (place === 'behind') return { emit: [], next: { ...next, behind: keys.value(0) } };
  const id = keys.id(0);
  const emit = place === 'in' ? [0] : [];
  // Without an id nothing can be recognised.
  if (id === null)
    return {
      emit,
      next: { ...cursor, skip: cursor.skip + 1, step: 'plain', seen: cursor.seen + emit.length },
    };
  if (seen.has(idKey(id))) return { emit: [], next: { ...next, gained: id } };
  seen.add(idKey(id));
  return {
    emit,
    next: { ...next, gained: id, doubted: [...cursor.doubted, id], seen: cursor.seen + emit.length },
  };
}

/** The last record stands in its place again, alone: what the confirm brought can be relied upon. */
function checked(rule: WindowRule | null, cursor: RunCursor): Step<Cursor> {
  const { gained, behind, skip } = cursor;
  if (gained === null) return end(rule, cursor, behind);
  const doubted = cursor.doubted.filter((id) => id !== gained);
  return { emit: [], next: { ...cursor, skip: skip + 1, step: 'overlap', doubted } };
}

/** Whether a value is in the run, or before it (a record that came in since), or behind its end. */
function where(
  rule: WindowRule | null,
  { of, value }: RunCursor,
  found: string | null,
): 'before' | 'in' | 'behind' {
  if (rule === null || of === 'all') return 'in';
  if (of === 'nulls') return found === null ? 'in' : 'behind';
  if (found === null || value === null) return rule.direction === 1 ? 'before' : 'behind';
  const order = rule.direction * compareValues(found, value);
  return order < 0 ? 'before' : order > 0 ? 'behind' : 'in';
}

interface Taken {
  /** New records of the run. */
  readonly emit: number[];
  /** The first record that does not belong to the run any more. */
  readonly stopped: number | null;
}

function take(rule: WindowRule | null, cursor: RunCursor, keys: PageKeys, seen: IdSet): Taken {
  const emit: number[] = [];
  for (let record = 0; record < keys.count; record += 1) {
    const place = where(rule, cursor, keys.value(record));
    if (place === 'behind') return { emit, stopped: record };
    const id = keys.id(record);
    const key = id === null ? null : idKey(id);
    if (key && seen.has(key)) continue;
    if (key) seen.add(key);
    if (place === 'in') emit.push(record);
  }
  return { emit, stopped: null };
}

/** The next page begins with the last record of this one, so that a deletion before it is noticed. */
function onward(cursor: RunCursor, keys: PageKeys, fresh: number): RunCursor {
  const { count } = keys;
  const stale = fresh === 0 && count > 1 && cursor.skip >= cursor.seen ? cursor.stale + 1 : 0;
  if (stale > mostStale) {
    const problem = 'it sends the same records for every skip';
    throw new AppError('bad_answer', { service: 'data', problem });
  }
  const last = keys.id(count - 1);
  const stands = new Set(
    cursor.doubted.length > 0 ? Array.from({ length: count }, (_, at) => keys.id(at)) : [],
  );
  const doubted = cursor.doubted.filter((id) => !stands.has(id));
  return { ...cursor, ...nextStep(cursor, count, last), doubted, back: 0, stale };
}

function nextStep({ skip, step }: RunCursor, count: number, last: string | null): Partial<RunCursor> {
  if (last === null) return { skip: skip + count, step: 'plain' };
  if (step === 'plain' || count > 1) return { skip: skip + count - 1, step: 'overlap' };
  return { skip: skip + 1, step: 'confirm', anchor: last };
}

function back(cursor: RunCursor): RunCursor {
  const by = Math.max(firstStepBack, cursor.back * 2);
  const skip = Math.max(0, cursor.skip - by);
  return { ...cursor, skip, step: skip === 0 ? 'plain' : 'overlap', back: by };
}

/** What follows a run. `after`: the value of the record that ended it; null when there was none. */
function end(rule: WindowRule | null, cursor: RunCursor, after: string | null): Step<Cursor> {
  const { of, value, by } = cursor;
  const ids = cursor.idsFrom + cursor.seen;
  if (rule === null || of === 'all') return { emit: [], next: atEnd };
  if (of === 'nulls') {
    if (rule.direction === -1 || after === null) return { emit: [], next: atEnd };
    return fits(rule, after)
      ? { emit: [], next: fromValue(after) }
      : { giveUp: `${rule.field} has values of different types` };
  }
  if (value === null || isLast(rule, value)) return { emit: [], next: atEnd };
  if (by === 'equal') return { emit: [], next: beyond(rule, value, null) };
  return { emit: [], next: after === null ? afterValues(rule, ids) : beyond(rule, value, after) };
}

import { AppError } from '../../../shared/errors.ts';
import { atEnd, type Cursor, type RunCursor } from './cursor.ts';
import { idKey, type IdSet } from './id-set.ts';
import { fits, isLast, type PageKeys, type Step, type WindowRule } from './rule.ts';
import { compareValues } from './values.ts';
import { afterValues, beyond, fromValue } from './windows.ts';

/** How far a run goes back at first when records before it were deleted; doubled each time. */
const firstStepBack = 1000;

/** So many pages without a new record, one after the other, and the service does not skip at all. */
const mostStale = 50;

/**
 * What a page of a run leads to: records seen before are dropped, the others written in the order they came. The run
 * ends at an empty page, or at the first record that no longer belongs to it.
 * @param rule null for a run through everything
 * @param seen the ids seen in this run; those of this page are added
 * @throws AppError bad_answer when the service sends the same records for ever
 */
export function advanceRun(
  rule: WindowRule | null,
  cursor: RunCursor,
  keys: PageKeys,
  seen: IdSet,
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
  if (step === 'overlap' || step === 'check') {
    if (!some || !isKnown(keys.id(0), seen)) return { emit: [], next: back(cursor) };
    if (step === 'check' && keys.count === 1 && cursor.gained === 0) return end(rule, cursor, cursor.behind);
  }
  const { emit, stopped } = take(rule, cursor, keys, seen);
  const counted = { ...cursor, seen: cursor.seen + emit.length };
  const after = stopped === null ? null : keys.value(stopped);
  if (step === 'confirm' && emit.length === 0 && (!some || stopped === 0))
    return { emit, next: { ...counted, skip: skip - 1, step: 'check', gained: 0, behind: after } };
  if (some && stopped === null) return { emit, next: onward(counted, keys, emit.length) };
  const ended = end(rule, counted, after);
  return 'giveUp' in ended ? ended : { emit, next: ended.next };
}

const isKnown = (id: string | null, seen: IdSet): boolean => id === null || seen.has(idKey(id));

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
    const problem = 'it sends the same records again, however many are skipped';
    throw new AppError('bad_answer', { service: 'data', problem });
  }
  return { ...cursor, ...nextStep(cursor, count, keys.id(count - 1) !== null), back: 0, stale };
}

function nextStep({ skip, step, gained }: RunCursor, count: number, hasId: boolean): Partial<RunCursor> {
  if (!hasId) return { skip: skip + count, step: 'plain' };
  if (step === 'confirm') return { skip: skip - 1, step: 'check', gained: count };
  if (step === 'plain' || count > 1) return { skip: skip + count - 1, step: 'overlap' };
  return step === 'check' ? { skip: skip + gained, step: 'overlap' } : { skip: skip + 1, step: 'confirm' };
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
      : { giveUp: `${rule.field} holds values of different kinds` };
  }
  if (value === null || isLast(rule, value)) return { emit: [], next: atEnd };
  if (by === 'equal') return { emit: [], next: beyond(rule, value, null) };
  return { emit: [], next: after === null ? afterValues(rule, ids) : beyond(rule, value, after) };
}

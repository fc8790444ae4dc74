import { AppError } from '../../../shared/errors/errors.ts';
import type { PageKeys } from '../records/scan.ts';
import {
  endCursor,
  type Cursor,
  type RunCursor,
  isOfKind,
  isLastValue,
  type PageOrigin,
  type PageStep,
  type WindowRule,
  isStartOfRun,
} from './cursor.ts';
import { compareValues } from '../records/values.ts';
import { afterValues, windowAfter, windowFrom } from './windows.ts';
import { createHash } from 'node:crypto';
import type { GrowingFile } from '../files/growing-file.ts';

/** The file of ids in the folder of a job, and the number of bytes of each key. */
export const idsFile = { name: 'ids.bin', idBytes: 12 } as const;

// Zeros mean no id.
const objectId = /^"(?!0{24})[0-9a-f]{24}"$/;

/**
 * A key of 12 bytes: an ObjectId itself, else the start of a SHA-256. Among 10^9 ids, two keys collide once
 * in 10^11 exports.
 * @param json the id as JSON text; null gives zeros
 */
export function idKey(json: string | null): Buffer {
  if (json === null) return Buffer.alloc(idsFile.idBytes);
  if (objectId.test(json)) return Buffer.from(json.slice(1, -1), 'hex');
  return createHash('sha256').update(json).digest().subarray(0, idsFile.idBytes);
}

/** A set of id keys in 24 to 48 bytes each; a Set of strings takes several times as much. */
export type IdSet = ReturnType<typeof createIdSet>;

/** Creates an empty set of ids. */
export function createIdSet() {
  let capacity = 1024;
  let table = new Uint32Array(capacity * 3);
  let size = 0;
  // An empty slot is all zeros, so the key for no id is never in the set.
  const find = (a: number, b: number, c: number): number => {
    let slot = (a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (capacity - 1);
    for (;;) {
      const at = slot * 3;
      if (table[at] === a && table[at + 1] === b && table[at + 2] === c) return at;
      if (table[at] === 0 && table[at + 1] === 0 && table[at + 2] === 0) return -1 - at;
      slot = (slot + 1) & (capacity - 1);
    }
  };
  const insert = (a: number, b: number, c: number): void => {
    if ((a | b | c) === 0) return;
    const index = find(a, b, c);
    if (index >= 0) return;
    table.set([a, b, c], -1 - index);
    size += 1;
  };
  const grow = (): void => {
    const old = table;
    capacity *= 2;
    table = new Uint32Array(capacity * 3);
    size = 0;
    let [a, b] = [0, 0];
    old.forEach((part, at) => {
      if (at % 3 === 0) a = part;
      else if (at % 3 === 1) b = part;
      else insert(a, b, part);
    });
  };
  return {
    get size(): number {
      return size;
    },
    has: (key: Buffer): boolean => {
      const [a, b, c] = [key.readUInt32LE(0), key.readUInt32LE(4), key.readUInt32LE(8)];
      return (a | b | c) !== 0 && find(a, b, c) >= 0;
    },
    add(key: Buffer): void {
      if (size * 2 >= capacity) grow();
      insert(key.readUInt32LE(0), key.readUInt32LE(4), key.readUInt32LE(8));
    },
  };
}

/**
 * The ids of the current run, by which records that come again are recognized: in memory, and for a resume in a file. The
 * file only grows: each run has a range of it. It is created when the first run starts; most exports have none.
 */
export class SeenIds {
  readonly #open: ((length: number) => GrowingFile) | null;
  #file: GrowingFile | null = null;
  #run: { readonly from: number; readonly set: IdSet } | null = null;
  #writtenIds: number;

  /**
   * @param open opens the file with a length; null: the read isn't resumed
   * @param writtenIds number of ids in the file, by the checkpoint
   */
  constructor(open: ((length: number) => GrowingFile) | null = null, writtenIds = 0) {
    this.#open = open;
    this.#writtenIds = writtenIds;
    if (open && writtenIds > 0) this.#file = open(writtenIds * idsFile.idBytes);
  }

  /** Number of ids of all runs so far, where the next run's range starts. */
  get count(): number {
    return this.#writtenIds;
  }

  idsOf(run: RunCursor): IdSet {
    const { idsFrom, seen } = run;
    if (!isStartOfRun(run) && this.#run?.from === idsFrom) return this.#run.set;
    const set = createIdSet();
    this.#run = { from: idsFrom, set };
    if (seen === 0 || !this.#file) return set;
    const { idBytes } = idsFile;
    let rest: Buffer = Buffer.alloc(0);
    for (const bytes of this.#file.read(idsFrom * idBytes, (idsFrom + seen) * idBytes)) {
      const all = Buffer.concat([rest, bytes]);
      const completeBytes = all.length - (all.length % idBytes);
      for (let at = 0; at < completeBytes; at += idBytes) set.add(all.subarray(at, at + idBytes));
      rest = all.subarray(completeBytes);
    }
    return set;
  }

  append(keys: readonly Buffer[]): void {
    if (keys.length === 0) return;
    this.#file ??= this.#open?.(this.#writtenIds * idsFile.idBytes) ?? null;
    this.#file?.append(Buffer.concat(keys));
    this.#writtenIds += keys.length;
  }

  sync(): void {
    this.#file?.sync();
  }

  close(): void {
    this.#file?.close();
  }
}

/** Maximum number of consecutive pages without a new record, beyond what was read before. */
const maxPagesWithoutNew = 50;
/** Maximum number of repeated records, for each new one and at the start: pages overlap, and are read again after deletions. */
const maxRepeats = { forEach: 20, atStart: 10_000 } as const;

interface PageRecords {
  readonly records: number;
  /** Number of its records that are new. */
  readonly added: number;
  /** Whether it was requested where records were read before. */
  readonly isReread: boolean;
}

/**
 * Ends a read whose pages bring no new records, or hardly any, whatever is requested. Every loop over pages needs it:
 * services are behind proxies that cache.
 * @param recordsBefore number of records that were read before
 * @returns call it with each page; throws AppError `bad_answer`
 */
export function createRepeatCheck(recordsBefore = 0): (page: PageRecords) => void {
  let read = recordsBefore;
  let received = recordsBefore;
  let pagesWithoutNew = 0;
  return ({ records, added, isReread }) => {
    read += added;
    received += records;
    if (added > 0) pagesWithoutNew = 0;
    else if (!isReread) pagesWithoutNew += 1;
    const maxReceived = maxRepeats.forEach * read + maxRepeats.atStart;
    if (pagesWithoutNew <= maxPagesWithoutNew && received <= maxReceived) return;
    throw new AppError('bad_answer', {
      service: 'data',
      problem:
        'its pages repeat records instead of continuing, as if a proxy ignored the query string in its cache, or the service ignored the order',
    });
  };
}

/** Maximum number of records of a read whose count was this; if more come, they are counted again. */
export const maxRecordsFor = (counted: number): number => 2 * counted + 1000;

/** The first step back after a deletion; doubled each time. */
const minStepBack = 1000;

/**
 * Advances a run by a page: known records are dropped, the others are written in order. The run ends at an
 * empty page, at a last page, or at the first record beyond it.
 * @param rule null for a run through all records
 * @param seen ids of this run; those of the page are added
 */
export function advanceRun(
  rule: WindowRule | null,
  cursor: RunCursor,
  keys: PageKeys,
  seen: IdSet,
  origin: Pick<PageOrigin, 'isLastPage'>,
): PageStep<Cursor> {
  const { skip, step, by, of } = cursor;
  const hasRecords = keys.count > 0;
  if (
    of === 'value' &&
    by === 'equal' &&
    skip === 0 &&
    !(hasRecords && positionOf(rule, cursor, keys.value(0)) === 'in')
  )
    return { emit: [], next: { ...cursor, by: 'range' } };
  if ((step === 'overlap' || step === 'check') && !(hasRecords && isInPlace(cursor, keys.id(0), seen)))
    return { emit: [], next: stepBack(cursor) };
  if (step === 'confirm') return confirm(rule, cursor, keys, seen);
  if (step === 'check' && keys.count === 1) return confirmChecked(rule, cursor);
  const { emit, stoppedAt } = takeNewRecords(rule, cursor, keys, seen);
  const nextCursor = { ...cursor, seen: cursor.seen + emit.length };
  if (hasRecords && stoppedAt === null && !origin.isLastPage)
    return { emit, next: advance(nextCursor, keys) };
  const runEnd = endRun(rule, nextCursor, stoppedAt === null ? null : keys.value(stoppedAt));
  return 'next' in runEnd ? { emit, next: runEnd.next } : runEnd;
}

/** Whether a page starts with a record up to which all were seen. */
function isInPlace({ step, anchor, unprovenIds }: RunCursor, id: string | null, seen: IdSet): boolean {
  if (id === null) return true;
  return step === 'check' ? id === anchor : seen.has(idKey(id)) && !unprovenIds.includes(id);
}

/**
 * A page after one with only the last record: the end of the run, or a service that sends single records. Its
 * first record is written, but stays unproven until the one before it is seen in place again.
 */
function confirm(rule: WindowRule | null, cursor: RunCursor, keys: PageKeys, seen: IdSet): PageStep<Cursor> {
  const next: RunCursor = {
    ...cursor,
    skip: cursor.skip - 1,
    step: 'check',
    confirmedId: null,
    valueBeyond: null,
  };
  if (keys.count === 0) return { emit: [], next };
  const position = positionOf(rule, cursor, keys.value(0));
  if (position === 'behind') return { emit: [], next: { ...next, valueBeyond: keys.value(0) } };
  const id = keys.id(0);
  const emit = position === 'in' ? [0] : [];
  // Without an id, records can't be recognized.
  if (id === null)
    return {
      emit,
      next: { ...cursor, skip: cursor.skip + 1, step: 'plain', seen: cursor.seen + emit.length },
    };
  if (seen.has(idKey(id))) return { emit: [], next: { ...next, confirmedId: id } };
  seen.add(idKey(id));
  return {
    emit,
    next: {
      ...next,
      confirmedId: id,
      unprovenIds: [...cursor.unprovenIds, id],
      seen: cursor.seen + emit.length,
    },
  };
}

/** The last record is in its place again, so the result of the confirm is proven. */
function confirmChecked(rule: WindowRule | null, cursor: RunCursor): PageStep<Cursor> {
  const { confirmedId, valueBeyond, skip } = cursor;
  if (confirmedId === null) return endRun(rule, cursor, valueBeyond);
  const unprovenIds = cursor.unprovenIds.filter((id) => id !== confirmedId);
  return { emit: [], next: { ...cursor, skip: skip + 1, step: 'overlap', unprovenIds } };
}

/** Whether a value is in the run, before it (a later insert), or behind its end. */
function positionOf(
  rule: WindowRule | null,
  { of, value }: RunCursor,
  recordValue: string | null,
): 'before' | 'in' | 'behind' {
  if (rule === null || of === 'all') return 'in';
  if (of === 'nulls') return recordValue === null ? 'in' : 'behind';
  if (recordValue === null || value === null) return rule.direction === 1 ? 'before' : 'behind';
  const order = rule.direction * compareValues(recordValue, value);
  return order < 0 ? 'before' : order > 0 ? 'behind' : 'in';
}

interface NewRecords {
  readonly emit: number[];
  /** The first record beyond the run. */
  readonly stoppedAt: number | null;
}

function takeNewRecords(rule: WindowRule | null, cursor: RunCursor, keys: PageKeys, seen: IdSet): NewRecords {
  const emit: number[] = [];
  for (let record = 0; record < keys.count; record += 1) {
    const position = positionOf(rule, cursor, keys.value(record));
    if (position === 'behind') return { emit, stoppedAt: record };
    const id = keys.id(record);
    const key = id === null ? null : idKey(id);
    if (key && seen.has(key)) continue;
    if (key) seen.add(key);
    if (position === 'in') emit.push(record);
  }
  return { emit, stoppedAt: null };
}

/** The next page starts with the last record of this one, which detects deletions before it. */
function advance(cursor: RunCursor, keys: PageKeys): RunCursor {
  const { count } = keys;
  const last = keys.id(count - 1);
  const confirmedIds = new Set(
    cursor.unprovenIds.length > 0 ? Array.from({ length: count }, (_, at) => keys.id(at)) : [],
  );
  const unprovenIds = cursor.unprovenIds.filter((id) => !confirmedIds.has(id));
  return { ...cursor, ...nextStep(cursor, count, last), unprovenIds, lastStepBack: 0 };
}

function nextStep({ skip, step }: RunCursor, count: number, last: string | null): Partial<RunCursor> {
  if (last === null) return { skip: skip + count, step: 'plain' };
  if (step === 'plain' || count > 1) return { skip: skip + count - 1, step: 'overlap' };
  return { skip: skip + 1, step: 'confirm', anchor: last };
}

function stepBack(cursor: RunCursor): RunCursor {
  const stepSize = Math.max(minStepBack, cursor.lastStepBack * 2);
  const skip = Math.max(0, cursor.skip - stepSize);
  return { ...cursor, skip, step: skip === 0 ? 'plain' : 'overlap', lastStepBack: stepSize };
}

/** @param after value of the record that ended it; null if there was none */
function endRun(rule: WindowRule | null, cursor: RunCursor, after: string | null): PageStep<Cursor> {
  const { of, value, by } = cursor;
  const ids = cursor.idsFrom + cursor.seen;
  if (rule === null || of === 'all') return { emit: [], next: endCursor };
  if (of === 'nulls') {
    if (rule.direction === -1 || after === null) return { emit: [], next: endCursor };
    return isOfKind(rule, after)
      ? { emit: [], next: windowFrom(after) }
      : { fallbackReason: `${rule.field} has values of different types` };
  }
  if (value === null || isLastValue(rule, value)) return { emit: [], next: endCursor };
  if (by === 'equal') return { emit: [], next: windowAfter(rule, value, null) };
  return { emit: [], next: after === null ? afterValues(rule, ids) : windowAfter(rule, value, after) };
}

import { type JsonObject, stringifyJson } from '../../shared/json.ts';
import type { RecordLog } from './log.ts';
import { compareKeys, type Key } from './values.ts';

/** The values that all records of a run share, such as the well: envelope paths and their values. */
export type Scope = JsonObject;

/** Records of one scope in the order of their key and, where keys are equal, of their id. */
export interface Run {
  readonly scope: Scope;
  /** Grows if later records are appended. */
  readonly length: number;
  key(at: number): Key;
  id(at: number): string;
  record(at: number): JsonObject;
  /** The record as JSON text. */
  text(at: number): string;
  /** The number of the insert of the record, from 0; -1 for records of the sample. */
  ordinal(at: number): number;
}

/** A record of a run. */
export interface Row {
  readonly run: Run;
  readonly at: number;
}

export const recordOf = ({ run, at }: Row): JsonObject => run.record(at);

/** Rows `from` (inclusive) to `to` (exclusive) of a run. */
export interface Segment {
  readonly run: Run;
  readonly from: number;
  readonly to: number;
}

/** The first index that isn't before a position in a sorted list. */
export function firstIndex(length: number, isBefore: (at: number) => boolean, from = 0): number {
  let low = from;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How the records of a run of the sample are computed. Keys ascend; the same row is always the same record. */
export interface Recipe {
  readonly scope: Scope;
  readonly length: number;
  /** The first twelve hex digits of the ids of this run, unique to it. */
  readonly idPrefix: string;
  key(row: number): Key;
  /** The record with the given id. */
  make(id: string, row: number): JsonObject;
  /** Whether records can contain integers beyond 2^53, which are slower to serialize. */
  readonly exact?: boolean;
}

/** A run of the sample: its records are computed from the seed whenever they are needed, so they take no memory. */
export function generatedRun({ scope, length, idPrefix, key, make, exact }: Recipe, isById: boolean): Run {
  const id = (at: number): string => idPrefix + at.toString(16).padStart(12, '0');
  const record = (at: number): JsonObject => make(id(at), at);
  return {
    scope,
    length,
    key: isById ? id : key,
    id,
    record,
    text: (at) => (exact ? stringifyJson(record(at)) : JSON.stringify(record(at))),
    ordinal: () => -1,
  };
}

/** The rows of a run that a function selects. */
export function selectedRows(run: Run, isSelected: (at: number) => boolean): Run {
  const rows = Array.from({ length: run.length }, (_, at) => at).filter(isSelected);
  const row = (at: number): number => rows[at] ?? 0;
  return {
    scope: run.scope,
    length: rows.length,
    key: (at) => run.key(row(at)),
    id: (at) => run.id(row(at)),
    record: (at) => run.record(row(at)),
    text: (at) => run.text(row(at)),
    ordinal: (at) => run.ordinal(row(at)),
  };
}

/** Inserted records of one scope: a sorted array of their ordinals in the log. */
export class InsertedRun implements Run {
  readonly scope: Scope;
  readonly #log: RecordLog;
  readonly #ordinals: number[];

  constructor(scope: Scope, log: RecordLog, ordinals: number[] = []) {
    this.scope = scope;
    this.#log = log;
    this.#ordinals = ordinals;
  }

  get length(): number {
    return this.#ordinals.length;
  }

  key(at: number): Key {
    return this.#log.key(this.ordinal(at));
  }

  id(at: number): string {
    return this.#log.id(this.ordinal(at));
  }

  record(at: number): JsonObject {
    return this.#log.record(this.ordinal(at));
  }

  text(at: number): string {
    return this.#log.text(this.ordinal(at));
  }

  ordinal(at: number): number {
    return this.#ordinals[at] ?? 0;
  }

  /**
   * Adds records by their ordinals, which are greater than all of the run. Records after its end are appended, because a
   * reader remembers where it ended; otherwise the result is another run, and this one is unchanged.
   */
  with(added: readonly number[]): InsertedRun {
    const compare = (a: number, b: number): number =>
      compareKeys(this.#log.key(a), this.#log.key(b)) || a - b;
    const sorted = [...added].sort(compare);
    const [first = 0] = sorted;
    const last = sorted.at(-1) ?? first;
    const at = (position: number, from = 0): number =>
      firstIndex(this.length, (index) => compare(this.ordinal(index), position) < 0, from);
    const from = at(first);
    if (from === this.length) {
      for (const ordinal of sorted) this.#ordinals.push(ordinal);
      return this;
    }
    const to = at(last, from);
    const between = this.#ordinals.slice(from, to).concat(sorted).sort(compare);
    const ordinals = this.#ordinals.slice(0, from).concat(between, this.#ordinals.slice(to));
    return new InsertedRun(this.scope, this.#log, ordinals);
  }

  without(isRemoved: (record: JsonObject) => boolean): InsertedRun {
    const ordinals = this.#ordinals.filter((ordinal) => !isRemoved(this.#log.record(ordinal)));
    return new InsertedRun(this.scope, this.#log, ordinals);
  }
}

interface Head {
  readonly segment: Segment;
  readonly at: number;
  readonly key: Key;
}

/** Reads segments as one list, ordered by key and then by id, ascending or descending. */
export class Merge {
  readonly #direction: 1 | -1;
  // The next row of each segment; the last one is the next row of all.
  #heads: Head[] = [];

  constructor(segments: readonly Segment[], direction: 1 | -1) {
    this.#direction = direction;
    const heads = segments.flatMap(
      (segment) => this.#headAt(segment, direction === 1 ? segment.from : segment.to - 1) ?? [],
    );
    this.#heads = heads.sort((a, b) => this.#compare(b, a));
  }

  /** The next row; undefined at the end. */
  next(): Row | undefined {
    const head = this.#heads.pop();
    if (!head) return undefined;
    const next = this.#headAt(head.segment, head.at + this.#direction);
    if (next) {
      const heads = this.#heads;
      const index = firstIndex(heads.length, (at) => this.#compare(heads[at] ?? next, next) > 0);
      heads.splice(index, 0, next);
    }
    return { run: head.segment.run, at: head.at };
  }

  #headAt(segment: Segment, at: number): Head | null {
    return at >= segment.from && at < segment.to ? { segment, at, key: segment.run.key(at) } : null;
  }

  #compare(a: Head, b: Head): number {
    const byKey = compareKeys(a.key, b.key);
    return this.#direction * (byKey || compareKeys(a.segment.run.id(a.at), b.segment.run.id(b.at)));
  }
}

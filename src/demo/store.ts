import { type JsonObject, type JsonValue, isObject, parseJson, stringifyJson } from '../shared/json.ts';
import { predicate } from './mongo/pipeline.ts';
import {
  type Key,
  type SortField,
  compareSortValues,
  compareValues,
  sortValues,
  valueAt,
} from './mongo/values.ts';
import type { Work } from './mongo/work.ts';

/** The index of records of one type: the envelope paths that scope them, and the field that orders them. */
export interface IndexShape {
  readonly scopePaths: readonly string[];
  readonly keyPath: string;
}

/** The values that all records of a run share, such as the well: envelope paths and their values. */
type Scope = JsonObject;

/** Records of one scope in the order of their key and, where keys are equal, of their id. */
interface Run {
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
const keyOf = ({ run, at }: Row): Key => run.key(at);

/** Rows `from` (inclusive) to `to` (exclusive) of a run. */
interface Segment {
  readonly run: Run;
  readonly from: number;
  readonly to: number;
}

/** How the records of a run of the sample are computed. Keys ascend; the same row is always the same record. */
interface Recipe {
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

/** A read of a collection, and the records that are visible to it. */
export interface Reading {
  readonly query: JsonObject;
  readonly sort: readonly SortField[];
  /** Whether records of a scope are visible. */
  readonly visible: (scope: Scope) => boolean;
  /** A name for what `visible` allows, to recognize a repeated read. */
  readonly seenBy: string;
  /** Only inserts before this one are visible. */
  readonly before?: number | undefined;
}

/** One condition of a query that every match must meet: a path and its condition, or a logical operator. */
interface Condition {
  readonly path: string;
  readonly condition: JsonValue;
}

/** The conditions of a query, including those inside `$and`. */
export function conditionsOf(query: JsonObject): Condition[] {
  return Object.entries(query).flatMap(([path, condition]) => {
    const isAnd = path === '$and' && Array.isArray(condition) && condition.length > 0;
    if (isAnd && condition.every((part) => isObject(part))) return condition.flatMap(conditionsOf);
    return [{ path, condition }];
  });
}

/** The first index that isn't before a position in a sorted list. */
function firstIndex(length: number, isBefore: (at: number) => boolean, from = 0): number {
  let low = from;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const hexId = (prefix: string, at: number): string => prefix + at.toString(16).padStart(12, '0');

/** A run of the sample: its records are computed from the seed whenever they are needed, so they take no memory. */
function sampleRun({ scope, length, idPrefix, key, make, exact }: Recipe, isById: boolean): Run {
  const id = (at: number): string => hexId(idPrefix, at);
  const record = (at: number): JsonObject => make(id(at), at);
  const text = (at: number): string => (exact ? stringifyJson(record(at)) : JSON.stringify(record(at)));
  return { scope, length, key: isById ? id : key, id, record, text, ordinal: () => -1 };
}

/** A stored record, as text. */
interface Entry {
  readonly id: string;
  readonly key: Key;
  readonly ordinal: number;
  readonly text: string;
}

/** Stored records of one scope in a sorted array. */
interface StoredRun extends Run {
  readonly entries: Entry[];
}

function storedRun(scope: Scope, entries: Entry[]): StoredRun {
  const text = (at: number): string => entries[at]?.text ?? '';
  return {
    scope,
    entries,
    get length() {
      return entries.length;
    },
    key: (at) => entries[at]?.key ?? null,
    id: (at) => entries[at]?.id ?? '',
    record(at) {
      const record = parseJson(text(at));
      return isObject(record) ? record : {};
    },
    text,
    ordinal: (at) => entries[at]?.ordinal ?? 0,
  };
}

/**
 * Adds entries, which are younger than all of the run. Those after its end are appended, because a reader remembers
 * where it ended; otherwise the result is another run, and this one is unchanged.
 */
function withEntries(run: StoredRun, added: readonly Entry[]): StoredRun {
  const compare = (a: Entry, b: Entry): number => compareValues(a.key, b.key) || a.ordinal - b.ordinal;
  const sorted = added.toSorted(compare);
  const { scope, entries } = run;
  const indexOf = (entry: Entry | undefined, from = 0): number =>
    firstIndex(entries.length, (at) => compare(entries[at]!, entry!) < 0, from);
  const from = indexOf(sorted[0]);
  if (from === entries.length) {
    for (const entry of sorted) entries.push(entry);
    return run;
  }
  const to = indexOf(sorted.at(-1), from);
  const between = entries.slice(from, to).concat(sorted).sort(compare);
  return storedRun(scope, entries.slice(0, from).concat(between, entries.slice(to)));
}

/** The records of a run that a function doesn't select. */
function without<R extends Run>(run: R, isRemoved: (record: JsonObject) => boolean): R | StoredRun {
  const rows = Array.from({ length: run.length }, (_, at) => at).filter((at) => !isRemoved(run.record(at)));
  if (rows.length === run.length) return run;
  const entries = rows.map((at) => ({
    id: run.id(at),
    key: run.key(at),
    ordinal: run.ordinal(at),
    text: run.text(at),
  }));
  return storedRun(run.scope, entries);
}

interface Head {
  readonly segment: Segment;
  readonly at: number;
  readonly key: Key;
}

/** Reads segments as one list, ordered by key and then by id, ascending or descending. */
class Merge {
  readonly #direction: 1 | -1;
  // The next row of each segment; the last one is the next row of all.
  readonly #heads: Head[] = [];

  constructor(segments: readonly Segment[], direction: 1 | -1) {
    this.#direction = direction;
    for (const segment of segments) this.#push(segment, direction === 1 ? segment.from : segment.to - 1);
  }

  /** The next row; undefined at the end. */
  next(): Row | undefined {
    const head = this.#heads.pop();
    if (!head) return undefined;
    this.#push(head.segment, head.at + this.#direction);
    return { run: head.segment.run, at: head.at };
  }

  #push(segment: Segment, at: number): void {
    if (at < segment.from || at >= segment.to) return;
    const head = { segment, at, key: segment.run.key(at) };
    const heads = this.#heads;
    heads.splice(
      firstIndex(heads.length, (index) => this.#compare(heads[index]!, head) > 0),
      0,
      head,
    );
  }

  #compare(a: Head, b: Head): number {
    const byKey = compareValues(a.key, b.key);
    return this.#direction * (byKey || compareValues(a.segment.run.id(a.at), b.segment.run.id(b.at)));
  }
}

/** What a condition on the key says as ranges: of an operator and a value; null if each row must be tested. */
type KeyRange = readonly [operator: string, value: Key];

const isKey = (value: JsonValue): value is Key => value === null || typeof value !== 'object';
/** The range of keys that an operator accepts, if it is one. Comparisons match only values of their own type. */
function rangeOf([operator, value]: readonly [string, JsonValue]): KeyRange | null {
  if (!isKey(value)) return null;
  const isOrdered = ['number', 'bigint', 'string'].includes(typeof value);
  return operator === '$eq' || (isOrdered && ['$gt', '$gte', '$lt', '$lte'].includes(operator))
    ? [operator, value]
    : null;
}

function keyRanges(condition: JsonValue): KeyRange[] | null {
  if (isKey(condition)) return [['$eq', condition]];
  const ranges = isObject(condition) ? Object.entries(condition).map(rangeOf) : [];
  return ranges.length > 0 && ranges.every((range) => range !== null) ? ranges : null;
}

/** The range from the smallest to the largest key of a list of numbers or of texts; none for other conditions. */
function listRanges(condition: JsonValue): KeyRange[] {
  const list = isObject(condition) ? condition['$in'] : undefined;
  if (!Array.isArray(list) || !list.every(isKey)) return [];
  const sorted = list.toSorted(compareValues);
  const [low = null] = sorted;
  const high = sorted.at(-1) ?? null;
  const ranges = [rangeOf(['$gte', low]), rangeOf(['$lte', high])];
  return typeof low === typeof high ? ranges.filter((range) => range !== null) : [];
}

/** The rows of a run that a range accepts. */
function segmentOf(run: Run, [operator, value]: KeyRange): Segment {
  const from = (key: Key): number => firstIndex(run.length, (at) => compareValues(run.key(at), key) < 0);
  const after = (key: Key): number => firstIndex(run.length, (at) => compareValues(run.key(at), key) <= 0);
  const isText = typeof value === 'string';
  if (operator === '$eq') return { run, from: from(value), to: after(value) };
  return operator.startsWith('$g')
    ? {
        run,
        from: operator === '$gt' ? after(value) : from(value),
        to: isText ? from(false) : after(Infinity),
      }
    : { run, from: from(isText ? '' : -Infinity), to: operator === '$lt' ? from(value) : after(value) };
}

const predicateOf = (conditions: readonly Condition[]): ((record: JsonObject) => boolean) | null =>
  conditions.length === 0
    ? null
    : predicate({ $and: conditions.map(({ path, condition }): JsonValue => ({ [path]: condition })) });

/** The rows that a read examines, and what remains to be tested of each; null: nothing. */
interface Plan {
  readonly segments: readonly Segment[];
  readonly test: ((row: Row) => boolean) | null;
}

/** An operator other than comparisons, whose work grows only with the query. */
const slowOperator = /"\$(?!(?:eq|ne|gt|gte|lt|lte|in|nin|exists|and|or)")/;

/** The records of one dataset: sorted runs for each scope. */
export class Collection {
  readonly #shape: IndexShape;
  readonly #idPrefix: string;
  #sample: Run[] = [];
  #stored = new Map<string, StoredRun>();
  #inserted = 0;
  #insertedBytes = 0;
  // The last read that no index orders, because its pages are often read one after the other.
  #sorted: { readonly name: string; readonly rows: readonly Row[] } | null = null;
  // The time of each insert, and the number of records after it.
  readonly #batches: { readonly at: number; readonly records: number }[] = [];

  constructor(shape: IndexShape, idPrefix: string) {
    this.#shape = shape;
    this.#idPrefix = idPrefix;
  }

  /** Number of records. */
  get length(): number {
    return this.#runs.reduce((sum, { length }) => sum + length, 0);
  }

  /** The number of inserted records, and their size in bytes. */
  get statistics(): { readonly inserted: number; readonly insertedBytes: number } {
    return { inserted: this.#inserted, insertedBytes: this.#insertedBytes };
  }

  /** Number of records that had been inserted at a time, in Unix milliseconds. */
  insertedBefore(instant: number): number {
    return this.#batches.findLast((batch) => batch.at <= instant)?.records ?? 0;
  }

  addGenerated(recipe: Recipe): void {
    if (recipe.length > 0) this.#sample.push(sampleRun(recipe, this.#shape.keyPath === '_id'));
  }

  /** Stores records and returns their ids, in the same order. */
  insert(records: readonly JsonObject[]): string[] {
    this.#sorted = null;
    const { scopePaths } = this.#shape;
    const entries = records.map((record) => ({ record, entry: this.#entryOf(record) }));
    const byScope = Map.groupBy(entries, ({ record }) =>
      JSON.stringify(scopePaths.map((path) => valueAt(record, path) ?? null)),
    );
    for (const [name, added] of byScope) {
      const run = this.#stored.get(name) ?? storedRun(scopeOf(added[0]?.record ?? {}, scopePaths), []);
      this.#stored.set(
        name,
        withEntries(
          run,
          added.map(({ entry }) => entry),
        ),
      );
    }
    this.#batches.push({ at: Date.now(), records: this.#inserted });
    return entries.map(({ entry }) => entry.id);
  }

  /** Its `_id` comes first, whatever the record has. A list or an object doesn't order records, and counts as missing. */
  #entryOf(record: JsonObject): Entry {
    const ordinal = this.#inserted;
    const id = hexId(this.#idPrefix, ordinal);
    const value = this.#shape.keyPath === '_id' ? id : valueAt(record, this.#shape.keyPath);
    const rest = { ...record };
    delete rest['_id'];
    const text = jsonText({ _id: id, ...rest });
    this.#inserted += 1;
    this.#insertedBytes += text.length;
    return { id, key: value === undefined || typeof value === 'object' ? null : value, ordinal, text };
  }

  /** Removes the records that a function selects; returns their number. */
  remove(isRemoved: (record: JsonObject) => boolean): number {
    const before = this.length;
    this.#sorted = null;
    this.#sample = this.#sample.map((run) => without(run, isRemoved));
    for (const [name, run] of this.#stored) this.#stored.set(name, without(run, isRemoved));
    return before - this.length;
  }

  /** Whether an index supports a sort. */
  serves(sort: readonly SortField[]): boolean {
    const { scopePaths, keyPath } = this.#shape;
    const first = sort.find(([path]) => !scopePaths.includes(path));
    return first === undefined || first[0] === keyPath || first[0] === '_id';
  }

  /** The matches from index `skip`, at most `limit`. */
  async find(reading: Reading, skip: number, limit: number, work: Work): Promise<readonly Row[]> {
    const { query, sort, seenBy, before = null } = reading;
    if (this.#isOrderedBy(sort)) return this.#matches(reading, skip, limit, work);
    const name = JSON.stringify([stringifyJson(query), sort, seenBy, before]);
    if (this.#sorted?.name === name) return this.#sorted.rows.slice(skip, skip + limit);
    const inserted = this.#inserted;
    const rows = await this.#matches(reading, 0, Infinity, work);
    if (inserted === this.#inserted) this.#sorted = { name, rows };
    return rows.slice(skip, skip + limit);
  }

  async count(reading: Reading, work: Work): Promise<number> {
    const { segments, test } = this.#plan(reading);
    if (!test) return segments.reduce((sum, { from, to }) => sum + to - from, 0);
    return (await this.#matches({ ...reading, sort: [] }, 0, Infinity, work)).length;
  }

  get #runs(): readonly Run[] {
    return [...this.#sample, ...this.#stored.values()];
  }

  #isOrderedBy([first]: readonly SortField[]): boolean {
    return first === undefined || first[0] === this.#shape.keyPath;
  }

  /** The matches from index `skip`, at most `limit`, without the rows before them. */
  async #matches(reading: Reading, skip: number, limit: number, work: Work): Promise<Row[]> {
    const { sort, query } = reading;
    const { segments, test } = this.#plan(reading);
    const isByKey = this.#isOrderedBy(sort);
    // The fields that order rows of equal key, or all rows if the key isn't the first field.
    const ties = isByKey ? sort.slice(1) : sort;
    const reader = new Merge(segments, (isByKey && sort[0]?.[1]) || 1);
    const matches: Row[] = [];
    let skipped = 0;
    const add = (row: Row): void => {
      if (skipped < skip) skipped += 1;
      else if (matches.length < limit) matches.push(row);
    };
    let group: { readonly row: Row; readonly values: readonly (JsonValue | undefined)[] }[] = [];
    const addGroup = (): void => {
      group.sort((a, b) => compareSortValues(ties, a.values, b.values));
      for (const { row } of group) add(row);
      group = [];
    };
    const step = (): boolean => {
      work.countRecords();
      const row = reader.next();
      if (row && test && !test(row)) return true;
      const previous = group[0]?.row;
      if (!row || (previous && isByKey && compareValues(keyOf(previous), keyOf(row)) !== 0)) addGroup();
      if (!row || matches.length >= limit) return false;
      if (ties.length === 0) add(row);
      else group.push({ row, values: this.#sortValues(row, ties) });
      return true;
    };
    const canRunLong = test !== null && slowOperator.test(stringifyJson(query));
    await work.repeat(step, !isByKey || canRunLong);
    return matches;
  }

  // Most rows are ordered and decided without the record, which is computed or parsed when it is needed.
  #sortValues({ run, at }: Row, fields: readonly SortField[]): readonly (JsonValue | undefined)[] {
    const { scopePaths, keyPath } = this.#shape;
    return fields.map((field) => {
      const [path] = field;
      if (path === '_id') return run.id(at);
      if (path === keyPath) return run.key(at);
      return sortValues([field], scopePaths.includes(path) ? run.scope : run.record(at))[0];
    });
  }

  #plan({ query, visible, before = Infinity }: Reading): Plan {
    const { scopePaths, keyPath } = this.#shape;
    const conditions = conditionsOf(query);
    const onKey = conditions.filter(({ path }) => path === keyPath);
    const ranges = onKey.flatMap(({ condition }) => keyRanges(condition) ?? listRanges(condition));
    const isScope = predicateOf(conditions.filter(({ path }) => scopePaths.includes(path)));
    const isKey = predicateOf([
      ...onKey.filter(({ condition }) => !keyRanges(condition)),
      ...conditions.filter(({ path }) => path === '_id' && path !== keyPath),
    ]);
    const isRecord = predicateOf(
      conditions.filter(({ path }) => path !== '_id' && path !== keyPath && !scopePaths.includes(path)),
    );
    const segments = this.#runs
      .filter(({ scope }) => visible(scope) && (isScope?.(scope) ?? true))
      .map((run) => {
        const parts = ranges.map((range) => segmentOf(run, range));
        const from = parts.reduce((max, part) => Math.max(max, part.from), 0);
        return { run, from, to: parts.reduce((min, part) => Math.min(min, part.to), run.length) };
      });
    if (!isKey && !isRecord && before === Infinity)
      return { segments: segments.filter(({ from, to }) => from < to), test: null };
    const test = ({ run, at }: Row): boolean =>
      run.ordinal(at) < before &&
      (isKey?.({ _id: run.id(at), [keyPath]: run.key(at) }) ?? true) &&
      (isRecord?.(run.record(at)) ?? true);
    return { segments, test };
  }
}

// Only exact integers beyond 2^53 need the slower conversion: JSON.stringify throws for them.
function jsonText(value: JsonObject): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value);
  }
}

/** The values that all records of a scope share. */
function scopeOf(record: JsonObject, paths: readonly string[]): Scope {
  const scope: Scope = {};
  for (const path of paths) {
    const value = valueAt(record, path);
    if (value === undefined) continue;
    const [name = path, inner] = path.split('.');
    if (inner === undefined) scope[name] = value;
    else scope[name] = { ...(isObject(scope[name]) ? scope[name] : {}), [inner]: value };
  }
  return scope;
}

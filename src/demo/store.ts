import { type JsonObject, type JsonValue, isObject, parseJson, stringifyJson } from '../shared/json.ts';
import {
  type Key,
  type SortField,
  compareSortValues,
  compareValues,
  predicate,
  sortValues,
  valueAt,
} from './mongo/pipeline.ts';
import type { Work } from './mongo/work.ts';

/** The index of records of one type: the envelope paths that scope them, and the field that orders them. */
export interface IndexShape {
  readonly scopePaths: readonly string[];
  readonly keyPath: string;
}

/** What all records of a run share, such as the well, and maybe more beside it. */
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

/** A row with the values that order it. */
interface Keyed {
  readonly row: Row;
  readonly values: readonly (JsonValue | undefined)[];
}

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

const hexId = (prefix: string, at: number): string => prefix + at.toString(16).padStart(12, '0');

/** A run of the sample: its records are computed from the seed whenever they are needed, so they take no memory. */
function sampleRun({ scope, length, idPrefix, key, make }: Recipe, isById: boolean): Run {
  const id = (at: number): string => hexId(idPrefix, at);
  const record = (at: number): JsonObject => make(id(at), at);
  const text = (at: number): string => jsonText(record(at));
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

/** The rows of segments as one list, ordered by key and then by id, ascending or descending. */
function* merged(segments: readonly Segment[], direction: 1 | -1): Generator<Row, undefined> {
  interface Head extends Segment, Row {
    readonly key: Key;
  }
  // The next row of each segment; the last one is the next row of all.
  const heads: Head[] = [];
  const compare = (a: Head, b: Head): number =>
    direction * (compareValues(a.key, b.key) || compareValues(a.run.id(a.at), b.run.id(b.at)));
  const push = ({ run, from, to }: Segment, at: number): void => {
    if (at < from || at >= to) return;
    const head = { run, from, to, at, key: run.key(at) };
    const index = firstIndex(heads.length, (other) => compare(heads[other]!, head) > 0);
    heads.splice(index, 0, head);
  };
  for (const segment of segments) push(segment, direction === 1 ? segment.from : segment.to - 1);
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head;
    push(head, head.at + direction);
  }
}

/** An operator on the key, and its value: such rows are side by side. */
type KeyRange = readonly [operator: string, value: Key];

const isKey = (value: JsonValue): value is Key => value === null || typeof value !== 'object';

const comparisons = ['$gt', '$gte', '$lt', '$lte'];

/** The ranges of an operator; of a list, from its smallest to its largest value. None: each row must be tested. */
function rangesOf([operator, value]: readonly [string, JsonValue]): KeyRange[] {
  if (operator === '$in' && Array.isArray(value) && value.every(isKey)) {
    const sorted = value.toSorted(compareValues);
    const [low = null, high = null] = [sorted.at(0), sorted.at(-1)];
    return typeof low === typeof high ? [...rangesOf(['$gte', low]), ...rangesOf(['$lte', high])] : [];
  }
  // Comparisons match only values of their own type.
  const isOrdered = ['number', 'bigint', 'string'].includes(typeof value);
  const isRange = operator === '$eq' || (isOrdered && comparisons.includes(operator));
  return isRange && isKey(value) ? [[operator, value]] : [];
}

/** The operators of a condition on the key, and their values. */
const operatorsIn = (condition: JsonValue): [string, JsonValue][] =>
  Object.entries(isObject(condition) ? condition : { $eq: condition });

/** Whether the ranges of a condition say all that it does. */
function isRanges(condition: JsonValue): boolean {
  const operators = operatorsIn(condition);
  return operators.length > 0 && operators.every((part) => part[0] !== '$in' && rangesOf(part).length > 0);
}

/** The rows of a run that a range accepts. */
function segmentOf(run: Run, [operator, value]: KeyRange): Segment {
  const from = (key: Key): number => firstIndex(run.length, (at) => compareValues(run.key(at), key) < 0);
  const after = (key: Key): number => firstIndex(run.length, (at) => compareValues(run.key(at), key) <= 0);
  if (operator === '$eq') return { run, from: from(value), to: after(value) };
  const isText = typeof value === 'string';
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

  /** Number of records that had been inserted at a time, in Unix milliseconds. */
  insertedBefore(instant: number): number {
    return this.#batches.findLast((batch) => batch.at <= instant)?.records ?? 0;
  }

  /** Adds a run of the sample. */
  addGenerated(recipe: Recipe): void {
    if (recipe.length > 0) this.#sample.push(sampleRun(recipe, this.#shape.keyPath === '_id'));
  }

  /** Stores records and returns their ids, in the same order. */
  insert(records: readonly JsonObject[]): string[] {
    this.#sorted = null;
    const { scopePaths } = this.#shape;
    const added = records.map((record) => ({ record, entry: this.#entryOf(record) }));
    const byScope = Map.groupBy(added, ({ record }) =>
      JSON.stringify(scopePaths.map((path) => valueAt(record, path) ?? null)),
    );
    for (const [name, [first, ...others]] of byScope) {
      if (!first) continue;
      const run = this.#stored.get(name) ?? storedRun(scopeOf(first.record, scopePaths), []);
      const entries = [first, ...others].map(({ entry }) => entry);
      this.#stored.set(name, withEntries(run, entries));
    }
    this.#batches.push({ at: Date.now(), records: this.#inserted });
    return added.map(({ entry }) => entry.id);
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
    if (this.#sorted?.name !== name) {
      const inserted = this.#inserted;
      const rows = await this.#matches(reading, 0, Infinity, work);
      if (inserted !== this.#inserted) return rows.slice(skip, skip + limit);
      this.#sorted = { name, rows };
    }
    return this.#sorted.rows.slice(skip, skip + limit);
  }

  /** The number of matches. */
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
    const rows = this.#ordered(reading);
    const matches: Row[] = [];
    let skipped = 0;
    const step = (): boolean => {
      work.countRecords();
      const { value: row, done } = rows.next();
      if (row && skipped < skip) skipped += 1;
      else if (row) matches.push(row);
      return done !== true && matches.length < limit;
    };
    const canRunLong = slowOperator.test(stringifyJson(reading.query)) || !this.#isOrderedBy(reading.sort);
    await work.repeat(step, canRunLong);
    return matches;
  }

  /** The matches in order, and null for each row that isn't one or is put in order with others. */
  *#ordered(reading: Reading): Generator<Row | null, undefined> {
    const { sort } = reading;
    const { segments, test } = this.#plan(reading);
    const isByKey = this.#isOrderedBy(sort);
    // The fields that order rows of equal key, or all rows if the key isn't the first field.
    const ties = isByKey ? sort.slice(1) : sort;
    let group: Keyed[] = [];
    const inOrder = (): Row[] => {
      group.sort((a, b) => compareSortValues(ties, a.values, b.values));
      return group.map(({ row }) => row);
    };
    for (const row of merged(segments, (isByKey && sort[0]?.[1]) || 1)) {
      const isMatch = !test || test(row);
      if (isMatch && ties.length > 0) {
        const first = group[0]?.row;
        if (first && isByKey && compareValues(keyOf(first), keyOf(row)) !== 0) {
          yield* inOrder();
          group = [];
        }
        // Here and not for all at once, which would block the service.
        group.push({ row, values: this.#sortValues(row, ties) });
      }
      yield isMatch && ties.length === 0 ? row : null;
    }
    yield* inOrder();
  }

  // Most rows are ordered and decided without the record, which is computed or parsed when it is needed.
  #sortValues({ run, at }: Row, fields: readonly SortField[]): Keyed['values'] {
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
    const ranges = onKey.flatMap(({ condition }) => operatorsIn(condition).flatMap(rangesOf));
    const isScope = predicateOf(conditions.filter(({ path }) => scopePaths.includes(path)));
    const isKey = predicateOf([
      ...onKey.filter(({ condition }) => !isRanges(condition)),
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

function scopeOf(record: JsonObject, paths: readonly string[]): Scope {
  const names = paths.map((path) => path.split('.')[0]);
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

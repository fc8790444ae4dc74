import { type JsonObject, type JsonValue, isObject, parseJson, stringifyJson } from '../shared/json.ts';
import {
  type Key,
  type SortField,
  compareSortValues,
  compareValues,
  isKey,
  predicate,
  sortValues,
  valueAt,
} from './mongo.ts';
import type { Work } from './mongo.ts';

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
  /** When the record was inserted, in Unix milliseconds; 0 for records of the sample. */
  time(at: number): number;
}

export interface Row {
  readonly run: Run;
  readonly at: number;
}

export const recordOf = ({ run, at }: Row): JsonObject => run.record(at);

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
  readonly visible: (scope: Scope) => boolean;
  /** A name for what `visible` allows, to recognize a repeated read. */
  readonly seenBy: string;
  /** Only records that were inserted until then are visible, in Unix milliseconds. */
  readonly before?: number | undefined;
}

/** One condition of a query that every match must meet: a path or a logical operator, and what is asked of it. */
type Condition = readonly [path: string, condition: JsonValue];

/** The conditions of a query, including those inside `$and`. */
export function conditionsOf(query: JsonObject): Condition[] {
  return Object.entries(query).flatMap(([path, condition]): Condition[] => {
    const isAnd = path === '$and' && Array.isArray(condition) && condition.length > 0;
    if (isAnd && condition.every((part) => isObject(part))) return condition.flatMap(conditionsOf);
    return [[path, condition]];
  });
}

/** The first index that isn't before a position in a sorted list. */
export function firstIndex(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
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
  return { scope, length, key: isById ? id : key, id, record, text, time: () => 0 };
}

/** A stored record, as text. */
interface Entry {
  readonly id: string;
  readonly key: Key;
  readonly time: number;
  readonly text: string;
}

const compareEntries = (a: Entry, b: Entry): number => compareValues(a.key, b.key) || (a.id < b.id ? -1 : 1);

/** Stored records of one scope in a sorted array. */
class StoredRun implements Run {
  readonly scope: Scope;
  readonly #entries: Entry[];

  constructor(scope: Scope, entries: Entry[]) {
    this.scope = scope;
    this.#entries = entries;
  }

  get length(): number {
    return this.#entries.length;
  }

  key = (at: number): Key => this.#entries[at]!.key;
  id = (at: number): string => this.#entries[at]!.id;
  text = (at: number): string => this.#entries[at]!.text;
  time = (at: number): number => this.#entries[at]!.time;
  record(at: number): JsonObject {
    const record = parseJson(this.text(at));
    return isObject(record) ? record : {};
  }

  /**
   * Adds entries, which are younger than all of the run. Those after its end are appended, because a reader remembers
   * where it ended; otherwise the result is another run, and this one is unchanged.
   */
  with(added: readonly Entry[]): StoredRun {
    const sorted = added.toSorted(compareEntries);
    const entries = this.#entries;
    const indexOf = (entry: Entry | undefined): number =>
      firstIndex(entries.length, (at) => compareEntries(entries[at]!, entry!) < 0);
    const from = indexOf(sorted[0]);
    if (from === entries.length) {
      for (const entry of sorted) entries.push(entry);
      return this;
    }
    const to = indexOf(sorted.at(-1));
    const between = entries.slice(from, to).concat(sorted).sort(compareEntries);
    return new StoredRun(this.scope, entries.slice(0, from).concat(between, entries.slice(to)));
  }
}

/** The records of a run that a function doesn't select. */
function without<R extends Run>(run: R, isRemoved: (record: JsonObject) => boolean): R | StoredRun {
  const rows = Array.from({ length: run.length }, (_, at) => at).filter((at) => !isRemoved(run.record(at)));
  if (rows.length === run.length) return run;
  const entries = rows.map((at) => ({ id: run.id(at), key: run.key(at), time: run.time(at), text: run.text(at) })); // oxfmt-ignore
  return new StoredRun(run.scope, entries);
}

/** The rows of segments as one list, ordered by key and then by id, ascending or descending. */
function* merged(segments: readonly Segment[], direction: 1 | -1): Generator<Row, undefined> {
  // The next row of each segment, with its key; the last one is the next row of all.
  const heads: (Segment & Row & { readonly key: Key })[] = [];
  const push = (segment: Segment, at: number): void => {
    if (at < segment.from || at >= segment.to) return;
    const { run } = segment;
    const key = run.key(at);
    const isLater = ({ run: other, at: row, key: otherKey }: Row & { readonly key: Key }): boolean =>
      direction * (compareValues(otherKey, key) || compareValues(other.id(row), run.id(at))) > 0;
    const index = firstIndex(heads.length, (head) => isLater(heads[head]!));
    heads.splice(index, 0, { ...segment, at, key });
  };
  for (const segment of segments) push(segment, direction === 1 ? segment.from : segment.to - 1);
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head;
    push(head, head.at + direction);
  }
}

/** A place in the order of keys: before or after all that are equal to one. */
type Bound = readonly [key: Key, isAfter: boolean];

/** The keys that an operator accepts are between two bounds; null: each row must be tested. */
function boundsOf(operator: string, value: JsonValue): readonly [Bound, Bound] | null {
  const isList = operator === '$in' && Array.isArray(value);
  const keys = (isList ? value : [value]).toSorted(compareValues);
  const [low = null, high = null] = [keys[0], keys.at(-1)];
  if (!isKey(low) || !isKey(high)) return null;
  if (isList || operator === '$eq') return [[low, false], [high, true]]; // oxfmt-ignore
  const isText = typeof low === 'string';
  if (!isText && typeof low !== 'number' && typeof low !== 'bigint') return null;
  // Comparisons match only values of their own type.
  const [least, most]: [Bound, Bound] = [[isText ? '' : -Infinity, false], isText ? [false, false] : [Infinity, true]]; // oxfmt-ignore
  if (operator === '$gt' || operator === '$gte') return [[low, operator === '$gt'], most];
  return operator === '$lt' || operator === '$lte' ? [least, [low, operator === '$lte']] : null;
}

/** The operators of a condition on the key, and their values. */
const operatorsIn = (condition: JsonValue): [string, JsonValue][] =>
  Object.entries(isObject(condition) ? condition : { $eq: condition });

/** Whether bounds accept the same keys as a condition. */
function isBounded(condition: JsonValue): boolean {
  const operators = operatorsIn(condition);
  return operators.length > 0 && operators.every(([name, value]) => name !== '$in' && boundsOf(name, value));
}

const predicateOf = (conditions: readonly Condition[]): ((record: JsonObject) => boolean) | null =>
  conditions.length === 0
    ? null
    : predicate({ $and: conditions.map(([path, condition]) => ({ [path]: condition })) });

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

  constructor(shape: IndexShape, idPrefix: string) {
    this.#shape = shape;
    this.#idPrefix = idPrefix;
  }

  get length(): number {
    return this.#runs.reduce((sum, { length }) => sum + length, 0);
  }

  addGenerated(recipe: Recipe): void {
    if (recipe.length > 0) this.#sample.push(sampleRun(recipe, this.#shape.keyPath === '_id'));
  }

  /** Stores records and returns their ids, in the same order. */
  insert(records: readonly JsonObject[]): string[] {
    this.#sorted = null;
    const { scopePaths } = this.#shape;
    const time = Date.now();
    const added = records.map((record) => ({ record, entry: this.#entryOf(record, time) }));
    const byScope = Map.groupBy(added, ({ record }) =>
      JSON.stringify(scopePaths.map((path) => valueAt(record, path) ?? null)),
    );
    for (const [name, all] of byScope) {
      const run = this.#stored.get(name) ?? new StoredRun(all[0]!.record, []);
      this.#stored.set(name, run.with(all.map(({ entry }) => entry)));
    }
    return added.map(({ entry }) => entry.id);
  }

  /** Its `_id` comes first, whatever the record has. A list or an object doesn't order records, and counts as missing. */
  #entryOf(record: JsonObject, time: number): Entry {
    const id = hexId(this.#idPrefix, this.#inserted);
    const value = this.#shape.keyPath === '_id' ? id : valueAt(record, this.#shape.keyPath);
    const rest = { ...record };
    delete rest['_id'];
    this.#inserted += 1;
    return { id, key: isKey(value) ? value : null, time, text: jsonText({ _id: id, ...rest }) };
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
    let group: { readonly row: Row; readonly key: Key; readonly values: readonly unknown[] }[] = [];
    const inOrder = (): Row[] => {
      group.sort((a, b) => compareSortValues(ties, a.values, b.values));
      return group.map(({ row }) => row);
    };
    for (const row of merged(segments, (isByKey && sort[0]?.[1]) || 1)) {
      const isMatch = !test || test(row);
      if (isMatch && ties.length > 0) {
        const key = row.run.key(row.at);
        if (group[0] && isByKey && compareValues(group[0].key, key) !== 0) {
          yield* inOrder();
          group = [];
        }
        // Here and not for all at once, which would block the service.
        group.push({ row, key, values: this.#sortValues(row, ties) });
      }
      yield isMatch && ties.length === 0 ? row : null;
    }
    yield* inOrder();
  }

  // Most rows are ordered and decided without the record, which is computed or parsed when it is needed.
  #sortValues({ run, at }: Row, fields: readonly SortField[]): unknown[] {
    const { scopePaths, keyPath } = this.#shape;
    return fields.map((field) => {
      const [path] = field;
      if (path === '_id') return run.id(at);
      if (path === keyPath) return run.key(at);
      return sortValues([field], scopePaths.includes(path) ? run.scope : run.record(at))[0];
    });
  }

  /** The rows that a read examines, and what remains to be tested of each; null: nothing. */
  #plan({ query, visible, before = Infinity }: Reading) {
    const { scopePaths, keyPath } = this.#shape;
    const conditions = conditionsOf(query);
    const isScope = predicateOf(conditions.filter(([path]) => scopePaths.includes(path)));
    const bounds = conditions
      .flatMap(([path, condition]) => (path === keyPath ? operatorsIn(condition) : []))
      .map(([operator, value]) => boundsOf(operator, value))
      .filter((part) => part !== null);
    const rest = conditions.filter(([path, condition]) =>
      path === keyPath ? !isBounded(condition) : !scopePaths.includes(path),
    );
    const isMatch = predicateOf(rest);
    const isByKey = rest.every(([path]) => path === '_id' || path === keyPath);
    const segments = this.#runs
      .filter(({ scope }) => visible(scope) && (isScope?.(scope) ?? true))
      .map((run): Segment => {
        const indexOf = ([key, isAfter]: Bound): number =>
          firstIndex(run.length, (at) => compareValues(run.key(at), key) < (isAfter ? 1 : 0));
        const from = bounds.reduce((max, [low]) => Math.max(max, indexOf(low)), 0);
        return { run, from, to: bounds.reduce((min, [, high]) => Math.min(min, indexOf(high)), run.length) };
      })
      .filter(({ from, to }) => from < to);
    if (!isMatch && before === Infinity) return { segments, test: null };
    const test = ({ run, at }: Row): boolean => {
      if (run.time(at) > before) return false;
      return isMatch?.(isByKey ? { _id: run.id(at), [keyPath]: run.key(at) } : run.record(at)) ?? true;
    };
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

import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import { predicate } from '../mongo/pipeline.ts';
import { type SortField, compareSortValues } from '../mongo/sort.ts';
import {
  type Condition,
  type KeyRange,
  compareLimits,
  conditionsOf,
  keyRanges,
  listRange,
} from './conditions.ts';
import { RecordLog } from './log.ts';
import {
  type Recipe,
  type Row,
  type Run,
  type Scope,
  type Segment,
  firstIndex,
  generatedRun,
  InsertedRun,
  Merge,
  selectedRows,
} from './run.ts';
import { type Key, compareKeys, sortValue, valueAt } from './values.ts';
import type { Work } from './work.ts';

/** The index of records of one type: the envelope paths that scope them, and the field that orders them. */
export interface IndexShape {
  readonly scopePaths: readonly string[];
  readonly keyPath: string;
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

/** The rows that a read examines, and what remains to be tested of each; null: nothing. */
interface Plan {
  readonly segments: readonly Segment[];
  readonly test: ((row: Row) => boolean) | null;
}

/** An operator other than comparisons, whose work grows only with the query. */
const slowOperator = /"\$(?!(?:eq|ne|gt|gte|lt|lte|in|nin|exists|and|or)")/;
const canRunLong = (query: JsonObject): boolean => slowOperator.test(stringifyJson(query));

/** The records of one dataset: sorted runs for each scope. */
export class Collection {
  readonly shape: IndexShape;
  readonly #log: RecordLog;
  #generated: Run[] = [];
  readonly #inserted = new Map<string, InsertedRun>();
  // The last read that no index orders, because its pages are often read one after the other.
  #sorted: { readonly name: string; readonly rows: readonly Row[] } | null = null;
  // The time of each insert, and the number of records after it.
  readonly #batches: { readonly at: number; readonly records: number }[] = [];

  constructor(shape: IndexShape, idPrefix: string) {
    this.shape = shape;
    this.#log = new RecordLog(idPrefix);
  }

  /** Number of records. */
  get length(): number {
    return this.#runs.reduce((sum, { length }) => sum + length, 0);
  }

  /** Number of inserted records. */
  get inserted(): number {
    return this.#log.length;
  }

  get insertedBytes(): number {
    return this.#log.bytes;
  }

  /** Number of records that had been inserted at a time, in Unix milliseconds. */
  insertedBefore(instant: number): number {
    return this.#batches.findLast((batch) => batch.at <= instant)?.records ?? 0;
  }

  addGenerated(recipe: Recipe): void {
    if (recipe.length > 0) this.#generated.push(generatedRun(recipe, this.shape.keyPath === '_id'));
  }

  /** Stores records and returns their ids, in the same order. */
  insert(records: readonly JsonObject[]): string[] {
    this.#sorted = null;
    const first = this.#log.length;
    const ordinals = records.map((record) => this.#log.append(record, this.#keyOfNext(record)));
    const { scopePaths } = this.shape;
    const byScope = Map.groupBy(ordinals, (ordinal) =>
      JSON.stringify(scopePaths.map((path) => valueAt(records[ordinal - first], path) ?? null)),
    );
    for (const [name, added] of byScope) {
      const scope = scopeOf(records[(added[0] ?? first) - first] ?? {}, scopePaths);
      const run = this.#inserted.get(name) ?? new InsertedRun(scope, this.#log);
      this.#inserted.set(name, run.with(added));
    }
    this.#batches.push({ at: Date.now(), records: this.#log.length });
    return ordinals.map((ordinal) => this.#log.id(ordinal));
  }

  /** Removes the records that a function selects; returns their number. */
  remove(isRemoved: (record: JsonObject) => boolean): number {
    const before = this.length;
    this.#sorted = null;
    this.#generated = this.#generated.map((run) => selectedRows(run, (at) => !isRemoved(run.record(at))));
    for (const [name, run] of this.#inserted) this.#inserted.set(name, run.without(isRemoved));
    return before - this.length;
  }

  /** Whether an index supports a sort. */
  serves(sort: readonly SortField[]): boolean {
    const { scopePaths, keyPath } = this.shape;
    const first = sort.find(([path]) => !scopePaths.includes(path));
    return first === undefined || first[0] === keyPath || first[0] === '_id';
  }

  /** The matches from index `skip`, at most `limit`. */
  async find(reading: Reading, skip: number, limit: number, work: Work): Promise<readonly Row[]> {
    const { query, sort, seenBy, before = null } = reading;
    if (this.#isOrderedBy(sort)) return this.#matches(reading, skip, limit, work);
    const name = JSON.stringify([stringifyJson(query), sort, seenBy, before]);
    if (this.#sorted?.name === name) return this.#sorted.rows.slice(skip, skip + limit);
    const inserted = this.#log.length;
    const rows = await this.#matches(reading, 0, Infinity, work);
    if (inserted === this.#log.length) this.#sorted = { name, rows };
    return rows.slice(skip, skip + limit);
  }

  async count(reading: Reading, work: Work): Promise<number> {
    const { segments, test } = this.#plan(reading);
    if (!test) return segments.reduce((sum, { from, to }) => sum + to - from, 0);
    return (await this.#matches({ ...reading, sort: [] }, 0, Infinity, work)).length;
  }

  get #runs(): readonly Run[] {
    return [...this.#generated, ...this.#inserted.values()];
  }

  // Only single values order records; a field with a list or an object counts as missing.
  #keyOfNext(record: JsonObject): Key {
    if (this.shape.keyPath === '_id') return this.#log.id(this.#log.length);
    const value = valueAt(record, this.shape.keyPath);
    return value === undefined || typeof value === 'object' ? null : value;
  }

  #isOrderedBy([first]: readonly SortField[]): boolean {
    return first === undefined || first[0] === this.shape.keyPath;
  }

  /** The matches from index `skip`, at most `limit`, without the rows before them. */
  async #matches(reading: Reading, skip: number, limit: number, work: Work): Promise<Row[]> {
    const { sort } = reading;
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
      if (!row || (previous && isByKey && compareKeys(keyOf(previous), keyOf(row)) !== 0)) addGroup();
      if (!row || matches.length >= limit) return false;
      if (ties.length === 0) add(row);
      else group.push({ row, values: ties.map(([path, sign]) => this.#sortValue(row, path, sign)) });
      return true;
    };
    await work.repeat(step, !isByKey || (test !== null && canRunLong(reading.query)));
    return matches;
  }

  #sortValue({ run, at }: Row, path: string, direction: 1 | -1): JsonValue | undefined {
    if (path === '_id') return run.id(at);
    if (path === this.shape.keyPath) return run.key(at);
    if (this.shape.scopePaths.includes(path)) return valueAt(run.scope, path);
    return sortValue(run.record(at), path, direction);
  }

  #plan({ query, visible, before = Infinity }: Reading): Plan {
    const { scopePaths, keyPath } = this.shape;
    const onScope: Condition[] = [];
    const onKey: Condition[] = [];
    const onRecord: Condition[] = [];
    const ranges: KeyRange[] = [];
    for (const condition of conditionsOf(query)) {
      const { path } = condition;
      if (scopePaths.includes(path)) onScope.push(condition);
      else if (path === keyPath) {
        const exact = keyRanges(condition.condition);
        for (const range of exact ?? listRange(condition.condition)) ranges.push(range);
        if (!exact) onKey.push(condition);
      } else if (path === '_id') onKey.push(condition);
      else onRecord.push(condition);
    }
    const isScope = predicateOf(onScope);
    const segments = this.#runs
      .filter(({ scope }) => visible(scope) && (isScope?.(scope) ?? true))
      .map((run) => segmentOf(run, ranges));
    const isKey = predicateOf(onKey);
    const isRecord = predicateOf(onRecord);
    if (!isKey && !isRecord && before === Infinity) return { segments, test: null };
    // Most rows are decided without the record, which is computed or parsed when it is needed.
    const test = ({ run, at }: Row): boolean =>
      run.ordinal(at) < before &&
      (isKey?.({ _id: run.id(at), [keyPath]: run.key(at) }) ?? true) &&
      (isRecord?.(run.record(at)) ?? true);
    return { segments, test };
  }
}

const keyOf = ({ run, at }: Row): Key => run.key(at);

/** The rows of a run in all of some ranges. */
function segmentOf(run: Run, ranges: readonly KeyRange[]): Segment {
  const indexOf = ({ key, after }: KeyRange['low']): number =>
    firstIndex(run.length, (at) => compareLimits({ key: run.key(at), after: false }, { key, after }) < 0);
  const from = ranges.reduce((max, { low }) => Math.max(max, indexOf(low)), 0);
  const to = ranges.reduce((min, { high }) => Math.min(min, indexOf(high)), run.length);
  return { run, from, to: Math.max(from, to) };
}

const predicateOf = (conditions: readonly Condition[]): ((record: JsonObject) => boolean) | null =>
  conditions.length === 0
    ? null
    : predicate({ $and: conditions.map(({ path, condition }): JsonValue => ({ [path]: condition })) });

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

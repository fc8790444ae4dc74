import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { stringifyJson } from '../../shared/json.ts';
import type { SortField } from '../mongo/sort.ts';
import { compareSortValues, sortValues } from '../mongo/sort.ts';
import { Matches, RowReader, countRows } from './cursor.ts';
import { RecordLog } from './log.ts';
import type { Row } from './merge.ts';
import { Partition } from './partition.ts';
import type { IndexShape, Plan } from './plan.ts';
import { chooseIndex, groupSegments, scopeOf, scopeText, serveSort } from './plan.ts';
import type { Run, Scope } from './run.ts';
import type { Key } from './values.ts';
import { valueAt } from './values.ts';
import type { Work } from './work.ts';

/** A read of a collection, and the records that are visible to it. */
export interface Reading {
  readonly query: JsonObject;
  readonly sort: readonly SortField[];
  /** Whether records of a scope are visible. */
  readonly visible: (scope: Scope) => boolean;
  /** A name for what `visible` allows, to distinguish cached reads. */
  readonly seenBy: string;
  /** Only inserts before this one are visible. */
  readonly before?: number | undefined;
}

const cachedReadings = 6;
const cachedRows = 3_000_000;

/** The records of one dataset and their indexes: by scope and key, and by id. */
export class Collection {
  readonly shape: IndexShape;
  readonly #log: RecordLog;
  readonly #partitions = new Map<string, Partition>();
  readonly #cache = new Map<string, Matches>();
  // The time of each insert, and the number of records after it.
  readonly #batches: { readonly at: number; readonly records: number }[] = [];
  #generated = 0;
  #removed = 0;

  constructor(shape: IndexShape, idPrefix: string) {
    this.shape = shape;
    this.#log = new RecordLog(idPrefix);
  }

  /** Number of records. */
  get length(): number {
    return this.#generated + this.#log.length - this.#removed;
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

  addGenerated(run: Run): void {
    if (run.length === 0) return;
    this.#partition(run.scope).addGenerated(run);
    this.#generated += run.length;
  }

  /** Stores records and returns their ids, in the same order. */
  insert(records: readonly JsonObject[]): string[] {
    this.#cache.clear();
    const byScope = new Map<Partition, number[]>();
    const ids = records.map((record) => {
      const partition = this.#partition(scopeOf(record, this.shape.scopePaths));
      const key = this.shape.keyPath === null ? null : valueAt(record, this.shape.keyPath);
      const ordinal = this.#log.append(record, asKey(key));
      const ordinals = byScope.get(partition);
      if (ordinals) ordinals.push(ordinal);
      else byScope.set(partition, [ordinal]);
      return this.#log.id(ordinal);
    });
    for (const [partition, ordinals] of byScope) partition.insert(ordinals);
    this.#batches.push({ at: Date.now(), records: this.#log.length });
    return ids;
  }

  /** Removes the records that a function selects; returns their number. */
  remove(isRemoved: (record: JsonObject) => boolean): number {
    this.#cache.clear();
    let removed = 0;
    for (const partition of this.#partitions.values()) {
      const { generated, inserted } = partition.remove(isRemoved);
      this.#generated -= generated;
      this.#removed += inserted;
      removed += generated + inserted;
    }
    return removed;
  }

  /** Whether an index supports a sort. */
  serves(sort: readonly SortField[]): boolean {
    return (
      serveSort(sort, this.shape, this.shape.keyPath) !== null || serveSort(sort, this.shape, '_id') !== null
    );
  }

  /** The matches from index `skip`, at most `limit`. */
  async find(reading: Reading, skip: number, limit: number, work: Work): Promise<readonly Row[]> {
    const plan = this.plan(reading);
    if (settledByIndex(plan)) {
      const reader = new RowReader(plan, skip);
      const rows: Row[] = [];
      while (rows.length < limit) {
        const row = reader.next();
        if (!row) break;
        rows.push(row);
      }
      return rows;
    }
    return this.#withMatches(reading, plan, async (matches) => matches.page(skip, skip + limit, work));
  }

  async count(reading: Reading, work: Work): Promise<number> {
    const plan = this.plan(reading);
    if (!plan.test && !plan.rowTest) return countRows(plan);
    return this.#withMatches(reading, plan, async (matches) => matches.count(work));
  }

  /** The plan of a read. */
  plan({ query, sort, visible, before }: Reading): Plan {
    const { index, analysis, served } = chooseIndex(query, sort, this.shape);
    const runs = [...this.#partitions.values()]
      .filter((partition) => visible(partition.scope) && analysis.scope(partition.scope))
      .flatMap((partition) => (index === 'id' ? partition.runsById() : partition.runs()));
    const scopeFields = served?.scopeFields ?? [];
    const compare = (a: Run, b: Run): number =>
      compareSortValues(scopeFields, sortValues(scopeFields, a.scope), sortValues(scopeFields, b.scope));
    return {
      groups: groupSegments(runs, analysis.range, scopeFields, compare),
      direction: served?.direction ?? { key: 1, id: 1 },
      test: analysis.test,
      rowTest: before === undefined ? null : ({ run, row }) => run.ordinal(row) < before,
      ties: served?.ties ?? [],
      sort: served ? null : sort,
    };
  }

  async #withMatches<T>(reading: Reading, plan: Plan, use: (matches: Matches) => Promise<T>): Promise<T> {
    const name = JSON.stringify([
      stringifyJson(reading.query),
      reading.sort,
      reading.seenBy,
      reading.before ?? null,
    ]);
    const matches = this.#cache.get(name) ?? new Matches(plan);
    this.#cache.delete(name);
    this.#cache.set(name, matches);
    try {
      const used = await use(matches);
      this.#forget();
      return used;
    } catch (error) {
      this.#cache.delete(name);
      throw error;
    }
  }

  // The least recently used matches are dropped first if there are many of them or they are large.
  #forget(): void {
    const sizes = [...this.#cache].map(([name, matches]) => ({ name, rows: matches.length }));
    let rows = sizes.reduce((sum, entry) => sum + entry.rows, 0);
    for (const entry of sizes.slice(0, -1)) {
      if (this.#cache.size <= cachedReadings && rows <= cachedRows) return;
      this.#cache.delete(entry.name);
      rows -= entry.rows;
    }
  }

  #partition(scope: Scope): Partition {
    const name = scopeText(scope, this.shape.scopePaths);
    let partition = this.#partitions.get(name);
    if (!partition) {
      partition = new Partition(scope, this.#log);
      this.#partitions.set(name, partition);
    }
    return partition;
  }
}

function settledByIndex(plan: Plan): boolean {
  return !plan.test && !plan.rowTest && !plan.sort && plan.ties.length === 0;
}

// Only single values order records; a field with a list or an object counts as missing.
function asKey(value: JsonValue | undefined): Key {
  return value === undefined || typeof value === 'object' ? null : value;
}

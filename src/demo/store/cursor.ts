import type { JsonValue } from '../../shared/json.ts';
import { compareSortValues, sortValues } from '../mongo/sort.ts';
import type { Row } from './merge.ts';
import { Merge } from './merge.ts';
import type { Plan } from './plan.ts';
import type { Key } from './values.ts';
import { compareKeys } from './values.ts';
import type { Work } from './work.ts';

/** Reads the rows of a plan in order, one group after the other, after the first `skip` rows. */
export class RowReader {
  /** Number of groups that reading has reached. */
  group = 0;
  readonly #plan: Plan;
  #left: number;
  #merge: Merge | undefined;

  constructor(plan: Plan, skip = 0) {
    this.#plan = plan;
    this.#left = skip;
  }

  next(): Row | undefined {
    for (;;) {
      const row = this.#merge?.next();
      if (row) return row;
      const segments = this.#plan.groups[this.group];
      if (!segments) return undefined;
      this.group += 1;
      const length = segments.reduce((sum, s) => sum + s.to - s.from, 0);
      this.#merge = this.#left < length ? new Merge(segments, this.#plan.direction, this.#left) : undefined;
      this.#left = Math.max(0, this.#left - length);
    }
  }
}

/** Number of rows that a plan examines. */
export function countRows(plan: Plan): number {
  return plan.groups.flat().reduce((sum, segment) => sum + segment.to - segment.from, 0);
}

/**
 * The matches of a query that the index alone can't answer, found as far as requests need them. Paging by `skip`
 * continues after the last page, so that a full export examines every record once.
 */
export class Matches {
  readonly #plan: Plan;
  readonly #reader: RowReader;
  readonly #found: Row[] = [];
  // Rows to be sorted: all of them, or those of one key.
  #waiting: { row: Row; key: Key; group: number; values: (JsonValue | undefined)[] }[] = [];
  #complete = false;
  #running: Promise<void> = Promise.resolve();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#reader = new RowReader(plan);
  }

  get length(): number {
    return this.#found.length;
  }

  /** Rows `from` to `to`, fewer at the end. Requests for the same matches wait for each other. */
  async page(from: number, to: number, work: Work): Promise<readonly Row[]> {
    const wanted = this.#plan.sort ? Infinity : to;
    const before = this.#running;
    const mine = before.catch(() => undefined).then(async () => this.#find(wanted, work));
    this.#running = mine;
    await mine;
    return this.#found.slice(from, to);
  }

  /** Number of matches. */
  async count(work: Work): Promise<number> {
    await this.page(0, Infinity, work);
    return this.#found.length;
  }

  async #find(wanted: number, work: Work): Promise<void> {
    if (this.#complete || this.#found.length >= wanted) return;
    await work.repeat(() => {
      work.countRecords();
      const row = this.#reader.next();
      if (row) this.#take(row);
      else this.#finish();
      return row !== undefined && this.#found.length < wanted;
    });
  }

  #take(row: Row): void {
    const { test, rowTest, sort, ties } = this.#plan;
    if (rowTest && !rowTest(row)) return;
    const ordered = sort ?? ties;
    if (!test && ordered.length === 0) {
      this.#found.push(row);
      return;
    }
    const record = row.run.record(row.row);
    if (test && !test(record)) return;
    if (ordered.length === 0) {
      this.#found.push(row);
      return;
    }
    const last = this.#waiting.at(-1);
    const key = row.run.key(row.row);
    const { group } = this.#reader;
    if (last && !sort && (last.group !== group || compareKeys(last.key, key) !== 0)) this.#release();
    this.#waiting.push({ row, key, group, values: sortValues(ordered, record) });
  }

  #finish(): void {
    this.#release();
    this.#complete = true;
  }

  #release(): void {
    const fields = this.#plan.sort ?? this.#plan.ties;
    this.#waiting.sort((a, b) => compareSortValues(fields, a.values, b.values));
    for (const { row } of this.#waiting) this.#found.push(row);
    this.#waiting = [];
  }
}

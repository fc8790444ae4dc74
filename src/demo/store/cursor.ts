import type { JsonValue } from '../../shared/json.ts';
import { compareSortValues, sortValues } from '../mongo/sort.ts';
import type { Row } from './merge.ts';
import { Merge } from './merge.ts';
import type { Plan } from './plan.ts';
import { compareKeys } from './values.ts';
import type { Work } from './work.ts';

/** Reads the rows of a plan in order, one group after the other, starting behind the first `skip`. */
export function readRows(plan: Plan, skip = 0): () => Row | undefined {
  let group = 0;
  let left = skip;
  let merge: Merge | undefined;
  return () => {
    for (;;) {
      const row = merge?.next();
      if (row) return row;
      const segments = plan.groups[group];
      if (!segments) return undefined;
      group += 1;
      const length = segments.reduce((sum, s) => sum + s.to - s.from, 0);
      merge = left < length ? new Merge(segments, plan.direction, left) : undefined;
      left = Math.max(0, left - length);
    }
  };
}

/** How many rows a plan looks at. */
export function countRows(plan: Plan): number {
  return plan.groups.flat().reduce((sum, segment) => sum + segment.to - segment.from, 0);
}

/**
 * The matches of a query that the index alone can't give, found as far as they were asked for. Whoever pages on by
 * `skip` continues where the last page ended, so that a full export reads every record once.
 */
export class Matches {
  readonly #plan: Plan;
  readonly #next: () => Row | undefined;
  readonly #found: Row[] = [];
  // Rows that wait to be sorted: all of them, or those of one key.
  #waiting: { row: Row; values: (JsonValue | undefined)[] }[] = [];
  #complete = false;
  #running: Promise<void> = Promise.resolve();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#next = readRows(plan);
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

  /** How many matches there are. */
  async count(work: Work): Promise<number> {
    await this.page(0, Infinity, work);
    return this.#found.length;
  }

  async #find(wanted: number, work: Work): Promise<void> {
    if (this.#complete || this.#found.length >= wanted) return;
    await work.repeat(() => {
      work.look();
      const row = this.#next();
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
    if (last && !sort && compareKeys(last.row.run.key(last.row.row), row.run.key(row.row)) !== 0)
      this.#release();
    this.#waiting.push({ row, values: sortValues(ordered, record) });
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

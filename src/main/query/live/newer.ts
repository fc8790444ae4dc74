import { instantOf } from '../../../shared/instants.ts';
import type { LiveCursor, LiveField } from '../../../shared/tabs/live.ts';
import { isObject, stringifyJson, type JsonValue } from '../../../shared/json.ts';

/** Asks for one page of records. */
export type AskPage = (page: {
  readonly above: number | null;
  readonly direction: 1 | -1;
  readonly skip: number;
  readonly limit: number;
}) => Promise<readonly JsonValue[]>;

export interface NewerOptions {
  readonly ask: AskPage;
  readonly field: LiveField;
  /**
   * How far below the highest value is asked again: of several wells one may be late, and its records would fall
   * behind what another has sent.
   */
  readonly lookBack: number;
  readonly pageSize: number;
}

/** Whether newer values can be asked for: in which form a service keeps a `datetime` is not known. */
export const filterable = (field: LiveField): boolean => field !== 'datetime';

/** So many of the newest are looked at, where what is newer can't be asked for; and so many at most after a long pause. */
const top = { first: 100, most: 20_000 } as const;

/** Records that were not given before, in the order of their field; and up to where they are known now. */
export interface Batch {
  readonly records: readonly JsonValue[];
  readonly cursor: LiveCursor;
}

/** A record by its id; one without is itself its id. */
const idOf = (record: JsonValue): string =>
  isObject(record) && typeof record['_id'] === 'string' ? record['_id'] : stringifyJson(record);

/**
 * The newer records of a dataset, each once: it is asked from (`$gte`) a little below the last value on, and what was
 * given before is dropped by its id, so that records which share the last value are neither lost nor given twice.
 */
export class Newer {
  readonly #options: NewerOptions;
  /** Ids within the look back, each with its value. */
  readonly #seen = new Map<string, number>();
  #last: number | null = null;
  /** Where the first records began: older ones are not newer because they are near. */
  #floor: number;

  constructor(options: NewerOptions, after: LiveCursor | null) {
    this.#options = options;
    this.#last = after?.value ?? null;
    this.#floor = after?.floor ?? Number.NEGATIVE_INFINITY;
    for (const id of after?.ids ?? []) this.#seen.set(id, after?.value ?? 0);
  }

  /** The newest records there are, as a beginning. @throws AppError */
  async newest(limit: number): Promise<Batch | null> {
    const page = await this.#options.ask({ above: null, direction: -1, skip: 0, limit: Math.max(limit, 1) });
    const values = page.flatMap((record) => this.#valueOf(record) ?? []);
    if (values.length > 0) this.#floor = Math.min(...values);
    return this.#take(page.toReversed());
  }

  /** What has come since, page by page until there is nothing more. @throws AppError */
  async *since(): AsyncGenerator<Batch> {
    const { ask, lookBack, pageSize } = this.#options;
    if (this.#last === null) {
      const batch = await this.newest(pageSize);
      if (batch) yield batch;
      return;
    }
    const tip = this.#last;
    if (!filterable(this.#options.field)) {
      const batch = this.#take(await this.#downTo(tip - lookBack), Math.max(tip - lookBack, this.#floor));
      if (batch) yield batch;
      return;
    }
    let above = Math.max(tip - lookBack, this.#floor);
    let skip = 0;
    let before = '';
    for (;;) {
      const page = await ask({ above, direction: 1, skip, limit: pageSize });
      // A service that ignores `skip` sends the same page for ever.
      const ids = page.map(idOf).join(' ');
      if (skip > 0 && ids === before) return;
      before = ids;
      const batch = this.#take(page);
      if (batch) yield batch;
      const reached = this.#highest(page);
      // A service may give fewer than was asked for: only where nothing is new and the tip was reached is the end.
      if (reached === null || (!batch && reached >= tip && page.length < pageSize)) return;
      if (reached > above) {
        above = reached;
        skip = 0;
      } else skip += page.length;
    }
  }

  /** The newest records, back to what is older than a value; the oldest first. @throws AppError */
  async #downTo(value: number): Promise<JsonValue[]> {
    const found: JsonValue[] = [];
    for (;;) {
      const limit = found.length === 0 ? top.first : this.#options.pageSize;
      const page = await this.#options.ask({ above: null, direction: -1, skip: found.length, limit });
      found.push(...page);
      const values = page.flatMap((record) => this.#valueOf(record) ?? []);
      // A service may give fewer than was asked for: that is not the end.
      if (values.length === 0 || Math.min(...values) < value || found.length >= top.most)
        return found.toReversed();
    }
  }

  #highest(page: readonly JsonValue[]): number | null {
    const values = page.flatMap((record) => this.#valueOf(record) ?? []);
    return values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : null;
  }

  #valueOf(record: JsonValue): number | null {
    const value = isObject(record) ? record[this.#options.field] : null;
    if (typeof value === 'number') return value;
    const time =
      this.#options.field === 'datetime' && typeof value === 'string' ? instantOf(value) : Number.NaN;
    return Number.isNaN(time) ? null : time;
  }

  #take(page: readonly JsonValue[], from = Number.NEGATIVE_INFINITY): Batch | null {
    const fresh = page.filter((record) => {
      const value = this.#valueOf(record);
      return value !== null && value >= from && !this.#seen.has(idOf(record));
    });
    for (const record of fresh) this.#seen.set(idOf(record), this.#valueOf(record) ?? 0);
    const highest = this.#highest(fresh);
    if (highest === null) return null;
    this.#last = Math.max(this.#last ?? highest, highest);
    const kept = this.#last - this.#options.lookBack;
    for (const [id, value] of this.#seen) if (value < kept) this.#seen.delete(id);
    return { records: fresh, cursor: { value: this.#last, floor: this.#floor, ids: [...this.#seen.keys()] } };
  }
}

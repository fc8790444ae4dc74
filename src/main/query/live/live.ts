import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput, toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { isObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import {
  livePace,
  type LiveCursor,
  type LiveEvent,
  type LiveRequest,
  type LiveField,
} from '../../../shared/tabs/live.ts';
import { canBeWindowed, withBound } from '../../paging/request.ts';
import type { Handler } from '../../handlers.ts';
import { systemClock, type Clock, maxWaitMs } from '../../http/retry.ts';
import type { Services } from '../../services/services.ts';
import { countOf } from '../questions.ts';
import { instantOf } from '../../../shared/instants.ts';

interface LiveDependencies {
  readonly services: (connectionId: string) => Services;
  readonly clock?: Clock | undefined;
}

/** Of several wells one may be late by so much, in the units of the field. */
const lookBacks = { timestamp: 10_000, measured_depth: 0, datetime: 10_000 } as const;
const pageSize = 1000;
/** A page that fails is asked for once more at the next turn; there is no need to try for minutes. */
const maxTries = 2;

// Asking again would be answered in the same way.
const final = [
  'not_authenticated',
  'forbidden',
  'not_found',
  'refused',
  'invalid_input',
  'connection_unknown',
] as const;

/**
 * Follows a dataset: its newest records at first, then those that come after. One question at a time, a pause after
 * each, a longer one after each failure. The stream ends with its reader.
 * @throws AppError (into the stream) what asking again would not mend, a 401 or a 403 above all
 */
export function createLive({
  services,
  clock = systemClock,
}: LiveDependencies): Handler<(typeof calls)['query']['live']> {
  return async (request, { signal }) => {
    const query = countOf(request);
    if (filterable(request.field) && !canBeWindowed(query, request.field))
      throw invalidInput(`Give ${request.field} as a value or by $gte, $gt, $lt or $in, to follow it.`, {
        field: 'query',
      });
    const { data } = services(request.connection);
    const { provider, dataset, fields, field, timeoutMs } = request;
    const wanted = fields.length > 0 ? [...new Set([...fields, field])] : [];
    const ask: AskPage = async ({ above, direction, skip, limit }) => {
      const asked = above === null ? query : from(query, field, above);
      const find = {
        query: asked,
        sort: { [field]: direction } satisfies JsonObject,
        limit,
        skip,
        fields: wanted,
      };
      const { text } = await data.find({ provider, dataset }, find, { signal, timeoutMs, maxTries });
      const records = parseJson(text);
      return Array.isArray(records) ? records : [];
    };
    return follow(request, ask, clock, signal);
  };
}

/** The query for what is not below a value; a person's own bound above it stands. */
function from(query: JsonObject, field: string, above: number): JsonObject {
  const own = query[field];
  const bounds = isObject(own) ? [own['$gte'], own['$gt']] : [];
  const stricter = bounds.some((bound) => typeof bound === 'number' && bound >= above);
  return stricter ? query : withBound(query, field, { op: '$gte', value: String(above) });
}

async function* follow(
  { field, after, first, everyMs }: LiveRequest,
  ask: AskPage,
  clock: Clock,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent> {
  const newer = new Newer({ ask, field, lookBack: lookBacks[field], pageSize }, after);
  let begun = after !== null;
  let failures = 0;
  let pause = everyMs;
  for (;;) {
    if (signal?.aborted) return;
    try {
      let came = false;
      for await (const batch of begun ? newer.since() : beginning(newer, first)) {
        came = true;
        yield recordsEvent(batch.records, batch.cursor);
      }
      begun = true;
      failures = 0;
      pause = everyMs;
      if (!came) yield { kind: 'nothing' };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.is('cancelled') && signal?.aborted) return;
      if (final.some((code) => error.is(code))) throw error;
      failures += 1;
      pause = pauseAfter(error, failures, everyMs);
      yield { kind: 'trouble', error: error.toBody(), nextTryMs: pause };
    }
    await clock.wait(pause, signal).catch(() => undefined);
  }
}

async function* beginning(newer: Newer, first: number) {
  const batch = await newer.newest(first);
  if (batch) yield batch;
}

function recordsEvent(records: readonly JsonValue[], cursor: LiveCursor): LiveEvent {
  return { kind: 'records', records: stringifyJson([...records]), count: records.length, cursor };
}

/** Twice as long after each failure, and as long as the service itself asks for. */
function pauseAfter(error: AppError, failures: number, everyMs: number): number {
  const backed = maxWaitMs({ firstMs: everyMs, maxMs: livePace.longest }, failures + 1);
  const asked = error.is('too_many_requests') ? (error.details.retryAfterMs ?? 0) : 0;
  return Math.max(backed, asked);
}

/** Asks for one page of records. */
export type AskPage = (page: {
  readonly above: number | null;
  readonly direction: 1 | -1;
  readonly skip: number;
  readonly limit: number;
}) => Promise<readonly JsonValue[]>;

interface NewerOptions {
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
const filterable = (field: LiveField): boolean => field !== 'datetime';

/** So many of the newest are looked at, where what is newer can't be asked for; and so many at most after a long pause. */
const top = { first: 100, most: 20_000 } as const;

/** Records that were not given before, in the order of their field; and up to where they are known now. */
export interface Batch {
  readonly records: readonly JsonValue[];
  readonly cursor: LiveCursor;
}

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

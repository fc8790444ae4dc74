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
import { countOf } from '../operations.ts';
import { instantOf } from '../../../shared/instants.ts';
import { append, minOf } from '../../../shared/lists.ts';

interface LiveDependencies {
  readonly services: (connectionId: string) => Services;
  readonly clock?: Clock | undefined;
}

/** Of several wells one may be late by so much, in the units of the field. */
const lookBacks = { timestamp: 10_000, measured_depth: 0, datetime: 10_000 } as const;
const pageSize = 1000;
/** A failed page is requested again at the next turn, so it isn't retried for minutes. */
const maxTries = 2;

// A retry would have the same result.
const final = [
  'not_authenticated',
  'forbidden',
  'not_found',
  'refused',
  'invalid_input',
  'connection_unknown',
] as const;

/**
 * Follows a dataset: its newest records, then later ones. One request at a time, with a pause after each and
 * a longer one after a failure. The stream ends with its reader.
 * @throws AppError (into the stream) when a retry can't help, such as after a 401 or 403
 */
export function createLive({
  services,
  clock = systemClock,
}: LiveDependencies): Handler<(typeof calls)['query']['live']> {
  return async (request, { signal }) => {
    const query = countOf(request);
    if (filterable(request.field) && !canBeWindowed(query, request.field))
      throw invalidInput(
        `Set ${request.field} to a value, or limit it with $gte, $gt, $lt, or $in, to follow it.`,
        {
          field: 'query',
        },
      );
    const { data } = services(request.connection);
    const { provider, dataset, fields, field, timeoutMs } = request;
    const requestedFields = fields.length > 0 ? [...new Set([...fields, field])] : [];
    const requestPage: PageRequester = async ({ above, direction, skip, limit }) => {
      const pageQuery = above === null ? query : queryFrom(query, field, above);
      const find = {
        query: pageQuery,
        sort: { [field]: direction } satisfies JsonObject,
        limit,
        skip,
        fields: requestedFields,
      };
      const { text } = await data.find({ provider, dataset }, find, { signal, timeoutMs, maxTries });
      const records = parseJson(text);
      return Array.isArray(records) ? records : [];
    };
    return follow(request, requestPage, clock, signal);
  };
}

/** Adds a lower bound to a query; the user's upper bound remains. */
function queryFrom(query: JsonObject, field: string, above: number): JsonObject {
  const ownCondition = query[field];
  const bounds = isObject(ownCondition) ? [ownCondition['$gte'], ownCondition['$gt']] : [];
  const stricter = bounds.some((bound) => typeof bound === 'number' && bound >= above);
  return stricter ? query : withBound(query, field, { op: '$gte', value: String(above) });
}

async function* follow(
  { field, after, first, everyMs }: LiveRequest,
  requestPage: PageRequester,
  clock: Clock,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent> {
  const newer = new NewerRecords({ requestPage, field, lookBack: lookBacks[field], pageSize }, after);
  let hasStarted = after !== null;
  let failures = 0;
  let pause = everyMs;
  for (;;) {
    if (signal?.aborted) return;
    try {
      let came = false;
      for await (const batch of hasStarted ? newer.since() : firstBatch(newer, first)) {
        came = true;
        yield recordsEvent(batch.records, batch.cursor);
      }
      hasStarted = true;
      failures = 0;
      pause = everyMs;
      if (!came) yield { kind: 'nothing' };
    } catch (cause) {
      const error = toAppError(cause);
      if (error.is('cancelled') && signal?.aborted) return;
      if (final.some((code) => error.is(code))) throw error;
      failures += 1;
      pause = pauseAfter(error, failures, everyMs);
      yield { kind: 'trouble', error: error.toBody(), nextTryMs: pause };
    }
    await clock.wait(pause, signal).catch(() => undefined);
  }
}

async function* firstBatch(newer: NewerRecords, first: number) {
  const batch = await newer.newest(first);
  if (batch) yield batch;
}

function recordsEvent(records: readonly JsonValue[], cursor: LiveCursor): LiveEvent {
  return { kind: 'records', records: stringifyJson([...records]), count: records.length, cursor };
}

/** Doubles after each failure; at least as long as Retry-After. */
function pauseAfter(error: AppError, failures: number, everyMs: number): number {
  const backed = maxWaitMs({ firstMs: everyMs, maxMs: livePace.longest }, failures + 1);
  const pageQuery = error.is('too_many_requests') ? (error.details.retryAfterMs ?? 0) : 0;
  return Math.max(backed, pageQuery);
}

/** Requests a page of records. */
export type PageRequester = (page: {
  readonly above: number | null;
  readonly direction: 1 | -1;
  readonly skip: number;
  readonly limit: number;
}) => Promise<readonly JsonValue[]>;

interface NewerOptions {
  readonly requestPage: PageRequester;
  readonly field: LiveField;
  /**
   * Distance below the highest value that is read again: records of one well may arrive later than those of
   * another.
   */
  readonly lookBack: number;
  readonly pageSize: number;
}

/** Whether newer values can be queried; the stored form of a `datetime` is unknown. */
const filterable = (field: LiveField): boolean => field !== 'datetime';

/**
 * Number of newest records to read where newer values can't be queried, and the maximum after a long pause.
 */
const top = { first: 100, most: 20_000 } as const;

/** New records in the order of their field, and the highest value read. */
export interface Batch {
  readonly records: readonly JsonValue[];
  readonly cursor: LiveCursor;
}

const idOf = (record: JsonValue): string =>
  isObject(record) && typeof record['_id'] === 'string' ? record['_id'] : stringifyJson(record);

/**
 * Yields the newer records of a dataset, each once: it queries from (`$gte`) slightly below the last value
 * and drops known ids, so records with equal values are neither lost nor repeated.
 */
export class NewerRecords {
  readonly #options: NewerOptions;
  /** Ids within the look back, each with its value. */
  readonly #seenIds = new Map<string, number>();
  #last: number | null = null;
  /** Where the first records began: older ones are not newer because they are near. */
  #floor: number;

  constructor(options: NewerOptions, after: LiveCursor | null) {
    this.#options = options;
    this.#last = after?.value ?? null;
    this.#floor = after?.floor ?? Number.NEGATIVE_INFINITY;
    for (const id of after?.ids ?? []) this.#seenIds.set(id, after?.value ?? 0);
  }

  /** The newest records there are, as a beginning. @throws AppError */
  async newest(limit: number): Promise<Batch | null> {
    const page = await this.#options.requestPage({
      above: null,
      direction: -1,
      skip: 0,
      limit: Math.max(limit, 1),
    });
    const values = [...new Set(page.flatMap((record) => this.#valueOf(record) ?? []))].sort((a, b) => a - b);
    // A full page may have only some of the records with its lowest value; the others are older, too.
    const floor = values[page.length < limit ? 0 : 1] ?? values[0];
    if (floor !== undefined) this.#floor = floor;
    return this.#take(page.toReversed());
  }

  /**
   * Reads new records page by page until there are none.
   * @throws AppError of the data service
   */
  async *since(): AsyncGenerator<Batch> {
    const { requestPage, lookBack, pageSize } = this.#options;
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
      const page = await requestPage({ above, direction: 1, skip, limit: pageSize });
      // A service that ignores `skip` sends the same page for ever.
      const ids = page.map(idOf).join(' ');
      if (skip > 0 && ids === before) return;
      before = ids;
      const batch = this.#take(page);
      if (batch) yield batch;
      const reached = this.#highest(page);
      // A service may return fewer records than requested: the end is reached when nothing is new at the
      // highest value.
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
      const page = await this.#options.requestPage({ above: null, direction: -1, skip: found.length, limit });
      append(found, page);
      const values = page.flatMap((record) => this.#valueOf(record) ?? []);
      // A service may return fewer records than requested, so this isn't the end.
      if (values.length === 0 || minOf(values) < value || found.length >= top.most) return found.toReversed();
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
    const newRecords = page.filter((record) => {
      const value = this.#valueOf(record);
      return value !== null && value >= from && !this.#seenIds.has(idOf(record));
    });
    for (const record of newRecords) this.#seenIds.set(idOf(record), this.#valueOf(record) ?? 0);
    const highest = this.#highest(newRecords);
    if (highest === null) return null;
    this.#last = Math.max(this.#last ?? highest, highest);
    const oldestKept = this.#last - this.#options.lookBack;
    for (const [id, value] of this.#seenIds) if (value < oldestKept) this.#seenIds.delete(id);
    return {
      records: newRecords,
      cursor: { value: this.#last, floor: this.#floor, ids: [...this.#seenIds.keys()] },
    };
  }
}

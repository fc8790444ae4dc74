import type { calls } from '../../../../shared/contract/contract.ts';
import { datasetShapes } from '../../../../shared/datasets/datasets.ts';
import { invalidInput, toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import { clockToleranceMs, instantOf } from '../../../../shared/instants.ts';
import {
  parseJson,
  recordKey,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  isObject,
} from '../../../../shared/json.ts';
import {
  livePace,
  type LiveCursor,
  type LiveEvent,
  type LiveRequest,
  type LiveField,
} from '../../../../shared/tabs/live.ts';
import { canBeWindowed, countOf, queryInRange } from '../../../core/requests.ts';
import { isUnder } from '../../../core/records/columns.ts';
import { createRepeatCheck } from '../../../core/reading/reading.ts';
import type { Handler } from '../../../core/handlers.ts';
import { systemClock, type Clock, maxWaitMs } from '../../../core/wire/http/retry.ts';
import { servicesAt, type Services } from '../../../core/wire/services/services.ts';
import { append, minOf } from '../../../../shared/lists.ts';

export type PageRequester = (page: {
  readonly above: number | null;
  readonly direction: 1 | -1;
  readonly skip: number;
  readonly limit: number;
}) => Promise<readonly JsonValue[]>;

interface NewerOptions {
  readonly requestPage: PageRequester;
  /** Counts the records from one value up to another, without it; absent: the service can't. */
  readonly countBetween?: ((from: number, to: number) => Promise<number>) | undefined;
  readonly field: LiveField;
  /**
   * Distance below the highest value that is read again: records of one well may arrive later than those of
   * another.
   */
  readonly lookBack: number;
  /** Distance below the highest value in which later records are searched from time to time; default: none. */
  readonly lateWindow?: number;
  readonly pageSize: number;
  /** Records with this value or a higher one have a wrong time and are left out; default: there are none. */
  readonly maxValue?: () => number;
}

/** Late records are searched after this many requests for newer ones. */
const searchEvery = 6;
/** Maximum number of ids in memory; with more, late records are searched less far back. */
const maxIds = 100_000;
/** Pages of one turn; the next turn continues. */
const maxPages = 1000;

/** Whether newer values can be queried; the stored form of a `datetime` is unknown. */
export const isFilterable = (field: LiveField): boolean => field !== 'datetime';

/** Number of newest records to read where newer values can't be queried, and the maximum after a long pause. */
const top = { first: 100, max: 20_000 } as const;

/** New records in the order of their field, and the highest value read. */
export interface Batch {
  readonly records: readonly JsonValue[];
  readonly cursor: LiveCursor;
}

function wellOf(record: JsonValue): string {
  if (!isObject(record)) return '';
  const { asset_id: asset, metadata } = record;
  return stringifyJson(asset ?? (isObject(metadata) ? metadata['asset_id'] : null) ?? null);
}

/**
 * Yields the newer records of a dataset, each once: it queries from (`$gte`) slightly below the last value
 * and drops known ids, so records with equal values are neither lost nor repeated. From time to time it searches records
 * that came later than those of other wells.
 */
export class NewerRecords {
  readonly #options: NewerOptions;
  /** Ids within the look back and the late window, each with its value. */
  readonly #seenIds = new Map<string, number>();
  /** The highest value of each well. */
  readonly #watermarks = new Map<string, number>();
  #last: number | null = null;
  /** Where the first records began: older ones are not newer because they are near. */
  #floor: number;
  /** Ids below this value are not in memory, so late records there can't be told from others. */
  #lateFloor: number;
  #searchCount = 0;

  constructor(options: NewerOptions, after: LiveCursor | null) {
    this.#options = options;
    this.#last = after?.value ?? null;
    this.#floor = after?.floor ?? Number.NEGATIVE_INFINITY;
    this.#lateFloor = after ? after.value - options.lookBack : Number.NEGATIVE_INFINITY;
    for (const id of after?.ids ?? []) this.#seenIds.set(id, after?.value ?? 0);
  }

  /** The newest records there are, as a beginning. @throws AppError */
  async newest(limit: number): Promise<Batch | null> {
    const newest: JsonValue[] = [];
    const requestNewest = this.#newestPages(newest);
    let page: readonly JsonValue[];
    do {
      page = await requestNewest(Math.max(limit, 1));
      // Records with a wrong time come first, and can fill pages.
    } while (
      newest.length < top.max &&
      page.some((record) => this.#storedValueOf(record) !== null && this.#valueOf(record) === null)
    );
    const values = [...new Set(newest.flatMap((record) => this.#valueOf(record) ?? []))].sort(
      (a, b) => a - b,
    );
    // A full page may have only some of the records with its lowest value; the others are older, too.
    const floor = values[page.length < limit ? 0 : 1] ?? values[0];
    if (floor !== undefined) this.#floor = floor;
    return this.#take(newest.toReversed());
  }

  /** Reads new records page by page until there are none. @throws AppError of the data service */
  async *since(): AsyncGenerator<Batch> {
    const { lookBack, pageSize } = this.#options;
    if (this.#last === null) {
      const batch = await this.newest(pageSize);
      if (batch) yield batch;
      return;
    }
    const tip = this.#last;
    this.#searchCount += 1;
    const isSearch = this.#searchCount % searchEvery === 0;
    if (!isFilterable(this.#options.field)) {
      const from = isSearch ? this.#lateStart(tip) : tip - lookBack;
      const batch = this.#take(await this.#downTo(from), Math.max(from, this.#floor));
      if (batch) yield batch;
      return;
    }
    yield* this.#readFrom(Math.max(tip - lookBack, this.#floor), tip);
    if (isSearch) yield* this.#searchLate(tip);
  }

  /** Reads records from a value on, page by page, until nothing is new at a value. */
  async *#readFrom(from: number, tip: number): AsyncGenerator<Batch> {
    const { requestPage, pageSize } = this.#options;
    let above = from;
    let skip = 0;
    let before = '';
    const checkRepeats = createRepeatCheck(this.#seenIds.size);
    for (let pages = 0; pages < maxPages; pages += 1) {
      const page = await requestPage({ above, direction: 1, skip, limit: pageSize });
      // A service that ignores `skip` sends the same page for ever.
      const ids = page.map(recordKey).join(' ');
      if (skip > 0 && ids === before) return;
      before = ids;
      const batch = this.#take(page, this.#floor);
      const reached = this.#highest(page);
      const isReread = reached !== null && reached < tip;
      checkRepeats({ records: page.length, added: batch?.records.length ?? 0, isReread });
      if (batch) yield batch;
      // A service may return fewer records than requested: the end is reached when nothing is new at the
      // highest value.
      if (reached === null || (!batch && reached >= tip && page.length < pageSize)) return;
      if (reached > above) {
        above = reached;
        skip = 0;
      } else skip += page.length;
    }
  }

  /** The lowest value at which late records are searched. */
  #lateStart(tip: number): number {
    const { lookBack, lateWindow = 0 } = this.#options;
    return Math.max(tip - Math.max(lateWindow, lookBack), this.#floor, this.#lateFloor);
  }

  /**
   * Searches records that came later than those of other wells: if the service counts more than are known, it reads from
   * the watermark of the well that is farthest behind, then all of the window.
   */
  async *#searchLate(tip: number): AsyncGenerator<Batch> {
    const { countBetween, lookBack, lateWindow = 0 } = this.#options;
    const [from, to] = [this.#lateStart(tip), tip - lookBack];
    if (!countBetween || lateWindow === 0 || from >= to) return;
    const countSeen = (): number => {
      let count = 0;
      for (const value of this.#seenIds.values()) if (value >= from && value < to) count += 1;
      return count;
    };
    const stored = await countBetween(from, to);
    if (stored <= countSeen()) return;
    const behind = minOf([tip, ...[...this.#watermarks.values()].filter((value) => value >= from)]);
    yield* this.#readFrom(Math.max(from, behind - lookBack), tip);
    if (stored > countSeen()) yield* this.#readFrom(from, tip);
  }

  /** The newest records, back to what is older than a value; the oldest first. @throws AppError */
  async #downTo(value: number): Promise<JsonValue[]> {
    const newest: JsonValue[] = [];
    const requestNewest = this.#newestPages(newest);
    for (;;) {
      const page = await requestNewest(newest.length === 0 ? top.first : this.#options.pageSize);
      // Records with a wrong time come first; a service may return fewer records than requested, so this isn't the end.
      const values = page.flatMap((record) => this.#storedValueOf(record) ?? []);
      if (values.length === 0 || minOf(values) < value || newest.length >= top.max)
        return newest.toReversed();
    }
  }

  /** Requests the newest records page by page, and appends them. */
  #newestPages(newest: JsonValue[]): (limit: number) => Promise<readonly JsonValue[]> {
    const checkRepeats = createRepeatCheck();
    const ids = new Set<string>();
    return async (limit) => {
      const skip = newest.length;
      const page = await this.#options.requestPage({ above: null, direction: -1, skip, limit });
      const before = ids.size;
      for (const record of page) ids.add(recordKey(record));
      checkRepeats({ records: page.length, added: ids.size - before, isReread: false });
      append(newest, page);
      return page;
    };
  }

  #highest(page: readonly JsonValue[]): number | null {
    const values = page.flatMap((record) => this.#valueOf(record) ?? []);
    return values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : null;
  }

  #valueOf(record: JsonValue): number | null {
    const { maxValue } = this.#options;
    const value = this.#storedValueOf(record);
    return value === null || (maxValue && value >= maxValue()) ? null : value;
  }

  /** Also a wrong time. */
  #storedValueOf(record: JsonValue): number | null {
    const { field } = this.#options;
    const stored = isObject(record) ? record[field] : null;
    const isText = field === 'datetime' && typeof stored === 'string';
    const value = typeof stored === 'number' ? stored : isText ? instantOf(stored) : Number.NaN;
    return Number.isNaN(value) ? null : value;
  }

  #take(page: readonly JsonValue[], from = Number.NEGATIVE_INFINITY): Batch | null {
    const newRecords = page.filter((record) => {
      const value = this.#valueOf(record);
      return value !== null && value >= from && !this.#seenIds.has(recordKey(record));
    });
    for (const record of newRecords) {
      const value = this.#valueOf(record) ?? 0;
      this.#seenIds.set(recordKey(record), value);
      const well = wellOf(record);
      this.#watermarks.set(well, Math.max(this.#watermarks.get(well) ?? value, value));
    }
    const highest = this.#highest(newRecords);
    if (highest === null) return null;
    this.#last = Math.max(this.#last ?? highest, highest);
    this.#forget(this.#last);
    const oldestRepeated = this.#last - this.#options.lookBack;
    const ids = [...this.#seenIds].flatMap(([id, value]) => (value < oldestRepeated ? [] : [id]));
    return { records: newRecords, cursor: { value: this.#last, floor: this.#floor, ids } };
  }

  /** Forgets ids that can't come again, and the oldest of too many. */
  #forget(last: number): void {
    const { lookBack, lateWindow = 0 } = this.#options;
    let oldest = last - Math.max(lookBack, lateWindow);
    if (this.#seenIds.size > maxIds) {
      const values = [...this.#seenIds.values()].toSorted((a, b) => b - a);
      oldest = Math.max(oldest, Math.min((values[maxIds / 2] ?? oldest) + 1, last - lookBack));
      this.#lateFloor = Math.max(this.#lateFloor, oldest);
    }
    for (const [id, value] of this.#seenIds) if (value < oldest) this.#seenIds.delete(id);
  }
}

interface LiveDependencies {
  readonly services: (connectionId: string) => Services;
  readonly clock?: Clock | undefined;
}

/** Of several wells one may be late by so much, in the units of the field. */
const lookBacks = { timestamp: 10_000, measured_depth: 0, datetime: 10_000 } as const;
/** Late records are searched so far back, in the same units. */
const lateWindows = { timestamp: 900_000, measured_depth: 0, datetime: 120_000 } as const;
const pageSize = 1000;
/** A failed page is requested again at the next turn, so it isn't retried for minutes. */
const maxTries = 2;

// A retry would have the same result.
const finalErrors = [
  'not_authenticated',
  'forbidden',
  'not_found',
  'refused',
  'invalid_input',
  'connection_unknown',
] as const;

/** Selected fields with those of the place, the well, and the log of a record; empty: all. */
function withScope(fields: readonly string[], field: LiveField): readonly string[] {
  if (fields.length === 0) return fields;
  const shape = Object.values(datasetShapes).find(({ indexField }) => indexField === field);
  const scope = [field, shape?.scopeField, shape?.indexScope].filter((path) => path != null);
  return [...fields, ...scope.filter((path) => !fields.some((selected) => isUnder(path, selected)))];
}

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
    if (isFilterable(request.field) && !canBeWindowed(query, request.field))
      throw invalidInput(
        `Set ${request.field} to a value, or limit it with $gte, $gt, $lt, or $in, to follow it.`,
        {
          field: 'query',
        },
      );
    const dataUrl = request.after?.dataUrl ?? services(request.connection).dataUrl;
    // A change of the proxy or the certificates closes the services.
    const dataNow = () => servicesAt(dataUrl, services(request.connection)).data;
    const { provider, dataset, fields, field, timeoutMs } = request;
    const maxValue = (): number =>
      field === 'measured_depth' ? Number.POSITIVE_INFINITY : dataNow().now() + clockToleranceMs;
    const rangeQuery = (from: number | null, to: number): JsonObject =>
      queryInRange(query, field, {
        from: from ?? undefined,
        to: Number.isFinite(to) ? to : undefined,
      }) ?? query;
    const requestPage: PageRequester = async ({ above, direction, skip, limit }) => {
      const find = {
        query: isFilterable(field) ? rangeQuery(above, maxValue()) : query,
        sort: { [field]: direction } satisfies JsonObject,
        limit,
        skip,
        fields: withScope(fields, field),
      };
      const { text } = await dataNow().find({ provider, dataset }, find, { signal, timeoutMs, maxTries });
      const records = parseJson(text);
      return Array.isArray(records) ? records : [];
    };
    const countBetween = async (from: number, to: number): Promise<number> =>
      dataNow().count({ provider, dataset }, rangeQuery(from, to), { signal, timeoutMs, maxTries });
    const newer = new NewerRecords(
      {
        requestPage,
        countBetween: isFilterable(field) ? countBetween : undefined,
        field,
        lookBack: lookBacks[field],
        lateWindow: lateWindows[field],
        pageSize,
        maxValue,
      },
      request.after,
    );
    return follow(newer, { ...request, dataUrl }, clock, signal);
  };
}

async function* follow(
  newer: NewerRecords,
  { after, first, everyMs, dataUrl }: LiveRequest & { readonly dataUrl: string },
  clock: Clock,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent> {
  let hasStarted = after !== null;
  let failures = 0;
  let pause = everyMs;
  for (;;) {
    if (signal?.aborted) return;
    try {
      let hasNew = false;
      for await (const batch of hasStarted ? newer.since() : firstBatch(newer, first)) {
        hasNew = true;
        yield recordsEvent(batch.records, { ...batch.cursor, dataUrl });
      }
      hasStarted = true;
      failures = 0;
      pause = everyMs;
      if (!hasNew) yield { kind: 'nothing' };
    } catch (cause) {
      const error = toAppError(cause);
      if (error.is('cancelled') && signal?.aborted) return;
      if (finalErrors.some((code) => error.is(code))) throw error;
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
  const requestedMs = error.is('too_many_requests') ? (error.details.retryAfterMs ?? 0) : 0;
  return Math.max(backed, requestedMs);
}

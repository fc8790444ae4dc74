import type { calls } from '../../../../shared/contract/contract.ts';
import { invalidInput, toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import { clockToleranceMs } from '../../../../shared/instants.ts';
import { parseJson, stringifyJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { livePace, type LiveCursor, type LiveEvent, type LiveRequest } from '../../../../shared/tabs/live.ts';
import { queryInRange, canBeWindowed, countOf } from '../../../core/reading/requests.ts';
import type { Handler } from '../../../core/handlers.ts';
import { systemClock, type Clock, maxWaitMs } from '../../../core/wire/http/retry.ts';
import type { Services } from '../../../core/wire/services/services.ts';
import { isFilterable, NewerRecords, type PageRequester } from './newer-records.ts';

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
    const { data } = services(request.connection);
    const { provider, dataset, fields, field, timeoutMs } = request;
    const requestedFields = fields.length > 0 ? [...new Set([...fields, field])] : [];
    const maxValue = (): number =>
      field === 'measured_depth' ? Number.POSITIVE_INFINITY : data.now() + clockToleranceMs;
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
        fields: requestedFields,
      };
      const { text } = await data.find({ provider, dataset }, find, { signal, timeoutMs, maxTries });
      const records = parseJson(text);
      return Array.isArray(records) ? records : [];
    };
    const countBetween = async (from: number, to: number): Promise<number> =>
      data.count({ provider, dataset }, rangeQuery(from, to), { signal, timeoutMs, maxTries });
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
    return follow(newer, request, clock, signal);
  };
}

async function* follow(
  newer: NewerRecords,
  { after, first, everyMs }: LiveRequest,
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
        yield recordsEvent(batch.records, batch.cursor);
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

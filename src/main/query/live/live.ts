import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput, toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { isObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { livePace, type LiveCursor, type LiveEvent, type LiveRequest } from '../../../shared/tabs/live.ts';
import { canBeWindowed, withBound } from '../../paging/condition.ts';
import type { Handler } from '../../handlers.ts';
import { systemClock, type Clock } from '../../http/clock.ts';
import { longestWait } from '../../http/retry.ts';
import type { Services } from '../../services/services.ts';
import { countOf } from '../questions.ts';
import { filterable, Newer, type AskPage } from './newer.ts';

export interface LiveDependencies {
  readonly services: (connectionId: string) => Services;
  readonly clock?: Clock | undefined;
}

/** Of several wells one may be late by so much, in the units of the field. */
const lookBacks = { timestamp: 10_000, measured_depth: 0, datetime: 10_000 } as const;
const pageSize = 1000;
/** A page that fails is asked for once more at the next turn; there is no need to try for minutes. */
const tries = 2;

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
      const { text } = await data.find({ provider, dataset }, find, { signal, timeoutMs, tries });
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
  const backed = longestWait({ firstMs: everyMs, longestMs: livePace.longest }, failures + 1);
  const asked = error.is('too_many_requests') ? (error.details.retryAfterMs ?? 0) : 0;
  return Math.max(backed, asked);
}

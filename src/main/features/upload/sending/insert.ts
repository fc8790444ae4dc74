import { createHash } from 'node:crypto';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { rowsInWords } from '../../../../shared/lists.ts';
import { createRetryCounter, type RetryOptions } from '../../../core/wire/http/retry.ts';
import type { EngineContext } from '../../../core/jobs/jobs.ts';
import type { InsertOutcome } from '../../../core/wire/services/services.ts';
import {
  recordIndexes,
  type OpenAnswer,
  type PartEntry,
  type PartOfBatch,
  type Rejection,
} from '../ledger.ts';
import { packIds } from '../../../core/records/id-runs.ts';
import { isObject, stringifyJson, type JsonValue } from '../../../../shared/json.ts';
import { problem } from '../../../core/records/targets.ts';

/** Rows to send, with the body of their whole batch. */
export interface PreparedPart extends PartOfBatch {
  readonly body: Uint8Array;
  /** SHA-256 of the body. */
  readonly sha256: string;
  /** Number of records in the body. */
  readonly of: number;
  /** The line of each record of the body. */
  readonly lines: Uint32Array;
}

/** Why the result of a part is unknown. */
export interface Loss {
  readonly status: number | null;
  readonly cause: string;
  /** The message for the response; null: it was a 200. */
  readonly error: AppError | null;
  /** The content of a 200 that doesn't identify the stored records. */
  readonly answer?: OpenAnswer;
}

/** The error for rows whose result is unknown. */
export function unknownError(
  address: DatasetAddress,
  rows: number,
  { cause, error }: Pick<Loss, 'cause' | 'error'>,
): AppError {
  if (error?.is('forbidden'))
    return noPermission(address, error, `the result of ${rowsInWords(rows)} is unknown`);
  return new AppError('outcome_unknown', { rows, cause: cause.replace(/\.$/, '') }, { cause: error });
}

/** @param outcome the result of the rows, in words */
export function noPermission(
  { provider, dataset }: DatasetAddress,
  error: AppError<'forbidden'>,
  outcome: string,
): AppError {
  const what = `inserts into ${provider}/${dataset} (${outcome})`;
  return new AppError('forbidden', { ...error.details, what }, { cause: error });
}

type InsertSummary = Extract<InsertOutcome, { kind: 'answered' }>;

/** The result of each record according to a response: the indexes of rejected ones, or why it is unknown. */
export type ResponseReading =
  | { readonly known: true; readonly refused: readonly { readonly at: number; readonly message: string }[] }
  | { readonly known: false; readonly cause: string };

const maxMessageLength = 300;

/** The text of a message from the service, whatever its shape. */
export function messageText(message: JsonValue | undefined): string {
  if (message === undefined || message === null) return '';
  if (typeof message === 'string') return message.slice(0, maxMessageLength);
  if (!isObject(message)) return stringifyJson(message).slice(0, maxMessageLength);
  for (const name of ['message', 'error', 'detail', 'details', 'reason', 'msg', 'errmsg']) {
    const inner = message[name];
    if (inner !== undefined && inner !== null) return messageText(Array.isArray(inner) ? inner[0] : inner);
  }
  return messageText(Object.values(message).find((value) => typeof value === 'string'));
}

/** The index of the record that a message refers to, from 0; null if it names none. */
function indexOf(message: JsonValue): number | null {
  if (!isObject(message)) return null;
  const index = message['index'];
  return typeof index === 'number' && Number.isInteger(index) ? index : null;
}

/** Whether these are distinct indexes of records. */
const arePlaces = (places: readonly (number | null)[], records: number): places is number[] =>
  places.every((place) => place !== null && place >= 0 && place < records) &&
  new Set(places).size === places.length;

/**
 * Interprets the response to an insert (specification, section 4.1). The shape of `messages` isn't specified: they
 * identify the records that were not stored only if each names its record and their number equals the failed count.
 */
export function readResponse(
  { insertedIds, failedCount, messages }: InsertSummary,
  records: number,
): ResponseReading {
  const stored = insertedIds.length;
  if (stored + failedCount !== records || failedCount < 0)
    return {
      known: false,
      cause: `of ${records} records the service reports ${stored} were stored and ${failedCount} were not`,
    };
  if (failedCount === 0) return { known: true, refused: [] };
  const places = messages.map(indexOf);
  if (places.length === failedCount && arePlaces(places, records))
    return {
      known: true,
      refused: places.map((at, index) => ({ at, message: messageText(messages[index]) })),
    };
  if (stored === 0)
    return {
      known: true,
      refused: Array.from({ length: records }, (_, at) => ({
        at,
        message: messageText(messages[at] ?? messages[0]),
      })),
    };
  return {
    known: false,
    cause: `the service stored ${stored} of ${records} records and didn’t report which`,
  };
}

export interface InsertOptions {
  readonly context: Pick<EngineContext, 'services' | 'waits'>;
  readonly address: DatasetAddress;
  /** Writes to the journal and the ledger; with `flush` it is on disk when the promise resolves. */
  readonly note: (entry: PartEntry, flush: boolean) => Promise<void>;
  /** Aborted when the upload stops waiting even for responses to sent requests. */
  readonly giveUpSignal: AbortSignal;
  readonly retry: RetryOptions & { readonly signal: AbortSignal };
}

type PartOutcome =
  | { readonly kind: 'acked' }
  /** Returned: all of it, because of its size in bytes. */
  | { readonly kind: 'too_large'; readonly bytes: number }
  /** Whether it is stored is unknown. The journal still has it as sent. */
  | { readonly kind: 'lost'; readonly loss: Loss };

/**
 * Sends a part of a batch, at most once unless it certainly was not stored (not sent, 401, 413, 429).
 * @throws AppError cancelled; the error of the last attempt if the part was not stored and a retry doesn't help
 */
export async function insertPart(prepared: PreparedPart, options: InsertOptions): Promise<PartOutcome> {
  const { context, note, retry } = options;
  const { part } = prepared;
  const body = recordsOfBody(prepared.body, recordIndexes(part), prepared.of);
  const sha256 = body === prepared.body ? prepared.sha256 : createHash('sha256').update(body).digest('hex');
  const vain = { count: 0 };
  /** From the first try on; waits for the user don't count. */
  let tries: ReturnType<typeof createRetryCounter> | null = null;
  for (let refusals = 0; ;) {
    await context.waits.waitWhilePaused(retry.signal);
    tries ??= createRetryCounter(retry);
    await note({ kind: 'sent', ...part, sha256 }, true);
    const outcome = await insert(part, body, options);
    if (outcome.kind === 'answered') return readOutcome(prepared, outcome, note);
    if (outcome.kind === 'unknown') {
      const { status, error } = outcome;
      return { kind: 'lost', loss: { status, cause: messageOf(error), error } };
    }
    const isTooLarge = outcome.kind === 'not_stored' && outcome.status === 413;
    const reason = outcome.kind === 'not_sent' ? 'not sent' : String(outcome.status);
    await note({ kind: 'returned', ...part, reason: reason }, true);
    if (isTooLarge) return { kind: 'too_large', bytes: body.length };
    // An expired token is renewed with the next request; a second rejection needs the user.
    const isWaitedFor = outcome.error.is('not_authenticated')
      ? outcome.kind === 'not_sent' || ++refusals > 1
      : outcome.kind === 'not_sent';
    if (isWaitedFor && (await context.waits.waitForRecovery(outcome.error, vain, retry.signal)))
      [refusals, tries] = [0, null];
    else
      await tries.waitForNextTry(outcome.error, outcome.kind === 'not_stored' ? outcome.retryAfterMs : null);
  }
}

async function insert(
  part: PartOfBatch['part'],
  body: Uint8Array,
  { context, address, note, giveUpSignal }: InsertOptions,
): Promise<InsertOutcome> {
  try {
    return await context.services.data.insert(address, body, part.records, { signal: giveUpSignal });
  } catch (error) {
    // Only a cancel before sending is thrown, and errors in the request itself.
    await note({ kind: 'returned', ...part, reason: 'not sent' }, true);
    throw error;
  }
}

/** @param problems of records, by their index in the batch */
export const rejectionsOf = (
  { lines }: Pick<PreparedPart, 'lines'>,
  problems: ReadonlyMap<number | undefined, Pick<Rejection, 'code' | 'message'>>,
): Rejection[] =>
  Array.from(lines.entries()).flatMap(([at, line]) => {
    const rejected = problems.get(at);
    return rejected ? [{ at, line, code: rejected.code, message: rejected.message }] : [];
  });

async function readOutcome(
  prepared: PreparedPart,
  outcome: Extract<InsertOutcome, { kind: 'answered' }>,
  note: InsertOptions['note'],
): Promise<PartOutcome> {
  const { part } = prepared;
  const reading = readResponse(outcome, part.records);
  const ids = packIds(outcome.insertedIds);
  if (!reading.known) {
    const answer = { ids, failed: outcome.failedCount, message: messageText(outcome.messages[0]) };
    return { kind: 'lost', loss: { status: 200, cause: reading.cause, error: null, answer } };
  }
  const places = recordIndexes(part);
  const problems = new Map(
    reading.refused.map(({ at, message }) => [places[at], problem('refused', null, message)]),
  );
  const rejected = rejectionsOf(prepared, problems);
  await note({ kind: 'acked', ...part, rejected, ids }, true);
  return { kind: 'acked' };
}

/** The service's own message, if it sent one. */
const messageOf = (error: AppError): string =>
  error.is('refused') && error.details.said !== undefined ? error.details.said : error.message;

const newline = 0x0a;
const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;

/**
 * A body with only some records of a prepared body. Each record is on its own line, so no JSON is parsed.
 * @param places indexes of the records, from 0, in ascending order
 * @param of number of records in the body
 * @throws Error if a record isn't on one line
 */
export function recordsOfBody(body: Uint8Array, places: readonly number[], of: number): Uint8Array {
  if (places.length === of) return body;
  const pieces: Uint8Array[] = [];
  let start = 1;
  for (let record = 0, next = 0; next < places.length; record++) {
    const isLast = record === of - 1;
    // A comma precedes each line end between records; the last record ends before the closing bracket.
    const end = isLast ? body.length - 1 : body.indexOf(newline, start) - 1;
    if (!isLast && body[end] !== comma) throw new Error('a body has one record on each line');
    if (places[next] === record) {
      pieces.push(Uint8Array.of(next === 0 ? open : comma), body.subarray(start, end));
      next++;
    }
    start = end + 2;
  }
  pieces.push(Uint8Array.of(close));
  return Buffer.concat(pieces);
}

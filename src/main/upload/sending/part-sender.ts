import { createHash } from 'node:crypto';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { countTries, type RetrySetting } from '../../http/retry.ts';
import type { DataService, InsertOutcome } from '../../services/services.ts';
import { problem } from '../model/problems.ts';
import { packIds } from '../model/id-runs.ts';
import { partOfBody, recordsOfBody } from './body.ts';
import type { Origin } from '../ledger/parts.ts';
import type { OpenAnswer, Part, PartEntry, Rejection } from '../ledger/entries.ts';
import { messageText, readAnswer, refusedMessage } from '../ledger/outcome.ts';
import { partOf, placesOf, plainPart } from '../ledger/parts.ts';

/** A part of a batch that waits to be sent, with the body of the whole batch. */
export interface Load extends Part {
  readonly body: Uint8Array;
  /** SHA-256 of the body. */
  readonly sha256: string;
  /** Records in the body. */
  readonly of: number;
  /** The line of each record of the body. */
  readonly lines: Uint32Array;
  /** Told when nobody reads the body any more: all of it has been sent and answered for. */
  readonly giveBack?: () => void;
  /** Where it comes from when it is not sent for the first time. */
  readonly origin?: Origin | undefined;
}

export interface PartSenderOptions {
  readonly data: Pick<DataService, 'insert'>;
  readonly address: DatasetAddress;
  /** Writes to the journal and keeps the books; with `flush` it is on disk when the promise resolves. */
  readonly note: (entry: PartEntry, flush: boolean) => Promise<void>;
  /** Aborted when even the answers of what was sent are no longer awaited. */
  readonly giveUp: AbortSignal;
  readonly retry: RetrySetting & { readonly signal: AbortSignal };
  /** Waits until what kept rows away has passed; false: that is not waited for. @throws as the engine's context says */
  readonly untilAgain: (error: AppError) => Promise<boolean>;
  /** Waits while the job is paused. @throws `cancelled` */
  readonly untilGoing: () => Promise<void>;
  /** Whether all records of a load's batch are of one well and one company, so that none may be stored if one may not. */
  readonly isOfOneWell: (load: Part) => Promise<boolean>;
  /** Told when the service finds a body too large: so many bytes were too many. */
  readonly onTooLarge: (bytes: number) => void;
  /** Takes a part whose fate is unknown, and why; gives the error that ends the sending, null to go on. */
  readonly onUnknown: (load: Load, why: Unknown) => AppError | null;
}

/** Why the fate of a part can't be known. */
export interface Unknown {
  readonly status: number | null;
  readonly cause: string;
  /** What the answer was put into words as; null: it was a 200. */
  readonly error: AppError | null;
}

type Answered = Extract<InsertOutcome, { kind: 'answered' }>;
type Lost = Extract<InsertOutcome, { kind: 'unknown' }>;
type NotStored = Extract<InsertOutcome, { kind: 'not_sent' | 'not_stored' }>;

/**
 * Sends parts of batches, each at most once unless it is certain that it was not stored (not sent, 401, 413, 429, and 403
 * for a single well).
 * A part whose fate can't be known is noted as unknown and left to whoever reconciles it.
 */
export class PartSender {
  readonly #options: PartSenderOptions;

  constructor(options: PartSenderOptions) {
    this.#options = options;
  }

  async send(load: Load): Promise<void> {
    const { note, retry } = this.#options;
    const tries = countTries(retry);
    const body = load.at
      ? recordsOfBody(load.body, load.at, load.of)
      : partOfBody(load.body, load.first, load.records, load.of);
    const sha256 = body === load.body ? load.sha256 : createHash('sha256').update(body).digest('hex');
    for (let refusals = 0; ;) {
      await this.#options.untilGoing();
      await note({ kind: 'sent', ...plainPart(load), sha256 }, true);
      const outcome = await this.#insert(load, body);
      if (outcome.kind === 'answered') return this.#answered(load, outcome);
      if (outcome.kind === 'unknown') return this.#unanswered(load, outcome);
      await note({ kind: 'returned', ...plainPart(load), why: whyReturned(outcome) }, true);
      if (outcome.kind === 'not_stored' && outcome.status === 413) return this.#tooLarge(load, body.length);
      // A token that has ended is renewed with the next request; only what is refused then needs a person.
      const isWaitedFor = outcome.error.is('not_authenticated')
        ? outcome.kind === 'not_sent' || ++refusals > 1
        : outcome.kind === 'not_sent';
      if (isWaitedFor && (await this.#options.untilAgain(outcome.error))) refusals = 0;
      else await tries.again(outcome.error, outcome.kind === 'not_stored' ? outcome.retryAfterMs : null);
    }
  }

  async #insert(load: Load, body: Uint8Array): Promise<InsertOutcome> {
    const { data, address, note, giveUp } = this.#options;
    try {
      return await data.insert(address, body, load.records, { signal: giveUp });
    } catch (error) {
      // Only a cancel before anything was sent is thrown, and what is wrong with the request itself.
      await note({ kind: 'returned', ...plainPart(load), why: 'not sent' }, true);
      throw error;
    }
  }

  async #answered(load: Load, outcome: Answered): Promise<void> {
    const reading = readAnswer(outcome, load.records);
    const ids = packIds(outcome.insertedIds);
    if (!reading.known) {
      const said = messageText(outcome.messages[0]);
      const why = { status: 200, cause: reading.cause, error: null };
      return this.#unknown(load, why, { ids, failed: outcome.failedCount, said });
    }
    const places = placesOf(load);
    const rejected = reading.refused.map(({ at, message }): Rejection => {
      const place = places[at] ?? 0;
      return { at: place, line: load.lines[place] ?? 0, code: 'refused', message: refusedMessage(message) };
    });
    if (load.origin?.regroup && outcome.insertedIds.length > 0) load.origin.regroup.stored = true;
    await this.#options.note({ kind: 'acked', ...plainPart(load), rejected, ids }, true);
    // Parts of a batch share its body.
    if (load.records === load.of) load.giveBack?.();
  }

  /**
   * A 403 is about who asks, and for which dataset, company and well (specification, section 7): where these are the same
   * for all records, none was stored, and none will be.
   */
  async #unanswered(load: Load, { status, error }: Lost): Promise<void> {
    if (status === 403 && !load.origin?.regroup && (await this.#options.isOfOneWell(load))) {
      await this.#options.note({ kind: 'returned', ...plainPart(load), why: '403' }, true);
      throw noPermission(this.#options.address, error, 'none of these rows was stored');
    }
    return this.#unknown(load, { status, cause: saidBy(error), error });
  }

  async #unknown(load: Load, why: Unknown, answer?: OpenAnswer): Promise<void> {
    const { note, onUnknown } = this.#options;
    const { status, cause } = why;
    await note({ kind: 'unknown', ...plainPart(load), status, cause, ...(answer ? { answer } : {}) }, true);
    const error = onUnknown(load, why);
    if (error) throw error;
  }

  /** Halves what is too large; a single record that is too large is rejected. */
  async #tooLarge(load: Load, bytes: number): Promise<void> {
    const { note, retry, onTooLarge } = this.#options;
    onTooLarge(bytes);
    const { batch, first, records, lines } = load;
    if (records === 1) {
      const { code, message } = problem('too_large', null);
      const rejected = [{ at: first, line: lines[first] ?? 0, code, message }];
      return note({ kind: 'acked', ...plainPart(load), rejected, ids: [] }, true);
    }
    const places = placesOf(load);
    const half = Math.ceil(records / 2);
    await this.send({ ...withoutPart(load), ...partOf(batch, places.slice(0, half)) });
    if (retry.signal.aborted) throw new AppError('cancelled', {});
    await this.send({ ...withoutPart(load), ...partOf(batch, places.slice(half)) });
  }
}

/** The body and what belongs to it, for another part of the same batch. */
export const withoutPart = ({ body, sha256, of, lines, origin }: Load): Omit<Load, keyof Part> => ({
  body,
  sha256,
  of,
  lines,
  origin,
});

/** The error that stands for rows whose fate is unknown. */
export function unknownError(address: DatasetAddress, rows: number, { cause, error }: Unknown): AppError {
  if (error?.is('forbidden'))
    return noPermission(address, error, `whether the ${rows} rows were stored is not known`);
  return new AppError('outcome_unknown', { rows, cause: cause.replace(/\.$/, '') }, { cause: error });
}

function noPermission({ provider, dataset }: DatasetAddress, error: AppError, became: string): AppError {
  if (!error.is('forbidden')) return error;
  const what = `inserting into ${provider}/${dataset} (${became})`;
  return new AppError('forbidden', { ...error.details, what }, { cause: error });
}

/** The service's own words where it had some. */
const saidBy = (error: AppError): string =>
  error.is('refused') && error.details.said !== undefined ? error.details.said : error.message;

const whyReturned = (outcome: NotStored): string =>
  outcome.kind === 'not_sent' ? 'not sent' : String(outcome.status);

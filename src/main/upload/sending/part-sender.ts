import { createHash } from 'node:crypto';
import type { DatasetAddress } from '../../../shared/datasets.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DataService, InsertOutcome } from '../../services/services.ts';
import { problem } from '../mapping/problems.ts';
import { partOfBody } from './body.ts';
import type { Part, PartEntry, Rejection } from './entries.ts';
import { readAnswer, refusedMessage } from './outcome.ts';
import { countTries } from './retry.ts';
import type { RetryOptions } from './retry.ts';

/** A part of a batch that waits to be sent, with the body of the whole batch. */
export interface Load extends Part {
  readonly body: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the body. */
  readonly sha256: string;
  /** Records in the body. */
  readonly of: number;
  /** The line of each record of the body. */
  readonly lines: Uint32Array;
}

export interface PartSenderOptions {
  readonly data: Pick<DataService, 'insert'>;
  readonly address: DatasetAddress;
  /** Writes to the journal and keeps the books; with `flush` it is on disk when the promise resolves. */
  readonly note: (entry: PartEntry, flush: boolean) => Promise<void>;
  /** Aborted when even the answers of what was sent are no longer awaited. */
  readonly giveUp: AbortSignal;
  readonly retry: RetryOptions;
  /** Told when the service finds a body too large: so many bytes were too many. */
  readonly onTooLarge: (bytes: number) => void;
}

const plain = ({ batch, first, records }: Part): Part => ({ batch, first, records });

type Answered = Extract<InsertOutcome, { kind: 'answered' }>;
type NotStored = Extract<InsertOutcome, { kind: 'not_sent' | 'not_stored' }>;

/**
 * Sends parts of batches, each at most once unless it is certain that it was not stored (not sent, 401, 413, 429).
 * A part whose fate can't be known is noted as unknown, and the error of it thrown.
 *
 * Reconciliation belongs here: between noting a part as unknown and giving up on it.
 */
export class PartSender {
  readonly #options: PartSenderOptions;

  constructor(options: PartSenderOptions) {
    this.#options = options;
  }

  async send(load: Load): Promise<void> {
    const { note, retry } = this.#options;
    const tries = countTries(retry);
    const body = partOfBody(load.body, load.first, load.records, load.of);
    const sha256 = body === load.body ? load.sha256 : createHash('sha256').update(body).digest('hex');
    for (let logins = 0; ;) {
      await note({ kind: 'sent', ...plain(load), sha256 }, true);
      const outcome = await this.#insert(load, body);
      if (outcome.kind === 'answered') return this.#answered(load, outcome);
      if (outcome.kind === 'unknown')
        return this.#unknown(load, outcome.status, outcome.error.message, outcome.error);
      await note({ kind: 'returned', ...plain(load), why: whyReturned(outcome) }, true);
      if (outcome.kind === 'not_stored' && outcome.status === 413) return this.#tooLarge(load, body.length);
      if (outcome.kind === 'not_stored' && outcome.status === 401 && ++logins > 1) throw outcome.error;
      await tries.again(outcome.error, outcome.kind === 'not_stored' ? outcome.retryAfterMs : null);
    }
  }

  async #insert(load: Load, body: Uint8Array): Promise<InsertOutcome> {
    const { data, address, note, giveUp } = this.#options;
    try {
      return await data.insert(address, body, load.records, { signal: giveUp });
    } catch (error) {
      // Only a cancel before anything was sent is thrown, and what is wrong with the request itself.
      await note({ kind: 'returned', ...plain(load), why: 'not sent' }, true);
      throw error;
    }
  }

  async #answered(load: Load, outcome: Answered): Promise<void> {
    const reading = readAnswer(outcome, load.records);
    if (!reading.known) return this.#unknown(load, 200, reading.cause, null);
    const rejected = reading.refused.map(({ at, message }): Rejection => {
      const place = load.first + at;
      return { at: place, line: load.lines[place] ?? 0, code: 'refused', message: refusedMessage(message) };
    });
    await this.#options.note({ kind: 'acked', ...plain(load), rejected }, true);
  }

  async #unknown(load: Load, status: number | null, cause: string, error: AppError | null): Promise<never> {
    const { address, note } = this.#options;
    await note({ kind: 'unknown', ...plain(load), status, cause }, true);
    if (error?.is('forbidden')) {
      const { provider, dataset } = address;
      const what = `inserting into ${provider}/${dataset} (whether the ${load.records} rows were stored is not known)`;
      throw new AppError('forbidden', { ...error.details, what }, { cause: error });
    }
    const rows = load.records;
    throw new AppError('outcome_unknown', { rows, cause: cause.replace(/\.$/, '') }, { cause: error });
  }

  /** Halves what is too large; a single record that is too large is rejected. */
  async #tooLarge(load: Load, bytes: number): Promise<void> {
    const { note, retry, onTooLarge } = this.#options;
    onTooLarge(bytes);
    const { first, records, lines } = load;
    if (records === 1) {
      const { code, message } = problem('too_large', null);
      const rejected = [{ at: first, line: lines[first] ?? 0, code, message }];
      return note({ kind: 'acked', ...plain(load), rejected }, true);
    }
    const half = Math.ceil(records / 2);
    await this.send({ ...load, records: half });
    if (retry.signal.aborted) throw new AppError('cancelled', {});
    await this.send({ ...load, first: first + half, records: records - half });
  }
}

const whyReturned = (outcome: NotStored): string =>
  outcome.kind === 'not_sent' ? 'not sent' : String(outcome.status);

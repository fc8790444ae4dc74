import { AppError } from '../../../../shared/errors/errors.ts';
import type { CsvThread } from '../../../core/mapping/mapping.ts';
import { plainPart, type BatchEntry, type Part, type UploadEntry } from '../ledger/entries.ts';
import type { Frontier, UploadLedger } from '../ledger/ledger.ts';
import type { Resend } from './policy.ts';

type Prepared = Awaited<ReturnType<CsvThread['calls']['prepare']>>;

/** Limits of one batch. */
export interface BatchSize {
  /** Maximum number of rows in one batch. */
  readonly rows: number;
  /** Size in bytes at which a body is closed. */
  readonly bytes: number;
}
/**
 * The specification allows 1,000 records per request (section 8). Gateways reject larger bodies, and a lost one would
 * make more rows unknown.
 */
export const defaultBatch: BatchSize = { rows: 1000, bytes: 1 << 20 };
/** Minimum size of a body, in bytes. */
const minBytes = 4 << 10;
/** Number of batches prepared ahead, so that sending doesn't wait for the thread. */
const maxAhead = 4;

/** A part of a batch to be sent, with the body of the whole batch. */
export interface PreparedPart extends Part {
  readonly body: Uint8Array;
  /** SHA-256 of the body. */
  readonly sha256: string;
  /** Records in the body. */
  readonly of: number;
  /** The line of each record of the body. */
  readonly lines: Uint32Array;
  /** Its history if it is being resent. */
  readonly resend?: Resend | undefined;
}

interface BatchesOptions {
  readonly fileName: string;
  readonly rows: number;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  /** Whether bodies are needed; a dry run only counts. */
  readonly needsBodies: boolean;
  readonly batch: BatchSize;
  /** The paths of well and index, if rows that share them are needed. */
  readonly key?: readonly (readonly string[])[];
}

const partOfBatch = (part: Part, { body, sha256, records: of, lines }: Prepared): PreparedPart | null =>
  body && { ...plainPart(part), body, sha256, of, lines };

/**
 * The batches of a job, one after another: first those that an earlier run read without storing them, then the
 * following rows. The worker thread prepares the next batches meanwhile.
 */
export class Batches {
  readonly #options: BatchesOptions;
  readonly #left: (Part & { entry: BatchEntry })[];
  #bytes: number;
  /** Batches in preparation, in order; each starts at the end of the previous one. */
  readonly #preparedAhead: Promise<Prepared | null>[] = [];

  constructor(options: BatchesOptions) {
    this.#options = options;
    this.#left = options.ledger.pendingParts;
    this.#bytes = options.batch.bytes;
  }

  /** The next part to send; null at the end of the file. */
  next(): Promise<PreparedPart | null> {
    const part = this.#left.shift();
    return part ? this.prepareAgain(part) : this.#readNext();
  }

  /** Whether all rows have been read and returned. */
  get isEmpty(): boolean {
    const { ledger, rows } = this.#options;
    return this.#left.length === 0 && ledger.frontier.row >= rows;
  }

  /** A body of this many bytes was too large for the service: later bodies are smaller. */
  noteTooLarge(bytes: number): void {
    this.#bytes = Math.max(minBytes, Math.min(this.#bytes, Math.floor(bytes / 2)));
  }

  /** Prepares an earlier batch again. @throws AppError file_changed if it differs */
  async prepareAgain(part: Part & { readonly entry: BatchEntry }): Promise<PreparedPart> {
    const { fileName, thread } = this.#options;
    const { from: byte, line, row, rows, skipped, to, sha256 } = part.entry;
    const prepared = await thread.calls.prepare({ byte, line, row, rows, body: true, skipped });
    const preparedPart = partOfBatch(part, prepared);
    if (prepared.to !== to || prepared.sha256 !== sha256 || !preparedPart)
      throw new AppError('file_changed', { file: fileName });
    return preparedPart;
  }

  async #prepareAfter(before: Promise<Prepared | null> | undefined): Promise<Prepared | null> {
    const { thread, ledger, rows, batch, needsBodies, key } = this.#options;
    let from: Omit<Frontier, 'batch'> = ledger.frontier;
    if (before) {
      const previous = await before;
      if (!previous) return null;
      from = { byte: previous.to, line: previous.nextLine, row: previous.row + previous.rows };
    }
    if (from.row >= rows) return null;
    const { byte, line, row } = from;
    const bytes = this.#bytes;
    return thread.calls.prepare({ byte, line, row, rows: batch.rows, bytes, body: needsBodies, key });
  }

  async #readNext(): Promise<PreparedPart | null> {
    const { ledger, note, needsBodies } = this.#options;
    for (;;) {
      while (this.#preparedAhead.length < maxAhead) {
        const prepared = this.#prepareAfter(this.#preparedAhead.at(-1));
        // It is awaited later; until then a rejection must not be unhandled.
        prepared.catch(() => undefined);
        this.#preparedAhead.push(prepared);
      }
      const next = await this.#preparedAhead.shift();
      if (!next) return null;
      const { batch } = ledger.frontier;
      const { body: _body, lines: _lines, ...read } = next;
      await note({ kind: 'batch', batch, ...read }, false);
      const part = next.records > 0 ? partOfBatch({ batch, first: 0, records: next.records }, next) : null;
      if (part || !needsBodies) return part;
    }
  }
}

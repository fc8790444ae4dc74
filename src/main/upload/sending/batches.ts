import { AppError } from '../../../shared/errors/errors.ts';
import type { CsvThread } from '../thread/csv-thread.ts';
import { plainPart } from '../ledger/entries.ts';
import type { BatchEntry, Part, UploadEntry } from '../ledger/entries.ts';
import type { Frontier, UploadLedger } from '../ledger/ledger.ts';
import type { Prepared } from '../preparing/prepare.ts';
import type { Resend } from './policy.ts';

/** How much goes into one batch. */
export interface BatchSize {
  /** The most records of one batch, counted in rows of the file. */
  readonly rows: number;
  /** A body is closed when it reaches this size. */
  readonly bytes: number;
}
/**
 * The specification takes 1,000 records at once (section 8). Gateways refuse larger bodies, and a lost one would leave
 * more unknown.
 */
export const defaultBatch: BatchSize = { rows: 1000, bytes: 1 << 20 };
/** Bodies are never asked to be smaller than this. */
const minBytes = 4 << 10;
/** Batches that are prepared before they are asked for, so that nothing waits for the thread. */
const maxAhead = 4;

/** A part of a batch that waits to be sent, with the body of the whole batch. */
export interface PreparedPart extends Part {
  readonly body: Uint8Array;
  /** SHA-256 of the body. */
  readonly sha256: string;
  /** Records in the body. */
  readonly of: number;
  /** The line of each record of the body. */
  readonly lines: Uint32Array;
  /** What is known of it when it is not sent for the first time. */
  readonly resend?: Resend | undefined;
}

interface BatchesOptions {
  readonly fileName: string;
  readonly rows: number;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  /** Whether bodies are wanted; a dry run only counts. */
  readonly bodies: boolean;
  readonly batch: BatchSize;
  /** The paths of well and index, where rows that share them are wanted. */
  readonly key?: readonly (readonly string[])[];
}

const partOfBatch = (part: Part, { body, sha256, records: of, lines }: Prepared): PreparedPart | null =>
  body && { ...plainPart(part), body, sha256, of, lines };

/**
 * The batches of a job, one after another: first what an earlier run read and did not get stored, then the rows behind.
 * While these are sent, the worker thread prepares the next ones.
 */
export class Batches {
  readonly #options: BatchesOptions;
  readonly #left: (Part & { entry: BatchEntry })[];
  #bytes: number;
  /** What is being prepared, in order; each begins where the one before it ended. */
  readonly #preparedAhead: Promise<Prepared | null>[] = [];

  constructor(options: BatchesOptions) {
    this.#options = options;
    this.#left = options.ledger.pendingParts;
    this.#bytes = options.batch.bytes;
  }

  /** What is to be sent next; null when all has been read. */
  next(): Promise<PreparedPart | null> {
    const part = this.#left.shift();
    return part ? this.prepareAgain(part) : this.#readNext();
  }

  /** Whether all has been read and given. */
  get isEmpty(): boolean {
    const { ledger, rows } = this.#options;
    return this.#left.length === 0 && ledger.frontier.row >= rows;
  }

  /** So many bytes were too many for the service: bodies to come are smaller. */
  noteTooLarge(bytes: number): void {
    this.#bytes = Math.max(minBytes, Math.min(this.#bytes, Math.floor(bytes / 2)));
  }

  /** A batch that was prepared before, made again. @throws AppError file_changed when it does not come out the same */
  async prepareAgain(part: Part & { readonly entry: BatchEntry }): Promise<PreparedPart> {
    const { fileName, thread } = this.#options;
    const { from: byte, line, row, rows, skipped, to, sha256 } = part.entry;
    const made = await thread.calls.prepare({ byte, line, row, rows, body: true, skipped });
    const prepared = partOfBatch(part, made);
    if (made.to !== to || made.sha256 !== sha256 || !prepared)
      throw new AppError('file_changed', { file: fileName });
    return prepared;
  }

  async #prepareAfter(before: Promise<Prepared | null> | undefined): Promise<Prepared | null> {
    const { thread, ledger, rows, batch, bodies, key } = this.#options;
    let from: Omit<Frontier, 'batch'> = ledger.frontier;
    if (before) {
      const made = await before;
      if (!made) return null;
      from = { byte: made.to, line: made.nextLine, row: made.row + made.rows };
    }
    if (from.row >= rows) return null;
    const { byte, line, row } = from;
    const bytes = this.#bytes;
    return thread.calls.prepare({ byte, line, row, rows: batch.rows, bytes, body: bodies, key });
  }

  async #readNext(): Promise<PreparedPart | null> {
    const { ledger, note, bodies } = this.#options;
    for (;;) {
      while (this.#preparedAhead.length < maxAhead) {
        const prepared = this.#prepareAfter(this.#preparedAhead.at(-1));
        // It is looked at when its turn comes; until then its failure is nobody's.
        prepared.catch(() => undefined);
        this.#preparedAhead.push(prepared);
      }
      const made = await this.#preparedAhead.shift();
      if (!made) return null;
      const { batch } = ledger.frontier;
      const { body: _body, lines: _lines, ...read } = made;
      await note({ kind: 'batch', batch, ...read }, false);
      const part = made.records > 0 ? partOfBatch({ batch, first: 0, records: made.records }, made) : null;
      if (part || !bodies) return part;
    }
  }
}

import { AppError } from '../../../shared/errors.ts';
import type { CsvThread } from '../csv-client.ts';
import type { BatchEntry, Part, UploadEntry } from './entries.ts';
import type { UploadLedger } from './ledger.ts';
import type { Load } from './part-sender.ts';
import { plainPart } from './parts.ts';
import type { Prepared } from './prepare.ts';

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
export const usualBatch: BatchSize = { rows: 1000, bytes: 1 << 20 };
/** Bodies are never asked to be smaller than this. */
const leastBytes = 4 << 10;

export interface LoadsOptions {
  readonly fileName: string;
  readonly rows: number;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  /** Whether bodies are wanted; a dry run only counts. */
  readonly bodies: boolean;
  readonly batch: BatchSize;
}

const entryOf = (batch: number, { body: _body, lines: _lines, ...read }: Prepared): BatchEntry => ({
  kind: 'batch',
  batch,
  ...read,
});

const loadOf = (
  part: Part,
  body: Uint8Array<ArrayBuffer>,
  { sha256, records: of, lines }: Prepared,
): Load => ({ ...plainPart(part), body, sha256, of, lines });

/**
 * Gives what is to be sent, one load after another: first what an earlier run read and did not get stored, then the
 * rows behind. While one load is sent, the worker thread prepares the next.
 */
export class Loads {
  readonly #options: LoadsOptions;
  readonly #left: (Part & { entry: BatchEntry })[];
  #budget: number;
  #ahead: Promise<Prepared> | null = null;

  constructor(options: LoadsOptions) {
    this.#options = options;
    this.#left = options.ledger.pendingParts;
    this.#budget = options.batch.bytes;
  }

  /** What is to be sent next; null when all has been read. */
  next(): Promise<Load | null> {
    const part = this.#left.shift();
    return part ? this.again(part) : this.#fresh();
  }

  /** Whether all has been read and given. */
  get isEmpty(): boolean {
    const { ledger, rows } = this.#options;
    return this.#left.length === 0 && ledger.frontier.row >= rows;
  }

  /** So many bytes were too many for the service: bodies to come are smaller. */
  tooLarge(bytes: number): void {
    this.#budget = Math.max(leastBytes, Math.min(this.#budget, Math.floor(bytes / 2)));
  }

  /** A batch that was prepared before, made again. It must come out the same, or something has changed. */
  async again(part: Part & { readonly entry: BatchEntry }): Promise<Load> {
    const { fileName, thread } = this.#options;
    const { from: byte, line, row, rows, skipped, to, sha256 } = part.entry;
    const made = await thread.call('prepare', { byte, line, row, rows, body: true, skipped });
    if (made.to !== to || made.sha256 !== sha256 || !made.body)
      throw new AppError('file_changed', { file: fileName });
    return loadOf(part, made.body, made);
  }

  #prepareAhead(): Promise<Prepared> | null {
    const { thread, ledger, rows, batch, bodies } = this.#options;
    const { byte, line, row } = ledger.frontier;
    if (row >= rows) return null;
    const request = { byte, line, row, rows: batch.rows, bytes: this.#budget, body: bodies };
    const prepared = thread.call('prepare', request);
    // It is looked at when its turn comes; until then its failure is nobody's.
    prepared.catch(() => undefined);
    return prepared;
  }

  async #fresh(): Promise<Load | null> {
    const { ledger, note, bodies } = this.#options;
    for (;;) {
      const coming = this.#ahead ?? this.#prepareAhead();
      this.#ahead = null;
      if (!coming) return null;
      const made = await coming;
      const { batch } = ledger.frontier;
      await note(entryOf(batch, made), false);
      this.#ahead = this.#prepareAhead();
      if (made.records > 0 && made.body)
        return loadOf({ batch, first: 0, records: made.records }, made.body, made);
      if (!bodies) return null;
    }
  }
}

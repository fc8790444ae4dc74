import { AppError } from '../../../shared/errors/errors.ts';
import type { CsvThread } from '../thread/csv-client.ts';
import type { BatchEntry, Part, UploadEntry } from '../ledger/entries.ts';
import type { Frontier, UploadLedger } from '../ledger/ledger.ts';
import type { Load } from './part-sender.ts';
import { plainPart } from '../ledger/parts.ts';
import type { Prepared } from '../preparing/prepare.ts';
import { Rooms } from './rooms.ts';

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
  /** The paths of well and index, where rows that share them are wanted. */
  readonly key?: readonly (readonly string[])[];
}

/** Batches that are prepared before they are asked for, so that nothing waits for the thread. */
const aheadAtMost = 4;

const nothing = { byte: 0, line: 0, row: Infinity } as const;
const endOf = (made: Prepared | null): Omit<Frontier, 'batch'> =>
  made ? { byte: made.to, line: made.nextLine, row: made.row + made.rows } : nothing;

const entryOf = (batch: number, { body: _body, lines: _lines, ...read }: Prepared): BatchEntry => ({
  kind: 'batch',
  batch,
  ...read,
});

const loadOf = (part: Part, body: Uint8Array, { sha256, records: of, lines }: Prepared): Load => ({
  ...plainPart(part),
  body,
  sha256,
  of,
  lines,
});

/**
 * Gives what is to be sent, one load after another: first what an earlier run read and did not get stored, then the
 * rows behind. While these are sent, the worker thread prepares the next ones.
 */
export class Loads {
  readonly #options: LoadsOptions;
  readonly #left: (Part & { entry: BatchEntry })[];
  #budget: number;
  /** What is being prepared, in order; each begins where the one before it ended. */
  readonly #ahead: Promise<Prepared | null>[] = [];
  readonly #rooms = new Rooms();

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

  /** Has the next batches prepared, each behind the one before it. */
  #prepareAhead(): void {
    const { thread, ledger, rows, batch, bodies, key } = this.#options;
    while (this.#ahead.length < aheadAtMost) {
      const before = this.#ahead.at(-1);
      const from: Promise<Omit<Frontier, 'batch'>> = before
        ? before.then(endOf)
        : Promise.resolve(ledger.frontier);
      const prepared = from.then(({ byte, line, row }) => {
        if (row >= rows) return null;
        const bytes = this.#budget;
        const into = bodies ? this.#rooms.take(bytes) : undefined;
        return thread.call('prepare', { byte, line, row, rows: batch.rows, bytes, body: bodies, into, key });
      });
      // It is looked at when its turn comes; until then its failure is nobody's.
      prepared.catch(() => undefined);
      this.#ahead.push(prepared);
    }
  }

  #lent(load: Load): Load {
    return { ...load, giveBack: () => this.#rooms.giveBack(load.body.buffer) };
  }

  async #fresh(): Promise<Load | null> {
    const { ledger, note, bodies } = this.#options;
    for (;;) {
      this.#prepareAhead();
      const made = await this.#ahead.shift();
      if (!made) return null;
      const { batch } = ledger.frontier;
      await note(entryOf(batch, made), false);
      if (made.records > 0 && made.body)
        return this.#lent(loadOf({ batch, first: 0, records: made.records }, made.body, made));
      if (!bodies) return null;
    }
  }
}

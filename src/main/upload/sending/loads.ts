import { AppError } from '../../../shared/errors.ts';
import type { CsvThread } from '../csv-client.ts';
import type { BatchEntry, Part, UploadEntry } from './entries.ts';
import type { UploadLedger } from './ledger.ts';
import type { Load } from './part-sender.ts';
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

export interface Loads {
  /** What is to be sent next; null when all has been read. */
  next(): Promise<Load | null>;
  /** So many bytes were too many for the service: bodies to come are smaller. */
  tooLarge(bytes: number): void;
}

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

/**
 * Gives what is to be sent, one load after another: first what an earlier run read and did not get stored, then the
 * rows behind. While one load is sent, the worker thread prepares the next.
 */
export function createLoads({ fileName, rows, thread, ledger, note, bodies, batch }: LoadsOptions): Loads {
  const left = ledger.pendingParts;
  let budget = batch.bytes;
  let ahead: Promise<Prepared> | null = null;

  /** A batch that was prepared before, made again. It must come out the same, or something has changed. */
  async function again(part: Part & { entry: BatchEntry }): Promise<Load> {
    const { entry } = part;
    const { from: byte, line, row, rows: count } = entry;
    const made = await thread.call('prepare', {
      byte,
      line,
      row,
      rows: count,
      body: true,
      skipped: entry.skipped,
    });
    if (made.to !== entry.to || made.sha256 !== entry.sha256 || !made.body)
      throw new AppError('file_changed', { file: fileName });
    return loadOf(part, made.body, made);
  }

  const loadOf = ({ batch, first, records }: Part, body: Uint8Array<ArrayBuffer>, made: Prepared): Load => ({
    batch,
    first,
    records,
    body,
    sha256: made.sha256,
    of: made.records,
    lines: made.lines,
  });

  function prepareAhead(): Promise<Prepared> | null {
    const { byte, line, row } = ledger.frontier;
    if (row >= rows) return null;
    const prepared = thread.call('prepare', {
      byte,
      line,
      row,
      rows: batch.rows,
      bytes: budget,
      body: bodies,
    });
    // It is looked at when its turn comes; until then its failure is nobody's.
    prepared.catch(() => undefined);
    return prepared;
  }

  async function fresh(): Promise<Load | null> {
    for (;;) {
      const coming = ahead ?? prepareAhead();
      ahead = null;
      if (!coming) return null;
      const made = await coming;
      const { batch: number } = ledger.frontier;
      await note(entryOf(number, made), false);
      ahead = prepareAhead();
      if (made.records > 0 && made.body)
        return loadOf({ batch: number, first: 0, records: made.records }, made.body, made);
      if (!bodies) return null;
    }
  }

  return {
    async next() {
      const part = left.shift();
      return part ? again(part) : fresh();
    },
    tooLarge(bytes) {
      budget = Math.max(leastBytes, Math.min(budget, Math.floor(bytes / 2)));
    },
  };
}

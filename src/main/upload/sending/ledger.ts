import { AppError } from '../../../shared/errors.ts';
import type { Ledger, UploadProblem } from '../../../shared/upload.ts';
import type { BatchEntry, Part, Rejection, UploadEntry } from './entries.ts';
import { addProblems } from './problem-list.ts';

const pending = 0;
const sent = 1;
const accepted = 2;
const rejected = 3;
const unknown = 4;

interface BatchState {
  readonly entry: BatchEntry;
  /** One state for each record. */
  readonly states: Uint8Array;
  readonly rejections: Rejection[];
}

/** Rows of a batch that were rejected, by us or by the service. */
export interface RejectedIn {
  readonly entry: BatchEntry;
  readonly rejections: readonly Rejection[];
}

/** Where reading goes on. */
export interface Frontier {
  readonly byte: number;
  readonly line: number;
  readonly row: number;
  readonly batch: number;
}

/**
 * The books of an upload, kept by nothing but journal entries: replaying a journal gives the same state as having
 * lived through it. Each row of the file stands in exactly one place.
 */
export class UploadLedger {
  readonly #rows: number;
  /** Batches with records that are not settled for good. */
  readonly #open = new Map<number, BatchState>();
  /** Batches with rejected rows: the rejects file is made from these. */
  readonly #rejected = new Map<number, { entry: BatchEntry; rejections: Rejection[] }>();
  readonly #problems = new Map<string, UploadProblem>();
  #frontier: Frontier;
  readonly #skipped: BatchEntry[] = [];
  #counts = { accepted: 0, rejected: 0, skipped: 0 };
  #twice = 0;
  #differs = 0;

  constructor(rows: number, start: { byte: number; line: number }) {
    this.#rows = rows;
    this.#frontier = { ...start, row: 0, batch: 0 };
  }

  apply(entry: UploadEntry): void {
    switch (entry.kind) {
      case 'batch':
        return this.#addBatch(entry);
      case 'sent':
        return this.#set(entry, sent);
      case 'returned':
        return this.#set(entry, pending);
      case 'unknown':
        return this.#set(entry, unknown);
      case 'acked':
      default:
        return this.#settle(entry, entry.rejected);
    }
  }

  get frontier(): Frontier {
    return this.#frontier;
  }

  /** Rows that are accounted for: accepted or rejected. */
  get settledRows(): number {
    return this.#counts.accepted + this.#counts.rejected;
  }

  get rejectedRows(): number {
    return this.#counts.rejected;
  }

  /** Local times that were taken for the first of two. */
  get twice(): number {
    return this.#twice;
  }

  /** Rows that were sent although other values stand at their place in the dataset. */
  get differs(): number {
    return this.#differs;
  }

  /** Batches with rows that stood in the dataset before. */
  get skippedBatches(): readonly BatchEntry[] {
    return this.#skipped;
  }

  get problems(): UploadProblem[] {
    return [...this.#problems.values()].sort((a, b) => b.count - a.count);
  }

  /** Batches with rejected rows, in the order of the file. */
  get rejectedBatches(): RejectedIn[] {
    return [...this.#rejected.values()].sort((a, b) => a.entry.row - b.entry.row);
  }

  /** Parts in a state, in the order of the file, each with its batch. */
  #parts(state: number): (Part & { entry: BatchEntry })[] {
    const found: (Part & { entry: BatchEntry })[] = [];
    for (const { entry, states } of this.#open.values())
      for (let first = 0; first < states.length;) {
        let end = first + 1;
        while (end < states.length && states[end] === states[first]) end++;
        if (states[first] === state) found.push({ entry, batch: entry.batch, first, records: end - first });
        first = end;
      }
    return found;
  }

  /** What was read but is not stored: to be sent. */
  get pendingParts(): (Part & { entry: BatchEntry })[] {
    return this.#parts(pending);
  }

  /** What was sent and has no answer in the journal. */
  get unansweredParts(): Part[] {
    return this.#parts(sent).map(({ batch, first, records }) => ({ batch, first, records }));
  }

  /**
   * The ledger now. Rows whose answer is awaited count as pending.
   * @throws AppError internal when it does not add up, which would be a fault of ours
   */
  read(): Ledger {
    let waiting = this.#rows - this.#frontier.row;
    let open = 0;
    for (const { states } of this.#open.values())
      for (const state of states) {
        if (state === pending || state === sent) waiting++;
        else if (state === unknown) open++;
      }
    const found: Ledger = { rows: this.#rows, ...this.#counts, unknown: open, pending: waiting };
    if (found.accepted + found.rejected + found.unknown + found.pending !== found.rows)
      throw new AppError('internal', { problem: `the ledger does not add up: ${JSON.stringify(found)}` });
    return found;
  }

  #addBatch(entry: BatchEntry): void {
    if (entry.row !== this.#frontier.row || entry.from < this.#frontier.byte)
      throw new AppError('internal', { problem: `batch ${entry.batch} does not follow the one before it` });
    this.#frontier = {
      byte: entry.to,
      line: entry.nextLine,
      row: entry.row + entry.rows,
      batch: entry.batch + 1,
    };
    const skipped = entry.skipped.length;
    const refused = entry.rows - entry.records - skipped;
    this.#counts.rejected += refused;
    this.#counts.accepted += skipped;
    this.#counts.skipped += skipped;
    this.#twice += entry.twice;
    this.#differs += entry.differs;
    addProblems(this.#problems, entry.problems);
    if (skipped > 0) this.#skipped.push(entry);
    if (refused > 0) this.#rejected.set(entry.batch, { entry, rejections: [] });
    if (entry.records > 0)
      this.#open.set(entry.batch, { entry, states: new Uint8Array(entry.records), rejections: [] });
  }

  #batch(number: number): BatchState {
    const batch = this.#open.get(number);
    if (!batch) throw new AppError('internal', { problem: `batch ${number} is not open` });
    return batch;
  }

  #set({ batch: number, first, records }: Part, state: number): void {
    const { states } = this.#batch(number);
    for (let at = first; at < first + records; at++) {
      const was = states[at];
      if (was === accepted || was === rejected || was === undefined)
        throw new AppError('internal', { problem: `record ${at} of batch ${number} was settled before` });
      states[at] = state;
    }
  }

  #settle(part: Part, refused: readonly Rejection[]): void {
    this.#set(part, accepted);
    const batch = this.#batch(part.batch);
    for (const { at } of refused) this.#reject(part, batch.states, at);
    this.#counts.accepted += part.records - refused.length;
    this.#counts.rejected += refused.length;
    batch.rejections.push(...refused);
    if (refused.length > 0) {
      const known = this.#rejected.get(part.batch) ?? { entry: batch.entry, rejections: [] };
      known.rejections.push(...refused);
      this.#rejected.set(part.batch, known);
      addProblems(
        this.#problems,
        refused.map(({ code, message, line }) => ({ column: null, code, message, count: 1, lines: [line] })),
      );
    }
    if (batch.states.every((state) => state === accepted || state === rejected))
      this.#open.delete(part.batch);
  }

  #reject({ batch, first, records }: Part, states: Uint8Array, at: number): void {
    if (at < first || at >= first + records || states[at] !== accepted)
      throw new AppError('internal', { problem: `record ${at} of batch ${batch} can't be rejected twice` });
    states[at] = rejected;
  }
}

import { AppError } from '../../../shared/errors/errors.ts';
import type { Ledger, UploadProblem } from '../../../shared/upload/upload.ts';
import { countIds, KnownIds, packIds, unpackIds } from '../model/id-runs.ts';
import { AckedPart, AckedParts } from './acked-parts.ts';
import { BatchState, recordStates } from './batch-state.ts';
import type { RecordState, UnknownPart } from './batch-state.ts';
import type { AckedEntry, BatchEntry, Part, Rejection, SettledEntry, UploadEntry } from './entries.ts';
import { partOf, placesOf } from './parts.ts';
import { addProblems } from '../model/problem-list.ts';

const { pending, sent, accepted } = recordStates;

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
  readonly #sends: boolean;
  /** Records of a dry run: they are counted, for none of them ever leaves. */
  #unsent = 0;
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
  #repeated: { count: number; line: number | null } = { count: 0, line: null };
  #applied = 0;
  #sent = false;
  #idsAreMissing = false;
  /** What was stored last, and the most at once. */
  readonly acked = new AckedParts();
  /** The ids of all records that are known to be ours. */
  readonly knownIds = new KnownIds();

  /** @param sends false: a dry run, of whose batches nothing is kept but numbers */
  constructor(rows: number, start: { byte: number; line: number }, sends = true) {
    this.#rows = rows;
    this.#sends = sends;
    this.#frontier = { ...start, row: 0, batch: 0 };
  }

  apply(entry: UploadEntry): void {
    this.#applied++;
    switch (entry.kind) {
      case 'batch':
        return this.#addBatch(entry);
      case 'sent':
        this.#sent = true;
        return this.#batch(entry.batch).leave(entry, this.#applied);
      case 'returned':
        return this.#batch(entry.batch).set(entry, pending);
      case 'unknown': {
        const { status, cause, answer, ...part } = entry;
        return this.#batch(entry.batch).doubt(part, { status, cause, answer, since: this.#applied });
      }
      case 'settled':
        return this.#reconcile(entry);
      case 'acked':
      default:
        return this.#acknowledge(entry);
    }
  }

  /** Whether the id of every record that was stored is known; without them nothing can be reconciled. */
  get isAccounted(): boolean {
    return !this.#idsAreMissing;
  }

  /** The entry of a batch with rows that are not settled; null: it has none. */
  openBatch(batch: number): BatchEntry | null {
    return this.#open.get(batch)?.entry ?? null;
  }

  /** Whether anything has left already. */
  get hasSent(): boolean {
    return this.#sent;
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

  /** Rows at whose place an earlier row of the file stands, with the first line of them. */
  get repeated(): { readonly count: number; readonly line: number | null } {
    return this.#repeated;
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

  /** The records in a state, batch by batch, in the order of the file. */
  #parts(state: RecordState): (Part & { entry: BatchEntry })[] {
    return [...this.#open.values()].flatMap((batch) => {
      const part = batch.part(state);
      return part ? [{ entry: batch.entry, ...part }] : [];
    });
  }

  /** What was read but is not stored: to be sent. */
  get pendingParts(): (Part & { entry: BatchEntry })[] {
    return this.#parts(pending);
  }

  /** What was sent and has no answer in the journal. */
  get unansweredParts(): Part[] {
    return this.#parts(sent).map(({ entry: _entry, ...part }) => part);
  }

  /** What is unknown, each part with what made it so, the oldest first. */
  get unknownParts(): UnknownPart[] {
    const found = [...this.#open.values()].flatMap((batch) => batch.unknownParts);
    return found.sort((a, b) => a.since - b.since);
  }

  /**
   * The ledger now. Rows whose answer is awaited count as pending.
   * @throws AppError internal when it does not add up, which would be a fault of ours
   */
  read(): Ledger {
    let waiting = this.#rows - this.#frontier.row + this.#unsent;
    let open = 0;
    for (const batch of this.#open.values()) {
      const { waiting: left, unknown: lost } = batch.open;
      waiting += left;
      open += lost;
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
    if (entry.repeated) {
      const { count, line } = this.#repeated;
      this.#repeated = { count: count + entry.repeated.count, line: line ?? entry.repeated.line };
    }
    addProblems(this.#problems, entry.problems);
    if (skipped > 0) this.#skipped.push(entry);
    if (refused > 0) this.#rejected.set(entry.batch, { entry, rejections: [] });
    if (!this.#sends) this.#unsent += entry.records;
    else if (entry.records > 0) this.#open.set(entry.batch, new BatchState(entry));
  }

  #batch(number: number): BatchState {
    const batch = this.#open.get(number);
    if (!batch) throw new AppError('internal', { problem: `batch ${number} is not open` });
    return batch;
  }

  #acknowledge({ rejected: refused, ids, ...part }: AckedEntry): void {
    const batch = this.#batch(part.batch);
    this.#settle(part, refused);
    this.knownIds.add(ids);
    const size = part.records - refused.length;
    if (size === 0) return;
    if (countIds(ids) !== size) this.#idsAreMissing = true;
    const places = (): number[] => {
      const no = new Set(refused.map(({ at }) => at));
      return placesOf(part).filter((at) => !no.has(at));
    };
    this.acked.note(new AckedPart(batch.entry, size, batch.leftAt(part.first), places, ids));
  }

  /**
   * A part whose answer named the ids of what it stored, but not of which rows, is as good as acked once those ids were
   * found: where many answers are so, nothing else would be acked later than what is lost.
   */
  #answered(batch: BatchState, stored: readonly number[], ids: readonly string[]): void {
    const answers = new Set(stored.flatMap((at) => batch.doubtAt(at)?.answer ?? []));
    const named = new Set([...answers].flatMap((answer) => unpackIds(answer.ids)));
    const told = stored
      .map((at, index) => ({ at, id: ids[index] ?? '' }))
      .filter(({ id }) => named.has(id))
      .sort((a, b) => a.at - b.at);
    const first = told[0];
    if (!first) return;
    const places = told.map(({ at }) => at);
    const runs = packIds(told.map(({ id }) => id));
    this.acked.note(new AckedPart(batch.entry, told.length, batch.leftAt(first.at), () => places, runs));
  }

  #reconcile({ batch: number, stored, ids, missing, rejected: refused }: SettledEntry): void {
    const batch = this.#batch(number);
    for (const at of [...stored, ...missing, ...refused.map((rejection) => rejection.at)])
      batch.checkUnknown(at);
    this.knownIds.add(ids);
    this.#answered(batch, stored, unpackIds(ids));
    if (missing.length > 0) batch.set(partOf(number, missing), pending);
    const settled = [...stored, ...refused.map(({ at }) => at)].sort((a, b) => a - b);
    if (settled.length > 0) this.#settle(partOf(number, settled), refused);
  }

  #settle(part: Part, refused: readonly Rejection[]): void {
    const batch = this.#batch(part.batch);
    batch.set(part, accepted);
    this.#counts.accepted += part.records - refused.length;
    this.#counts.rejected += refused.length;
    if (refused.length > 0) this.#reject(batch, part, refused);
    const { waiting, unknown } = batch.open;
    if (waiting + unknown === 0) this.#open.delete(part.batch);
  }

  #reject(batch: BatchState, part: Part, refused: readonly Rejection[]): void {
    const own = new Set(placesOf(part));
    for (const { at } of refused) batch.reject(at, own);
    const known = this.#rejected.get(part.batch) ?? { entry: batch.entry, rejections: [] };
    known.rejections.push(...refused);
    this.#rejected.set(part.batch, known);
    addProblems(
      this.#problems,
      refused.map(({ code, message, line }) => ({ column: null, code, message, count: 1, lines: [line] })),
    );
  }
}

import { AppError } from '../../../../shared/errors/errors.ts';
import type { Ledger, UploadProblem } from '../../../../shared/upload/result.ts';
import { countIds, KnownIds, packIds, unpackIds, type IdRuns } from '../../../core/mapping/mapping.ts';
import { addProblems } from '../../../core/records/targets.ts';
import { Batch, type UnknownPart } from './batch.ts';
import {
  partOf,
  placesOf,
  type AckedEntry,
  type BatchEntry,
  type Part,
  type Rejection,
  type SettledEntry,
  type UploadEntry,
} from './entries.ts';
import type { RowState } from './row-states.ts';
import { append } from '../../../../shared/lists.ts';

/** Rows that the service confirmed as stored; reconciling uses them to prove that it recognizes records. */
export interface AckedPart {
  readonly entry: BatchEntry;
  /** The stored ones. */
  readonly part: Part;
  readonly ids: IdRuns;
  /** Index of an entry. */
  readonly sentAt: number;
}

/** Rows that are stored, whether the service confirmed it or they were found. */
type StoredPart = Pick<AckedPart, 'entry' | 'part'>;

/** Rows of a batch that were rejected, locally or by the service. */
interface RejectedRows {
  readonly entry: BatchEntry;
  readonly rejections: readonly Rejection[];
}

/** Where reading continues. */
export interface Frontier {
  readonly byte: number;
  readonly line: number;
  readonly row: number;
  readonly batch: number;
}

/**
 * The result of each row of an upload, derived only from journal entries: replaying a journal gives the same state as
 * the run that wrote it. Each row of the file is in exactly one state (`row-states.ts`).
 */
export class UploadLedger {
  readonly #rows: number;
  readonly #sends: boolean;
  /** Batches with records that are not settled. */
  readonly #open = new Map<number, Batch>();
  /** Batches with rejected rows, for the rejects file. */
  readonly #rejected = new Map<number, { entry: BatchEntry; rejections: Rejection[] }>();
  readonly #problems = new Map<string, UploadProblem>();
  #frontier: Frontier;
  readonly #counts = { accepted: 0, rejected: 0, skipped: 0 };
  #entries = 0;
  /** Whether anything has been sent. */
  hasSent = false;
  /** Whether the id of every stored record is known; without them reconciling is impossible. */
  isAccounted = true;
  /** Local times that occur twice in their zone; the first of the two is used. */
  ambiguousTimes = 0;
  /** Rows that were sent although a record with the same well and index has other values. */
  differing = 0;
  /** Rows with the same well and index as an earlier row of the file, with the first such line. */
  readonly repeated: { count: number; line: number | null } = { count: 0, line: null };
  /** Batches with rows that were in the dataset before the upload. */
  readonly skippedBatches: BatchEntry[] = [];
  /** The stored rows that were sent last. */
  lastAcked: AckedPart | null = null;
  /** The maximum number of rows stored at once. */
  maxAcked: AckedPart | null = null;
  /** The rows that were last known to be stored, and the most at once. */
  lastStored: StoredPart | null = null;
  maxStored: StoredPart | null = null;
  /** The ids of all records that this job stored. */
  readonly knownIds = new KnownIds();

  /** @param sends false: a dry run, which keeps only counts of its batches */
  constructor(rows: number, start: { byte: number; line: number }, sends = true) {
    this.#rows = rows;
    this.#sends = sends;
    this.#frontier = { ...start, row: 0, batch: 0 };
  }

  /** @throws AppError internal for an entry that can't follow the previous ones */
  apply(entry: UploadEntry): void {
    this.#entries++;
    switch (entry.kind) {
      case 'batch':
        return this.#addBatch(entry);
      case 'sent':
        this.hasSent = true;
        return this.#batch(entry.batch).move(placesOf(entry), 'sent', this.#entries);
      case 'returned':
        return this.#batch(entry.batch).move(placesOf(entry), 'returned', this.#entries);
      case 'unknown': {
        const { status, cause, answer } = entry;
        return this.#batch(entry.batch).lose(placesOf(entry), {
          status,
          cause,
          answer,
          since: this.#entries,
        });
      }
      case 'settled':
        return this.#reconcile(entry);
      case 'acked':
      default:
        return this.#acknowledge(entry);
    }
  }

  /** The entry of a batch with rows that are not settled; null: none. */
  openBatch(batch: number): BatchEntry | null {
    return this.#open.get(batch)?.entry ?? null;
  }

  get frontier(): Frontier {
    return this.#frontier;
  }

  /** Rows that are accepted or rejected. */
  get settledRows(): number {
    return this.#counts.accepted + this.#counts.rejected;
  }

  get rejectedRows(): number {
    return this.#counts.rejected;
  }

  get problems(): UploadProblem[] {
    return [...this.#problems.values()].sort((a, b) => b.count - a.count);
  }

  /** Batches with rejected rows, in the order of the file. */
  get rejectedBatches(): RejectedRows[] {
    return [...this.#rejected.values()].sort((a, b) => a.entry.row - b.entry.row);
  }

  /** The records in some states, batch by batch, in the order of the file. */
  #parts(...states: RowState[]): (Part & { entry: BatchEntry })[] {
    return [...this.#open.values()].flatMap((batch) => {
      const part = batch.part(...states);
      return part ? [{ entry: batch.entry, ...part }] : [];
    });
  }

  /** Records that were read but are not stored: to be sent. */
  get pendingParts(): (Part & { entry: BatchEntry })[] {
    return this.#parts('prepared', 'missing');
  }

  /** Records that were sent without a response in the journal. */
  get unansweredParts(): Part[] {
    return this.#parts('sent').map(({ entry: _entry, ...part }) => part);
  }

  /** Unknown records, each part with its cause, the oldest first. */
  get unknownParts(): UnknownPart[] {
    const parts = [...this.#open.values()].flatMap((batch) => batch.unknownParts);
    return parts.sort((a, b) => a.since - b.since);
  }

  /** The ledger now. Rows that wait for a response count as pending. */
  read(): Ledger {
    const unknown = [...this.#open.values()].reduce((sum, batch) => sum + batch.count('unknown'), 0);
    const { accepted, rejected } = this.#counts;
    return {
      rows: this.#rows,
      ...this.#counts,
      unknown,
      pending: this.#rows - accepted - rejected - unknown,
    };
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
    this.ambiguousTimes += entry.twice;
    this.differing += entry.differs;
    if (entry.repeated) {
      this.repeated.count += entry.repeated.count;
      this.repeated.line ??= entry.repeated.line;
    }
    addProblems(this.#problems, entry.problems);
    if (skipped > 0) this.skippedBatches.push(entry);
    if (refused > 0) this.#rejected.set(entry.batch, { entry, rejections: [] });
    if (this.#sends && entry.records > 0) this.#open.set(entry.batch, new Batch(entry));
  }

  #batch(number: number): Batch {
    const batch = this.#open.get(number);
    if (!batch) throw new AppError('internal', { problem: `batch ${number} is not open` });
    return batch;
  }

  #acknowledge({ rejected, ids, ...part }: AckedEntry): void {
    const batch = this.#batch(part.batch);
    const refused = new Set(rejected.map(({ at }) => at));
    const stored = placesOf(part).filter((place) => !refused.has(place));
    if (stored.length + rejected.length !== part.records)
      throw new AppError('internal', {
        problem: `a rejected row is not of this part of batch ${part.batch}`,
      });
    this.#settle(batch, stored, 'acked', rejected);
    this.knownIds.add(ids);
    if (stored.length === 0) return;
    if (countIds(ids) !== stored.length) this.isAccounted = false;
    this.#noteAcked(batch, stored, ids);
  }

  #noteAcked(batch: Batch, places: readonly number[], ids: IdRuns): void {
    const { entry } = batch;
    const part = partOf(entry.batch, places);
    const acked: AckedPart = { entry, part, ids, sentAt: batch.sentAt(part.first) };
    if (!this.lastAcked || acked.sentAt > this.lastAcked.sentAt) this.lastAcked = acked;
    if (!this.maxAcked || part.records > this.maxAcked.part.records) this.maxAcked = acked;
  }

  /**
   * A part whose response had the ids of stored records, but not the rows, counts as acked once those ids are found.
   * Otherwise, if many responses are so, nothing would be acked later than a lost batch.
   */
  #noteNamed(batch: Batch, stored: readonly number[], ids: readonly string[]): void {
    const answers = new Set(stored.flatMap((place) => batch.causeAt(place)?.answer ?? []));
    const named = new Set<string | undefined>([...answers].flatMap((answer) => unpackIds(answer.ids)));
    const places = stored.filter((_, index) => named.has(ids[index])).sort((a, b) => a - b);
    if (places.length === 0) return;
    this.#noteAcked(batch, places, packIds(ids.filter((id) => named.has(id))));
  }

  #reconcile({ batch: number, stored, ids, missing, rejected }: SettledEntry): void {
    const batch = this.#batch(number);
    this.knownIds.add(ids);
    this.#noteNamed(batch, stored, unpackIds(ids));
    batch.move(missing, 'missed', this.#entries);
    this.#settle(batch, stored, 'found', rejected);
  }

  #settle(
    batch: Batch,
    stored: readonly number[],
    event: 'acked' | 'found',
    rejected: readonly Rejection[],
  ): void {
    const refused = rejected.map(({ at }) => at);
    batch.move(stored, event, this.#entries);
    batch.move(refused, 'refused', this.#entries);
    this.#counts.accepted += stored.length;
    this.#counts.rejected += refused.length;
    if (refused.length > 0) this.#reject(batch, rejected);
    if (stored.length > 0) {
      const { entry } = batch;
      const places = stored.toSorted((a, b) => a - b);
      this.lastStored = { entry, part: partOf(entry.batch, places) };
      if (stored.length > (this.maxStored?.part.records ?? 0)) this.maxStored = this.lastStored;
    }
    if (batch.openRecords === 0) this.#open.delete(batch.entry.batch);
  }

  #reject({ entry }: Batch, rejected: readonly Rejection[]): void {
    const rows = this.#rejected.get(entry.batch) ?? { entry, rejections: [] };
    append(rows.rejections, rejected);
    this.#rejected.set(entry.batch, rows);
    addProblems(
      this.#problems,
      rejected.map(({ code, message, line }) => ({ column: null, code, message, count: 1, lines: [line] })),
    );
  }
}

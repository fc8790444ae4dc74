import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { append, maxOf, minOf } from '../../../shared/lists.ts';
import { uploadProblem, type Ledger, type UploadProblem } from '../../../shared/upload/result.ts';
import { countIds, idRuns, KnownIds, packIds, unpackIds, type IdRuns } from '../../core/records/id-runs.ts';
import { addProblems } from '../../core/records/targets.ts';

/**
 * A part of a batch: a number of its records from the first one, counted from 0; if they are not consecutive, `at` has
 * the index of each.
 */
const part = { batch: z.int(), first: z.int(), records: z.int(), at: z.array(z.int()).optional() };

/** The content of a 200 that doesn't identify the stored records. */
const openAnswer = z.object({ ids: idRuns, failed: z.int(), message: z.string() });
export type OpenAnswer = z.infer<typeof openAnswer>;

/** A record that was rejected by the service or for its size: its index in the batch, and its line in the file. */
const rejection = z.object({ at: z.int(), line: z.int(), code: z.string(), message: z.string() });
export type Rejection = z.infer<typeof rejection>;

/**
 * The journal of an upload. A row of the file is in the batch whose entry covers it, else it has not been read. The last
 * entry about a record decides its state.
 */
export const uploadEntry = z.discriminatedUnion('kind', [
  /** Rows that were read and validated; records are to be sent, the other rows are rejected. */
  z.object({
    kind: z.literal('batch'),
    batch: z.int(),
    /** First row, counted from 0, and the number of rows. */
    row: z.int(),
    rows: z.int(),
    /** The range of their bytes in the file. */
    from: z.int(),
    to: z.int(),
    line: z.int(),
    nextLine: z.int(),
    records: z.int(),
    /** The digest of the body with all its records. */
    sha256: z.string(),
    problems: z.array(uploadProblem),
    /** Number of local times that occur twice in their zone. */
    ambiguousTimes: z.int(),
    /** Indexes in the batch of rows that are already in the dataset: they are not sent. */
    skipped: z.array(z.int()),
    /** Number of rows whose well and index have other values in the dataset. */
    differs: z.int(),
    /** Of a dry run: rows with the same well and index as an earlier row of the file. */
    repeated: z.object({ count: z.int(), line: z.int().nullable() }).optional(),
  }),
  /** Nothing was sent, and others may have stored rows since: reading begins again, and earlier batches don't count. */
  z.object({ kind: z.literal('restarted') }),
  /** On disk before the first byte is sent: the part is unknown until another entry follows. */
  z.object({ kind: z.literal('sent'), ...part, sha256: z.string() }),
  /** Certainly not stored: it may be sent again. */
  z.object({ kind: z.literal('returned'), ...part, reason: z.string() }),
  /** Acknowledged: stored except the rejected ones. The ids are those of the stored ones. */
  z.object({ kind: z.literal('acked'), ...part, rejected: z.array(rejection), ids: idRuns }),
  /** The response doesn't tell the result. The part is reconciled by reading before anything else. */
  z.object({
    kind: z.literal('unknown'),
    ...part,
    status: z.int().nullable(),
    cause: z.string(),
    answer: openAnswer.optional(),
  }),
  /**
   * An unknown part after reconciling. `stored`: indexes of the records that were found, under these ids, which are
   * accounted for from now on; `missing` ones are to be sent again.
   */
  z.object({
    kind: z.literal('settled'),
    ...part,
    stored: z.array(z.int()),
    ids: idRuns,
    missing: z.array(z.int()),
    rejected: z.array(rejection),
  }),
]);
export type UploadEntry = z.infer<typeof uploadEntry>;
export type BatchEntry = Extract<UploadEntry, { kind: 'batch' }>;
export type PartEntry = Exclude<UploadEntry, BatchEntry | { kind: 'restarted' }>;
export type SentPart = Pick<PartEntry, 'batch' | 'first' | 'records' | 'at'>;
type UnknownEntry = Extract<UploadEntry, { kind: 'unknown' }>;
type SettledEntry = Extract<UploadEntry, { kind: 'settled' }>;
type AckedEntry = Extract<UploadEntry, { kind: 'acked' }>;

/** Indexes of a part's records in their batch, in ascending order. */
export const recordIndexes = ({ first, records, at }: SentPart): number[] =>
  at ?? Array.from({ length: records }, (_, n) => first + n);

/** The part with these records of a batch. @param places their indexes, at least one */
export function partOf(batch: number, places: readonly number[]): SentPart {
  const at = places.toSorted((a, b) => a - b);
  const [first = 0] = at;
  const records = at.length;
  return at.at(-1) === first + records - 1 ? { batch, first, records } : { batch, first, records, at };
}

type RowState = 'prepared' | 'sent' | 'accepted' | 'rejected' | 'unknown' | 'missing';

/**
 * The whole life of a row, one line for each thing that can happen to it. A part of a batch goes through it together,
 * and each step is in the journal before the next is taken. Which step is taken, and when, is in `sending/send.ts`.
 *
 *     prepared ──sent──▶ sent ──acked──▶ accepted
 *        ▲                │ ├──refused─▶ rejected
 *        └────returned────┘ └──lost────▶ unknown ──found──▶ accepted
 *                                           ├────refused──▶ rejected
 *                                           └────missed───▶ missing ──sent──▶ sent (resent)
 *
 * Rows of a batch begin as `prepared`. `accepted` and `rejected` are final: nothing leads out of them.
 */
const transitions = {
  /** On disk before the first byte is sent. `missing` rows are resent by it, in the same or in smaller groups. */
  sent: { prepared: 'sent', missing: 'sent' },
  /** Certainly not stored: not sent at all, 401, 413, 429, or 403 for a batch of one well. */
  returned: { sent: 'prepared' },
  /** The response says that it is stored. */
  acked: { sent: 'accepted' },
  /** Rejected by the service: in its response, after reading, or because the row alone is too large (413). */
  refused: { sent: 'rejected', unknown: 'rejected', prepared: 'rejected' },
  /** No response, or one that doesn't say what is stored; also rows in flight when the process ended. */
  lost: { sent: 'unknown' },
  /** Reconciled: a record that is not accounted for has the values of the row. */
  found: { unknown: 'accepted' },
  /** Reconciled: two fresh reads show that it isn't stored, or the response counted it as not stored. */
  missed: { unknown: 'missing' },
} as const satisfies Record<string, Partial<Record<RowState, RowState>>>;

type RowEvent = keyof typeof transitions;

/** The state after an event. @throws AppError internal if the event is impossible in this state */
function stateAfter(event: RowEvent, state: RowState): RowState {
  const next: Partial<Record<RowState, RowState>> = transitions[event];
  const after = next[state];
  if (!after) throw new AppError('internal', { problem: `a row that is ${state} can't be ${event}` });
  return after;
}

/** Why rows are unknown, and since which entry. */
interface LossCause extends Pick<UnknownEntry, 'status' | 'cause' | 'answer'> {
  readonly since: number;
}

export interface PartOfBatch {
  readonly part: SentPart;
  readonly entry: BatchEntry;
}

/** Rows whose result a response doesn't tell. */
export interface UnknownPart extends PartOfBatch, LossCause {
  /** How often they became unknown in this run. */
  readonly losses: number;
}

interface BatchRecord {
  state: RowState;
  /** The entry at which it was last sent. */
  sentAt: number;
  /** The entry by which it became missing: the rows of one entry are sent again together. */
  missedAt: number;
  /** How often it became unknown in this run. */
  losses: number;
  /** Whether it is in the hands of a request, which may be waiting to send it. */
  isTaken: boolean;
}

interface UnsentPart extends PartOfBatch {
  /** Maximum number of them in a request. */
  readonly limit: number;
  readonly missedAt: number;
}

/** The records of a batch that isn't settled, each in one state. */
class Batch {
  readonly entry: BatchEntry;
  readonly #records: readonly BatchRecord[];
  readonly #counts: Record<RowState, number>;
  /** Of the records that are unknown. */
  readonly #causes = new Map<number, LossCause>();
  /** Maximum number of its records in a request: half of those of one that was too large. */
  #limit = Number.POSITIVE_INFINITY;

  constructor(entry: BatchEntry) {
    this.entry = entry;
    this.#records = Array.from({ length: entry.records }, () => ({
      state: 'prepared',
      sentAt: 0,
      missedAt: 0,
      losses: 0,
      isTaken: false,
    }));
    this.#counts = { prepared: entry.records, sent: 0, accepted: 0, rejected: 0, unknown: 0, missing: 0 };
  }

  /**
   * @param when index of the entry
   * @throws AppError internal for a record that doesn't exist, or an event that is impossible in its state
   */
  move(places: readonly number[], event: RowEvent, when: number): void {
    for (const place of places) {
      const record = this.#record(place);
      this.#counts[record.state] -= 1;
      record.state = stateAfter(event, record.state);
      this.#counts[record.state] += 1;
      this.#causes.delete(place);
      if (event === 'sent') record.sentAt = when;
      if (event === 'missed') record.missedAt = when;
    }
  }

  lose(places: readonly number[], cause: LossCause): void {
    this.move(places, 'lost', cause.since);
    for (const place of places) {
      this.#causes.set(place, cause);
      this.#record(place).losses += 1;
    }
  }

  startRun(): void {
    for (const record of this.#records) record.losses = 0;
  }

  /** Takes records for a request, or releases them. */
  setTaken(places: readonly number[], isTaken: boolean): void {
    for (const place of places) this.#record(place).isTaken = isTaken;
  }

  noteTooLarge({ records }: SentPart): void {
    this.#limit = Math.ceil(records / 2);
  }

  /** The records to be sent that no request has; null: none. Missing ones are those that became so first. */
  unsent(state: 'prepared' | 'missing'): UnsentPart | null {
    if (this.#counts[state] === 0) return null;
    let places = this.#records.flatMap((record, place) =>
      record.state === state && !record.isTaken ? [place] : [],
    );
    const missedAt = minOf(places.map((place) => this.#record(place).missedAt));
    if (state === 'missing') places = places.filter((place) => this.#record(place).missedAt === missedAt);
    if (places.length === 0) return null;
    return { entry: this.entry, part: partOf(this.entry.batch, places), limit: this.#limit, missedAt };
  }

  #record(place: number): BatchRecord {
    const record = this.#records[place];
    if (!record)
      throw new AppError('internal', { problem: `batch ${this.entry.batch} has no record ${place}` });
    return record;
  }

  /** @throws AppError internal for a record that doesn't exist */
  sentAt(place: number): number {
    return this.#record(place).sentAt;
  }

  causeAt(place: number): LossCause | undefined {
    return this.#causes.get(place);
  }

  count(state: RowState): number {
    return this.#counts[state];
  }

  /** Number of records that have no result yet: they are to be sent, wait for a response, or are unknown. */
  get openRecords(): number {
    return this.entry.records - this.#counts.accepted - this.#counts.rejected;
  }

  /** The records that were sent without a response in the journal; null: none. */
  get unanswered(): SentPart | null {
    if (this.#counts.sent === 0) return null;
    const places = this.#records.flatMap(({ state }, place) => (state === 'sent' ? [place] : []));
    return partOf(this.entry.batch, places);
  }

  /** The unknown records, grouped by their cause. */
  get unknownParts(): UnknownPart[] {
    const { entry } = this;
    const groups = Map.groupBy(this.#causes, ([, cause]) => cause);
    return Array.from(groups, ([cause, records]) => {
      const places = records.map(([place]) => place);
      const losses = maxOf(places.map((place) => this.#record(place).losses));
      return { ...cause, entry, part: partOf(entry.batch, places), losses };
    });
  }
}

/** Rows that the service confirmed as stored; reconciling uses them to prove that it recognizes records. */
export interface AckedPart extends PartOfBatch {
  readonly ids: IdRuns;
  /** Index of an entry. */
  readonly sentAt: number;
}

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
 * the run that wrote it. Each row of the file is in exactly one state.
 */
export class UploadLedger {
  readonly #rows: number;
  readonly #sends: boolean;
  /** Batches with records that are not settled. */
  readonly #open = new Map<number, Batch>();
  /** Batches with rejected rows, for the rejects file. */
  readonly #rejected = new Map<number, { entry: BatchEntry; rejections: Rejection[] }>();
  readonly #problems = new Map<string, UploadProblem>();
  readonly #start: Frontier;
  #frontier: Frontier;
  readonly #counts = { accepted: 0, rejected: 0, skipped: 0 };
  #entries = 0;
  /** The last entry of earlier runs. */
  #runStart = 0;
  #mayBeStored = false;
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
  /** The most rows that were acked at once. */
  maxAcked: AckedPart | null = null;
  /** The rows that were last known to be stored, and the most at once. */
  lastStored: PartOfBatch | null = null;
  maxStored: PartOfBatch | null = null;
  /** The ids of all records that this job stored. */
  readonly knownIds = new KnownIds();

  /** @param sends false: a dry run, which keeps only counts of its batches */
  constructor(rows: number, start: { byte: number; line: number }, sends = true) {
    this.#rows = rows;
    this.#sends = sends;
    this.#start = { ...start, row: 0, batch: 0 };
    this.#frontier = this.#start;
  }

  /** @throws AppError internal for an entry that can't follow the previous ones */
  apply(entry: UploadEntry): void {
    this.#entries++;
    switch (entry.kind) {
      case 'batch':
        return this.#addBatch(entry);
      case 'restarted':
        return this.#restart();
      case 'sent':
        return this.#batch(entry.batch).move(recordIndexes(entry), 'sent', this.#entries);
      case 'returned': {
        const batch = this.#batch(entry.batch);
        if (entry.reason === '413') batch.noteTooLarge(entry);
        return batch.move(recordIndexes(entry), 'returned', this.#entries);
      }
      case 'unknown': {
        this.#mayBeStored = true;
        const { status, cause, answer } = entry;
        return this.#batch(entry.batch).lose(recordIndexes(entry), {
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
        this.#mayBeStored = true;
        return this.#acknowledge(entry);
    }
  }

  /** Whether anything was sent that the service didn't return: it may be stored. */
  get hasSent(): boolean {
    return this.#mayBeStored || this.unansweredParts.length > 0;
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

  /** Marks where this run begins, after the entries of earlier ones. */
  startRun(): void {
    this.#runStart = this.#entries;
    for (const batch of this.#open.values()) batch.startRun();
  }

  /** Whether rows became unknown in this run. */
  isOfThisRun({ since }: UnknownPart): boolean {
    return since > this.#runStart;
  }

  /** Rows that were read and are to be sent for the first time, or again because a request didn't reach the service. */
  get prepared(): readonly UnsentPart[] {
    return [...this.#open.values()].flatMap((batch) => batch.unsent('prepared') ?? []);
  }

  /** The missing rows that are to be sent again next; null: none. */
  get missing(): UnsentPart | null {
    let first: UnsentPart | null = null;
    for (const batch of this.#open.values()) {
      const part = batch.unsent('missing');
      if (part && (!first || part.missedAt < first.missedAt)) first = part;
    }
    return first;
  }

  /** Takes rows for a request: until it returns them, they aren't offered again. */
  take(part: SentPart): void {
    this.#batch(part.batch).setTaken(recordIndexes(part), true);
  }

  /** Ends {@link take}. */
  release(part: SentPart): void {
    this.#open.get(part.batch)?.setTaken(recordIndexes(part), false);
  }

  get unansweredParts(): SentPart[] {
    return [...this.#open.values()].flatMap((batch) => batch.unanswered ?? []);
  }

  /** Unknown records, each part with its cause, the oldest first. */
  get unknownParts(): UnknownPart[] {
    const parts = [...this.#open.values()].flatMap((batch) => batch.unknownParts);
    return parts.sort((a, b) => a.since - b.since);
  }

  /** Rows that wait for a response count as pending. */
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

  #restart(): void {
    if (this.hasSent) throw new AppError('internal', { problem: 'rows of an earlier run were sent' });
    this.#open.clear();
    this.#rejected.clear();
    this.#problems.clear();
    this.skippedBatches.length = 0;
    this.#frontier = this.#start;
    Object.assign(this.#counts, { accepted: 0, rejected: 0, skipped: 0 });
    Object.assign(this.repeated, { count: 0, line: null });
    this.ambiguousTimes = 0;
    this.differing = 0;
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
    this.ambiguousTimes += entry.ambiguousTimes;
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
    const stored = recordIndexes(part).filter((place) => !refused.has(place));
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
    const places = stored.filter((_, index) => named.has(ids[index]));
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
      this.lastStored = { entry, part: partOf(entry.batch, stored) };
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

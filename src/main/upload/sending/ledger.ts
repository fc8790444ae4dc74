import { AppError } from '../../../shared/errors.ts';
import type { Ledger, UploadProblem } from '../../../shared/upload.ts';
import { KnownIds, unpackIds } from '../reconcile/id-runs.ts';
import type {
  AckedEntry,
  BatchEntry,
  Part,
  Rejection,
  SettledEntry,
  UnknownEntry,
  UploadEntry,
} from './entries.ts';
import { partOf, placesOf } from './parts.ts';
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
  /** What made each unknown record so. */
  readonly doubts: (Doubt | undefined)[];
  /** When each record left last, counted in entries. */
  readonly left: number[];
}

/** Why rows are unknown, and since when, counted in entries. */
interface Doubt extends Pick<UnknownEntry, 'status' | 'cause' | 'answer'> {
  readonly since: number;
}

/** Rows whose fate can't be known from what was answered. */
export interface UnknownPart extends Doubt {
  readonly part: Part;
  readonly entry: BatchEntry;
}

/** Rows that were stored by what the service answered, with their ids: what reading can be proven on. */
export interface AckedPart {
  readonly entry: BatchEntry;
  /** The places of the stored ones. */
  readonly places: readonly number[];
  readonly ids: readonly string[];
  /** When they left, counted in entries. */
  readonly left: number;
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
  #applied = 0;
  #sent = false;
  #idsAreMissing = false;
  #lastAcked: AckedPart | null = null;
  #largestAcked: AckedPart | null = null;
  /** The ids of all records that are known to be ours. */
  readonly knownIds = new KnownIds();

  constructor(rows: number, start: { byte: number; line: number }) {
    this.#rows = rows;
    this.#frontier = { ...start, row: 0, batch: 0 };
  }

  apply(entry: UploadEntry): void {
    this.#applied++;
    switch (entry.kind) {
      case 'batch':
        return this.#addBatch(entry);
      case 'sent':
        return this.#send(entry);
      case 'returned':
        this.#set(entry, pending);
        return;
      case 'unknown':
        return this.#doubt(entry);
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

  /** What left last of all that was stored, and the most that was stored at once: what reading is proven on. */
  get acked(): { readonly last: AckedPart | null; readonly largest: AckedPart | null } {
    return { last: this.#lastAcked, largest: this.#largestAcked };
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
  #parts(state: number): (Part & { entry: BatchEntry })[] {
    return [...this.#open.values()].flatMap(({ entry, states }) => {
      const places = [...states.keys()].filter((place) => states[place] === state);
      return places.length > 0 ? [{ entry, ...partOf(entry.batch, places) }] : [];
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
    const found = [...this.#open.values()].flatMap(({ entry, states, doubts }) => {
      const places = [...states.keys()].filter((place) => states[place] === unknown);
      return [...Map.groupBy(places, (place) => doubts[place])].flatMap(([doubt, same]) =>
        doubt ? [{ ...doubt, entry, part: partOf(entry.batch, same) }] : [],
      );
    });
    return found.sort((a, b) => a.since - b.since);
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
      this.#open.set(entry.batch, {
        entry,
        states: new Uint8Array(entry.records),
        rejections: [],
        doubts: [],
        left: [],
      });
  }

  #batch(number: number): BatchState {
    const batch = this.#open.get(number);
    if (!batch) throw new AppError('internal', { problem: `batch ${number} is not open` });
    return batch;
  }

  #set(part: Part, state: number): BatchState {
    const batch = this.#batch(part.batch);
    for (const at of placesOf(part)) {
      const was = batch.states[at];
      if (was === accepted || was === rejected || was === undefined)
        throw new AppError('internal', { problem: `record ${at} of batch ${part.batch} was settled before` });
      batch.states[at] = state;
    }
    return batch;
  }

  #send(part: Part): void {
    const { left } = this.#set(part, sent);
    for (const at of placesOf(part)) left[at] = this.#applied;
    this.#sent = true;
  }

  #doubt({ status, cause, answer, ...part }: UnknownEntry): void {
    const { doubts } = this.#set(part, unknown);
    const doubt = { status, cause, answer, since: this.#applied };
    for (const at of placesOf(part)) doubts[at] = doubt;
  }

  #acknowledge({ rejected: refused, ids = [], ...part }: AckedEntry): void {
    const { entry, left } = this.#batch(part.batch);
    this.#settle(part, refused);
    this.knownIds.add(ids);
    const no = new Set(refused.map(({ at }) => at));
    const places = placesOf(part).filter((at) => !no.has(at));
    if (places.length === 0) return;
    const unpacked = unpackIds(ids);
    if (unpacked.length !== places.length) this.#idsAreMissing = true;
    this.#noteStored({ entry, places, ids: unpacked, left: left[part.first] ?? 0 });
  }

  #noteStored(acked: AckedPart): void {
    if (!this.#lastAcked || acked.left > this.#lastAcked.left) this.#lastAcked = acked;
    if (!this.#largestAcked || acked.places.length > this.#largestAcked.places.length)
      this.#largestAcked = acked;
  }

  /**
   * A part whose answer named the ids of what it stored, but not of which rows, is as good as acked once those ids were
   * found: where many answers are so, nothing else would be acked later than what is lost.
   */
  #answered({ entry, doubts, left }: BatchState, stored: readonly number[], ids: readonly string[]): void {
    const answers = new Set(stored.flatMap((at) => doubts[at]?.answer ?? []));
    const named = new Set([...answers].flatMap((answer) => unpackIds(answer.ids)));
    const told = stored
      .map((at, index) => ({ at, id: ids[index] ?? '' }))
      .filter(({ id }) => named.has(id))
      .sort((a, b) => a.at - b.at);
    const first = told[0];
    if (!first) return;
    const places = told.map(({ at }) => at);
    this.#noteStored({ entry, places, ids: told.map(({ id }) => id), left: left[first.at] ?? 0 });
  }

  #reconcile({ batch: number, stored, ids, missing, rejected: refused }: SettledEntry): void {
    const batch = this.#batch(number);
    for (const at of [...stored, ...missing, ...refused.map((rejection) => rejection.at)])
      if (batch.states[at] !== unknown)
        throw new AppError('internal', { problem: `record ${at} of batch ${number} was not unknown` });
    this.knownIds.add(ids);
    this.#answered(batch, stored, unpackIds(ids));
    if (missing.length > 0) this.#set(partOf(number, missing), pending);
    const settled = [...stored, ...refused.map(({ at }) => at)].sort((a, b) => a - b);
    if (settled.length > 0) this.#settle(partOf(number, settled), refused);
  }

  #settle(part: Part, refused: readonly Rejection[]): void {
    const batch = this.#set(part, accepted);
    const own = new Set(placesOf(part));
    for (const { at } of refused) this.#reject(part.batch, own, batch.states, at);
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

  #reject(batch: number, own: ReadonlySet<number>, states: Uint8Array, at: number): void {
    if (!own.has(at) || states[at] !== accepted)
      throw new AppError('internal', { problem: `record ${at} of batch ${batch} can't be rejected twice` });
    states[at] = rejected;
  }
}

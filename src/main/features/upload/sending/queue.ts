import type { UnknownPart } from '../ledger/batch.ts';
import { nameOf, partOf, placesOf, type BatchEntry, type Part } from '../ledger/entries.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import type { Batches, PreparedPart } from './batches.ts';
import { rowsOfProbe, rowsToHoldBack, type Resend } from './policy.ts';
import type { RowSearch } from './row-search.ts';
import { append } from '../../../../shared/lists.ts';

interface QueuedPart {
  readonly part: Part & { readonly entry: BatchEntry };
  readonly resend?: Resend | undefined;
}

/** Some records of a part as a separate part. */
export const cutPart = (part: PreparedPart, places: readonly number[]): PreparedPart => {
  const { body, sha256, of, lines, resend } = part;
  return { ...partOf(part.batch, places), body, sha256, of, lines, resend };
};

/** The order of sending: rows to be sent again, then new ones, and a few rows at the very end. */
export class SendQueue {
  readonly #batches: Pick<Batches, 'next' | 'prepareAgain' | 'isEmpty'>;
  readonly #ledger: Pick<UploadLedger, 'openBatch' | 'unknownParts' | 'maxAcked'>;
  readonly #search: Pick<RowSearch, 'marksOf'>;
  readonly #canReconcile: boolean;
  readonly #resends: QueuedPart[] = [];
  readonly #cutParts: PreparedPart[] = [];
  /** Parts that share keys with unknown rows: they wait until those are settled. */
  #waiting: QueuedPart[] = [];
  readonly #heldBack: PreparedPart[] = [];
  #mayWait = true;
  readonly #marksOfUnknown = new Map<string, readonly (string | undefined)[]>();

  /** @param canReconcile whether lost rows can be reconciled; if not, parts are sent in order */
  constructor(
    batches: Pick<Batches, 'next' | 'prepareAgain' | 'isEmpty'>,
    ledger: Pick<UploadLedger, 'openBatch' | 'unknownParts' | 'maxAcked'>,
    search: Pick<RowSearch, 'marksOf'>,
    canReconcile: boolean,
  ) {
    this.#batches = batches;
    this.#ledger = ledger;
    this.#search = search;
    this.#canReconcile = canReconcile;
  }

  addResend(entry: BatchEntry, places: readonly number[], resend: Resend): void {
    this.#resends.push({ part: { ...partOf(entry.batch, places), entry }, resend });
  }

  /** Whether rows are queued that are sent for a second time. */
  get hasResends(): boolean {
    return this.#resends.length > 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether there are rows that were never sent, other than those held back. */
  get hasUnsent(): boolean {
    return this.#cutParts.length > 0 || !this.#batches.isEmpty;
  }

  get hasHeldBack(): boolean {
    return this.#heldBack.length > 0;
  }

  /** Queues the waiting parts. With `anyway` nothing waits from here on, because unknown rows stay unknown. */
  release(anyway: boolean): void {
    if (anyway) this.#mayWait = false;
    append(this.#resends, this.#waiting);
    this.#waiting = [];
  }

  /** The next part; null: none, except those held back. @param isOneRow only its first row */
  async next(isOneRow = false): Promise<PreparedPart | null> {
    for (;;) {
      const part = await this.#take();
      if (!part || !this.#canReconcile) return part;
      const entry = this.#ledger.openBatch(part.batch);
      if (entry && (await this.#waitingPlaces(part)).size > 0) {
        const { resend } = part;
        this.#waiting.push({ part: { ...partOf(part.batch, placesOf(part)), entry }, resend });
        continue;
      }
      if (isOneRow) return this.#split(part, 1, this.#cutParts);
      if (!this.#ledger.maxAcked) return this.#split(part, rowsOfProbe(part.records), this.#cutParts);
      const { records, resend } = part;
      const held = rowsToHoldBack({
        records,
        resend,
        heldBack: this.#heldBack.reduce((sum, batch) => sum + batch.records, 0),
        hasUnsent: this.hasUnsent,
        hasMissing: this.hasResends || this.hasWaiting,
      });
      return held > 0 ? this.#split(part, records - held, this.#heldBack) : part;
    }
  }

  /**
   * One row, or half, of those held back, so that a later part is likely to be acked even if this one is lost; only
   * rows that don't wait. Null: none.
   */
  async nextHeldBack(isOneRow: boolean): Promise<PreparedPart | null> {
    for (const [at, part] of this.#heldBack.entries()) {
      const waiting = await this.#waitingPlaces(part);
      const places = placesOf(part);
      const free = places.filter((place) => !waiting.has(place));
      if (free.length === 0) continue;
      const taken = new Set(free.slice(0, isOneRow ? 1 : Math.ceil(places.length / 2)));
      const left = places.filter((place) => !taken.has(place));
      this.#heldBack.splice(at, 1, ...(left.length > 0 ? [cutPart(part, left)] : []));
      return cutPart(part, [...taken]);
    }
    return null;
  }

  async #take(): Promise<PreparedPart | null> {
    const cutOff = this.#cutParts.shift();
    if (cutOff) return cutOff;
    const queued = this.#resends.shift();
    if (!queued) return this.#batches.next();
    return { ...(await this.#batches.prepareAgain(queued.part)), resend: queued.resend };
  }

  /** The first rows of a part; the others are kept. */
  #split(part: PreparedPart, rows: number, rest: PreparedPart[]): PreparedPart {
    const places = placesOf(part);
    if (rows >= places.length) return part;
    rest.unshift(cutPart(part, places.slice(rows)));
    return cutPart(part, places.slice(0, rows));
  }

  /** The indexes of a part's rows that wait for unknown rows with the same keys. */
  async #waitingPlaces(part: PreparedPart): Promise<ReadonlySet<number>> {
    const entry = this.#mayWait ? this.#ledger.openBatch(part.batch) : null;
    const unknown = entry ? this.#ledger.unknownParts : [];
    if (!entry || unknown.length === 0) {
      this.#marksOfUnknown.clear();
      return new Set();
    }
    const unknownMarks = new Set<string | undefined>();
    for (const lostPart of unknown) for (const mark of await this.#marksOf(lostPart)) unknownMarks.add(mark);
    const partMarks = await this.#search.marksOf(entry);
    return new Set(placesOf(part).filter((place) => unknownMarks.has(partMarks[place])));
  }

  async #marksOf({ part, entry }: UnknownPart): Promise<readonly (string | undefined)[]> {
    const name = nameOf(part);
    const earlierMarks = this.#marksOfUnknown.get(name);
    if (earlierMarks) return earlierMarks;
    const all = await this.#search.marksOf(entry);
    const marks = placesOf(part).map((place) => all[place]);
    this.#marksOfUnknown.set(name, marks);
    return marks;
  }
}

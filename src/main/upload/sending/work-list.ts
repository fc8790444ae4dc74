import type { BatchEntry, Part } from '../ledger/entries.ts';
import type { Loads } from './loads.ts';
import { withoutPart } from './part-sender.ts';
import type { Load } from './part-sender.ts';
import { partOf, placesOf } from '../ledger/parts.ts';
import type { Origin } from '../ledger/parts.ts';

/** Rows of the very first sending: what is acked early is what reading is proven on. */
const probeRows = 10;
/**
 * So many rows are held back to the end: a lost batch can only be sent again when a later one was acked, and to split
 * a refused batch of 1,000 down to its bad row takes ten of them. They are kept from the first load that has some to
 * spare, and made up for from later ones: the last load may be a single row, or be lost together with those before it.
 */
const heldBack = 12;

/** Whether rows of a load may be bad ones: a group with them was refused. Acked rows are what is held back for. */
const isSuspect = ({ origin }: Load): boolean => origin !== undefined && origin.resends === 0;

interface Item {
  readonly part: Part & { readonly entry: BatchEntry };
  readonly origin?: Origin | undefined;
}

export interface WorkListOptions {
  readonly loads: Pick<Loads, 'next' | 'again' | 'isEmpty'>;
  /** Whether lost rows can be found out about; if not, all is sent as it comes. */
  readonly reconciles: boolean;
  /** Whether a batch has been acked in this job. */
  readonly hasAcked: () => boolean;
  /** The places of a load that share keys with rows that are unknown. */
  readonly sharing: (load: Load, entry: BatchEntry) => Promise<readonly number[]>;
  readonly entryOf: (batch: number) => BatchEntry | null;
}

/** What there is to send, in which order: rows to be sent again, then new ones, and a few rows at the very end. */
export class WorkList {
  readonly #options: WorkListOptions;
  readonly #again: Item[] = [];
  readonly #cut: Load[] = [];
  /** Loads that share keys with unknown rows: they wait until those are settled. */
  #waiting: Item[] = [];
  #reserve: Load[] = [];
  #mayWait = true;

  constructor(options: WorkListOptions) {
    this.#options = options;
  }

  addAgain(entry: BatchEntry, places: readonly number[], origin: Origin): void {
    this.#again.push({ part: { ...partOf(entry.batch, places), entry }, origin });
  }

  /** Whether rows stand in the list that are sent for a second time. */
  get hasAgain(): boolean {
    return this.#again.length > 0;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether there is anything that has not been sent yet, but for what is held back. */
  get hasFresh(): boolean {
    return this.#cut.length > 0 || !this.#options.loads.isEmpty;
  }

  get hasReserve(): boolean {
    return this.#reserve.length > 0;
  }

  /** Loads that waited are looked at again. With `anyway` none waits from here on: what they wait for stays unknown. */
  release(anyway: boolean): void {
    if (anyway) this.#mayWait = false;
    this.#again.push(...this.#waiting);
    this.#waiting = [];
  }

  /** The next load; null: there is none, but for what is held back. @param one only its first row */
  async next(one = false): Promise<Load | null> {
    for (;;) {
      const load = await this.#take();
      if (!load || !this.#options.reconciles) return load;
      const entry = this.#options.entryOf(load.batch);
      if (entry && (await this.#waitingPlaces(load)).size > 0) {
        this.#waiting.push({ part: { ...partOf(load.batch, placesOf(load)), entry }, origin: load.origin });
        continue;
      }
      if (one) return this.#split(load, 1, this.#cut);
      if (!this.#options.hasAcked() && load.records > 1)
        return this.#split(load, load.records > 2 * probeRows ? probeRows : 1, this.#cut);
      return this.#withoutReserve(load);
    }
  }

  /** A load without the rows that are held back of it: a large one always spares some, a small one at the end alone. */
  #withoutReserve(load: Load): Load {
    const held = this.#reserve.reduce((sum, { records }) => sum + records, 0);
    const isAtEnd = !this.hasFresh && held === 0;
    const isLast = isAtEnd && this.#again.length + this.#waiting.length === 0;
    const spares = isSuspect(load) ? isLast : isAtEnd || load.records >= 2 * heldBack;
    const spared = spares ? Math.min(heldBack - held, load.records >> 1) : 0;
    return spared > 0 ? this.#split(load, load.records - spared, this.#reserve) : load;
  }

  /**
   * Some of what is held back: one row, or half, so that whatever of it is lost, there is likely to be a later part that
   * is acked; only rows that do not wait. Null: there are none.
   */
  async fromReserve(one: boolean): Promise<Load | null> {
    for (const [at, load] of this.#reserve.entries()) {
      const waiting = await this.#waitingPlaces(load);
      const places = placesOf(load);
      const free = places.filter((place) => !waiting.has(place));
      if (free.length === 0) continue;
      const taken = new Set(free.slice(0, one ? 1 : Math.ceil(places.length / 2)));
      const left = places.filter((place) => !taken.has(place));
      this.#reserve.splice(at, 1, ...(left.length > 0 ? [cutOf(load, left)] : []));
      return cutOf(load, [...taken]);
    }
    return null;
  }

  /** The places of a load that wait for unknown rows with the same keys. */
  async #waitingPlaces(load: Load): Promise<ReadonlySet<number>> {
    const entry = this.#mayWait ? this.#options.entryOf(load.batch) : null;
    return new Set(entry ? await this.#options.sharing(load, entry) : []);
  }

  async #take(): Promise<Load | null> {
    const cut = this.#cut.shift();
    if (cut) return cut;
    const item = this.#again.shift();
    if (!item) return this.#options.loads.next();
    const load = await this.#options.loads.again(item.part);
    return { ...load, origin: item.origin };
  }

  /** The first rows of a load; the others are kept. */
  #split(load: Load, rows: number, rest: Load[]): Load {
    const places = placesOf(load);
    if (rows >= places.length) return load;
    rest.unshift(cutOf(load, places.slice(rows)));
    return cutOf(load, places.slice(0, rows));
  }
}

/** The records of a load at these places, as a load of their own. */
const cutOf = (load: Load, places: readonly number[]): Load => ({
  ...withoutPart(load),
  ...partOf(load.batch, places),
});

import type { BatchEntry, Part } from './entries.ts';
import type { Loads } from './loads.ts';
import { withoutPart } from './part-sender.ts';
import type { Load, Origin } from './part-sender.ts';
import { partOf, placesOf } from './parts.ts';

/** Rows of the very first sending: what is acked early is what reading is proven on. */
const probeRows = 10;
/**
 * So many rows are held back to the end: a lost batch can only be sent again when a later one was acked, and to split
 * a refused batch of 1,000 down to its bad row takes ten of them.
 */
const heldBack = 12;

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
  /** Whether a load shares keys with rows that are unknown. */
  readonly mustWait: (load: Load, entry: BatchEntry) => Promise<boolean>;
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
      if (this.#mayWait && entry && (await this.#options.mustWait(load, entry))) {
        this.#waiting.push({ part: { ...partOf(load.batch, placesOf(load)), entry }, origin: load.origin });
        continue;
      }
      if (one) return this.#split(load, 1, this.#cut);
      if (!this.#options.hasAcked() && load.records > 1)
        return this.#split(load, load.records > 2 * probeRows ? probeRows : 1, this.#cut);
      const isLast =
        this.#again.length + this.#cut.length + this.#waiting.length + this.#reserve.length === 0 &&
        this.#options.loads.isEmpty;
      if (!isLast || load.records < 2) return load;
      const held = Math.min(heldBack, load.records >> 1);
      return this.#split(load, load.records - held, this.#reserve);
    }
  }

  /**
   * Some of what is held back: one row, or half, so that whatever of it is lost, there is likely to be a later part that
   * is acked; only such as does not wait. Null: there is none.
   */
  async fromReserve(one: boolean): Promise<Load | null> {
    const load = this.#reserve.shift();
    if (!load) return null;
    const entry = this.#options.entryOf(load.batch);
    if (this.#mayWait && entry && (await this.#options.mustWait(load, entry))) {
      this.#reserve.unshift(load);
      return null;
    }
    if (load.records === 1) return load;
    return this.#split(load, one ? 1 : Math.ceil(load.records / 2), this.#reserve);
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
    const cut = (some: readonly number[]): Load => ({ ...withoutPart(load), ...partOf(load.batch, some) });
    rest.unshift(cut(places.slice(rows)));
    return cut(places.slice(0, rows));
  }
}

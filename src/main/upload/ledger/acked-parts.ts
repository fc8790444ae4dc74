import { unpackIds } from '../model/id-runs.ts';
import type { IdRuns } from '../model/id-runs.ts';
import type { BatchEntry } from './entries.ts';

/**
 * Rows that were stored by what the service answered, with their ids: what reading can be proven on. Places and ids are
 * only worked out when they are asked for, which is seldom.
 */
export class AckedPart {
  readonly entry: BatchEntry;
  readonly size: number;
  /** When they left, counted in entries. */
  readonly left: number;
  readonly #places: () => readonly number[];
  readonly #ids: IdRuns;

  constructor(entry: BatchEntry, size: number, left: number, places: () => readonly number[], ids: IdRuns) {
    this.entry = entry;
    this.size = size;
    this.left = left;
    this.#places = places;
    this.#ids = ids;
  }

  /** The places of the stored ones. */
  get places(): readonly number[] {
    return this.#places();
  }

  get ids(): readonly string[] {
    return unpackIds(this.#ids);
  }
}

/** The two of all that was acked that reading is proven on. */
export class AckedParts {
  /** What left last. */
  last: AckedPart | null = null;
  /** The most that was stored at once. */
  largest: AckedPart | null = null;

  note(acked: AckedPart): void {
    if (!this.last || acked.left > this.last.left) this.last = acked;
    if (!this.largest || acked.size > this.largest.size) this.largest = acked;
  }
}

import { AppError } from '../../../shared/errors/errors.ts';
import type { BatchEntry, Part, UnknownEntry } from './entries.ts';
import { eachPlace, partOf } from './parts.ts';

/** What is known of a record of a batch. */
export const recordStates = { pending: 0, sent: 1, accepted: 2, rejected: 3, unknown: 4 } as const;
export type RecordState = (typeof recordStates)[keyof typeof recordStates];
const { pending, sent, accepted, rejected, unknown } = recordStates;

/** Why rows are unknown, and since when, counted in entries. */
export interface Doubt extends Pick<UnknownEntry, 'status' | 'cause' | 'answer'> {
  readonly since: number;
}

/** Rows whose fate can't be known from what was answered. */
export interface UnknownPart extends Doubt {
  readonly part: Part;
  readonly entry: BatchEntry;
}

/** The records of a batch that is not settled for good, each in one state. */
export class BatchState {
  readonly entry: BatchEntry;
  readonly #states: Uint8Array;
  /** How many records are in each state. */
  readonly #counts = [0, 0, 0, 0, 0];
  /** What made each unknown record so; made when there is one, for most batches have none. */
  readonly #doubts = new Map<number, Doubt>();
  /** When each record left last, counted in entries. */
  readonly #left: Float64Array;

  constructor(entry: BatchEntry) {
    this.entry = entry;
    this.#states = new Uint8Array(entry.records);
    this.#left = new Float64Array(entry.records);
    this.#counts[pending] = entry.records;
  }

  /** Puts records into another state. @throws AppError internal for those that are settled or not there */
  set(part: Part, state: RecordState): void {
    eachPlace(part, (at) => {
      const was = this.#states[at];
      if (was === accepted || was === rejected || was === undefined)
        throw new AppError('internal', {
          problem: `record ${at} of batch ${this.entry.batch} was settled before`,
        });
      this.#put(at, state);
    });
  }

  /** @throws AppError internal for a record that was not accepted just now */
  reject(at: number, own: ReadonlySet<number>): void {
    if (!own.has(at) || this.#states[at] !== accepted)
      throw new AppError('internal', {
        problem: `record ${at} of batch ${this.entry.batch} can't be rejected twice`,
      });
    this.#put(at, rejected);
  }

  #put(at: number, state: RecordState): void {
    const was = this.#states[at] ?? 0;
    this.#counts[was] = (this.#counts[was] ?? 0) - 1;
    this.#counts[state] = (this.#counts[state] ?? 0) + 1;
    this.#states[at] = state;
  }

  /** @param when counted in entries */
  leave(part: Part, when: number): void {
    this.set(part, sent);
    eachPlace(part, (at) => (this.#left[at] = when));
  }

  doubt(part: Part, doubt: Doubt): void {
    this.set(part, unknown);
    eachPlace(part, (at) => this.#doubts.set(at, doubt));
  }

  /** @throws AppError internal for a record that is not unknown */
  checkUnknown(at: number): void {
    if (this.#states[at] !== unknown)
      throw new AppError('internal', {
        problem: `record ${at} of batch ${this.entry.batch} was not unknown`,
      });
  }

  leftAt(at: number): number {
    return this.#left[at] ?? 0;
  }

  doubtAt(at: number): Doubt | undefined {
    return this.#doubts.get(at);
  }

  /** How many of its records are not settled, and how many of these are unknown. */
  get open(): { readonly waiting: number; readonly unknown: number } {
    const [waiting = 0, out = 0, , , lost = 0] = this.#counts;
    return { waiting: waiting + out, unknown: lost };
  }

  #places(state: RecordState): number[] {
    if (this.#counts[state] === 0) return [];
    return [...this.#states.keys()].filter((place) => this.#states[place] === state);
  }

  /** The records in a state; null: there are none. */
  part(state: RecordState): Part | null {
    const places = this.#places(state);
    return places.length > 0 ? partOf(this.entry.batch, places) : null;
  }

  /** What is unknown, by what made it so. */
  get unknownParts(): UnknownPart[] {
    const { entry } = this;
    return [...Map.groupBy(this.#places(unknown), (place) => this.#doubts.get(place))].flatMap(
      ([doubt, same]) => (doubt ? [{ ...doubt, entry, part: partOf(entry.batch, same) }] : []),
    );
  }
}

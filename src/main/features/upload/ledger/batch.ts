import { AppError } from '../../../../shared/errors/errors.ts';
import { partOf, type BatchEntry, type Part, type UnknownEntry } from './entries.ts';
import { rowStates, stateAfter, type RowEvent, type RowState } from './row-states.ts';

/** Why rows are unknown, and since which entry. */
interface LossCause extends Pick<UnknownEntry, 'status' | 'cause' | 'answer'> {
  readonly since: number;
}

/** Rows whose result a response doesn't tell. */
export interface UnknownPart extends LossCause {
  readonly part: Part;
  readonly entry: BatchEntry;
}

const numberOf: Readonly<Record<RowState, number>> = {
  prepared: 0,
  sent: 1,
  accepted: 2,
  rejected: 3,
  unknown: 4,
  missing: 5,
};

/** The records of a batch that isn't settled, each in one state. */
export class Batch {
  readonly entry: BatchEntry;
  /** The state of each record, as a number of {@link numberOf}. */
  readonly #states: Uint8Array;
  readonly #counts = rowStates.map(() => 0);
  readonly #causes = new Map<number, LossCause>();
  /** The entry at which each record was last sent. */
  readonly #sentAt: Float64Array;

  constructor(entry: BatchEntry) {
    this.entry = entry;
    this.#states = new Uint8Array(entry.records);
    this.#sentAt = new Float64Array(entry.records);
    this.#counts[numberOf.prepared] = entry.records;
  }

  /**
   * Applies an event to records.
   * @param when index of the entry
   * @throws AppError internal for a record that doesn't exist, or an event that is impossible in its state
   */
  move(places: readonly number[], event: RowEvent, when: number): void {
    for (const place of places) {
      const before = this.#stateAt(place);
      this.#count(before, -1);
      const after = stateAfter(event, before);
      this.#count(after, 1);
      this.#states[place] = numberOf[after];
      if (event === 'sent') this.#sentAt[place] = when;
    }
  }

  lose(places: readonly number[], cause: LossCause): void {
    this.move(places, 'lost', cause.since);
    for (const place of places) this.#causes.set(place, cause);
  }

  #count(state: RowState, change: number): void {
    this.#counts[numberOf[state]] = this.count(state) + change;
  }

  #stateAt(place: number): RowState {
    const state = rowStates[this.#states[place] ?? -1];
    if (!state)
      throw new AppError('internal', { problem: `batch ${this.entry.batch} has no record ${place}` });
    return state;
  }

  sentAt(place: number): number {
    return this.#sentAt[place] ?? 0;
  }

  causeAt(place: number): LossCause | undefined {
    return this.#causes.get(place);
  }

  count(state: RowState): number {
    return this.#counts[numberOf[state]] ?? 0;
  }

  /** Records that are to be sent or wait for a response. */
  get pending(): number {
    return this.count('prepared') + this.count('missing') + this.count('sent');
  }

  #places(...states: RowState[]): number[] {
    if (states.every((state) => this.count(state) === 0)) return [];
    const wanted = new Set(states.map((state) => numberOf[state]));
    return [...this.#states.keys()].filter((place) => wanted.has(this.#states[place] ?? -1));
  }

  /** The records in one of these states; null: none. */
  part(...states: RowState[]): Part | null {
    const places = this.#places(...states);
    return places.length > 0 ? partOf(this.entry.batch, places) : null;
  }

  /** The unknown records, grouped by their cause. */
  get unknownParts(): UnknownPart[] {
    const { entry } = this;
    return [...Map.groupBy(this.#places('unknown'), (place) => this.#causes.get(place))].flatMap(
      ([cause, same]) => (cause ? [{ ...cause, entry, part: partOf(entry.batch, same) }] : []),
    );
  }
}

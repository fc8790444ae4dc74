import { AppError } from '../../../../shared/errors/errors.ts';
import { partOf, type BatchEntry, type Part, type UnknownEntry } from './entries.ts';
import { stateAfter, type RowEvent, type RowState } from './row-states.ts';

/** Why rows are unknown, and since which entry. */
interface LossCause extends Pick<UnknownEntry, 'status' | 'cause' | 'answer'> {
  readonly since: number;
}

/** Rows whose result a response doesn't tell. */
export interface UnknownPart extends LossCause {
  readonly part: Part;
  readonly entry: BatchEntry;
}

interface BatchRecord {
  state: RowState;
  /** The entry at which it was last sent. */
  sentAt: number;
}

/** The records of a batch that isn't settled, each in one state. */
export class Batch {
  readonly entry: BatchEntry;
  readonly #records: readonly BatchRecord[];
  readonly #counts: Record<RowState, number>;
  /** Of the records that are unknown. */
  readonly #causes = new Map<number, LossCause>();

  constructor(entry: BatchEntry) {
    this.entry = entry;
    this.#records = Array.from({ length: entry.records }, () => ({ state: 'prepared', sentAt: 0 }));
    this.#counts = { prepared: entry.records, sent: 0, accepted: 0, rejected: 0, unknown: 0, missing: 0 };
  }

  /**
   * Applies an event to records.
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
    }
  }

  lose(places: readonly number[], cause: LossCause): void {
    this.move(places, 'lost', cause.since);
    for (const place of places) this.#causes.set(place, cause);
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

  /** Why a record is unknown. */
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

  /** The records in one of these states; null: none. */
  part(...states: RowState[]): Part | null {
    if (states.every((state) => this.#counts[state] === 0)) return null;
    const places = this.#records.flatMap(({ state }, place) => (states.includes(state) ? [place] : []));
    return partOf(this.entry.batch, places);
  }

  /** The unknown records, grouped by their cause. */
  get unknownParts(): UnknownPart[] {
    const { entry } = this;
    const groups = Map.groupBy(this.#causes, ([, cause]) => cause);
    return Array.from(groups, ([cause, records]) => {
      const places = records.map(([place]) => place).sort((a, b) => a - b);
      return { ...cause, entry, part: partOf(entry.batch, places) };
    });
  }
}

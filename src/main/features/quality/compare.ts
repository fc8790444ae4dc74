import { AppError } from '../../../shared/errors/errors.ts';
import { isSameText } from '../../../shared/instants.ts';
import {
  comparedSides,
  type ComparedField,
  type ComparedSide,
  type ComparedValue,
  type Comparison,
  type Tolerance,
} from '../../../shared/quality/comparison.ts';
import { isUnder } from '../../core/records/columns.ts';

/** Numbers that differ by less than this share were rounded by a conversion of units. */
const roundingShare = 1e-9;
const maxRanges = 100;
const maxPlaces = 20;
const maxShownText = 200;

export interface ComparedRecord {
  /** Its index: Unix milliseconds, or a number; NaN: none. */
  readonly at: number;
  /** Its well and log; records are compared within one. */
  readonly series: string;
  /** Its line in the file; null: it is from a dataset. */
  readonly line: number | null;
  /** The values of its fields by column, with holes: arrays of numbers need little memory. */
  readonly values: readonly (ComparedValue | undefined)[];
}

interface ComparisonOptions {
  readonly index: Comparison['index'];
  /** The index of the source plus this is that of the other side. */
  readonly shift: number;
  readonly tolerance: Tolerance;
  /** The fields by column, of both sides; more are added while they are read. */
  readonly names: readonly string[];
  readonly unitOf: (field: string) => string | null;
  /** The requested fields that have values of their own; empty: all. */
  readonly fields: readonly string[];
}

/** Places that differ by this or less are the same: a conversion of units rounds depths. */
export const sameAtOf = ({ kind }: Comparison['index']): number => (kind === 'time' ? 0 : 1e-6);

type Span = Comparison['source']['ranges'][number];

/** What one side has, and its records that aren't compared yet. */
class Side {
  readonly counts = { rows: 0, unplaced: 0, rejected: 0, extra: 0, only: 0, rangeCount: 0 };
  readonly ranges: Span[] = [];
  readonly values: number[] = [];
  readonly #shift: number;
  readonly #sameAt: number;
  /** The last range of each series, until a record of it is matched. */
  readonly #open = new Map<string, Span>();
  #queue: ComparedRecord[] = [];
  #head = 0;
  #last = -Infinity;
  isEnded = false;

  constructor(shift: number, sameAt: number) {
    this.#shift = shift;
    this.#sameAt = sameAt;
  }

  add(records: readonly ComparedRecord[]): void {
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
    for (const record of records) {
      this.counts.rows += 1;
      record.values.forEach((_, column) => (this.values[column] = (this.values[column] ?? 0) + 1));
      if (Number.isNaN(record.at)) {
        this.counts.unplaced += 1;
        continue;
      }
      if (record.at < this.#last - this.#sameAt)
        throw new AppError('bad_answer', {
          service: 'data',
          problem: 'the records are not in the order of their index',
        });
      this.#last = record.at;
      this.#queue.push(record);
    }
  }

  hasField(column: number): boolean {
    return (this.values[column] ?? 0) > 0;
  }

  /** The place of the next records, comparable with that of the other side; null: all are compared, so far. */
  get place(): number | null {
    const next = this.#queue[this.#head];
    return next ? next.at - this.#shift : null;
  }

  /** Number of records at the next place; null: more may follow. */
  #count(): number | null {
    const first = this.#queue[this.#head];
    if (!first) return this.isEnded ? 0 : null;
    let end = this.#head + 1;
    for (let next = this.#queue[end]; next; next = this.#queue[end]) {
      if (next.at > first.at + this.#sameAt) return end - this.#head;
      end += 1;
    }
    return this.isEnded ? end - this.#head : null;
  }

  /** Whether all records of the next place are here. */
  get isReady(): boolean {
    return this.#count() !== null;
  }

  /** Removes the records at the next place. */
  take(): ComparedRecord[] {
    const from = this.#head;
    this.#head += this.#count() ?? 0;
    return this.#queue.slice(from, this.#head);
  }

  /** Counts a record that the other side lacks. */
  addOnly({ series, at, line }: ComparedRecord): void {
    this.counts.only += 1;
    const open = this.#open.get(series);
    if (open) {
      open.to = at;
      open.records += 1;
      return;
    }
    const span = { well: series, line, from: at, to: at, records: 1 };
    this.#open.set(series, span);
    this.counts.rangeCount += 1;
    if (this.ranges.length < maxRanges) this.ranges.push(span);
  }

  /** Ends the range of a series that the other side lacks. */
  close(series: string): void {
    if (this.#open.size > 0) this.#open.delete(series);
  }
}

type FieldTrack = Omit<ComparedField, 'name' | 'unit'>;

const shown = (value: ComparedValue | undefined): ComparedValue | null =>
  typeof value === 'string' ? value.slice(0, maxShownText) : (value ?? null);

/**
 * Compares the records of two sides in one pass. Both come in the order of their index, in pieces, so only the records
 * around the current place are in memory.
 */
export function createComparison({
  index,
  shift,
  tolerance,
  names,
  unitOf,
  fields: requested,
}: ComparisonOptions) {
  const sameAt = sameAtOf(index);
  const source = new Side(0, sameAt);
  const against = new Side(shift, sameAt);
  const sides = { source, against };
  const tracks: FieldTrack[] = [];
  let matched = 0;

  const trackOf = (column: number): FieldTrack =>
    (tracks[column] ??= {
      compared: 0,
      differing: 0,
      lacking: { source: 0, against: 0 },
      largest: null,
      places: [],
    });

  function compareValues(
    { at, series, line }: ComparedRecord,
    column: number,
    own: ComparedValue | undefined,
    other: ComparedValue | undefined,
  ): void {
    const track = trackOf(column);
    const areNumbers = typeof own === 'number' && typeof other === 'number';
    const difference = areNumbers ? Math.min(Math.abs(own - other), Number.MAX_VALUE) : 0;
    if (own === undefined) track.lacking.source += 1;
    else if (other === undefined) track.lacking.against += 1;
    else {
      track.compared += 1;
      if (own === other || (typeof own === 'string' && typeof other === 'string' && isSameText(own, other)))
        return;
      if (areNumbers) {
        const size = Math.max(Math.abs(own), Math.abs(other));
        const allowed = tolerance.isShare ? tolerance.amount * size : tolerance.amount;
        // A conversion leaves a fraction on one side at least: ids, API numbers, and times aren't rounded.
        const areWhole = Number.isInteger(own) && Number.isInteger(other);
        if (difference <= allowed * (1 + roundingShare) + (areWhole ? 0 : roundingShare * size)) return;
      }
      track.differing += 1;
    }
    const place = { well: series, at, line, source: shown(own), against: shown(other) };
    if (track.places.length < maxPlaces) track.places.push(place);
    if (difference > (track.largest?.difference ?? 0)) track.largest = { ...place, difference };
  }

  function comparePair(own: ComparedRecord, other: ComparedRecord): void {
    matched += 1;
    source.close(own.series);
    against.close(other.series);
    const columns = Math.max(own.values.length, other.values.length);
    for (let column = 0; column < columns; column += 1) {
      const [value, otherValue] = [own.values[column], other.values[column]];
      if (value !== undefined || otherValue !== undefined) compareValues(own, column, value, otherValue);
    }
  }

  /** Pairs the records at one place by their series, in order. */
  function comparePlace(): void {
    const againstBySeries = Map.groupBy(against.take(), ({ series }) => series);
    for (const [series, sourceRecords] of Map.groupBy(source.take(), (record) => record.series)) {
      const other = againstBySeries.get(series) ?? [];
      againstBySeries.delete(series);
      sourceRecords.forEach((record, at) => {
        const pair = other[at];
        if (pair) comparePair(record, pair);
        else if (other.length > 0) source.counts.extra += 1;
        else source.addOnly(record);
      });
      against.counts.extra += Math.max(0, other.length - sourceRecords.length);
    }
    for (const records of againstBySeries.values()) for (const record of records) against.addOnly(record);
  }

  return {
    /** Adds the next records of a side. @throws AppError `bad_answer` if they aren't in order */
    add(side: ComparedSide, records: readonly ComparedRecord[]): void {
      sides[side].add(records);
    },
    /** Ends a side. @param rejected number of its rows that can't be read */
    end(side: ComparedSide, rejected = 0): void {
      sides[side].isEnded = true;
      sides[side].counts.rejected = rejected;
    },
    /** Compares the records read so far. Returns the side whose records are needed next; null: both have ended. */
    advance(): ComparedSide | null {
      for (;;) {
        const unready = comparedSides.find((side) => !sides[side].isReady);
        if (unready) return unready;
        const [sourcePlace, other] = [source.place, against.place];
        if (sourcePlace === null && other === null) return null;
        if (other === null || (sourcePlace !== null && sourcePlace < other - sameAt))
          for (const record of source.take()) source.addOnly(record);
        else if (sourcePlace === null || other < sourcePlace - sameAt)
          for (const record of against.take()) against.addOnly(record);
        else comparePlace();
      }
    },
    result(): Comparison {
      const sideOf = (side: Side, other: Side): Comparison['source'] => ({
        ...side.counts,
        ranges: side.ranges,
        fields: names.filter((_, column) => side.hasField(column) && !other.hasField(column)),
      });
      const fields = names.flatMap((name, column) =>
        source.hasField(column) && against.hasField(column)
          ? [{ name, unit: unitOf(name), ...trackOf(column) }]
          : [],
      );
      return {
        index,
        shift,
        matched,
        source: sideOf(source, against),
        against: sideOf(against, source),
        fields,
        absent: requested.filter(
          (field) =>
            !names.some(
              (name, column) => isUnder(name, field) && (source.hasField(column) || against.hasField(column)),
            ),
        ),
      };
    },
  };
}

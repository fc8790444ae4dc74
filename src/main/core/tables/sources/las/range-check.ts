import { unitPair } from '../../../../../shared/channels/units.ts';
import type { SourceColumn } from '../source.ts';
import type { HeaderLine } from './header-line.ts';

type Well = ReadonlyMap<string, HeaderLine>;

const numberOf = (well: Well, name: string): number => {
  const text = well.get(name)?.value ?? '';
  return text === '' ? Number.NaN : Number(text);
};

/**
 * Compares START and STOP of the header with the first and last index value.
 * @returns the difference, in words; null: equal, or not comparable
 */
export function rangeWarning(well: Well, first: string | undefined, last: string | undefined): string | null {
  const [start, stop] = [numberOf(well, 'STRT'), numberOf(well, 'STOP')];
  const [from, to] = [Number(first), Number(last)];
  if (first === undefined || last === undefined || ![start, stop, from, to].every(Number.isFinite))
    return null;
  const step = Math.abs(numberOf(well, 'STEP')) || 0;
  const tolerance = Math.max(step, Math.abs(stop - start) * 1e-6, 1e-6);
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance;
  if (isNear(start, from) && isNear(stop, to)) return null;
  return `The header gives the range ${start} to ${stop}, but the rows go from ${first} to ${last}. All rows are read.`;
}

/**
 * Compares the unit of START and STOP with that of the index curve.
 * @returns the difference, in words; null: equal, or one of them is unknown
 */
export function unitWarning(well: Well, index: SourceColumn | undefined): string | null {
  const unit = well.get('STRT')?.unit ?? well.get('STOP')?.unit ?? '';
  const pair = index?.unit ? unitPair(unit, index.unit) : undefined;
  if (!index || !pair || pair.from === pair.to) return null;
  return `The header gives the range in ${unit}, but the unit of the curve “${index.name}” is ${index.unit ?? ''}, which is used. Check which one is right.`;
}

/** Compares STEP of the header with the index of each row. */
export class StepCheck {
  readonly #step: number;
  #last = Number.NaN;
  /** Number of rows that differ. */
  count = 0;
  /** The first row that differs. */
  place: number | null = null;

  constructor(well: Well) {
    this.#step = numberOf(well, 'STEP');
  }

  take(cell: string | null | undefined, place: number): void {
    if (!Number.isFinite(this.#step) || this.#step === 0) return;
    const value = typeof cell === 'string' ? Number(cell) : Number.NaN;
    const difference = Math.abs(value - this.#last) - Math.abs(this.#step);
    this.#last = value;
    // Rounded indexes differ by less than a tenth of a step.
    if (!(Math.abs(difference) > Math.abs(this.#step) * 0.1)) return;
    this.place ??= place;
    this.count++;
  }

  message(): string | null {
    if (this.count === 0) return null;
    return `Rows with another step than ${this.#step}, which the header gives: ${this.count}. All rows are read.`;
  }
}

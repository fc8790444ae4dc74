import type { RepeatedHour } from '../tables/model/plan.ts';
import type { ResolvedTime } from './zones.ts';

/** A longer step against the order of rows is the start of another part of the file, not disorder. */
const maxDisorderMs = 3_600_000;

/** A step against the order of rows. */
interface Step {
  readonly sizeMs: number;
  /** Position of the row after it. */
  readonly at: number;
  /** Number of rows of the hour before it. */
  readonly rowsBefore: number;
}

/** The two longest steps in one direction. */
class LongestSteps {
  first: Step | null = null;
  #secondMs = -1;

  add(step: Step): void {
    if (this.first === null || step.sizeMs > this.first.sizeMs) {
      this.#secondMs = this.first?.sizeMs ?? -1;
      this.first = step;
    } else this.#secondMs = Math.max(this.#secondMs, step.sizeMs);
  }

  /**
   * The step at which the clocks went back; null: none can be told from the others.
   * @param disorderMs the longest step against the order elsewhere, in milliseconds; -1: none
   * @param rows of the hour
   */
  turn(disorderMs: number, rows: number): Step | null {
    const { first } = this;
    if (first === null || first.sizeMs <= disorderMs) return null;
    // Equal times are the two times of an hourly row, or duplicates.
    if (first.sizeMs === 0) return rows === 2 ? first : null;
    return this.#secondMs * 2 < first.sizeMs ? first : null;
  }
}

/** Consecutive rows of a well whose local times occur twice at one change of the clocks. */
class Hour {
  readonly from: number;
  to: number;
  rows = 1;
  rises = 0;
  falls = 0;
  readonly back = new LongestSteps();
  readonly ahead = new LongestSteps();

  constructor(at: number) {
    this.from = at;
    this.to = at;
  }

  add(stepMs: number, at: number): void {
    if (stepMs > 0) this.rises++;
    if (stepMs < 0) this.falls++;
    if (stepMs <= 0) this.back.add({ sizeMs: -stepMs, at, rowsBefore: this.rows });
    if (stepMs >= 0) this.ahead.add({ sizeMs: stepMs, at, rowsBefore: this.rows });
    this.rows++;
    this.to = at;
  }
}

/** The decisions about the hours of a well, and their numbers of rows. */
interface DecidedHours {
  readonly hours: readonly RepeatedHour[];
  readonly first: number;
  readonly second: number;
  readonly undecided: number;
  /** Position of the first row without a decision; null: none. */
  readonly undecidedAt: number | null;
}

const isInSameHour = (a: ResolvedTime, b: ResolvedTime): boolean =>
  a.laterMs !== null && b.laterMs !== null && Math.abs(a.ms - b.ms) < a.laterMs - a.ms;

/**
 * Decides by the order of a well's rows which of two times a local time has that occurs twice because clocks go back:
 * times rise from row to row, or fall, so that the step against this order is where the clocks went back.
 */
export class TimeOrder {
  #last: ResolvedTime | null = null;
  #open: Hour | null = null;
  readonly #hours: Hour[] = [];
  /** Of steps between times that differ in both readings. */
  #rises = 0;
  #falls = 0;
  /** The longest steps of at most an hour against each order; 0: equal times, -1: none. */
  #maxBackMs = -1;
  #maxAheadMs = -1;

  /**
   * Adds the time of the next row.
   * @param at its position in the file
   * @returns whether a new hour begins that occurs twice
   */
  add(time: ResolvedTime, at: number): boolean {
    const last = this.#last;
    this.#last = time;
    if (this.#open && last && isInSameHour(last, time)) {
      this.#open.add(time.ms - last.ms, at);
      return false;
    }
    if (last) this.#count(last, time);
    this.#open = time.laterMs === null ? null : new Hour(at);
    if (this.#open) this.#hours.push(this.#open);
    return this.#open !== null;
  }

  /** Counts a step by the readings that are closest to each other. */
  #count(from: ResolvedTime, to: ResolvedTime): void {
    const backMs = from.ms - (to.laterMs ?? to.ms);
    const aheadMs = to.ms - (from.laterMs ?? from.ms);
    if (backMs > 0) this.#falls++;
    if (aheadMs > 0) this.#rises++;
    if (backMs >= 0 && backMs <= maxDisorderMs) this.#maxBackMs = Math.max(this.#maxBackMs, backMs);
    if (aheadMs >= 0 && aheadMs <= maxDisorderMs) this.#maxAheadMs = Math.max(this.#maxAheadMs, aheadMs);
  }

  /** Whether times rise or fall from row to row; null: neither. */
  #isRising(): boolean | null {
    const rises = this.#rises;
    const falls = this.#falls;
    if (rises + falls > 0) return falls * 4 <= rises ? true : rises * 4 <= falls ? false : null;
    const inside = this.#hours.reduce((sum, hour) => sum + hour.rises - hour.falls, 0);
    return inside === 0 ? null : inside > 0;
  }

  /** The decisions, after the last row. */
  decide(): DecidedHours {
    const isRising = this.#isRising();
    const decided = { hours: [] as RepeatedHour[], first: 0, second: 0, undecided: 0 };
    let undecidedAt: number | null = null;
    for (const { from, to, rows, back, ahead } of this.#hours) {
      const turn =
        isRising === null
          ? null
          : isRising
            ? back.turn(this.#maxBackMs, rows)
            : ahead.turn(this.#maxAheadMs, rows);
      if (turn === null || isRising === null) {
        decided.undecided += rows;
        undecidedAt ??= from;
        continue;
      }
      decided.hours.push({ from, turn: turn.at, to, isRising });
      const before = turn.rowsBefore;
      decided.first += isRising ? before : rows - before;
      decided.second += isRising ? rows - before : before;
    }
    return { ...decided, undecidedAt };
  }
}

import { type Scan, type Layout, readRows, openSource, type NamedFile } from '../tables/tables.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { RepeatedReading, WellColumn, RepeatedHour } from './plan.ts';
import { joinCells, wellText } from './record-writer.ts';
import { timeReader, type ResolvedTime } from './times.ts';

type Finding = NonNullable<Scan['comments']>;

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
class TimeOrder {
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

/** Maximum number of wells whose rows are followed, and of hours of all of them. */
const maxWells = 10_000;
const maxHours = 10_000;

interface LocalTimeColumn {
  readonly index: number;
  readonly join: readonly number[];
  readonly format: string;
  readonly zone: string;
}

/** The columns of local times that can occur twice, and the columns that name the well of a row. */
export interface LocalTimes {
  readonly columns: readonly LocalTimeColumn[];
  readonly wells: readonly WellColumn[];
}

interface RepeatedTimesRequest extends NamedFile, LocalTimes {
  readonly layout: Layout;
  /** Number of data rows. */
  readonly rows: number;
  readonly nulls: readonly string[];
}

/** The local times of a column that occur twice because clocks go back. */
export interface RepeatedTimes {
  readonly index: number;
  readonly all: Finding;
  /** Number of rows that are the first and the second time, by the order of rows. */
  readonly first: number;
  readonly second: number;
  /** Those for which the order of rows decides nothing; null: none. */
  readonly undecided: Finding | null;
  readonly wells: readonly WellColumn[];
  readonly hours: RepeatedReading['hours'];
}

class ColumnOrder {
  readonly column: LocalTimeColumn;
  readonly #read: ReturnType<typeof timeReader>;
  readonly #orders = new Map<string, TimeOrder>();
  readonly #lines = new Map<number, number>();
  #hours = 0;
  #count = 0;
  #firstLine = 0;
  #areTooMany = false;

  constructor(column: LocalTimeColumn) {
    this.column = column;
    this.#read = timeReader(column.format, column.zone);
  }

  add(text: string, well: string, { line, start }: { readonly line: number; readonly start: number }): void {
    const time = this.#read(text);
    if (typeof time === 'string') return;
    if (time.laterMs !== null && this.#count++ === 0) this.#firstLine = line;
    if (this.#areTooMany) return;
    let order = this.#orders.get(well);
    if (!order) this.#orders.set(well, (order = new TimeOrder()));
    if (order.add(time, start)) {
      this.#hours++;
      this.#lines.set(start, line);
    }
    if (this.#hours <= maxHours && this.#orders.size <= maxWells) return;
    this.#areTooMany = true;
    this.#orders.clear();
  }

  /** Null: no time occurs twice. */
  end(wells: readonly WellColumn[]): RepeatedTimes | null {
    if (this.#count === 0) return null;
    const all = { count: this.#count, line: this.#firstLine };
    const counts = { index: this.column.index, all, wells };
    if (this.#areTooMany) return { ...counts, first: 0, second: 0, undecided: all, hours: [] };
    const hours: RepeatedReading['hours'] = [];
    let [first, second, undecided, undecidedAt] = [0, 0, 0, Infinity];
    for (const [well, order] of this.#orders) {
      const decided = order.decide();
      if (decided.hours.length > 0) hours.push({ well, hours: [...decided.hours] });
      first += decided.first;
      second += decided.second;
      undecided += decided.undecided;
      undecidedAt = Math.min(undecidedAt, decided.undecidedAt ?? Infinity);
    }
    const line = this.#lines.get(undecidedAt) ?? all.line;
    return {
      ...counts,
      first,
      second,
      undecided: undecided === 0 ? null : { count: undecided, line },
      hours,
    };
  }
}

/**
 * Reads a file once for the local times that occur twice, and decides about them by the order of rows. The decisions are
 * by position in the file, so that they are the same wherever a later reader starts. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function scanRepeatedTimes(request: RepeatedTimesRequest): RepeatedTimes[] {
  const { path, fileName, places, expected, layout, rows: total, columns, wells } = request;
  const nulls = new Set(request.nulls);
  const source = openSource(path, fileName, places, expected);
  try {
    const reader = readRows(fileName, source, layout, {
      byte: layout.dataStart,
      line: layout.dataLine,
      fleeting: true,
    });
    const orders = columns.map((column) => new ColumnOrder(column));
    for (let count = 0; count < total; count++) {
      const row = reader.next();
      if (!row) break;
      if (row.problem !== null) continue;
      const well = wellText(row, wells);
      for (const order of orders) {
        const { index, join } = order.column;
        const cells = [index, ...join].map((cellIndex) => row.text(cellIndex));
        const text = join.length > 0 ? joinCells(cells, nulls) : (cells[0] ?? '').trim();
        if (text !== '' && !nulls.has(text)) order.add(text, well, row.record);
      }
    }
    return orders.flatMap((order) => order.end(wells) ?? []);
  } finally {
    source.close();
  }
}

const timesOf = (count: number): string =>
  count === 1 ? '1 local time occurs' : `${count} local times occur`;

/**
 * Warnings about the local times of a column that occur twice, with the times that are used.
 * @param setting the reading that the mapping sets
 */
export function repeatedTimesWarnings(
  column: string,
  { all, first, second, undecided }: RepeatedTimes,
  setting: 'order' | 'first' | 'second',
): FileWarning[] {
  const about = (count: number) => `Column “${column}”: ${timesOf(count)} twice because clocks go back`;
  if (setting !== 'order') {
    const message = `${about(all.count)}; the ${setting} time is used, as the mapping sets.`;
    return [{ code: 'times_by_setting', message, column, ...all }];
  }
  const warnings: FileWarning[] = [];
  const count = first + second;
  if (count > 0) {
    const message = `${about(count)}. By the order of rows, ${first} ${first === 1 ? 'is' : 'are'} the first time and ${second} the second. To use one time for all, set "repeatedTimes" in a mapping to "first" or "second".`;
    warnings.push({ code: 'times_by_order', message, column, line: all.line, count });
  }
  if (undecided) {
    const message = `${about(undecided.count)}, and the order of rows doesn't decide which time is meant; the first is used. To use the second, set "repeatedTimes" in a mapping to "second".`;
    warnings.push({ code: 'time_twice', message, column, ...undecided });
  }
  return warnings;
}

import { needMore, type UnitWindow } from './unit-window.ts';

export const QUOTE = 0x22;
const SPACE = 0x20;
const TAB = 0x09;

/** A quote without a closing quote. */
export const unclosed = -2;

/** Maximum number of code units from a quote after blanks to its closing quote. */
const maxAfterBlanks = 64 << 10;

/** The ends of records that contain quotation marks, and their problems. */
export class QuotedRecords {
  readonly #window: UnitWindow;
  readonly #delimiter: number;
  /** Whether the last record has a quote that closes in the middle of a field. */
  bad = false;
  /** Whether it has a quoted field with blanks before its quote. */
  hasBlanks = false;
  /** How far the search for a closing quote went. */
  reach = 0;

  constructor(window: UnitWindow, delimiter: number) {
    this.#window = window;
    this.#delimiter = delimiter;
  }

  /** The end of a record with quotes; needMore or {@link unclosed} if it isn't known. */
  endFrom(from: number): number {
    const window = this.#window;
    this.bad = false;
    this.hasBlanks = false;
    let at = from;
    for (;;) {
      if (at < window.length && window.units[at] === QUOTE) {
        at = this.#closingEnd(at + 1);
        if (at < 0) return at;
      } else {
        const end = this.#endAfterBlanks(at);
        if (end === needMore) return end;
        if (end >= 0) {
          this.hasBlanks = true;
          at = end;
        } else while (at < window.length && window.units[at] !== this.#delimiter && !window.isBreak(at)) at++;
      }
      if (at + 1 >= window.length && !window.ended) return needMore;
      if (at >= window.length || window.units[at] !== this.#delimiter) return at;
      at++;
    }
  }

  /**
   * The position after a quoted field with blanks before its quote; unclosed: it is another field. A quote that encloses
   * no whole field, such as a ditto mark, is part of an unquoted one.
   */
  #endAfterBlanks(from: number): number {
    const window = this.#window;
    const unit = window.units[from];
    if (unit !== SPACE && unit !== TAB) return unclosed;
    const open = this.#skipBlanks(from);
    if (open >= window.length || window.units[open] !== QUOTE) return unclosed;
    const first = this.#endBehind(open + 1);
    if (first !== unclosed) return first === needMore ? needMore : unclosed;
    for (let at = open + 1; ;) {
      const quote = window.indexOf(QUOTE, at);
      if (Math.min(quote, window.length) - open > maxAfterBlanks) return unclosed;
      if (quote === Infinity) return window.ended ? unclosed : needMore;
      if (quote + 1 >= window.length && !window.ended) return needMore;
      if (quote + 1 >= window.length || window.units[quote + 1] !== QUOTE) return this.#endBehind(quote + 1);
      at = quote + 2;
    }
  }

  /** The position of the delimiter or line end after blanks; needMore, or unclosed if something else is there. */
  #endBehind(from: number): number {
    const window = this.#window;
    const behind = this.#skipBlanks(from);
    if (behind + 1 >= window.length && !window.ended) return needMore;
    const isEnd =
      behind >= window.length || window.units[behind] === this.#delimiter || window.isBreak(behind);
    return isEnd ? behind : unclosed;
  }

  /** From inside a quoted field: the position of the delimiter or line end after its closing quote. */
  #closingEnd(from: number): number {
    const window = this.#window;
    // Searched once, however many quotes are misplaced: after its line, a cell with a misplaced quote is unclosed.
    let firstBreak: number | null = null;
    let at = from;
    for (;;) {
      const quote = window.indexOf(QUOTE, at);
      this.reach = Math.min(quote, window.length);
      if (this.bad) {
        firstBreak ??= window.breakFrom(from);
        if (firstBreak !== needMore && firstBreak < quote) return firstBreak;
        if (quote === Infinity) return window.ended ? window.length : needMore;
      }
      if (quote === Infinity) return window.ended ? unclosed : needMore;
      if (quote + 1 >= window.length && !window.ended) return needMore;
      if (quote + 1 < window.length && window.units[quote + 1] === QUOTE) {
        at = quote + 2;
        continue;
      }
      const behind = this.#endBehind(quote + 1);
      if (behind === needMore) return needMore;
      if (behind !== unclosed) {
        this.bad = false;
        return behind;
      }
      // After its first line, a cell with a misplaced quote may as well be an unclosed one.
      firstBreak ??= window.breakFrom(from);
      this.bad = true;
      if (firstBreak !== needMore && firstBreak < quote) return unclosed;
      at = quote + 1;
    }
  }

  #skipBlanks(from: number): number {
    const { units, length } = this.#window;
    let at = from;
    while (at < length) {
      const unit = units[at];
      if (unit === this.#delimiter || (unit !== SPACE && unit !== TAB)) break;
      at++;
    }
    return at;
  }
}

import { needMore } from './unit-window.ts';
import type { UnitWindow } from './unit-window.ts';

export const QUOTE = 0x22;
const SPACE = 0x20;
const TAB = 0x09;

/** A quote without a closing quote. */
export const unclosed = -2;

/** The ends of records that contain quotation marks, and their problems. */
export class QuotedRecords {
  readonly #window: UnitWindow;
  readonly #delimiter: number;
  /** Whether the last record has a quote that closes in the middle of a field. */
  bad = false;
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
    let at = from;
    for (;;) {
      if (window.units[at] === QUOTE && at < window.length) {
        at = this.#closingEnd(at + 1);
        if (at < 0) return at;
      } else {
        while (at < window.length && window.units[at] !== this.#delimiter && !window.isBreak(at)) at++;
      }
      if (at + 1 >= window.length && !window.ended) return needMore;
      if (at >= window.length || window.units[at] !== this.#delimiter) return at;
      at++;
    }
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
      const behind = this.#skipBlanks(quote + 1);
      if (behind + 1 >= window.length && !window.ended) return needMore;
      if (behind >= window.length || window.units[behind] === this.#delimiter || window.isBreak(behind)) {
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

import { needMore } from './unit-window.ts';
import type { UnitWindow } from './unit-window.ts';

export const QUOTE = 0x22;
const SPACE = 0x20;
const TAB = 0x09;

/** For a quote that nothing closes. */
export const unclosed = -2;

/** Where records end that quotation marks hold together, and what is wrong with those marks. */
export class QuotedRecords {
  readonly #window: UnitWindow;
  readonly #delimiter: number;
  /** Whether the record looked at last has a quote that closes in the middle of a field. */
  bad = false;
  /** How far was looked for a closing quote. */
  reach = 0;

  constructor(window: UnitWindow, delimiter: number) {
    this.#window = window;
    this.#delimiter = delimiter;
  }

  /** Where a record with quotes ends; needMore or {@link unclosed} where that can't be told. */
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

  /** From inside a quoted field: where the delimiter or line end behind its closing quote stands. */
  #closingEnd(from: number): number {
    const window = this.#window;
    let at = from;
    for (;;) {
      const quote = window.indexOf(QUOTE, at);
      this.reach = Math.min(quote, window.length);
      if (this.bad) {
        const lineEnd = window.breakFrom(at);
        if (lineEnd !== needMore && lineEnd < quote) return lineEnd;
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
      // Beyond its first line, a cell with a misplaced quote may as well be one that was never closed.
      const crossed = window.breakFrom(from);
      this.bad = true;
      if (crossed !== needMore && crossed < quote) return unclosed;
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

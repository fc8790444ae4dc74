import { isUtf8 } from 'node:buffer';
import type { Columns } from '../records/columns.ts';
import type { Lines } from '../records/lines.ts';
import { leafFrom, leafTo, type ScannedPage, textIn } from '../records/scan.ts';
import { jsonError } from '../records/tokens.ts';

const quote = 34;
const comma = 44;
const backslash = 92;
const space = 32;

/**
 * Writes records as lines that the engine of tables reads: a JSON array of texts, one for each column in the order in which
 * the columns occurred, without the nulls at its end. A number is its text in the record, so that no digit is lost, and a
 * list or an object is its JSON. A later column only makes later lines longer.
 */
export class TableRows {
  readonly #columns: Columns;
  /** The position of each column's value in the page. */
  #starts = new Int32Array(256);
  #ends = new Int32Array(256);
  #page: ScannedPage | null = null;
  #isUtf8 = true;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /**
   * Adds the line of a record.
   * @param lead values before those of the columns
   * @throws AppError `bad_answer` for a text that isn't JSON
   */
  add(lines: Lines, page: ScannedPage, record: number, lead: readonly (string | null)[]): void {
    if (page !== this.#page) {
      this.#page = page;
      this.#isUtf8 = isUtf8(page.bytes);
    }
    const last = this.#locate(page, record);
    lines.byte(91);
    for (const [at, value] of lead.entries()) {
      if (at > 0) lines.byte(comma);
      lines.text(value === null ? 'null' : JSON.stringify(value));
    }
    for (let column = 0; column <= last; column += 1) {
      if (column + lead.length > 0) lines.byte(comma);
      const start = this.#starts[column] ?? -1;
      if (start < 0) lines.text('null');
      else this.#addValue(lines, page, start, this.#ends[column] ?? 0);
    }
    lines.text(']\n');
  }

  /** Finds the values of a record. @returns the number of the last column with a value; -1 without any */
  #locate(page: ScannedPage, record: number): number {
    const { leaves, bytes } = page;
    this.#starts.fill(-1);
    let last = -1;
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const column = this.#columns.addLeaf(page, leaf);
      const start = leaves[leaf + 1] ?? 0;
      if (column < 0 || bytes[start] === 110) continue;
      if (column >= this.#starts.length) this.#grow(column);
      this.#starts[column] = start;
      this.#ends[column] = leaves[leaf + 2] ?? 0;
      if (column > last) last = column;
    }
    return last;
  }

  #grow(column: number): void {
    const length = Math.max(column + 1, this.#starts.length * 2);
    const starts = new Int32Array(length).fill(-1);
    const ends = new Int32Array(length);
    starts.set(this.#starts);
    ends.set(this.#ends);
    this.#starts = starts;
    this.#ends = ends;
  }

  #addValue(lines: Lines, page: ScannedPage, start: number, end: number): void {
    const { bytes } = page;
    const first = bytes[start] ?? 0;
    lines.reserve(end - start + 2);
    const to = lines.bytes;
    let writeAt = lines.length;
    if (first === quote) {
      if (!this.#isUtf8) return addText(lines, stringAt(page, start, end));
      for (let at = start; at < end; at += 1, writeAt += 1) {
        const byte = bytes[at] ?? 0;
        if (byte === backslash || byte < space) return addText(lines, stringAt(page, start, end));
        to[writeAt] = byte;
      }
    } else if (first === 91 || first === 123) {
      return addText(lines, textIn(page, start, end));
    } else {
      to[writeAt] = quote;
      writeAt += 1;
      for (let at = start; at < end; at += 1, writeAt += 1) to[writeAt] = bytes[at] ?? 0;
      to[writeAt] = quote;
      writeAt += 1;
    }
    lines.length = writeAt;
  }
}

/** Adds a text; half of a surrogate pair, which no engine reads, is U+FFFD. */
const addText = (lines: Lines, text: string): void => lines.text(JSON.stringify(text.toWellFormed()));

function stringAt(page: ScannedPage, start: number, end: number): string {
  try {
    return String(JSON.parse(textIn(page, start, end)));
  } catch {
    throw jsonError(start, 'a text isn’t valid JSON');
  }
}

import type { Columns } from './columns.ts';
import type { Lines } from './lines.ts';
import { textIn, type ScannedPage } from './scan.ts';
import { timeFields, type ZoneWriter } from './zone.ts';

/** RFC 4180 ends lines with both, and so do spreadsheets. */
export const lineEnd = '\r\n';

const mustQuote = /[",\r\n]/;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A cell of RFC 4180. An empty text is quoted, so that it differs from nothing at all. */
export function cell(text: string): string {
  return text === '' || mustQuote.test(text) ? quoted(text) : text;
}

const comma = 44;
const quote = 34;

/**
 * Adds the cell for a value that stands in a page as JSON: numbers as they came, arrays and objects as JSON, null as
 * nothing.
 */
export function addCell(lines: Lines, page: ScannedPage, start: number, end: number): void {
  const { bytes } = page;
  switch (bytes[start] ?? 0) {
    case 110:
      return;
    case quote:
      if (isPlain(bytes, start + 1, end - 1)) lines.range(bytes, start + 1, end - 1);
      else lines.text(cell(String(JSON.parse(textIn(page, start, end)))));
      return;
    case 91:
    case 123:
      lines.text(cell(textIn(page, start, end)));
      return;
    default:
      lines.range(bytes, start, end);
  }
}

/** Whether a text can stand in a cell as it stands in JSON: not empty, nothing escaped, nothing to quote. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === 92 || byte === comma || byte === 13 || byte === 10) return false;
  }
  return end > start;
}

/** The header line; nothing for a table without columns. */
export const csvHeader = (paths: readonly string[]): string =>
  paths.length === 0 ? '' : paths.map(cell).join(',') + lineEnd;

/** Writes records as lines of CSV, with a fixed order of columns. */
export class CsvRows {
  readonly #columns: Columns;
  readonly #zone: ZoneWriter | null;
  /** Where a column stands in a line, and which positions hold times. */
  readonly #positions: Int32Array;
  readonly #isTime: readonly boolean[];
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(columns: Columns, paths: readonly string[], zone: ZoneWriter | null) {
    this.#columns = columns;
    this.#zone = zone;
    const numbers = paths.map((path) => columns.numberOf(path));
    this.#positions = new Int32Array(Math.max(0, ...numbers) + 1).fill(-1);
    numbers.forEach((number, position) => {
      this.#positions[number] = position;
    });
    this.#isTime = paths.map((path) => zone !== null && timeFields.has(path));
    this.#starts = new Int32Array(paths.length);
    this.#ends = new Int32Array(paths.length);
  }

  /** Adds the line of one record. */
  add(lines: Lines, page: ScannedPage, record: number): void {
    const starts = this.#starts;
    this.#place(page, record);
    for (let position = 0; position < starts.length; position += 1) {
      if (position > 0) lines.byte(comma);
      const start = starts[position] ?? -1;
      if (start >= 0) this.#add(lines, page, position, start);
    }
    lines.byte(13);
    lines.byte(10);
  }

  /** Finds out where each column's value stands in the page. */
  #place(page: ScannedPage, record: number): void {
    const { leaves, leafFrom } = page;
    this.#starts.fill(-1);
    const to = leafFrom[record + 1] ?? 0;
    for (let leaf = leafFrom[record] ?? 0; leaf < to; leaf += 3) {
      const position = this.#positions[this.#columns.of(leaves[leaf] ?? 0, true)] ?? -1;
      if (position < 0) continue;
      this.#starts[position] = leaves[leaf + 1] ?? 0;
      this.#ends[position] = leaves[leaf + 2] ?? 0;
    }
  }

  #add(lines: Lines, page: ScannedPage, position: number, start: number): void {
    const end = this.#ends[position] ?? 0;
    const time = this.#isTime[position] ? this.#zone?.write(textIn(page, start, end)) : null;
    if (time) lines.text(time);
    else addCell(lines, page, start, end);
  }
}

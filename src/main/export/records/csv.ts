import type { Columns } from './columns.ts';
import type { ScannedPage } from './scan.ts';
import { timeFields, type ZoneWriter } from './zone.ts';

/** RFC 4180 ends lines with both, and so do spreadsheets. */
export const lineEnd = '\r\n';

const mustQuote = /[",\r\n]/;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A cell of RFC 4180. An empty text is quoted, so that it differs from nothing at all. */
export function cell(text: string): string {
  return text === '' || mustQuote.test(text) ? quoted(text) : text;
}

/** The cell for a value that stands in a page as JSON: numbers as they came, arrays and objects as JSON, null as nothing. */
export function cellAt(text: string, start: number, end: number): string {
  switch (text.charCodeAt(start)) {
    case 110:
      return '';
    case 34: {
      const raw = text.slice(start + 1, end - 1);
      return cell(raw.includes('\\') ? String(JSON.parse(text.slice(start, end))) : raw);
    }
    case 91:
    case 123:
      return cell(text.slice(start, end));
    default:
      return text.slice(start, end);
  }
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

  /** The line of one record. */
  line(page: ScannedPage, record: number): string {
    const starts = this.#starts;
    this.#place(page, record);
    let line = '';
    for (let position = 0; position < starts.length; position += 1) {
      if (position > 0) line += ',';
      const start = starts[position] ?? -1;
      if (start >= 0) line += this.#cell(page.text, position, start);
    }
    return line + lineEnd;
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

  #cell(text: string, position: number, start: number): string {
    const end = this.#ends[position] ?? 0;
    const time = this.#isTime[position] ? this.#zone?.write(text.slice(start, end)) : null;
    return time ?? cellAt(text, start, end);
  }
}

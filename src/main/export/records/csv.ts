import type { Columns } from './columns.ts';
import { cell, type CsvForm } from './csv-form.ts';
import type { Lines } from './lines.ts';
import { textIn, type ScannedPage } from './scan.ts';
import { timeFields, type ZoneWriter } from './zone.ts';

const quote = 34;
const point = 46;
const comma = 44;

/**
 * Adds the cell for a value that stands in a page as JSON: numbers as they came, arrays and objects as JSON, null as
 * nothing.
 */
export function addCell(lines: Lines, page: ScannedPage, [start, end]: Span, form: CsvForm): void {
  const { bytes } = page;
  switch (bytes[start] ?? 0) {
    case 110:
      return;
    case quote:
      if (isPlain(bytes, start + 1, end - 1, form)) lines.range(bytes, start + 1, end - 1);
      else lines.text(cell(String(JSON.parse(textIn(page, start, end))), form));
      return;
    case 91:
    case 123:
      lines.text(cell(textIn(page, start, end), form));
      return;
    default:
      if (form.decimalComma) addNumber(lines, bytes, start, end);
      else lines.range(bytes, start, end);
  }
}

type Span = readonly [start: number, end: number];

function addNumber(lines: Lines, bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at += 1) lines.byte(bytes[at] === point ? comma : (bytes[at] ?? 0));
}

/** Whether a text can stand in a cell as it stands in JSON: not empty, nothing escaped, nothing to quote. */
function isPlain(bytes: Uint8Array, start: number, end: number, form: CsvForm): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === 92 || byte === form.delimiter || byte === 13 || byte === 10) return false;
  }
  return end > start && !(form.escapeFormulas && mayBeFormula(bytes[start]));
}

/** Whether a text that begins so must be looked at: `= + - @` and a tab. */
const mayBeFormula = (byte = 0): boolean =>
  byte === 61 || byte === 43 || byte === 45 || byte === 64 || byte === 9;

/** How the file begins, with the header line; nothing for a table without columns. */
export const csvHeader = (paths: readonly string[], form: CsvForm): string =>
  paths.length === 0
    ? ''
    : form.begin +
      paths.map((path) => cell(path, form)).join(String.fromCharCode(form.delimiter)) +
      form.lineEnd;

/** Writes records as lines of CSV, with a fixed order of columns. */
export class CsvRows {
  readonly #columns: Columns;
  readonly #zone: ZoneWriter | null;
  readonly #form: CsvForm;
  /** Where a column stands in a line, and which positions hold times. */
  readonly #positions: Int32Array;
  readonly #isTime: readonly boolean[];
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(
    columns: Columns,
    paths: readonly string[],
    { zone, form }: { readonly zone: ZoneWriter | null; readonly form: CsvForm },
  ) {
    this.#columns = columns;
    this.#zone = zone;
    this.#form = form;
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
      if (position > 0) lines.byte(this.#form.delimiter);
      const start = starts[position] ?? -1;
      if (start >= 0) this.#add(lines, page, position, start);
    }
    lines.text(this.#form.lineEnd);
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
    else addCell(lines, page, [start, end], this.#form);
  }
}

import { valueUnder } from '../../../shared/json.ts';
import { escapedFormula, quotedCell, type CsvStyle, type CsvLayout } from '../../../shared/csv.ts';
import { CellPlaces, type Columns } from './columns.ts';
import type { TextBuffer } from './text-buffer.ts';
import type { NullValues } from '../../../shared/export/export.ts';
import { isNumberStart } from './json-text.ts';
import { isNullAt } from './null-values.ts';
import { endOf, startOf, textIn, type ScannedPage } from './scan.ts';
import { type ZoneWriter, recordTimes, type TimeColumns } from './zone.ts';
import { fieldNamesOf } from '../../../shared/channels/plain-names.ts';
import { columnTexts } from '../../../shared/column-paths.ts';

const quote = 34;
const point = 46;
const comma = 44;
const minus = 45;

/**
 * Adds the cell of a JSON value: arrays and objects as JSON, null as an empty cell. Unchanged numbers usually
 * don't come here.
 */
function addCell(lines: TextBuffer, page: ScannedPage, { start, end, form }: Cell): void {
  const { bytes } = page;
  switch (bytes[start] ?? 0) {
    case 110:
      return;
    case quote:
      if (!addPlain(lines, bytes, { start: start + 1, end: end - 1, form }))
        lines.text(cell(String(JSON.parse(textIn(page, start, end))), form));
      return;
    case 91:
    case 123:
      lines.text(cell(textIn(page, start, end), form));
      return;
    default: {
      const text = textIn(page, start, end);
      lines.text(form.decimalComma ? text.replace('.', ',') : text);
    }
  }
}

interface Cell {
  readonly start: number;
  readonly end: number;
  readonly form: CsvForm;
}

/** Adds a string without escapes that needs no quotes. @returns false if the string needs another path */
function addPlain(lines: TextBuffer, bytes: Uint8Array, { start, end, form }: Cell): boolean {
  if (end <= start || (form.escapeFormulas && mayBeFormula(bytes[start]))) return false;
  lines.reserve(end - start);
  const to = lines.bytes;
  const { delimiter } = form;
  let writeAt = lines.length;
  for (let at = start; at < end; at += 1, writeAt += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 92 || byte === delimiter || byte === 13 || byte === 10) return false;
    to[writeAt] = byte;
  }
  lines.length = writeAt;
  return true;
}

/** Whether a string with this first byte could be a formula: `= + - @`, tab, and an apostrophe before them. */
const mayBeFormula = (byte = 0): boolean =>
  byte === 61 || byte === 43 || byte === 45 || byte === 64 || byte === 9 || byte === 39;

/** The start of the file with the header line; empty for a table without columns. */
export const csvHeader = (headings: readonly string[], form: CsvForm): string =>
  headings.length === 0
    ? ''
    : form.begin +
      headings.map((heading) => cell(heading, form)).join(String.fromCharCode(form.delimiter)) +
      form.lineEnd;

/** Writes records as CSV lines with fixed columns. */
export class CsvRows {
  readonly #cells: CellPlaces;
  readonly #zone: ZoneWriter | null;
  readonly #form: CsvForm;
  readonly #blanksNulls: boolean;
  readonly #lineEnd: Uint8Array;
  /** Which positions are times. */
  readonly #isTime: readonly boolean[];
  readonly #paths: readonly string[];

  constructor(
    columns: Columns,
    paths: readonly string[],
    {
      zone,
      form,
      nullValues,
    }: { readonly zone: ZoneWriter | null; readonly form: CsvForm; readonly nullValues: NullValues },
  ) {
    this.#blanksNulls = nullValues === 'blank';
    this.#cells = new CellPlaces(columns, paths);
    this.#zone = zone;
    this.#paths = paths;
    this.#form = form;
    this.#lineEnd = Buffer.from(form.lineEnd);
    this.#isTime = paths.map((path) => zone?.isTime(path) === true);
  }

  /** Values of columns that the table doesn't have are skipped. */
  add(lines: TextBuffer, page: ScannedPage, record: number): void {
    const { bytes } = page;
    const { starts, ends } = this.#cells;
    const { delimiter } = this.#form;
    const decimal = this.#form.decimalComma ? comma : point;
    this.#cells.locate(page, record);
    // Most cells are numbers, so they are copied inline; other cells use calls.
    const maxBytes = endOf(page, record) - startOf(page, record) + starts.length;
    lines.reserve(maxBytes);
    let to = lines.bytes;
    let writeAt = lines.length;
    for (let position = 0; position < starts.length; position += 1) {
      if (position > 0) {
        to[writeAt] = delimiter;
        writeAt += 1;
      }
      const start = starts[position] ?? -1;
      if (start < 0) continue;
      const end = ends[position] ?? 0;
      if (this.#blanksNulls && bytes[start] === minus && isNullAt(page, start, end)) continue;
      if (isNumberStart(bytes[start]) && !this.#isTime[position]) {
        for (let at = start; at < end; at += 1, writeAt += 1) {
          const byte = bytes[at] ?? 0;
          to[writeAt] = byte === point ? decimal : byte;
        }
        continue;
      }
      lines.length = writeAt;
      this.#add(lines, page, position, start);
      lines.reserve(maxBytes);
      to = lines.bytes;
      writeAt = lines.length;
    }
    lines.length = writeAt;
    for (const byte of this.#lineEnd) lines.byte(byte);
  }

  #add(lines: TextBuffer, page: ScannedPage, position: number, start: number): void {
    const end = this.#cells.ends[position] ?? 0;
    const time = this.#isTime[position]
      ? this.#zone?.write(this.#paths[position] ?? '', textIn(page, start, end))
      : null;
    if (time) lines.text(time);
    else addCell(lines, page, { start, end, form: this.#form });
  }
}

export type CsvForm = ReturnType<typeof csvForm>;

/** Prepares a CSV style for writing cells. */
export function csvForm({ delimiter, newline, bom, decimal, escapeFormulas }: CsvStyle) {
  return {
    delimiter: delimiter.charCodeAt(0),
    lineEnd: newline === 'LF' ? '\n' : '\r\n',
    begin: bom ? '\uFEFF' : '',
    decimalComma: decimal === ',',
    escapeFormulas,
  };
}

/** RFC 4180. */
export const standardCsv = csvForm({
  delimiter: ',',
  newline: 'CRLF',
  bom: false,
  decimal: '.',
  escapeFormulas: false,
});

const mustQuote = /["\r\n]/;

/** The cell of a string. An empty string is quoted, which distinguishes it from null. */
export function cell(text: string, { delimiter, escapeFormulas }: CsvForm = standardCsv): string {
  const escaped = escapeFormulas ? escapedFormula(text) : text;
  const isQuoted =
    escaped === '' || mustQuote.test(escaped) || escaped.includes(String.fromCharCode(delimiter));
  return isQuoted ? quotedCell(escaped) : escaped;
}

export type CsvHeadings = (paths: readonly string[]) => string[];

/** What engineers call the columns, as the row above their names; empty: the layout has no such row. */
export function plainRow({ names }: CsvLayout, paths: readonly string[]): string[][] {
  const nameOf = names && fieldNamesOf('plain', names);
  return nameOf ? [paths.map((path) => nameOf(path).text)] : [];
}

/**
 * Creates headings with units: `data.rop (ft/h)`. A time column without offsets has its time zone instead of a
 * unit.
 * @param timeZone the time zone of times; null: unchanged times
 */
export function csvHeadings(
  { units, times }: CsvLayout,
  timeZone: string | null,
  timeColumns: TimeColumns = recordTimes,
): CsvHeadings {
  const unitOf = (path: string): string | null => {
    if (timeZone === null || timeColumns.get(path) !== 'instant') return valueUnder(units, path) ?? null;
    return times === 'spreadsheet' ? timeZone : null;
  };
  return (paths) => {
    const names = columnTexts(paths);
    return paths.map((path, at) => {
      const unit = unitOf(path);
      const name = names[at] ?? path;
      return unit === null ? name : `${name} (${unit})`;
    });
  };
}

import { counted, type Finding, isTyped } from './columns.ts';
import { isTextFormula, unescapedFormula } from '../../../../shared/csv.ts';
import { isDelimiterLine, readerOptions, type Layout } from './layout.ts';
import {
  createFieldReader,
  numberSign,
  startsWithHash,
  type FieldReader,
  type Row,
  RecordReader,
  type RawRecord,
} from './records.ts';
import { unitWidth, openSource, type NamedFile, type RecordProblem, type Source } from './source.ts';
import { createJsonReader } from './recognize.ts';
import { LineNotes, type CellRow } from '../layout/head.ts';

/** The kind of a plain cell; anything but blanks and decimal digits must be read as text. */
const plainKinds = { other: 0, integer: 1, number: 2, empty: 3 } as const;

const other = plainKinds.other;
const apostrophe = 0x27;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
/** Maximum number of digits that a double keeps, wherever the point is. */
const maxDigits = 15;
const powers = Float64Array.from({ length: maxDigits + 1 }, (_, power) => 10 ** power);

/**
 * The cells of one record as bytes, without creating texts: most cells of most files are numbers, which are checked and
 * copied as bytes. One object serves all records of a reader.
 * A number here is `-`, digits without a leading zero, and after a point at least one digit: valid JSON. Its value is
 * exactly the result of `Number` for its text.
 */
export class PlainCells {
  bytes: Buffer = Buffer.alloc(0);
  count = 0;
  readonly #delimiter: number;
  /** For each cell: start and end in the bytes, its kind, and its value if it is a number. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
  readonly values: Float64Array;

  private constructor(delimiter: number, columns: number) {
    this.#delimiter = delimiter;
    const capacity = columns + 8;
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.kinds = new Uint8Array(capacity);
    this.values = new Float64Array(capacity);
  }

  /** Null for a delimiter that can be part of a number. */
  static for(delimiter: string, columns: number): PlainCells | null {
    return /^[^-\d.\0]$/.test(delimiter) ? new PlainCells(delimiter.charCodeAt(0), columns) : null;
  }

  isInteger(index: number): boolean {
    return this.kinds[index] === plainKinds.integer;
  }

  isNumber(index: number): boolean {
    return this.kinds[index] === plainKinds.integer || this.kinds[index] === plainKinds.number;
  }

  /** Whether a cell of the row has no text. */
  isEmpty(index: number): boolean {
    return index < this.count && this.kinds[index] === plainKinds.empty;
  }

  text(index: number): string {
    return this.bytes.toString('latin1', this.starts[index], this.ends[index]);
  }

  texts(): string[] {
    return Array.from({ length: this.count }, (_, index) => this.text(index));
  }

  /**
   * Splits a record without quotation marks into cells.
   * @returns false if it has non-ASCII bytes, NUL, a cell that begins with an apostrophe, which may be an escape, or many
   * more cells than there are columns
   */
  split(bytes: Buffer, start: number, end: number): boolean {
    this.bytes = bytes;
    const { starts, ends, kinds, values } = this;
    const delimiter = this.#delimiter;
    const capacity = starts.length;
    let at = start;
    for (let count = 0; count < capacity; count++) {
      const first = at;
      const negative = bytes[at] === minus && at < end;
      if (negative) at++;
      const digitsFrom = at;
      let value = 0;
      let unit = 0;
      while (at < end && (unit = (bytes[at] ?? 0) - zero) >= 0 && unit <= 9) {
        value = value * 10 + unit;
        at++;
      }
      const whole = at - digitsFrom;
      let fraction = 0;
      let kind: number = plainKinds.integer;
      if (whole > 0 && at < end && bytes[at] === point) {
        const from = ++at;
        while (at < end && (unit = (bytes[at] ?? 0) - zero) >= 0 && unit <= 9) {
          value = value * 10 + unit;
          at++;
        }
        fraction = at - from;
        kind = fraction === 0 ? other : plainKinds.number;
      }
      if (at < end && bytes[at] !== delimiter) {
        kind = other;
        if (bytes[first] === apostrophe) return false;
        for (; at < end; at++) {
          const byte = bytes[at] ?? 0;
          if (byte === delimiter) break;
          if (byte === 0 || byte >= 0x80) return false;
        }
      } else if (at === first) kind = plainKinds.empty;
      else if (whole === 0 || (whole > 1 && bytes[digitsFrom] === zero) || whole + fraction > maxDigits)
        kind = other;
      if (kind === plainKinds.integer || kind === plainKinds.number) {
        // Both operands are exact, so the quotient is rounded once, like parsing the text.
        const magnitude = fraction === 0 ? value : value / (powers[fraction] ?? 1);
        values[count] = negative ? -magnitude : magnitude;
      }
      starts[count] = first;
      ends[count] = at;
      kinds[count] = kind;
      if (at >= end) {
        this.count = count + 1;
        return true;
      }
      at++;
    }
    return false;
  }
}

export interface FileRow extends Omit<Row, 'cells'> {
  /** A call, because a plain row creates the texts. */
  texts(): readonly string[];
  /** The text of one cell; empty: the row has no such cell. */
  text(index: number): string;
  /** Its line in the original, if the file is a converted table; positions after it are those of the table. */
  readonly record: RawRecord;
  /** The cells as bytes, valid until the next row is read; null if the row must be read as text. */
  readonly plain: PlainCells | null;
  /** Number of blank cells at the end that its bytes omit; absent: none. */
  readonly omitted?: number;
}

/** Cells that are read without what protects them in spreadsheets. */
export interface Escapes extends Finding {
  /** The columns that have formulas of texts, such as `="00123"`: their values are texts. */
  readonly textColumns: ReadonlySet<number>;
}

interface RowsFrom {
  readonly byte: number;
  readonly line: number;
  /** Whether each row is processed before the next is read: then most rows need no texts. */
  readonly fleeting?: boolean;
  /** Takes the lines that start with # and are left out, unless rows are fleeting. */
  readonly onComment?: (row: CellRow) => void;
}

/** Reads rows in the order of the file, without blank lines and comments, from a byte where a record starts. */
export class RowReader {
  readonly #layout: Layout;
  readonly #placeOf: Source['placeOf'];
  readonly #records: RecordReader;
  readonly #readFields: FieldReader;
  readonly #plain: PlainCells | null;
  /** Those of all plain rows, which share their cells. */
  readonly #plainReaders = {
    texts: (): string[] => this.#plain?.texts() ?? [],
    text: (index: number): string =>
      this.#plain && index < this.#plain.count ? this.#plain.text(index) : '',
  };
  readonly #textColumns = new Set<number>();
  readonly #onComment: RowsFrom['onComment'];
  #escapes: Finding | null = null;
  /** Records that start with # and are left out; null: none. */
  comments: Finding | null = null;
  /** Rows that start with #, although other such records are comments; null: none. */
  hashRows: Finding | null = null;
  /** Its blank lines and comments, and its rows that start with #. */
  readonly notes = new LineNotes();

  /** @param from its line is that of the file itself, even for a converted table */
  constructor(
    { fileName, read, placeOf }: Pick<Source, 'fileName' | 'read' | 'placeOf'>,
    layout: Layout,
    { byte, line, fleeting = false, onComment }: RowsFrom,
  ) {
    this.#onComment = onComment;
    this.#layout = layout;
    this.#placeOf = placeOf;
    const options = { ...readerOptions(fileName, layout.encoding, layout), start: byte, line };
    this.#records = new RecordReader(read, options);
    this.#readFields = layout.jsonLines
      ? createJsonReader(layout)
      : createFieldReader(layout.delimiter, layout.quote, layout.columns.length);
    const isPlain = fleeting && !layout.jsonLines && unitWidth(layout.encoding) === 1;
    this.#plain = isPlain ? PlainCells.for(layout.delimiter, layout.columns.length) : null;
  }

  /** The next line to be read. */
  get line(): number {
    return this.#records.line;
  }

  /** Cells of rows whose escape of a formula was removed; null: none. */
  get escapes(): Escapes | null {
    return this.#escapes && { ...this.#escapes, textColumns: this.#textColumns };
  }

  /** The next row; null at the end. @throws AppError file_unsuitable */
  next(): FileRow | null {
    for (let raw = this.#records.next(); raw; raw = this.#records.next()) {
      if (isDelimiterLine(raw, this.#layout)) continue;
      const original = this.#placeOf?.(raw.line);
      const record = original ? { ...raw, line: original.place } : raw;
      const damage = original?.problem ?? null;
      const plain = damage === null && this.#plain ? this.#plainRow(record, this.#plain) : null;
      if (plain) return plain;
      const row = plain === null ? this.#textRow(record, damage) : null;
      if (row) return row;
    }
    return null;
  }

  /** The rows from the next one on. @throws AppError file_unsuitable */
  *all(): Generator<FileRow> {
    for (let row = this.next(); row; row = this.next()) yield row;
  }

  /** A plain row; null: the record must be read as text. Undefined for comments. */
  #plainRow(record: RawRecord, cells: PlainCells): FileRow | null | undefined {
    const { buffer, base } = this.#records;
    const { comments, hashColumns, dataStart, fillFrom, columns } = this.#layout;
    const start = record.start - base;
    if (record.hasQuotes || !cells.split(buffer, start, record.end - base)) return null;
    if (fillFrom !== undefined && cells.count < columns.length) return null;
    if (comments && buffer[start] === numberSign && record.end > record.start) {
      if (hashColumns || record.start < dataStart) return null;
      this.comments = counted(this.comments, record.line);
      return undefined;
    }
    if (cells.count === 1 && !cells.isNumber(0)) return null;
    const { texts, text } = this.#plainReaders;
    return { record, plain: cells, problem: null, oddQuotes: false, texts, text };
  }

  /** A row by its texts; null for blank lines and comments. */
  #textRow(record: RawRecord, damage: RecordProblem | null): FileRow | null {
    const { comments, jsonLines } = this.#layout;
    const row = this.#unescaped(this.#readFields(this.#records, record), record);
    const isBlank = row.cells.length === 1 && row.cells[0]?.trim() === '';
    if (isBlank && (!jsonLines || record.start === record.end)) {
      this.notes.add('blank', 'no text', { cells: [], line: record.line });
      return null;
    }
    if (comments && startsWithHash(row.cells, this.#records, record) && !this.#isHashRow(row, record))
      return null;
    const cells = filledCells(row, this.#layout);
    return {
      texts: () => cells,
      text: (index) => cells[index] ?? '',
      problem: row.problem ?? damage,
      oddQuotes: row.oddQuotes,
      repeatedNames: row.repeatedNames ?? false,
      record,
      plain: null,
      omitted: cells.length - row.cells.length,
    };
  }

  /** Whether a record that starts with # is a row, and counts it. */
  #isHashRow({ cells }: Row, { start, line }: RawRecord): boolean {
    const { dataStart, headerLine, unitLine, hashColumns = [], columns } = this.#layout;
    const isRow =
      start >= dataStart &&
      cells.length === columns.length &&
      hashColumns.some((column) => isTyped(cells[column]?.trim() ?? ''));
    if (line === headerLine || line === unitLine) return isRow;
    if (isRow) {
      this.hashRows = counted(this.hashRows, line);
      this.notes.add('row', 'begins with #, but contains values like the rows', { cells, line });
    } else {
      this.comments = counted(this.comments, line);
      this.notes.add('comment', 'begins with #', { cells, line });
      this.#onComment?.({ cells, line });
    }
    return isRow;
  }

  #unescaped(row: Row, { start, line }: RawRecord): Row {
    const { hasEscapes = false, dataStart } = this.#layout;
    if (!hasEscapes || row.problem !== null) return row;
    // Few rows have one.
    if (!row.cells.some((cell) => cell.startsWith("'") || cell.startsWith('="'))) return row;
    const cells = row.cells.map(unescapedFormula);
    if (start >= dataStart)
      for (const [at, cell] of row.cells.entries()) {
        if (cell !== cells[at]) this.#escapes = counted(this.#escapes, line);
        if (isTextFormula(cell)) this.#textColumns.add(at);
      }
    return { ...row, cells };
  }
}

export interface OpenTableFile extends Source {
  /** Its rows, from the first one or from a byte where a record starts. @param from its line is that of the file itself */
  rows(from?: Partial<RowsFrom>): RowReader;
}

/**
 * Opens a file again for its rows.
 * @throws AppError file_unreadable; file_changed if it is no longer what an earlier pass read
 */
export function openTableFile(
  { path, fileName, places, expected }: NamedFile,
  layout: Layout,
): OpenTableFile {
  const source = openSource(path, fileName, places, expected);
  const start = { byte: layout.dataStart, line: layout.dataLine };
  return { ...source, rows: (from) => new RowReader(source, layout, { ...start, ...from }) };
}

/** The cells of a row, with blank ones for those that the file omits at its end. */
function filledCells({ cells, problem }: Row, { fillFrom, columns }: Layout): readonly string[] {
  const missing = columns.length - cells.length;
  if (fillFrom === undefined || problem !== null || missing <= 0 || cells.length < fillFrom) return cells;
  return [...cells, ...Array.from({ length: missing }, () => '')];
}

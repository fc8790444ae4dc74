import type { Finding } from './column-facts.ts';
import { isTextFormula, unescapedFormula } from '../../../../shared/csv.ts';
import { isDelimiterLine, readerOptions } from './dialect.ts';
import { createFieldReader, startsWithHash, type Row, RecordReader, type RawRecord } from './records.ts';
import { createJsonReader } from './ndjson.ts';
import type { Layout } from './layout.ts';
import { PlainCells, plainKinds } from '../plain/plain-cells.ts';
import type { Source } from './source.ts';
import { isTyped } from './cells.ts';
import { LineNotes, type NotedLines } from '../layout/head.ts';

export interface FileRow extends Omit<Row, 'cells'> {
  /** The texts of all cells. A call, because a plain row creates them: read single ones by `cellOf`. */
  texts(): readonly string[];
  /** Its line in the original, if the file is a converted table; positions after it are those of the table. */
  readonly record: RawRecord;
  /** The cells as bytes, valid until the next row is read; null if the row must be read as text. */
  readonly plain: PlainCells | null;
  /** Number of blank cells at the end that its bytes omit; absent: none. */
  readonly omitted?: number;
}

/** A plain row: texts are created only for the cells that are used. */
class PlainRow implements FileRow {
  readonly record: RawRecord;
  readonly plain: PlainCells;
  readonly problem = null;
  readonly oddQuotes = false;

  constructor(record: RawRecord, plain: PlainCells) {
    this.record = record;
    this.plain = plain;
  }

  texts(): string[] {
    return this.plain.texts();
  }
}

/** The text of a cell; empty: the row has no such cell. */
export function cellOf(row: Pick<FileRow, 'plain' | 'texts'>, index: number): string {
  const { plain } = row;
  if (plain) return index < plain.count ? plain.text(index) : '';
  return row.texts()[index] ?? '';
}

/** Cells that are read without what protects them in spreadsheets. */
export interface Escapes extends Finding {
  /** The columns that have formulas of texts, such as `="00123"`: their values are texts. */
  readonly textColumns: ReadonlySet<number>;
}

export interface RowReader {
  /** The next row, without blank lines and comments. Null at the end. @throws AppError file_unsuitable */
  next(): FileRow | null;
  /** Records that start with # and are left out; null: none. */
  readonly comments: Finding | null;
  /** Rows that start with #, although other such records are comments; null: none. */
  readonly hashRows: Finding | null;
  /** Cells of rows whose escape of a formula was removed; null: none. */
  readonly escapes: Escapes | null;
  /** Its blank lines and comments, and its rows that start with #. */
  readonly notes: NotedLines;
  /** The next line to be read. */
  readonly line: number;
}

interface RowsFrom {
  readonly byte: number;
  readonly line: number;
  /** Whether each row is processed before the next is read: then most rows need no texts. */
  readonly fleeting?: boolean;
}

/**
 * Reads rows from a byte position where a record starts, for example at the start of the data or the end of a batch.
 * @param from its line is that of the file itself, even for a converted table
 */
export function readRows(
  fileName: string,
  { read, placeOf }: Pick<Source, 'read' | 'placeOf'>,
  layout: Layout,
  from: RowsFrom,
): RowReader {
  const options = {
    ...readerOptions(fileName, layout.encoding, layout),
    start: from.byte,
    line: from.line,
  };
  const reader = new RecordReader(read, options);
  const fields = layout.jsonLines
    ? createJsonReader(layout)
    : createFieldReader(layout.encoding, layout.delimiter);
  const plain =
    from.fleeting === true && !layout.jsonLines && options.width === 1
      ? PlainCells.for(layout.delimiter, layout.columns.length)
      : null;
  const findings: Record<'comments' | 'hashRows' | 'escapes', { count: number; line: number } | null> = {
    comments: null,
    hashRows: null,
    escapes: null,
  };
  const textColumns = new Set<number>();
  const notes = new LineNotes();
  const note = (kind: keyof typeof findings, line: number): void => {
    const entry = findings[kind];
    if (entry) entry.count++;
    else findings[kind] = { count: 1, line };
  };
  /** A row without the escapes of its cells. */
  const unescaped = (row: Row, { start, line }: RawRecord): Row => {
    if (layout.hasEscapes !== true || row.problem !== null) return row;
    // Few rows have one.
    if (!row.cells.some((cell) => cell.startsWith("'") || cell.startsWith('="'))) return row;
    const cells = row.cells.map(unescapedFormula);
    if (start >= layout.dataStart)
      for (const [at, cell] of row.cells.entries()) {
        if (cell !== cells[at]) note('escapes', line);
        if (isTextFormula(cell)) textColumns.add(at);
      }
    return { ...row, cells };
  };
  /** A plain row; null: the record must be read as text. Undefined for blank lines and comments. */
  const plainRow = (record: RawRecord, cells: PlainCells): FileRow | null | undefined => {
    const start = record.start - reader.base;
    if (record.hasQuotes || !cells.split(reader.buffer, start, record.end - reader.base)) return null;
    if (layout.fillFrom !== undefined && cells.count < layout.columns.length) return null;
    if (layout.comments && reader.buffer[start] === numberSign && record.end > record.start) {
      if (layout.hashColumns || record.start < layout.dataStart) return null;
      note('comments', record.line);
      return undefined;
    }
    if (cells.count > 1 || cells.kinds[0] === plainKinds.integer || cells.kinds[0] === plainKinds.number)
      return new PlainRow(record, cells);
    return null;
  };
  return {
    notes,
    get line() {
      return reader.line;
    },
    get comments() {
      return findings.comments;
    },
    get hashRows() {
      return findings.hashRows;
    },
    get escapes() {
      return findings.escapes && { ...findings.escapes, textColumns };
    },
    next() {
      for (let raw = reader.next(); raw; raw = reader.next()) {
        if (isDelimiterLine(raw, layout)) continue;
        const original = placeOf?.(raw.line);
        const record = original ? { ...raw, line: original.place } : raw;
        const damage = original?.problem ?? null;
        const quick = damage === null && plain ? plainRow(record, plain) : null;
        if (quick === undefined) continue;
        if (quick) return quick;
        const row = unescaped(fields.row(reader, record), record);
        const [first] = row.cells;
        if (
          row.cells.length === 1 &&
          first?.trim() === '' &&
          (!layout.jsonLines || record.start === record.end)
        ) {
          notes.add('blank', 'no text', { cells: [], line: record.line });
          continue;
        }
        if (
          layout.comments &&
          startsWithHash(row.cells, record.hasQuotes && row.problem === null, () =>
            fields.text(reader, record),
          )
        ) {
          const isRow = record.start >= layout.dataStart && isHashRow(row, layout);
          const isHeader = record.line === layout.headerLine || record.line === layout.unitLine;
          if (!isHeader) {
            note(isRow ? 'hashRows' : 'comments', record.line);
            if (isRow)
              notes.add('row', 'begins with #, but has values as rows have', { ...row, line: record.line });
            else notes.add('comment', 'begins with #', { ...row, line: record.line });
          }
          if (!isRow) continue;
        }
        const cells = filledCells(row, layout);
        return {
          texts: () => cells,
          problem: row.problem ?? damage,
          oddQuotes: row.oddQuotes,
          repeatedNames: row.repeatedNames ?? false,
          record,
          plain: null,
          omitted: cells.length - row.cells.length,
        };
      }
      return null;
    },
  };
}

/** The cells of a row, with blank ones for those that the file omits at its end. */
function filledCells({ cells, problem }: Row, { fillFrom, columns }: Layout): readonly string[] {
  const missing = columns.length - cells.length;
  if (fillFrom === undefined || problem !== null || missing <= 0 || cells.length < fillFrom) return cells;
  return [...cells, ...Array.from({ length: missing }, () => '')];
}

const numberSign = 0x23;

const isHashRow = ({ cells }: Row, { hashColumns = [], columns }: Layout): boolean =>
  cells.length === columns.length && hashColumns.some((column) => isTyped(cells[column]?.trim() ?? ''));

import { nullTexts, nullsOf } from '../../../../shared/upload/null-tokens.ts';
import { canNameWells } from '../../../../shared/wells/wells.ts';
import {
  asPoints,
  asTexts,
  ColumnCollector,
  counted,
  notationOf,
  type ColumnFacts,
  type Finding,
  type Notation,
} from './columns.ts';
import { maxWells } from '../../records/column-names.ts';
import { type Layout, readerOptions } from './layout.ts';
import { type FileRow, RowReader, type Escapes } from './rows.ts';
import type { RowFinding } from './warnings.ts';
import { isTotal, FooterWatch, ShortRows, isOneTable, TableWatch } from '../layout/below.ts';
import { createHash, type Hash } from 'node:crypto';
import type { Explanation, ReadingOptions } from '../../../../shared/upload/upload.ts';
import { recognize, recognizeWhole } from './recognize.ts';
import { explanationOf, LineNotes } from '../layout/head.ts';
import { openSource, type NamedFile, type Source, sampleBytes, type ReadAt } from './source.ts';
import { type LineEnd, RecordReader, type RawRecord } from './records.ts';
import { problem } from '../../records/targets.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';

/** Maximum share of rows that can be totals of others. */
const maxTotals = 0.34;

/** Number of rows at the start of a table that are explained. */
const explainedRows = 5;

class Gathering {
  readonly collectors: ColumnCollector[];
  readonly findings: Partial<Record<RowFinding, Finding>> = {};
  readonly distinct: Record<string, Map<string, Finding>> = {};
  readonly #watched: { index: number; values: Map<string, Finding> }[] = [];
  readonly #columns: Layout['columns'];
  readonly #width: number;
  readonly #hasTotals: boolean;
  readonly short: ShortRows;
  readonly notes = new LineNotes();
  rows = 0;

  constructor(layout: Layout, { distinct, nulls }: ScanRequest) {
    this.#columns = layout.columns;
    this.#width = layout.columns.length;
    this.#hasTotals = !layout.jsonLines && layout.columns.length > 1;
    this.short = new ShortRows(layout.columns.map(({ name }) => name));
    const preparedNulls = nullTexts(nulls);
    this.collectors = layout.columns.map(() => new ColumnCollector(preparedNulls));
    layout.columns.forEach(({ key, name }, index) => {
      if (distinct.includes(key) || canNameWells(name))
        this.#watched.push({ index, values: (this.distinct[key] = new Map()) });
    });
  }

  add(row: FileRow): void {
    this.rows++;
    const { problem, oddQuotes, repeatedNames, record } = row;
    if (oddQuotes) this.#find('odd_quotes', record.line);
    if (repeatedNames) this.#find('repeated_names', record.line);
    const cells = row.texts();
    if (problem !== null) {
      this.notes.add('row', `damaged: ${problem}`, { cells, line: record.line });
      return this.#find(problem, record.line);
    }
    this.short.add(cells, record.line);
    if (this.#hasTotals && isTotal(cells)) {
      this.#find('total_rows', record.line);
      this.notes.add('total', 'has a word such as Total, and counts as a row', {
        cells,
        line: record.line,
      });
    } else if (this.rows <= explainedRows) this.notes.add('row', 'values', { cells, line: record.line });
    if (cells.length > this.#width && cells.slice(this.#width).some((cell) => cell.trim() !== ''))
      this.#find('too_many_cells', record.line);
    for (let index = 0; index < this.#width && index < cells.length; index++)
      this.collectors[index]?.add(cells[index] ?? '', record.line);
    for (const { index, values } of this.#watched) {
      const value = cells[index]?.trim() ?? '';
      const finding = values.get(value);
      if (finding || (value !== '' && values.size <= maxWells))
        values.set(value, counted(finding, record.line));
    }
  }

  /**
   * The findings once all rows were added.
   * @param fillFrom minimum number of cells of rows whose missing cells are blank; undefined: no such rows
   */
  findingsOf(fillFrom: number | undefined): Partial<Record<RowFinding, Finding>> {
    const cut = this.short.shorter(0, fillFrom === undefined ? undefined : fillFrom - 1);
    const filled =
      fillFrom === undefined ? { count: 0, line: 0 } : this.short.shorter(fillFrom, this.short.needed - 1);
    const { total_rows: totals, ...findings } = this.findings;
    return {
      ...findings,
      // In more rows, the word is a value of its column.
      ...(totals && totals.count <= this.rows * maxTotals ? { total_rows: totals } : {}),
      ...(cut.count > 0 ? { too_few_cells: cut } : {}),
      ...(filled.count > 0 ? { filled_rows: filled } : {}),
    };
  }

  addFooter(rows: readonly FileRow[]): void {
    for (const row of rows)
      this.notes.add('footer', 'a total or a remark below the table', {
        cells: row.texts(),
        line: row.record.line,
      });
  }

  /** The minimum number of cells of rows whose missing cells are blank, as the user set or as rows show it. */
  fillFrom({ shortRows }: ReadingOptions, isConverted: boolean): number | undefined {
    if (shortRows === 'fill') return 1;
    const omitted = isConverted || shortRows === 'reject' ? null : this.short.fillFrom();
    return omitted ?? (this.short.needed < this.#width ? this.short.needed : undefined);
  }

  /**
   * The facts of each column, with the missing cells of rows as blank ones.
   * @param textColumns whose formulas say that their values are texts, beside those that the layout declares
   */
  factsOf(fillFrom: number | undefined, textColumns: ReadonlySet<number> = new Set()): ColumnFacts[] {
    return this.collectors.map((collector, index) => {
      const facts = collector.facts();
      const missing = fillFrom === undefined ? 0 : this.short.shorter(fillFrom, index).count;
      const filled = { ...facts, counts: { ...facts.counts, empty: facts.counts.empty + missing } };
      const type = this.#columns[index]?.type;
      if (type === 'text' || textColumns.has(index)) return asTexts(filled);
      return type === 'number' ? asPoints(filled) : filled;
    });
  }

  #find(what: RowFinding, line: number): void {
    this.findings[what] = counted(this.findings[what], line);
  }
}

export interface ScanRequest extends NamedFile {
  /** How the file is read, if known; null or absent: detected. */
  readonly layout?: Layout | null | undefined;
  readonly reading: ReadingOptions;
  /** All texts that are null values. */
  readonly nulls: readonly string[];
  /** Keys of columns whose distinct values are collected, beside those of columns that can name wells. */
  readonly distinct: readonly string[];
}

export interface Scan {
  readonly layout: Layout;
  /** Number of data rows, without those of the footer. */
  readonly rows: number;
  readonly columns: readonly ColumnFacts[];
  readonly notation: Notation;
  readonly endings: Readonly<Record<LineEnd, number>>;
  readonly findings: Readonly<Partial<Record<RowFinding, Finding>>>;
  readonly comments: Finding | null;
  /** Rows that start with #, although other such records are comments. */
  readonly hashRows: Finding | null;
  readonly escapes: Escapes | null;
  /** Number of footer rows, which are skipped. */
  readonly footer: Finding | null;
  /** Whether the footer was detected, not set by the user. */
  readonly footerDetected: boolean;
  /** Rows at the end that may not be data, but count as rows. */
  readonly doubtfulRows: Finding | null;
  /** The distinct values of the requested columns, with the first line of each. */
  readonly distinct: Readonly<Record<string, ReadonlyMap<string, Finding>>>;
  /** Whether the rows are not all those of one table below one header. */
  readonly hasTables: boolean;
  readonly explanation: Explanation;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/** Hashes bytes in order from a position; bytes that are read twice are hashed once. */
function hashing(read: ReadAt, hash: Hash, from: number): ReadAt {
  let hashed = from;
  return (into, offset, length, position) => {
    const readBytes = read(into, offset, length, position);
    const fresh = position + readBytes - hashed;
    if (fresh > 0) hash.update(into.subarray(offset + readBytes - fresh, offset + readBytes));
    hashed = Math.max(hashed, position + readBytes);
    return readBytes;
  };
}

/** @throws AppError file_unreadable, file_unsuitable */
function readAll(
  source: Source,
  request: ScanRequest,
  decided: Layout,
  footerRows: number,
): Omit<Scan, 'footerDetected' | 'doubtfulRows'> & { readonly foot: FooterWatch } {
  const { bytes, mtimeMs } = source;
  // Rows are counted as they are in the file.
  const layout = { ...decided, fillFrom: undefined };
  const mark = Buffer.alloc(layout.encoding.bom);
  source.read(mark, 0, mark.length, 0);
  const hash = createHash('sha256').update(mark);
  // A header that the user set is that of all rows below it. Tables of other formats are found when they are converted.
  const findsTables = !layout.jsonLines && source.placeOf === null && request.reading.headerRow === undefined;
  const tables = findsTables ? new TableWatch(layout) : null;
  const rows = new RowReader({ ...source, read: hashing(source.read, hash, mark.length) }, layout, {
    byte: mark.length,
    line: 1,
    onComment: (row) => tables?.addComment(row),
  });
  const gathering = new Gathering(layout, request);
  const foot = new FooterWatch(layout.columns.length, bytes);
  const endings: Record<LineEnd, number> = { LF: 0, CRLF: 0, CR: 0, none: 0 };
  const lastRows: FileRow[] = [];
  for (let row = rows.next(); row; row = rows.next()) {
    const { record } = row;
    endings[record.ending]++;
    tables?.add(row);
    if (record.start < layout.dataStart) continue;
    foot.add(row);
    lastRows.push(row);
    if (lastRows.length <= footerRows) continue;
    const settled = lastRows.shift();
    if (settled) gathering.add(settled);
  }
  gathering.addFooter(lastRows);
  const content = tables?.end() ?? null;
  const fillFrom = gathering.fillFrom(request.reading, source.placeOf !== null);
  const columns = gathering.factsOf(fillFrom, rows.escapes?.textColumns);
  return {
    layout: { ...layout, fillFrom },
    bytes,
    mtimeMs,
    sha256: hash.digest('hex'),
    rows: gathering.rows,
    columns,
    notation: notationOf(
      columns.filter((_, at) => layout.columns[at]?.type !== 'number'),
      layout.notationDelimiter ?? layout.delimiter,
    ),
    endings,
    findings: gathering.findingsOf(fillFrom),
    comments: rows.comments,
    hashRows: rows.hashRows,
    escapes: rows.escapes,
    footer: lastRows[0] ? { count: lastRows.length, line: lastRows[0].record.line } : null,
    distinct: gathering.distinct,
    hasTables: content !== null && !isOneTable(content),
    explanation: explanationOf(layout.head?.heads ?? [], [
      layout.head,
      content?.notes,
      gathering.notes,
      rows.notes,
    ]),
    foot,
  };
}

function scanWith(source: Source, request: ScanRequest, layout: Layout): Scan {
  const { footerRows } = request.reading;
  const { jsonLines } = layout;
  const first = readAll(source, request, layout, footerRows ?? 0);
  const detects = footerRows === undefined && !jsonLines;
  const detected = detects ? first.foot.detect(first.columns, first.notation) : null;
  const footerDetected = detected !== null && detected.footer > 0;
  // The effect of the footer on the columns can't be undone: the file is read again without it.
  const { foot: _foot, ...scan } = footerDetected ? readAll(source, request, layout, detected.footer) : first;
  const explanation = explanationOf(scan.explanation.heads, [detected?.notes, scan.explanation]);
  return { ...scan, footerDetected, doubtfulRows: detected?.doubtful ?? null, explanation };
}

/**
 * Reads a whole file once: its format, the content of its columns, warnings, and its hash. Memory doesn't grow with the
 * file. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input
 */
export function scan(request: ScanRequest): Scan {
  const { path, fileName, places, layout, reading } = request;
  using source = openSource(path, fileName, places);
  const isDecided = layout && !layout.jsonLines;
  return scanWith(source, request, isDecided ? layout : recognizeWhole(source, reading));
}

export interface PreviewRequest extends NamedFile {
  /** How the file is read, if already known. */
  readonly layout: Layout | null;
  readonly reading: ReadingOptions;
  /** The first line to show; absent: that of the first row. */
  readonly from?: number | undefined;
  readonly rows: number;
}

export interface PreviewRow {
  readonly line: number;
  /** The line after it: a row has several lines if quoted cells have line breaks. */
  readonly nextLine: number;
  readonly start: number;
  readonly cells: readonly string[];
  readonly problem: string | null;
}

export interface Preview {
  readonly layout: Layout;
  readonly rows: readonly PreviewRow[];
  readonly lines: readonly RawLine[];
}

/** Maximum number of characters shown of one cell. */
const maxCellLength = 500;
/** Maximum number of lines beyond those of the rows: a preamble, blank lines, cells with line breaks. */
const furtherLines = 50;

/** The line after a record, even if the file ends without a line end. */
const lineAfter = ({ nextLine, ending }: FileRow['record']): number =>
  ending === 'none' ? nextLine + 1 : nextLine;

/** Whether a row ends after the start of a line, or in a converted table is at or after that place. */
const endsBehind = ({ record }: FileRow, line: number, isConverted: boolean): boolean =>
  isConverted ? record.line >= line : lineAfter(record) > line;

const rowOf = (row: FileRow): PreviewRow => ({
  line: row.record.line,
  nextLine: lineAfter(row.record),
  start: row.record.start,
  cells: row.texts().map((cell) => (cell.length > maxCellLength ? `${cell.slice(0, maxCellLength)}…` : cell)),
  problem: row.problem === null ? null : problem(row.problem, null).message,
});

/** The rows of a footer that appear among the first rows. */
function footerOfSmall({ path, fileName, places, layout, reading }: PreviewRequest, bytes: number): number {
  if (bytes > sampleBytes) return 0;
  const request = { path, fileName, places, layout, reading, nulls: nullsOf({}), distinct: [] };
  return scan(request).footer?.count ?? 0;
}

/**
 * Rows of a file, the first ones or those from a line on, and their lines. Nothing after them is read, so that the
 * start of the largest file appears at once.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input
 */
export function previewFile(request: PreviewRequest): Preview {
  const { path, fileName, places, layout: givenLayout, reading, from, rows: wanted } = request;
  using source = openSource(path, fileName, places);
  const layout = givenLayout ?? recognize(source, reading);
  const { footerRows = footerOfSmall(request, source.bytes) } = reading;
  const reader = new RowReader(source, layout, { byte: layout.dataStart, line: layout.dataLine });
  // With as many extra rows as a footer can have, all rows before them are certainly data.
  const read: PreviewRow[] = [];
  let row = reader.next();
  for (; row && read.length < wanted + footerRows; row = reader.next())
    if (from === undefined || endsBehind(row, from, source.placeOf !== null)) read.push(rowOf(row));
  const data = Math.max(read.length - footerRows, 0);
  const rows = read.slice(0, data);
  // Places of the original aren't shown in the form of the converted table.
  if (source.placeOf) return { layout, rows, lines: [] };
  const first = from === undefined ? undefined : read[0];
  const lines = readRawLines(fileName, source.read, layout, {
    rows: read.slice(0, row ? data : read.length),
    data,
    byte: first?.start ?? layout.encoding.bom,
    line: first?.line ?? 1,
    count: wanted + furtherLines,
    continues: row !== null,
  });
  return { layout, rows, lines };
}

interface RawLinesFrom {
  /** The rows that were read from these lines; those from `data` on are the footer that the user set. */
  readonly rows: readonly PreviewRow[];
  readonly data: number;
  readonly byte: number;
  readonly line: number;
  readonly count: number;
  /** Whether the file continues after the rows: later lines aren't shown then, because they are not classified. */
  readonly continues: boolean;
}

/** Maximum number of characters shown of one line. */
const maxLineLength = 2000;

/** Lines of a file as they are, regardless of quotes, each with its classification. @throws AppError file_unsuitable */
function readRawLines(
  fileName: string,
  read: ReadAt,
  layout: Layout,
  { rows, data, byte, line, count, continues }: RawLinesFrom,
): RawLine[] {
  const { header, unitLine, dataStart, jsonLines, comments } = layout;
  const options = { ...readerOptions(fileName, layout.encoding, layout), quotes: false, start: byte, line };
  const reader = new RecordReader(read, options);
  const end = continues ? (rows.at(-1)?.nextLine ?? line) : Infinity;
  const kindOf = (record: RawRecord, text: string): RawLine['kind'] => {
    const { start, line: at } = record;
    if (header && start >= header.start && start < Math.max(header.end, header.start + 1)) return 'header';
    if (unitLine !== null && (at === unitLine || (at >= unitLine && start < dataStart))) return 'units';
    const row = rows.findIndex(({ line: first, nextLine }) => at >= first && at < nextLine);
    if (row >= 0) return row >= data ? 'foot' : 'row';
    if (text.trim() === '') return 'blank';
    return comments && !jsonLines && text.startsWith('#') ? 'comment' : 'left_out';
  };
  const lines: RawLine[] = [];
  for (const record of reader.all().take(count)) {
    if (record.line >= end) break;
    const text = reader.text(record);
    lines.push({
      line: record.line,
      text: text.slice(0, maxLineLength),
      cut: text.length > maxLineLength,
      ending: record.ending,
      kind: kindOf(record, text),
    });
  }
  return lines;
}

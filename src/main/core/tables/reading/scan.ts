import { nullTexts } from '../../../../shared/upload/null-tokens.ts';
import { type Finding, ColumnCollector, type ColumnFacts, canNameWells, asTexts } from './column-facts.ts';
import type { Layout } from './layout.ts';
import { type FileRow, readRows, type Escapes } from './rows.ts';
import type { RowFinding } from './warnings.ts';
import { isTotal, FooterWatch, ShortRows, isOneTable, TableWatch } from '../layout/below.ts';
import { createHash, type Hash } from 'node:crypto';
import type { Explanation, ReadingOptions } from '../../../../shared/upload/upload.ts';
import { columnsOfLines, jsonLayout } from './ndjson.ts';
import { recognize } from './recognize.ts';
import { explanationOf, LineNotes } from '../layout/head.ts';
import { encodingFrom, isAsciiUpTo, openSource, type NamedFile, type Source } from './source.ts';
import type { LineEnd, ReadAt } from './records.ts';

/** A column with more distinct values than this is not a column of wells. */
export const maxDistinct = 20_000;

/** Maximum share of rows that can be totals of others. */
const maxTotals = 0.34;

/** Number of rows at the start of a table that are explained. */
const explainedRows = 5;

/** Collects facts from the rows of one file. */
class Gathering {
  readonly collectors: ColumnCollector[];
  readonly findings: Partial<Record<RowFinding, { count: number; line: number }>> = {};
  readonly distinct: Record<string, Map<string, { count: number; line: number }>> = {};
  readonly #watched: { index: number; values: Map<string, { count: number; line: number }> }[] = [];
  readonly #width: number;
  readonly #hasTotals: boolean;
  /** Rows with fewer cells than the header. */
  readonly short: ShortRows;
  readonly notes = new LineNotes();
  rows = 0;

  constructor(layout: Layout, { distinct, nulls }: ScanRequest) {
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
      this.notes.add('total', 'begins with a word such as Total, and counts as a row', {
        cells,
        line: record.line,
      });
    } else if (this.rows <= explainedRows) this.notes.add('row', 'values', { cells, line: record.line });
    if (cells.length > this.#width && cells.slice(this.#width).some((cell) => cell.trim() !== ''))
      this.#find('too_many_cells', record.line);
    for (let index = 0; index < this.#width && index < cells.length; index++)
      this.collectors[index]?.add(cells[index] ?? '', record.line);
    for (const { index, values } of this.#watched)
      this.#watch(values, cells[index]?.trim() ?? '', record.line);
  }

  /**
   * The findings once all rows were added.
   * @param fillFrom minimum number of cells of rows whose missing cells are blank; undefined: no such rows
   */
  findingsOf(fillFrom: number | undefined): Partial<Record<RowFinding, Finding>> {
    const cut = this.short.shorter(0, fillFrom === undefined ? undefined : fillFrom - 1);
    const filled = fillFrom === undefined ? { count: 0, line: 0 } : this.short.shorter(fillFrom);
    const { total_rows: totals, ...findings } = this.findings;
    return {
      ...findings,
      // In more rows, the word is a value of its column.
      ...(totals && totals.count <= this.rows * maxTotals ? { total_rows: totals } : {}),
      ...(cut.count > 0 ? { too_few_cells: cut } : {}),
      ...(filled.count > 0 ? { filled_rows: filled } : {}),
    };
  }

  /** The facts of each column, with the missing cells of rows as blank ones. */
  factsOf(fillFrom: number | undefined): ColumnFacts[] {
    return this.collectors.map((collector, index) => {
      const facts = collector.facts();
      const missing = fillFrom === undefined ? 0 : this.short.shorter(fillFrom, index).count;
      return { ...facts, counts: { ...facts.counts, empty: facts.counts.empty + missing } };
    });
  }

  #watch(values: Map<string, { count: number; line: number }>, value: string, line: number): void {
    const entry = values.get(value);
    if (entry) entry.count++;
    else if (value !== '' && values.size <= maxDistinct) values.set(value, { count: 1, line });
  }

  #find(what: RowFinding, line: number): void {
    const finding = this.findings[what];
    if (finding) finding.count++;
    else this.findings[what] = { count: 1, line };
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

/** The result of one pass over the whole file. */
export interface Scan {
  readonly layout: Layout;
  /** Number of data rows, without those of the footer. */
  readonly rows: number;
  readonly columns: readonly ColumnFacts[];
  readonly endings: Readonly<Record<LineEnd, number>>;
  readonly findings: Readonly<Partial<Record<RowFinding, Finding>>>;
  readonly comments: Finding | null;
  /** Rows that start with #, although other such records are comments. */
  readonly hashRows: Finding | null;
  /** Cells whose escape of a formula was removed. */
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
  /** What its lines were taken for. */
  readonly explanation: Explanation;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/** The file isn't in the encoding that its start suggested. */
class OtherEncoding extends Error {
  /** The position of the first contradiction. */
  readonly byte: number;
  constructor(byte: number) {
    super('the bytes are not valid in the encoding');
    this.byte = byte;
  }
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

interface Pass {
  readonly layout: Layout;
  /** Whether the encoding is a guess, so that invalid bytes lead to another guess. */
  readonly isGuessed: boolean;
}

/** A header that the user set is that of all rows below it. Tables of other formats are found when they are converted. */
const findsTables = ({ reading }: ScanRequest, { jsonLines }: Layout, source: Source): boolean =>
  !jsonLines && source.placeOf === null && reading.headerRow === undefined;

/** The minimum number of cells of rows whose missing cells are blank, as the user set it or as the file has them. */
function fillFromOf({ reading }: ScanRequest, { short }: Gathering, source: Source): number | undefined {
  if (reading.shortRows !== undefined) return reading.shortRows === 'fill' ? 1 : undefined;
  return source.placeOf === null ? (short.fillFrom() ?? undefined) : undefined;
}

/** @throws OtherEncoding, AppError file_unreadable, file_unsuitable */
function readAll(
  source: Source,
  request: ScanRequest,
  { layout: decided, isGuessed }: Pass,
  footerRows: number,
): Omit<Scan, 'footerDetected' | 'doubtfulRows'> & { readonly foot: FooterWatch } {
  const { bytes, mtimeMs } = source;
  // Rows are counted as they are in the file.
  const layout = { ...decided, fillFrom: undefined };
  const mark = Buffer.alloc(layout.encoding.bom);
  source.read(mark, 0, mark.length, 0);
  const hash = createHash('sha256').update(mark);
  const rows = readRows(
    request.fileName,
    { read: hashing(source.read, hash, mark.length), placeOf: source.placeOf },
    layout,
    { byte: mark.length, line: 1 },
  );
  const gathering = new Gathering(layout, request);
  const foot = new FooterWatch(layout.columns.length, bytes);
  const tables = findsTables(request, layout, source) ? new TableWatch(layout) : null;
  const endings: Record<LineEnd, number> = { LF: 0, CRLF: 0, CR: 0, none: 0 };
  const lastRows: FileRow[] = [];
  for (let row = rows.next(); row; row = rows.next()) {
    const { record } = row;
    endings[record.ending]++;
    tables?.add(row);
    if (record.start < layout.dataStart) continue;
    if (row.problem === 'bad_bytes' && isGuessed && isAsciiUpTo(source, record.start))
      throw new OtherEncoding(record.start);
    foot.add(row);
    lastRows.push(row);
    if (lastRows.length <= footerRows) continue;
    const settled = lastRows.shift();
    if (settled) gathering.add(settled);
  }
  for (const row of lastRows)
    gathering.notes.add('footer', 'a total or a remark below the table', {
      cells: row.texts(),
      line: row.record.line,
    });
  const content = tables?.end() ?? null;
  const fillFrom = fillFromOf(request, gathering, source);
  const facts = gathering.factsOf(fillFrom);
  return {
    layout: { ...layout, fillFrom },
    bytes,
    mtimeMs,
    sha256: hash.digest('hex'),
    rows: gathering.rows,
    columns: facts.map((column, index) =>
      layout.columns[index]?.isText === true || rows.escapes?.textColumns.has(index) === true
        ? asTexts(column)
        : column,
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

function scanWith(source: Source, request: ScanRequest, pass: Pass): Scan {
  const { footerRows } = request.reading;
  const { delimiter, jsonLines } = pass.layout;
  const first = readAll(source, request, pass, footerRows ?? 0);
  const detects = footerRows === undefined && !jsonLines;
  const detected = detects ? first.foot.detect(first.columns, delimiter) : null;
  const footerDetected = detected !== null && detected.footer > 0;
  // The effect of the footer on the columns can't be undone: the file is read again without it.
  const { foot: _foot, ...scan } = footerDetected ? readAll(source, request, pass, detected.footer) : first;
  const explanation = explanationOf(scan.explanation.heads, [detected?.notes, scan.explanation]);
  return { ...scan, footerDetected, doubtfulRows: detected?.doubtful ?? null, explanation };
}

/** JSON lines are read twice: the set of columns is known only at the end. */
function scanJsonLines(source: Source, request: ScanRequest, encoding: Layout['encoding']): Scan {
  const { paths, areTexts } = columnsOfLines(request.fileName, source.read, encoding);
  const result = scanWith(source, request, {
    layout: jsonLayout(encoding, paths),
    isGuessed: false,
  });
  return {
    ...result,
    columns: result.columns.map((facts, index) => (areTexts[index] === true ? asTexts(facts) : facts)),
  };
}

/**
 * Reads a whole file once: its format, the content of its columns, warnings, and its hash. Memory doesn't grow with the
 * file. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input
 */
export function scan(request: ScanRequest): Scan {
  const source = openSource(request.path, request.fileName, request.places);
  try {
    if (request.layout && !request.layout.jsonLines)
      return scanWith(source, request, { layout: request.layout, isGuessed: false });
    const recognized = recognize(request.fileName, source, request.reading);
    if (recognized.jsonLines) return scanJsonLines(source, request, recognized.encoding);
    try {
      const { name, bom } = recognized.encoding;
      const isGuessed = request.reading.encoding === undefined && name === 'UTF-8' && bom === 0;
      return scanWith(source, request, { layout: recognized, isGuessed });
    } catch (error) {
      if (!(error instanceof OtherEncoding)) throw error;
      const encoding = encodingFrom(source, error.byte);
      const reading = { ...request.reading, encoding: encoding.name };
      const layout = { ...recognize(request.fileName, source, reading), encoding };
      return scanWith(source, request, { layout, isGuessed: false });
    }
  } finally {
    source.close();
  }
}

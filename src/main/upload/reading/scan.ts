import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { ReadingOptions } from '../../../shared/upload.ts';
import { asTexts, ColumnCollector } from './column-facts.ts';
import type { ColumnFacts } from './column-facts.ts';
import { createFootWatch } from './foot.ts';
import { jsonLayout, pathsOf } from './json-lines.ts';
import type { Layout } from './layout.ts';
import { recognise } from './recognise.ts';
import type { PlainCells } from './plain-cells.ts';
import type { ReadAt, RecordEnd } from './records.ts';
import { readRows } from './rows.ts';
import type { FileRow } from './rows.ts';
import { openSource, sampleBytes } from './source.ts';
import type { Source } from './source.ts';

export interface ScanRequest {
  readonly path: string;
  readonly fileName: string;
  readonly reading: ReadingOptions;
  /** Texts that a person says stand for no value. */
  readonly nulls: readonly string[];
  /** Keys of columns whose different values are wanted, for example names of wells. */
  readonly distinct: readonly string[];
}

export type RowFinding =
  | 'too_many_cells'
  | 'too_few_cells'
  | 'unclosed_quote'
  | 'bad_quotes'
  | 'odd_quotes'
  | 'bad_bytes'
  | 'nul_bytes'
  | 'bad_json';

/** How often something was found, and the first line of it. */
export interface Finding {
  readonly count: number;
  readonly line: number;
}

/** What one reading of the whole file tells. */
export interface Scan {
  readonly layout: Layout;
  /** Data rows, those that are said to be a foot left out. */
  readonly rows: number;
  readonly columns: readonly ColumnFacts[];
  readonly endings: Readonly<Record<RecordEnd, number>>;
  readonly findings: Readonly<Partial<Record<RowFinding, Finding>>>;
  readonly comments: Finding | null;
  /** Rows at the end that don't look like data. */
  readonly foot: Finding | null;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
  /** The different values of the columns asked for, with the first line of each. */
  readonly distinct: Readonly<Record<string, ReadonlyMap<string, number>>>;
}

/** More different values than this in a column of wells are no wells. */
export const maxDistinct = 20_000;

/** The file is not in the encoding that its start let suppose. */
class OtherEncoding extends Error {}

/** Hashes what passes by, from a position on, in order; what is read twice is hashed once. */
function hashing(read: ReadAt, hash: Hash, from: number): ReadAt {
  let hashed = from;
  return (into, offset, length, position) => {
    const got = read(into, offset, length, position);
    const fresh = position + got - hashed;
    if (fresh > 0) hash.update(into.subarray(offset + got - fresh, offset + got));
    hashed = Math.max(hashed, position + got);
    return got;
  };
}

function asciiUpTo(source: Source, end: number): boolean {
  const part = Buffer.alloc(sampleBytes);
  for (let at = 0; at < end;) {
    const got = source.read(part, 0, Math.min(part.length, end - at), at);
    if (got === 0) break;
    if (!isAscii(part.subarray(0, got))) return false;
    at += got;
  }
  return true;
}

/** Gathers what the rows of one file tell. */
class Gathering {
  readonly collectors: ColumnCollector[];
  readonly findings: Partial<Record<RowFinding, { count: number; line: number }>> = {};
  readonly distinct: Record<string, Map<string, number>> = {};
  readonly #watched: { index: number; values: Map<string, number> }[] = [];
  readonly #width: number;
  rows = 0;

  constructor(layout: Layout, { distinct, nulls }: ScanRequest) {
    this.#width = layout.columns.length;
    this.collectors = layout.columns.map(() => new ColumnCollector(new Set(nulls)));
    for (const key of distinct) {
      const index = layout.columns.findIndex((column) => column.key === key);
      if (index >= 0) this.#watched.push({ index, values: (this.distinct[key] = new Map()) });
    }
  }

  add(row: FileRow): void {
    this.rows++;
    // Ragged rows are told of by their cells.
    if (row.plain?.count === this.#width) return this.#addPlain(row.plain, row.record.line);
    const { cells, problem, oddQuotes, record } = row;
    if (oddQuotes) this.#find('odd_quotes', record.line);
    if (problem !== null) return this.#find(problem, record.line);
    if (cells.length < this.#width) this.#find('too_few_cells', record.line);
    else if (cells.length > this.#width && cells.slice(this.#width).some((cell) => cell.trim() !== ''))
      this.#find('too_many_cells', record.line);
    for (let index = 0; index < this.#width && index < cells.length; index++)
      this.collectors[index]?.add(cells[index] ?? '', record.line);
    for (const { index, values } of this.#watched)
      this.#watch(values, cells[index]?.trim() ?? '', record.line);
  }

  #addPlain(cells: PlainCells, line: number): void {
    const { collectors } = this;
    for (let index = 0; index < collectors.length; index++) collectors[index]?.addPlain(cells, index, line);
    for (const { index, values } of this.#watched) this.#watch(values, cells.text(index).trim(), line);
  }

  #watch(values: Map<string, number>, value: string, line: number): void {
    if (value !== '' && values.size <= maxDistinct && !values.has(value)) values.set(value, line);
  }

  #find(what: RowFinding, line: number): void {
    const found = this.findings[what];
    if (found) found.count++;
    else this.findings[what] = { count: 1, line };
  }
}

function scanWith(
  source: Source,
  request: ScanRequest,
  layout: Layout,
  guessed: boolean,
  onBytes: (bytes: number) => void,
): Scan {
  const hash = createHash('sha256');
  const mark = Buffer.alloc(layout.encoding.bom);
  source.read(mark, 0, mark.length, 0);
  hash.update(mark);
  const rows = readRows(request.fileName, hashing(source.read, hash, mark.length), layout, {
    byte: layout.encoding.bom,
    line: 1,
    // Rows that are held back until the end of the file is known have to last.
    fleeting: request.reading.footerRows === 0,
  });
  const gathering = new Gathering(layout, request);
  const foot = createFootWatch(layout.columns.length);
  const endings: Record<RecordEnd, number> = { LF: 0, CRLF: 0, CR: 0, none: 0 };
  const held: FileRow[] = [];
  for (let row = rows.next(); row; row = rows.next()) {
    endings[row.record.ending]++;
    if (row.record.start < layout.dataStart) continue;
    if (row.problem === 'bad_bytes' && guessed && asciiUpTo(source, row.record.start))
      throw new OtherEncoding();
    foot.add(row);
    held.push(row);
    if (held.length <= request.reading.footerRows) continue;
    const settled = held.shift();
    if (settled) gathering.add(settled);
    if (gathering.rows % 4096 === 0) onBytes(row.record.next);
  }
  return {
    layout,
    rows: gathering.rows,
    columns: gathering.collectors.map((collector) => collector.facts()),
    endings,
    findings: gathering.findings,
    comments: rows.firstComment === null ? null : { count: rows.commentLines, line: rows.firstComment },
    foot: request.reading.footerRows > 0 ? null : foot.found(),
    bytes: source.bytes,
    mtimeMs: source.mtimeMs,
    sha256: hash.digest('hex'),
    distinct: gathering.distinct,
  };
}

/** JSON lines are read twice: which columns there are shows only at the end. */
function scanJsonLines(
  source: Source,
  request: ScanRequest,
  encoding: Layout['encoding'],
  onBytes: (bytes: number) => void,
): Scan {
  const paths = pathsOf(request.fileName, source.read, encoding);
  const found = scanWith(source, request, jsonLayout(encoding, paths.keys()), false, onBytes);
  const areTexts = [...paths.values()];
  return {
    ...found,
    foot: null,
    columns: found.columns.map((facts, index) => (areTexts[index] === true ? asTexts(facts) : facts)),
  };
}

/**
 * Reads a whole file once: how it is written, what its columns hold, what is odd about it, and its hash.
 * Memory does not grow with the file. For worker threads: it blocks.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input
 */
export function scan(request: ScanRequest, onBytes: (bytes: number) => void = () => undefined): Scan {
  const source = openSource(request.path, request.fileName);
  try {
    const recognised = recognise(request.fileName, source, request.reading);
    if (recognised.jsonLines) return scanJsonLines(source, request, recognised.encoding, onBytes);
    const layout = recognised;
    const guessed =
      request.reading.encoding === undefined && layout.encoding.name === 'UTF-8' && layout.encoding.bom === 0;
    try {
      return scanWith(source, request, layout, guessed, onBytes);
    } catch (error) {
      if (!(error instanceof OtherEncoding)) throw error;
      const reading = { ...request.reading, encoding: 'Windows-1252' };
      return scanWith(source, request, recognise(request.fileName, source, reading), false, onBytes);
    }
  } finally {
    source.close();
  }
}

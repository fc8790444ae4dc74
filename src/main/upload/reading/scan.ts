import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import { asTexts } from './column-type.ts';
import { isGuessed } from './divide.ts';
import { detectEncoding } from './encoding.ts';
import { detectFooter } from './foot.ts';
import type { Finding } from './gathering.ts';
import { jsonLayout, pathsOf } from './json-lines.ts';
import type { Layout } from './layout.ts';
import { recognise } from './recognise.ts';
import type { ReadAt } from './unit-window.ts';
import { OtherEncoding, scanPart } from './scan-part.ts';
import type { Part } from './scan-part.ts';
import { openSource, sampleBytes } from './source.ts';
import type { Source } from './source.ts';

export interface ScanRequest {
  readonly path: string;
  readonly fileName: string;
  readonly reading: ReadingOptions;
  /** Every text that stands for null. */
  readonly nulls: readonly string[];
  /** Keys of columns whose distinct values are wanted, beside those of columns that can name wells. */
  readonly distinct: readonly string[];
}

/** What one reading of the whole file tells. */
export interface Scan extends Omit<Part, 'lines' | 'foot' | 'damaged'> {
  readonly layout: Layout;
  /** Rows at the end that may be no data, but count as rows. */
  readonly doubtfulRows: Finding | null;
  /** Whether the footer was detected, not named by a person. */
  readonly footerDetected: boolean;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/** What all parts of a file tell, joined. @param footerRows as a person says; undefined: they are detected */
export function scanOf(
  { lines: _lines, damaged: _damaged, foot, ...told }: Part,
  layout: Layout,
  file: Pick<Scan, 'bytes' | 'mtimeMs' | 'sha256'>,
  footerRows: number | undefined,
): Scan {
  const isOpen = footerRows === undefined && told.footer === null && !layout.jsonLines;
  const doubtfulRows = isOpen ? detectFooter(foot, told.columns, layout.delimiter).doubtful : null;
  return {
    layout,
    ...told,
    ...file,
    doubtfulRows,
    footerDetected: footerRows === undefined && told.footer !== null,
  };
}

/** How many rows at the end of a file are its footer, by all that was read of it. */
export const footerRowsOf = ({ foot, columns }: Part, { delimiter, jsonLines }: Layout): number =>
  jsonLines ? 0 : detectFooter(foot, columns, delimiter).footer;

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

function scanWith(
  source: Source,
  request: ScanRequest,
  layout: Layout,
  guessed: boolean,
  onBytes: (bytes: number) => void,
): Scan {
  const { footerRows: said } = request.reading;
  const readAll = (footerRows: number): { part: Part; sha256: string } => {
    const hash = createHash('sha256');
    const mark = Buffer.alloc(layout.encoding.bom);
    source.read(mark, 0, mark.length, 0);
    hash.update(mark);
    const place = { from: layout.encoding.bom, line: 1, guessed, footerRows };
    const read = hashing(source.read, hash, mark.length);
    const part = scanPart(source, request, layout, place, { read, onBytes });
    return { part, sha256: hash.digest('hex') };
  };
  const first = readAll(said ?? 0);
  // What the footer did to the columns can't be taken back: they are read again without it.
  const footerRows = said === undefined ? footerRowsOf(first.part, layout) : 0;
  const { part, sha256 } = footerRows > 0 ? readAll(footerRows) : first;
  const { bytes, mtimeMs } = source;
  return scanOf(part, layout, { bytes, mtimeMs, sha256 }, said);
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
    try {
      return scanWith(source, request, layout, isGuessed(request, layout), onBytes);
    } catch (error) {
      if (!(error instanceof OtherEncoding)) throw error;
      const later = Buffer.alloc(sampleBytes);
      const got = source.read(later, 0, later.length, error.byte);
      const encoding = detectEncoding(later.subarray(0, got), error.byte + got >= source.bytes);
      const reading = { ...request.reading, encoding: encoding.name };
      const otherwise = { ...recognise(request.fileName, source, reading), encoding };
      return scanWith(source, request, otherwise, false, onBytes);
    }
  } finally {
    source.close();
  }
}

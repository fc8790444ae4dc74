import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { ReadingOptions } from '../../../shared/upload.ts';
import { asTexts } from './column-type.ts';
import { isGuessed } from './divide.ts';
import { footOf } from './foot.ts';
import type { Finding } from './gathering.ts';
import { jsonLayout, pathsOf } from './json-lines.ts';
import type { Layout } from './layout.ts';
import { recognise } from './recognise.ts';
import type { ReadAt } from './unit-window.ts';
import { OtherEncoding, scanPart } from './scan-part.ts';
import type { Part } from './scan-part.ts';
import { openSource } from './source.ts';
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

/** What one reading of the whole file tells. */
export interface Scan extends Omit<Part, 'lines' | 'foot' | 'damaged'> {
  readonly layout: Layout;
  /** Rows at the end that don't look like data. */
  readonly foot: Finding | null;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/** What all parts of a file tell, joined. @param footerRows rows at the end that are said to be no data */
export function scanOf(
  { lines: _lines, damaged: _damaged, foot, ...told }: Part,
  layout: Layout,
  file: Pick<Scan, 'bytes' | 'mtimeMs' | 'sha256'>,
  footerRows: number,
): Scan {
  return { layout, ...told, ...file, foot: footerRows > 0 ? null : footOf(foot) };
}

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
  const hash = createHash('sha256');
  const mark = Buffer.alloc(layout.encoding.bom);
  source.read(mark, 0, mark.length, 0);
  hash.update(mark);
  const place = { from: layout.encoding.bom, line: 1, guessed };
  const read = hashing(source.read, hash, mark.length);
  const part = scanPart(source, request, layout, place, { read, onBytes });
  const { bytes, mtimeMs } = source;
  return scanOf(part, layout, { bytes, mtimeMs, sha256: hash.digest('hex') }, request.reading.footerRows);
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
    try {
      return scanWith(source, request, layout, isGuessed(request, layout), onBytes);
    } catch (error) {
      if (!(error instanceof OtherEncoding)) throw error;
      const reading = { ...request.reading, encoding: 'Windows-1252' };
      return scanWith(source, request, recognise(request.fileName, source, reading), false, onBytes);
    }
  } finally {
    source.close();
  }
}

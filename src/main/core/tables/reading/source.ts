import { recordProblems, type RecordProblem, type ReadAt, textEnd } from './records.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { readFailureReason } from '../../files/file-errors.ts';
import { openRegularSync } from '../../files/regular-file.ts';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync, type Stats } from '../../../world/files.ts';
import { isAscii, isUtf8 } from 'node:buffer';
import { detectByLetters, detectEncoding, type Encoding } from './encoding.ts';

interface OriginalRow {
  readonly place: number;
  /** Why its cells are unreliable; null: they are reliable. */
  readonly problem: RecordProblem | null;
}

/** Maps a line of a converted table to its row in the original. */
type PlaceOf = (line: number) => OriginalRow;

/** The bits above them have the number of the problem; 0: none. */
const placeBits = 28;

/** A row of the original as 32 bits. */
export const placeNumber = (place: number, problem: RecordProblem | null): number =>
  ((problem === null ? 0 : recordProblems.indexOf(problem) + 1) * 2 ** placeBits + place) >>> 0;

const rowOf = (bits: number): OriginalRow => ({
  place: bits % 2 ** placeBits,
  problem: recordProblems[Math.floor(bits / 2 ** placeBits) - 1] ?? null,
});

const bytesPerPlace = 4;
const blockPlaces = 16_384;

/**
 * Reads a map of rows: 32 bits for each line of the table, little-endian. One block is cached, because rows are
 * mostly read in order.
 */
function readPlaces(read: ReadAt): PlaceOf {
  const block = Buffer.alloc(blockPlaces * bytesPerPlace);
  let first = -1;
  let bytes = 0;
  return (line) => {
    const at = line - 1;
    const start = at - (at % blockPlaces);
    if (start !== first) {
      bytes = read(block, 0, block.length, start * bytesPerPlace);
      first = start;
    }
    const offset = (at - start) * bytesPerPlace;
    return offset + bytesPerPlace <= bytes
      ? rowOf(block.readUInt32LE(offset))
      : { place: line, problem: null };
  };
}

/** Bytes of a file that are examined to detect its format. */
export const sampleBytes = 1 << 20;

/** An open file, read by position. Blocks: for worker threads. */
export interface Source {
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly read: ReadAt;
  /** The place in the original of a line of a converted table; null: the lines are those of the file. */
  readonly placeOf: PlaceOf | null;
  /** The first bytes, at most {@link sampleBytes}, without the end mark of DOS. */
  sample(): Buffer;
  /** Whether size or modification time differ from those at opening. */
  touched(): boolean;
  /** Does nothing after the first call. */
  close(): void;
}

const unreadable = (file: string, cause: unknown): AppError =>
  new AppError('file_unreadable', { file, reason: readFailureReason(cause) }, { cause });

const reading =
  (fd: number, fileName: string): ReadAt =>
  (into, offset, length, position) => {
    try {
      return readSync(fd, into, offset, length, position);
    } catch (error) {
      throw unreadable(fileName, error);
    }
  };

/** What an earlier pass over a file saw of it. */
export type FileStamp = Pick<Source, 'bytes' | 'mtimeMs'>;

/**
 * Opens a file.
 * @param places the map of a converted table to places of the original
 * @param expected what an earlier pass found there; absent: this is the first
 * @throws AppError file_unreadable; file_changed if it is no longer what an earlier pass read
 */
export function openSource(
  path: string,
  fileName: string,
  places: string | null = null,
  expected?: FileStamp,
): Source {
  const fd = openRegularSync(path, fileName);
  let placesFd: number | null = null;
  let opened: Stats;
  try {
    opened = fstatSync(fd);
    placesFd = places === null ? null : openRegularSync(places, fileName);
  } catch (error) {
    closeSync(fd);
    if (error instanceof AppError) throw error;
    throw unreadable(fileName, error);
  }
  const read = reading(fd, fileName);
  let isOpen = true;
  const source: Source = {
    placeOf: placesFd === null ? null : readPlaces(reading(placesFd, fileName)),
    bytes: opened.size,
    mtimeMs: opened.mtimeMs,
    read,
    sample() {
      const sample = Buffer.alloc(Math.min(sampleBytes, opened.size));
      const length = read(sample, 0, sample.length, 0);
      return sample.subarray(0, length < opened.size ? length : textEnd((at) => sample[at], length));
    },
    touched() {
      const now = fstatSync(fd);
      return now.size !== opened.size || now.mtimeMs !== opened.mtimeMs;
    },
    close() {
      // The system gives the number of a closed file to the next one that is opened.
      if (isOpen) for (const open of [fd, placesFd]) if (open !== null) closeSync(open);
      isOpen = false;
    },
  };
  if (expected && (expected.bytes !== source.bytes || expected.mtimeMs !== source.mtimeMs)) {
    source.close();
    throw new AppError('file_changed', { file: fileName });
  }
  return source;
}

/** A file to read, or its converted table. */
export interface NamedFile {
  readonly path: string;
  /** Its name in messages. */
  readonly fileName: string;
  /** The map of a converted table to places of the original; null or absent: the lines are those of the file. */
  readonly places?: string | null | undefined;
  /** What an earlier pass over it found: nothing else is read. Absent: this is the first pass. */
  readonly expected?: FileStamp | undefined;
}

const chunkBytes = 4 << 20;

/** The SHA-256 of a whole file. Blocks: for worker threads. @throws AppError file_unreadable */
export function hashFile({ path, fileName }: NamedFile): { sha256: string; bytes: number } {
  const source = openSource(path, fileName);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, source.bytes + 1));
    let bytes = 0;
    for (;;) {
      const readBytes = source.read(chunk, 0, chunk.length, bytes);
      if (readBytes === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(chunk.subarray(0, readBytes));
      bytes += readBytes;
    }
  } finally {
    source.close();
  }
}

/** Where the first line begins that isn't ASCII, before a byte; null: there is none. */
function firstOtherLine(source: Source, end: number, onRead: () => void): number | null {
  const chunk = Buffer.alloc(sampleBytes);
  for (let at = 0; at < end;) {
    onRead();
    const readBytes = source.read(chunk, 0, Math.min(chunk.length, end - at), at);
    if (readBytes === 0) return null;
    const bytes = chunk.subarray(0, readBytes);
    if (!isAscii(bytes)) {
      const high = bytes.findIndex((byte) => byte >= 0x80);
      return at + bytes.lastIndexOf(0x0a, high) + 1;
    }
    at += readBytes;
  }
  return null;
}

/**
 * The line, from 1, with the first byte that isn't ASCII.
 * @throws AppError file_unreadable
 */
export function lineOfFirstLetter(source: Source, onRead: () => void = () => undefined): number {
  const lineEnd = source.sample().includes(0x0a) ? 0x0a : 0x0d;
  const chunk = Buffer.alloc(sampleBytes);
  let line = 1;
  for (let at = 0; ;) {
    onRead();
    const readBytes = source.read(chunk, 0, chunk.length, at);
    const bytes = chunk.subarray(0, readBytes);
    const high = isAscii(bytes) ? -1 : bytes.findIndex((byte) => byte >= 0x80);
    const start = high < 0 ? bytes : bytes.subarray(0, high);
    for (let end = start.indexOf(lineEnd); end >= 0; end = start.indexOf(lineEnd, end + 1)) line += 1;
    if (high >= 0 || readBytes === 0) return line;
    at += readBytes;
  }
}

/** Whether the file is ASCII before a byte. @throws AppError file_unreadable */
export const isAsciiUpTo = (source: Source, end: number): boolean =>
  firstOtherLine(source, end, () => undefined) === null;

/** The encoding by the letters from a line on that isn't UTF-8. @throws AppError file_unreadable */
export function encodingFrom(source: Source, byte: number): Encoding {
  const sample = Buffer.alloc(sampleBytes);
  const readBytes = source.read(sample, 0, sample.length, byte);
  return detectByLetters(sample.subarray(0, readBytes), byte + readBytes >= source.bytes);
}

/**
 * Detects the encoding of a whole file. Its start may be ASCII: then the first line that isn't decides, as it does
 * in `scan`.
 * @throws AppError file_unreadable
 */
export function detectWholeEncoding(source: Source, onRead: () => void = () => undefined): Encoding {
  const sample = source.sample();
  const encoding = detectEncoding(sample, sample.length >= source.bytes);
  if (encoding.name !== 'UTF-8' || encoding.bom > 0 || !isAscii(sample)) return encoding;
  const start = firstOtherLine(source, source.bytes, onRead);
  if (start === null) return encoding;
  const bytes = Buffer.alloc(sampleBytes);
  const line = bytes.subarray(0, source.read(bytes, 0, bytes.length, start));
  const end = line.indexOf(0x0a);
  return isUtf8(end < 0 ? line : line.subarray(0, end)) ? encoding : encodingFrom(source, start);
}

import { AppError } from '../../../../shared/errors/errors.ts';
import { readFailureReason } from '../../files/file-errors.ts';
import { openRegularSync } from '../../files/regular-file.ts';
import { readPlaces, type PlaceOf } from './places.ts';
import { textEnd, type ReadAt } from './unit-window.ts';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync, type Stats } from '../../../world/files.ts';

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

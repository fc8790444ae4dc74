import { basename, dirname } from 'node:path';
import type * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { cutTo, writeWhole, flushFolder } from '../files/disk.ts';
import { isMissing, writeError } from '../files/file-errors.ts';
import { open, readFile, type FileHandle } from '../../world/files.ts';

/** A journal of one JSON line per entry, append-only. An incomplete last line is left out when it is opened. */
export interface Journal<E> {
  /** The entries at the time the job was opened, in order. */
  readonly entries: readonly E[];
  /**
   * Appends entries; with `flush` they are on disk (fdatasync) when the promise resolves. Calls follow each other.
   * @throws AppError `disk_full`; other errors of the file system
   */
  append(entries: readonly E[], options?: { flush?: boolean }): Promise<void>;
  close(): Promise<void>;
}

interface Content<E> {
  readonly entries: E[];
  /** Their lines; what follows them was not written completely. */
  readonly lines: Buffer;
}

/**
 * Reads the entries of a journal up to its end, or to the tail that a kill or a power loss leaves: a line without its end,
 * or zeros, which JSON never has. A damaged line elsewhere is an error, because the lines after it can't be trusted.
 * @param name file name for errors
 */
function readContent<E>(bytes: Buffer, entry: z.ZodType<E>, name: string): Content<E> {
  const zeros = bytes.indexOf(0);
  const length = bytes.subarray(0, zeros < 0 ? bytes.length : zeros).lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, length);
  const damaged = (index: number, cause?: unknown): AppError => {
    const reason = `line ${index + 1} of the job's journal is damaged`;
    return new AppError('file_unreadable', { file: name, reason }, { cause });
  };
  const entries = linesOf(lines).map((line, index) => {
    try {
      return entry.parse(JSON.parse(line));
    } catch (cause) {
      throw damaged(index, cause);
    }
  });
  // Entries after zeros: the zeros are no tail.
  const isFollowed = linesOf(bytes.subarray(length, bytes.lastIndexOf(0x0a) + 1)).some(
    (line) => entry.safeParse(jsonOrNull(line)).success,
  );
  if (isFollowed) throw damaged(entries.length);
  return { entries, lines };
}

const linesOf = (bytes: Buffer): string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

const readOrEmpty = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return Buffer.alloc(0);
    throw error;
  });

/**
 * Reads the entries of a journal, and changes nothing.
 * @param path absolute path; a missing file has no entries
 * @throws AppError `file_unreadable` with the damaged line; errors of the file system
 */
export async function readJournal<E>(path: string, entry: z.ZodType<E>): Promise<readonly E[]> {
  return readContent(await readOrEmpty(path), entry, basename(path)).entries;
}

/**
 * Opens a journal to append to, creating it; its name is on disk then. What it has is written again: a system reports a
 * failed flush once, so that the process after it could trust lines that are only in memory.
 * @param path absolute path
 * @throws AppError `file_unreadable` with the damaged line, `file_unwritable` or `disk_full` if it can't be written;
 *   other errors of the file system
 */
export async function openJournal<E>(path: string, entry: z.ZodType<E>): Promise<Journal<E>> {
  const name = basename(path);
  const bytes = await readOrEmpty(path);
  const { entries, lines } = readContent(bytes, entry, name);
  const file = await openToAppend(path, lines, bytes.length > 0).catch((error: unknown) => {
    throw writeError(error, name, lines.length);
  });
  let writtenBytes = lines.length;
  /** Why nothing can be appended any more: the end of the file, or what is on disk of it, is uncertain. */
  let failure: unknown = null;
  return {
    entries,
    async append(values, { flush = false } = {}) {
      if (failure !== null) throw failure;
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
      let isWritten = false;
      try {
        await file.appendFile(text);
        isWritten = true;
        if (flush) await file.datasync();
        writtenBytes += Buffer.byteLength(text);
      } catch (cause) {
        const error = writeError(cause, name, writtenBytes);
        // The system reports a failed flush once, and can drop the data.
        if (isWritten) failure = error;
        // A partial line must not precede the next one.
        await cutTo(path, writtenBytes).catch(() => (failure = error));
        throw error;
      }
    },
    close: () => file.close(),
  };
}

async function openToAppend(path: string, lines: Buffer, exists: boolean): Promise<FileHandle> {
  if (exists) await writeWhole(path, lines.toString());
  const file = await open(path, 'a', 0o600);
  try {
    await flushFolder(dirname(path));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

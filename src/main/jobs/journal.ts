import { open, readFile, truncate } from 'node:fs/promises';
import { basename } from 'node:path';
import type * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { isDiskFull } from '../files/file-errors.ts';
import type { Journal } from './engine.ts';

interface OpenJournal<E> extends Journal<E> {
  close(): Promise<void>;
}

/** A line to write. */
interface PendingLine {
  readonly line: string;
  readonly flush: boolean;
  readonly resolve: (writing: Promise<void>) => void;
}

/** The complete lines of a journal and their length in bytes; the rest is an incomplete line. */
function completeLines(bytes: Buffer): { lines: string[]; length: number } {
  const length = bytes.lastIndexOf(0x0a) + 1;
  const text = bytes.toString('utf8', 0, length);
  return { lines: text.split('\n').filter((line) => line !== ''), length };
}

async function readOrEmpty(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/**
 * Opens a journal to append to. An incomplete last line is cut; a damaged line before it is an error, because
 * the lines after it can't be trusted.
 * @param path absolute path
 * @param entry schema of the entries
 * @throws AppError `file_unreadable` with the damaged line; other errors of the file system
 */
export async function openJournal<E>(path: string, entry: z.ZodType<E>): Promise<OpenJournal<E>> {
  const bytes = await readOrEmpty(path);
  const { lines, length } = completeLines(bytes);
  const entries = lines.map((line, index) => {
    try {
      return entry.parse(JSON.parse(line));
    } catch (cause) {
      const reason = `line ${index + 1} of the job's journal is damaged`;
      throw new AppError('file_unreadable', { file: basename(path), reason }, { cause });
    }
  });
  if (length < bytes.length) await truncate(path, length);
  const file = await open(path, 'a', 0o600);
  let writtenBytes = length;
  const write = async (lines: readonly PendingLine[]): Promise<void> => {
    const text = lines.map(({ line }) => line).join('');
    try {
      await file.appendFile(text);
      if (lines.some(({ flush }) => flush)) await file.datasync();
      writtenBytes += Buffer.byteLength(text);
    } catch (cause) {
      // A partial line must not precede the next one.
      await file.truncate(writtenBytes).catch(() => undefined);
      if (isDiskFull(cause))
        throw new AppError('disk_full', { file: basename(path), writtenBytes: writtenBytes }, { cause });
      throw cause;
    }
  };
  let pending: PendingLine[] = [];
  let activeWrite: Promise<void> | null = null;
  /** Writes all pending lines, also those added meanwhile: one flush serves all of them. */
  const writeAll = async (): Promise<void> => {
    while (pending.length > 0) {
      // Collects the entries of one turn.
      await Promise.resolve();
      const lines = pending;
      pending = [];
      const writing = write(lines);
      for (const { resolve } of lines) resolve(writing);
      await writing.catch(() => undefined);
    }
    activeWrite = null;
  };
  return {
    entries,
    append(value, { flush = false } = {}) {
      const line = `${JSON.stringify(value)}\n`;
      const writing = new Promise<void>((resolve) => pending.push({ line, flush, resolve }));
      activeWrite ??= writeAll();
      return writing;
    },
    async close() {
      await activeWrite;
      await file.close();
    },
  };
}

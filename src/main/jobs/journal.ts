import { open, readFile, truncate } from 'node:fs/promises';
import { basename } from 'node:path';
import type * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { isDiskFull } from '../files/disk.ts';
import type { Journal } from './engine.ts';

export interface OpenJournal<E> extends Journal<E> {
  close(): Promise<void>;
}

/** The whole lines of a journal, and how many bytes they take; what stands behind the last line end is torn. */
function wholeLines(bytes: Buffer): { lines: string[]; length: number } {
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
 * Opens a journal for appending. A last line torn by a crash is cut off; a damaged line before it is an error, because
 * what follows could not be trusted.
 * @throws AppError file_unreadable with the line that is damaged
 */
export async function openJournal<E>(path: string, entry: z.ZodType<E>): Promise<OpenJournal<E>> {
  const bytes = await readOrEmpty(path);
  const { lines, length } = wholeLines(bytes);
  const earlier = lines.map((line, index) => {
    try {
      return entry.parse(JSON.parse(line));
    } catch (cause) {
      const reason = `line ${index + 1} of the job's journal is damaged`;
      throw new AppError('file_unreadable', { file: basename(path), reason }, { cause });
    }
  });
  if (length < bytes.length) await truncate(path, length);
  const file = await open(path, 'a', 0o600);
  let last: Promise<unknown> = Promise.resolve();
  let whole = length;
  const write = async (line: string, flush: boolean): Promise<void> => {
    try {
      await file.appendFile(line);
      if (flush) await file.datasync();
      whole += Buffer.byteLength(line);
    } catch (cause) {
      // Half a line must not stand before the next one.
      await file.truncate(whole).catch(() => undefined);
      if (isDiskFull(cause))
        throw new AppError('disk_full', { file: basename(path), writtenBytes: whole }, { cause });
      throw cause;
    }
  };
  return {
    earlier,
    append(value, { flush = false } = {}) {
      const line = `${JSON.stringify(value)}\n`;
      const written = last.then(() => write(line, flush));
      last = written.catch(() => undefined);
      return written;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

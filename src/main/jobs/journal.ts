import { open, readFile, truncate } from 'node:fs/promises';
import { basename } from 'node:path';
import type * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { isDiskFull } from '../files/file-errors.ts';
import type { Journal } from './engine.ts';

interface OpenJournal<E> extends Journal<E> {
  close(): Promise<void>;
}

/** A line that is to be written. */
interface Waiting {
  readonly line: string;
  readonly flush: boolean;
  readonly done: (written: Promise<void>) => void;
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
  let whole = length;
  const write = async (lines: readonly Waiting[]): Promise<void> => {
    const text = lines.map(({ line }) => line).join('');
    try {
      await file.appendFile(text);
      if (lines.some(({ flush }) => flush)) await file.datasync();
      whole += Buffer.byteLength(text);
    } catch (cause) {
      // Half a line must not stand before the next one.
      await file.truncate(whole).catch(() => undefined);
      if (isDiskFull(cause))
        throw new AppError('disk_full', { file: basename(path), writtenBytes: whole }, { cause });
      throw cause;
    }
  };
  let waiting: Waiting[] = [];
  let last: Promise<void> | null = null;
  /** Writes all that waits, and what comes to wait meanwhile: one flush serves all lines that are there for it. */
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      // What is noted together is written together.
      await Promise.resolve();
      const lines = waiting;
      waiting = [];
      const written = write(lines);
      for (const { done } of lines) done(written);
      await written.catch(() => undefined);
    }
    last = null;
  };
  return {
    earlier,
    append(value, { flush = false } = {}) {
      const line = `${JSON.stringify(value)}\n`;
      const written = new Promise<void>((done) => waiting.push({ line, flush, done }));
      last ??= writeAll();
      return written;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { AppError } from '../../../shared/errors.ts';
import type { ReadAt } from './unit-window.ts';

/** How much of a file is looked at to find out how it is written. */
export const sampleBytes = 1 << 20;

/** An open file, read by position. For worker threads: reading blocks. */
export interface Source {
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly read: ReadAt;
  /** The first bytes, at most {@link sampleBytes}. */
  sample(): Buffer;
  /** Whether size or time of change differ from when it was opened. */
  touched(): boolean;
  close(): void;
}

const reasons: Record<string, string> = {
  ENOENT: 'it is not there',
  EACCES: 'you have no permission to read it',
  EPERM: 'you have no permission to read it',
  EISDIR: 'it is a folder',
  EBUSY: 'another program holds it',
};

const unreadable = (file: string, cause: unknown): AppError => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new AppError(
    'file_unreadable',
    { file, reason: reasons[code] ?? (code || 'the disk reports an error') },
    { cause },
  );
};

/** @throws AppError file_unreadable */
export function openSource(path: string, fileName: string): Source {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    throw unreadable(fileName, error);
  }
  const opened = fstatSync(fd);
  if (opened.isDirectory()) {
    closeSync(fd);
    throw new AppError('file_unreadable', { file: fileName, reason: 'it is a folder' });
  }
  const read: ReadAt = (into, offset, length, position) => {
    try {
      return readSync(fd, into, offset, length, position);
    } catch (error) {
      throw unreadable(fileName, error);
    }
  };
  return {
    bytes: opened.size,
    mtimeMs: opened.mtimeMs,
    read,
    sample() {
      const sample = Buffer.alloc(Math.min(sampleBytes, opened.size));
      return sample.subarray(0, read(sample, 0, sample.length, 0));
    },
    touched() {
      const now = fstatSync(fd);
      return now.size !== opened.size || now.mtimeMs !== opened.mtimeMs;
    },
    close: () => closeSync(fd),
  };
}

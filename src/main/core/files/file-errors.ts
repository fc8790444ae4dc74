import { basename } from 'node:path';
import { AppError, toAppError, type ErrorDetails } from '../../../shared/errors/errors.ts';

/** Reasons of file system errors without paths; the system's messages contain one. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  ENOENT: 'it doesn’t exist',
  ENOTDIR: 'it doesn’t exist',
  EISDIR: 'it is a folder',
  EROFS: 'the drive is read-only',
  EBUSY: 'another program has it open',
  ENAMETOOLONG: 'its name or its path is too long',
  EIO: 'the drive doesn’t respond',
  ENODEV: 'the drive is disconnected',
  ENXIO: 'the drive is disconnected',
  ESTALE: 'the network drive is disconnected',
  EFBIG: 'the drive doesn’t support files this large',
};

/** Where a file is written, only its folder can be missing. */
const reasonsOfWriting: Readonly<Record<string, string>> = {
  ...reasons,
  ENOENT: 'its folder doesn’t exist',
  ENOTDIR: 'its folder doesn’t exist',
};

/** The code of a file system error, some of which Windows has without a name; undefined for other errors. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?:E[A-Z\d]+|UNKNOWN)$/.test(error.code)
    ? error.code
    : undefined;

const hasCode = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error) ?? '');

/** Whether a file system error means that the disk is full. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT');

/** Whether a file system error means that a file doesn't exist. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');

/** Whether a file system error can pass, such as that of a drive that doesn't respond. */
export const canPass = (error: unknown): boolean => codeOf(error) !== undefined && !isMissing(error);

/** Whether a file system error means that another program has a file open. */
export const isBusy = (error: unknown): boolean => hasCode(error, 'EBUSY');

/** Whether another program may hold a file for a moment, such as a virus scanner on Windows. */
export const isHeld = (error: unknown): boolean => hasCode(error, 'EBUSY', 'EPERM', 'EACCES');

const describeCode = (code: string, of: Readonly<Record<string, string>>): string =>
  of[code] ?? `the system says ${code}`;

/** Why a file can't be read. */
export const readFailureReason = (error: unknown): string =>
  describeCode(codeOf(error) ?? 'unknown', reasons);

/** The size of a name in a folder, in bytes, that systems allow. */
const maxNameBytes = 255;

/**
 * What of a file's name or path is too long; null: nothing. Files beside a result have longer names.
 * @param file name for display
 */
function tooLongOf(
  error: unknown,
  file: string,
): Pick<ErrorDetails<'file_unwritable'>, 'reason' | 'tooLong'> | null {
  const path =
    error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : file;
  const name = basename(path);
  // Windows says so of a name that is too long.
  const isLongName = hasCode(error, 'ENOENT') && name.length > maxNameBytes;
  if (!hasCode(error, 'ENAMETOOLONG') && !isLongName) return null;
  const [bytes, usedBytes] = [Buffer.byteLength(file), Buffer.byteLength(name)];
  if (usedBytes <= maxNameBytes) return { reason: 'its path is too long', tooLong: 'path' };
  const endingBytes = Math.max(usedBytes - bytes, 0);
  const note = endingBytes === 0 ? '' : ' with the endings of the files beside it';
  return {
    reason: `its name has ${bytes} bytes, and up to ${maxNameBytes - endingBytes} fit${note}`,
    tooLong: 'name',
  };
}

/**
 * Converts an error of writing a file to `disk_full`, `file_exists`, or `file_unwritable`; other errors are
 * returned unchanged.
 * @param file name for display, without its folder
 * @param writtenBytes size of the file so far
 */
export function writeError(error: unknown, file: string, writtenBytes = 0): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof AppError) return error;
  if (isDiskFull(error)) return new AppError('disk_full', { file, writtenBytes }, { cause: error });
  if (code === 'EEXIST') return new AppError('file_exists', { file }, { cause: error });
  return new AppError(
    'file_unwritable',
    { file, ...(tooLongOf(error, file) ?? { reason: describeCode(code, reasonsOfWriting) }) },
    { cause: error },
  );
}

/** The result of work that writes a file. @param file name for display @throws as {@link writeError} */
export async function withWriteErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw writeError(error, file);
  }
}

/**
 * Converts any thrown value to an AppError. Messages of the file system contain paths, which the window must
 * not see, so only the reason is kept.
 */
export function appErrorFrom(cause: unknown): AppError {
  if (!(cause instanceof Error && 'syscall' in cause)) return toAppError(cause);
  if (isDiskFull(cause)) {
    const file = 'path' in cause && typeof cause.path === 'string' ? basename(cause.path) : 'a file';
    return new AppError('disk_full', { file, writtenBytes: 0 }, { cause });
  }
  return new AppError(
    'internal',
    { problem: `a file or link failed, ${readFailureReason(cause)}` },
    { cause },
  );
}

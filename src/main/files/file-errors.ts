import { AppError, toAppError } from '../../shared/errors/errors.ts';

/** What the file system refused, in words without a path; its own messages hold one. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  ENOENT: 'it doesn’t exist',
  ENOTDIR: 'it doesn’t exist',
  EISDIR: 'it is a folder',
  EROFS: 'the drive is read-only',
  EBUSY: 'another program has it open',
  ENAMETOOLONG: 'its name is too long',
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

/** The code of an error of the file system, which Windows also has without a name of its own; undefined for any other. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?:E[A-Z\d]+|UNKNOWN)$/.test(error.code)
    ? error.code
    : undefined;

const hasCode = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error) ?? '');

/** Whether an error of the file system says that there is no space left. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT');

/** Whether an error of the file system says that something is not there. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');

/** Whether another program may hold a file for a moment, as scanners on Windows do. */
export const isHeld = (error: unknown): boolean => hasCode(error, 'EBUSY', 'EPERM', 'EACCES');

const inWords = (code: string, of: Readonly<Record<string, string>>): string =>
  of[code] ?? `the system says ${code}`;

/** Why a file can't be read, in words. */
export const reasonInWords = (error: unknown): string => inWords(codeOf(error) ?? 'unknown', reasons);

/**
 * An error of writing a file, in our words: `disk_full`, `file_exists` or `file_unwritable`. What is not of the file
 * system comes back as it is.
 * @param file the file's name for people, without its folder
 */
export function writeError(error: unknown, file: string, writtenBytes = 0): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof AppError) return error;
  if (isDiskFull(error)) return new AppError('disk_full', { file, writtenBytes }, { cause: error });
  if (code === 'EEXIST') return new AppError('file_exists', { file }, { cause: error });
  return new AppError('file_unwritable', { file, reason: inWords(code, reasonsOfWriting) }, { cause: error });
}

/**
 * Anything thrown, as an AppError. What the system says of a failed call names paths, which are not the window's to
 * know: of that only the reason is kept.
 */
export function appErrorFrom(thrown: unknown): AppError {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return toAppError(thrown);
  return new AppError(
    'internal',
    { problem: `a file or link failed, ${reasonInWords(thrown)}` },
    { cause: thrown },
  );
}

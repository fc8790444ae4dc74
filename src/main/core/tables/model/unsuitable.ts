import { AppError } from '../../../../shared/errors/errors.ts';

/** An error in the content of a file, with the reason in words and, if known, the line. */
export function unsuitable(file: string, reason: string, line?: number): AppError<'file_unsuitable'> {
  return new AppError('file_unsuitable', {
    file,
    reason,
    ...(line === undefined ? {} : { place: { line } }),
  });
}

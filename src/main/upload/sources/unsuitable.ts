import { AppError } from '../../../shared/errors/errors.ts';

/** An error about what a file holds, with the reason in words and, where there is one, the line. */
export function unsuitable(file: string, reason: string, line?: number): AppError<'file_unsuitable'> {
  return new AppError('file_unsuitable', {
    file,
    reason,
    ...(line === undefined ? {} : { place: { line } }),
  });
}

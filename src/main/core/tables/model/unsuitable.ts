import { AppError, type Place } from '../../../../shared/errors/errors.ts';

/** An error in the content of a file. @param reason in words, after its name @param at its line, or its place */
export function unsuitable(file: string, reason: string, at?: number | Place): AppError<'file_unsuitable'> {
  const place = typeof at === 'number' ? { line: at } : at;
  return new AppError('file_unsuitable', place ? { file, reason, place } : { file, reason });
}

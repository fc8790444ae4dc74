import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { AppError, isAppError } from '../../shared/errors.ts';
import { parseRelaxedObject } from '../../shared/language/relaxed.ts';
import { mapping } from '../../shared/upload.ts';
import type { Mapping } from '../../shared/upload.ts';

/** What a schema finds wrong, as a sentence. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `This must be there, and be of type ${issue.expected}.`;
  if (issue.code === 'invalid_value') return `This must be one of ${issue.values.map(String).join(', ')}.`;
  if (issue.code !== 'unrecognized_keys') return `${issue.message}.`;
  const names = issue.keys.map((key) => `“${key}”`).join(', ');
  return `Nothing here is called ${names}. Correct the name, or remove it.`;
}

/** The error with the file's name at each of its places. */
function inFile(error: AppError<'invalid_input'>, file: string): AppError {
  const issues = error.details.issues.map(({ message, place }) => ({ message, place: { ...place, file } }));
  return new AppError('invalid_input', { issues }, { cause: error });
}

/**
 * Reads a mapping file.
 * @throws AppError file_unreadable; invalid_input with file, line and column, or the member that is wrong
 */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new AppError('file_unreadable', { file: path, reason: cause.message }, { cause });
  });
  try {
    const parsed = mapping.safeParse(parseRelaxedObject(text.replace(/^\uFEFF/, ''), 'mapping'));
    if (parsed.success) return parsed.data;
    const issues = parsed.error.issues.map((issue) => ({
      message: inWords(issue),
      place: { field: ['mapping', ...issue.path.map(String)].join('.') },
    }));
    throw new AppError('invalid_input', { issues });
  } catch (error) {
    throw isAppError(error, 'invalid_input') ? inFile(error, path) : error;
  }
}

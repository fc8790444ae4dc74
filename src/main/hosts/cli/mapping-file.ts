import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { parseRelaxedObject } from '../../../shared/language/relaxed.ts';
import { mappingFile } from '../../../shared/upload/templates.ts';
import type { Mapping } from '../../../shared/upload/upload.ts';
import { plainText } from './command.ts';
import { readRegular } from '../../core/files/regular-file.ts';

function inFile(error: AppError<'invalid_input'>, file: string): AppError {
  const issues = error.details.issues.map((issue) => ({ ...issue, place: { ...issue.place, file } }));
  return new AppError('invalid_input', { issues }, { cause: error });
}

/**
 * @throws AppError file_unreadable; invalid_input with file, line, and column, or the invalid member
 */
export async function readMapping(path: string): Promise<Mapping> {
  const text = plainText(await readRegular(path, path));
  try {
    const parsed = mappingFile.safeParse(parseRelaxedObject(text, 'mapping'));
    if (parsed.success) {
      const { $schema: _, ...mapping } = parsed.data;
      return mapping;
    }
    const issues = parsed.error.issues.map(({ message, path: at }) => ({
      message: message.endsWith('.') ? message : `${message}.`,
      place: { field: ['mapping', ...at.map(String)].join('.') },
    }));
    throw new AppError('invalid_input', { issues });
  } catch (error) {
    throw isAppError(error, 'invalid_input') ? inFile(error, path) : error;
  }
}

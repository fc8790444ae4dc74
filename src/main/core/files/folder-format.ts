import { join } from 'node:path';
import * as z from 'zod';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { readVersioned, writeVersioned } from './shared-file.ts';

/** The version of the data folder as a whole: raised when an older version could lose or misread something in it. */
const format = 1;

/** Reads the version of the folder; a damaged file is set aside, and its folder counts as unmarked. */
const read = (content: unknown) => {
  const { data } = z.object({ format: z.int() }).safeParse(content);
  return data ? { value: data.format, partly: false } : null;
};

/**
 * Marks a data folder with its version, before anything else in it is read or written. A folder without a mark is of
 * version 0.1.0. On a disk where nothing can be written, it stays unmarked.
 * @param dataFolder an existing folder
 * @returns when the folder is marked
 * @throws AppError `file_too_new` if a newer version wrote it: nothing in it was changed
 */
export async function markFolderFormat(dataFolder: string): Promise<void> {
  const path = join(dataFolder, 'folder.json');
  try {
    const { value } = await readVersioned({ path, format, read });
    if (value === null || value < format) await writeVersioned(path, format, {});
  } catch (error) {
    if (isAppError(error, 'file_too_new'))
      throw new AppError('file_too_new', { file: 'The data folder', format: error.details.format });
  }
}

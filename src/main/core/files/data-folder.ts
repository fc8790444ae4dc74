import { join, resolve } from 'node:path';
import * as z from 'zod';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { access, constants, mkdir } from '../../world/files.ts';
import { writeError } from './file-errors.ts';
import { readVersioned, writeVersioned } from './shared-file.ts';
import { homedir } from 'node:os';

/**
 * The folder of settings and jobs: the given one, else the system's folder for local application data (not
 * roaming: jobs can be large and belong to one computer).
 */
export function dataFolder(named: string | undefined, env: NodeJS.ProcessEnv): string {
  const requested = named ?? env['WELLBENCH_DATA_DIR'];
  if (requested) return resolve(requested);
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Wellbench');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Wellbench');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'wellbench');
}

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
 * @throws AppError `file_too_new`
 */
async function markFolderFormat(folder: string): Promise<void> {
  const path = join(folder, 'folder.json');
  try {
    const { value } = await readVersioned({ path, format, read });
    if (value === null || value < format) await writeVersioned(path, format, {});
  } catch (error) {
    if (isAppError(error, 'file_too_new'))
      throw new AppError('file_too_new', { file: 'The data folder', format: error.details.format });
  }
}

/**
 * Creates the data folder, unless it exists, and marks it with its version.
 * @throws AppError `file_unwritable` if nothing can be written there, `disk_full`; `file_too_new` if a newer version wrote
 *   it: nothing in it was changed
 */
export async function openDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw writeError(cause, folder);
  }
  await markFolderFormat(folder);
}

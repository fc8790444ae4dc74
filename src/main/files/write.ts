import { appendFile, writeFile } from 'node:fs/promises';
import type { calls } from '../../shared/contract/contract.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import type { Handler } from '../handlers.ts';
import { writeError } from './file-errors.ts';
import type { Files } from './files.ts';
import { checkReplaceable } from './regular-file.ts';

/**
 * Writes content of the window, such as the image of a plot, to a selected target, in pieces.
 * @throws AppError `invalid_input` for an invalid token, `disk_full`, `file_unwritable`
 */
export function createWrite(
  files: Pick<Files, 'target' | 'endTarget'>,
): Handler<(typeof calls)['files']['write']> {
  return async ({ token, base64, more, last }) => {
    const target = files.target(token);
    if (target.place !== 'path') throw invalidInput('Here the page saves its files itself.');
    const bytes = Buffer.from(base64, 'base64');
    await checkReplaceable(target.path, target.name);
    try {
      if (more) await appendFile(target.path, bytes);
      else await writeFile(target.path, bytes);
    } catch (cause) {
      throw writeError(cause, target.name);
    }
    if (last) files.endTarget(token);
    return {};
  };
}

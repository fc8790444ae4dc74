import { basename, dirname, join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { itemAt } from './output-file.ts';

/**
 * Checks that nothing below a folder leads out of it. The folder itself can be a link: its user chose it.
 * @param paths of files or folders below it, with `/`
 * @throws AppError `file_unwritable` that names the link
 */
export async function checkNoLinks(folder: string, paths: readonly string[]): Promise<void> {
  const places = new Set<string>();
  for (const path of paths)
    for (let place = path; place !== '' && place !== '.' && !places.has(place); place = dirname(place))
      places.add(place);
  for (const place of places) {
    const file = await itemAt(join(folder, place), basename(folder));
    if (file?.isSymbolicLink())
      throw new AppError('file_unwritable', {
        file: basename(folder),
        reason: `${place} in it is a link to another place. Replace the link with its content`,
      });
  }
}

import { basename, dirname, sep } from 'node:path';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { realpath, stat } from '../../world/files.ts';

/**
 * Whether two paths lead to one existing file, also through links, hard links, and other spellings. A path that doesn't
 * exist is no file: where case is ignored, the other spelling of a name exists.
 */
export async function isSameFile(first: string, second: string): Promise<boolean> {
  const [firstStats, secondStats] = await Promise.all(
    [first, second].map((path) => stat(path, { bigint: true }).catch(() => null)),
  );
  if (!firstStats || !secondStats) return false;
  // Some network shares number no files.
  if (firstStats.ino !== 0n || secondStats.ino !== 0n)
    return firstStats.dev === secondStats.dev && firstStats.ino === secondStats.ino;
  const [onePath, otherPath] = await Promise.all([first, second].map((path) => realpath(path)));
  return onePath === otherPath;
}

async function isInFolder(path: string, folder: string): Promise<boolean> {
  const [parent, whole] = await Promise.all(
    [dirname(path), folder].map((item) => realpath(item).catch(() => null)),
  );
  return parent !== null && whole !== null && `${parent}${sep}`.startsWith(`${whole}${sep}`);
}

/**
 * Checks that a result isn't written over a file that it is made of, nor into a folder that it is made of; no permission
 * to replace allows that.
 * @param inputs paths of files and folders
 * @throws AppError `invalid_input`
 */
export async function checkIsNoInput(output: string, inputs: readonly string[]): Promise<void> {
  for (const input of inputs)
    if ((await isSameFile(output, input)) || (await isInFolder(output, input)))
      throw invalidInput(
        `${basename(output)} can’t be written, because ${basename(input)} is read for it. Choose another file.`,
      );
}

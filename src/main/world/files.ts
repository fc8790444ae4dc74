import { createRequire } from 'node:module';
import type { MakeDirectoryOptions } from 'node:fs';
import { mkdir as makeFolder, stat as statOf } from 'node:fs/promises';
import type * as Native from 'fs-native-extensions';

// Every file of the core goes through this module, as its time, chance, requests, and threads go through those beside it:
// whoever replaces these five modules has the whole world of the engines in hand.

export {
  access,
  copyFile,
  link,
  lstat,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
export {
  appendFileSync,
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  type Stats,
} from 'node:fs';

/**
 * As Node's, except that a folder that exists is no error with `recursive`: Windows answers EPERM for the root of a drive.
 * @throws Error of the file system
 */
export async function mkdir(path: string, options?: MakeDirectoryOptions): Promise<void> {
  try {
    await makeFolder(path, options);
  } catch (error) {
    const isThere =
      options?.recursive === true && (await statOf(path).catch(() => null))?.isDirectory() === true;
    if (!isThere) throw error;
  }
}

let native: typeof Native | undefined;

/**
 * Locks an open file for this process, until it is closed or the process ends.
 * @returns whether nobody else holds the lock, this process included
 */
export function tryLock(fd: number): boolean {
  // Native code, loaded on demand: many starts lock nothing.
  native ??= createRequire(import.meta.url)('fs-native-extensions') as typeof Native;
  return native.tryLock(fd);
}

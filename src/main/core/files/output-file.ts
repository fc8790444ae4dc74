import { basename, dirname, sep } from 'node:path';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { renameFile, flushFolder } from './disk.ts';
import { isBusy, isMissing, writeError } from './file-errors.ts';
import { objectionTo, openRegular } from './regular-file.ts';
import { link, lstat, open, rm, stat, type FileHandle, type Stats, realpath } from '../../world/files.ts';

/**
 * Whether two paths lead to one existing file, also through links, hard links, and other spellings. A path that doesn't
 * exist is no file: where case is ignored, the other spelling of a name exists.
 */
async function isSameFile(first: string, second: string): Promise<boolean> {
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

/**
 * A path that a person gave for a result. Everything that is written to such a path goes through this module: to a
 * partial file beside it, which gets the name of the result when it is complete.
 */
export interface OutputPath {
  readonly path: string;
  /** Whether a file there may be replaced: the person said so with `--force`, or in the system's dialog. */
  readonly replaces: boolean;
}

const maxPartials = 100;

/**
 * Creates the partial file beside a result: `<file>.partial`, or with a number if that name is taken.
 * @param name for errors
 */
async function createPartial(
  file: string,
  name = basename(file),
): Promise<{ readonly path: string; readonly handle: FileHandle }> {
  for (let attempt = 1; ; attempt++) {
    const path = attempt === 1 ? `${file}.partial` : `${file}.${attempt}.partial`;
    try {
      return { path, handle: await open(path, 'wx') };
    } catch (error) {
      const problem = writeError(error, name);
      if (attempt < maxPartials && problem instanceof AppError && problem.is('file_exists')) continue;
      throw problem;
    }
  }
}

/**
 * Creates the empty partial file beside a result.
 * @param name for errors; absent: that of the file
 * @returns its path
 * @throws AppError `file_unwritable`, `disk_full`
 */
export async function reservePartial(file: string, name?: string): Promise<string> {
  const { path, handle } = await createPartial(file, name);
  await handle.close();
  return path;
}

const unlessMissing = (stats: Promise<Stats>, name: string): Promise<Stats | null> =>
  stats.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw writeError(error, name);
  });

/** What is at a path, a link included; null: nothing. @param name for errors @throws AppError `file_unwritable` */
export const itemAt = (path: string, name = basename(path)): Promise<Stats | null> =>
  unlessMissing(lstat(path), name);

/** Size in bytes; null if the file doesn't exist. @throws AppError `file_unwritable` */
export const sizeOf = async (path: string): Promise<number | null> =>
  (await unlessMissing(stat(path), basename(path)))?.size ?? null;

/** Whether nothing has a path, not even a link without a target. @throws AppError `file_unwritable` */
export const isFree = async (path: string): Promise<boolean> => (await itemAt(path)) === null;

/**
 * Checks that a result may get a path: nothing is there, or a regular file that may be replaced.
 * @throws AppError `file_exists`, `file_unwritable`
 */
export async function checkFree({ path, replaces }: OutputPath): Promise<void> {
  const file = basename(path);
  const item = await itemAt(path);
  if (item === null) return;
  if (!replaces) throw new AppError('file_exists', { file });
  // A link would be replaced, not the file that it leads to.
  const reason = item.isSymbolicLink() ? 'it is a link to another file' : objectionTo(item);
  if (reason !== null) throw new AppError('file_unwritable', { file, reason });
}

/** @throws AppError `file_unwritable` if another program has the file open and lets nobody write it */
const checkIsNotHeld = (path: string, file: string): Promise<void> =>
  open(path, 'r+').then(
    (handle) => handle.close(),
    (error: unknown) => {
      if (isBusy(error)) throw writeError(error, file);
    },
  );

/**
 * Checks that a file can be created at a path, before anything is read or sent for it.
 * @param besides paths of further files that are written for it, such as its manifest
 * @throws AppError `file_exists`, `file_unwritable`, `disk_full`
 */
export async function checkOutput(output: OutputPath, besides: readonly string[] = []): Promise<void> {
  const file = basename(output.path);
  await checkFree(output);
  const folder = await stat(dirname(output.path)).catch((error: unknown) => {
    throw writeError(error, file);
  });
  if (!folder.isDirectory())
    throw new AppError('file_unwritable', { file, reason: 'its folder doesn’t exist' });
  // Windows replaces no file that a program such as Excel has open, which would be said only when all rows are read.
  if (output.replaces) await checkIsNotHeld(output.path, file);
  // Only creating a file is conclusive: permissions, read-only drives, and network shares differ.
  for (const path of [...besides, output.path]) await rm(await reservePartial(path, file), { force: true });
}

const noLinkCodes = new Set([
  'EPERM',
  // What Windows answers on exFAT.
  'EISDIR',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'EACCES',
  'UNKNOWN',
  'EBUSY',
]);

/**
 * Gives a complete file its name, and never that of another file: by a hard link, which fails if the name is taken. Where
 * the file system has no links, such as FAT and some network shares, an empty file takes the name first, which fails in
 * the same way, and is replaced by the complete one.
 * @throws Error of the file system
 */
async function takeName(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!noLinkCodes.has(code)) throw error;
    await (await open(path, 'wx')).close();
    await renameFile(partial, path).catch(async (cause: unknown) => {
      await rm(path, { force: true }).catch(() => undefined);
      throw cause;
    });
    return;
  }
  await flushFolder(dirname(path));
  await rm(partial, { force: true }).catch(() => undefined);
}

/**
 * Gives a complete file beside a result the result's name.
 * @throws AppError `file_exists` if the name is taken, and the complete file stays; `file_unwritable`
 */
export async function publishOutput(partial: string, output: OutputPath): Promise<void> {
  const file = basename(output.path);
  try {
    if (output.replaces) {
      await checkFree(output);
      await renameFile(partial, output.path);
    } else await takeName(partial, output.path);
  } catch (cause) {
    const problem = writeError(cause, file);
    if (!(problem instanceof AppError && problem.is('file_exists'))) throw problem;
    throw new AppError('file_exists', { file, finished: basename(partial) }, { cause });
  }
}

/** Whether an error means that a complete file stays under its partial name. */
export const isLeftBeside = (error: unknown): boolean =>
  error instanceof AppError && error.is('file_exists') && error.details.finished !== undefined;

/** A result that is being written to its partial file. */
export type OpenOutput = Awaited<ReturnType<typeof openOutput>>;

/**
 * Begins to write to a path of the user, which has the content only when it is complete.
 * @throws AppError `file_exists`, `file_unwritable`, `disk_full`
 */
export async function openOutput(output: OutputPath) {
  const file = basename(output.path);
  await checkFree(output);
  const { path: partial, handle } = await createPartial(output.path);
  let writtenBytes = 0;
  let isOpen = true;
  let stays = false;
  const named = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw writeError(error, file, writtenBytes);
    }
  };
  const close = async (): Promise<void> => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    /** Path of the partial file. */
    partial,
    /** @throws AppError `file_unwritable`, `disk_full` */
    append: (content: string | Uint8Array): Promise<void> =>
      named(async () => {
        await handle.writeFile(content);
        writtenBytes += Buffer.byteLength(content);
      }),
    /** Writes everything to disk. @throws AppError `file_unwritable`, `disk_full` */
    complete: (): Promise<void> =>
      named(async () => {
        await handle.datasync();
        await close();
      }),
    /** Gives the complete file its name. @throws AppError `file_exists`, and the complete file stays; `file_unwritable` */
    async publish(): Promise<void> {
      try {
        await publishOutput(partial, output);
        stays = true;
      } catch (error) {
        stays = isLeftBeside(error);
        throw error;
      }
    },
    /** Removes the partial file. Does nothing after it got its name, or when it stays. Never fails. */
    async discard(): Promise<void> {
      await close().catch(() => undefined);
      if (!stays) await rm(partial, { force: true }).catch(() => undefined);
    },
  };
}

/**
 * Writes to a path of the user, completely or not at all.
 * @throws AppError `file_exists`, `file_unwritable`, `disk_full`, errors of the work; only a complete file stays
 */
export async function writing(
  output: OutputPath,
  work: (result: OpenOutput) => Promise<void>,
): Promise<void> {
  const result = await openOutput(output);
  try {
    await work(result);
    await result.publish();
  } finally {
    await result.discard();
  }
}

/**
 * Writes a text or bytes to a path of the user, completely or not at all.
 * @throws AppError `file_exists`, `file_unwritable`, `disk_full`
 */
export const writeOutput = (output: OutputPath, content: string | Uint8Array): Promise<void> =>
  writing(output, async (result) => {
    await result.append(content);
    await result.complete();
  });

/**
 * Copies a file to a path of the user, completely or not at all. A copy onto itself changes nothing.
 * @throws AppError `file_unreadable`, `file_exists`, `file_unwritable`, `disk_full`, with names instead of paths
 */
export async function copyToOutput(from: string, output: OutputPath): Promise<void> {
  if (await isSameFile(from, output.path)) return;
  await writing(output, (result) => copyInto(result, from));
}

const blockBytes = 1 << 20;

/**
 * Appends a file to a result and writes everything to disk.
 * @throws AppError `file_unreadable`, `file_unwritable`, `disk_full`
 */
export async function copyInto(result: OpenOutput, from: string): Promise<void> {
  const source = await openRegular(from, basename(from));
  for await (const block of source.createReadStream({ highWaterMark: blockBytes }))
    await result.append(block);
  await result.complete();
}

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { renameFile, renameUnflushed, flushFile } from './disk.ts';
import { writeError } from './file-errors.ts';
import { openRegular } from './regular-file.ts';
import { constants, copyFile, rm } from '../../world/files.ts';

const maxBlockBytes = 1 << 20;

/** The size of a file, and the SHA-256 of its content in hexadecimal. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a whole file. @throws AppError `file_unreadable`; `AbortError` */
export async function digestOf(path: string, signal?: AbortSignal): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await openRegular(path, basename(path));
  try {
    // A table can have thousands of small files.
    const highWaterMark = Math.min(maxBlockBytes, Math.max(1, (await file.stat()).size));
    for await (const block of file.createReadStream({ highWaterMark, signal })) {
      hash.update(block);
      bytes += block.length;
    }
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Moves a file that another program wrote to a place where it replaces what is there. Its content is on disk before it has
 * that name.
 * @param name for errors
 * @param options `flushesNames`: false if the caller flushes the folders
 * @throws AppError `disk_full`, `file_unwritable`
 */
export async function moveFile(
  from: string,
  to: string,
  name: string,
  { flushesNames = true }: { readonly flushesNames?: boolean } = {},
): Promise<FileDigest> {
  const partial = `${to}.partial`;
  try {
    await flushFile(from);
    const digest = await digestOf(from);
    const rename = flushesNames ? renameFile : renameUnflushed;
    await rename(from, to).catch(async (error: unknown) => {
      // Another drive.
      if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
      await copyBeside(from, partial);
      await rename(partial, to);
      await rm(from, { force: true });
    });
    return digest;
  } catch (error) {
    throw writeError(error, name, 0);
  }
}

/** Copies a file to a temporary name, where a kill leaves no part of it that a reader could take for the whole. */
async function copyBeside(from: string, partial: string): Promise<void> {
  // What a kill left, or a link of another program.
  await rm(partial, { force: true });
  try {
    await copyFile(from, partial, constants.COPYFILE_EXCL);
    await flushFile(partial);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}

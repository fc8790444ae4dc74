import { createReadStream, createWriteStream } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../shared/errors.ts';
import { isDiskFull, isMissing, reasonInWords, renameFile } from './disk.ts';

const sameFile = async (from: string, to: string): Promise<boolean> =>
  (await realpath(from)) === (await realpath(to).catch(() => null));

/**
 * Copies a file whole or not at all: beside the target, flushed, then renamed over it. What stood there is replaced.
 * @throws AppError file_unreadable, file_unwritable or disk_full, with names instead of paths
 */
export async function copyWhole(from: string, to: string): Promise<void> {
  const beside = `${to}.${process.pid}.partial`;
  const file = basename(to);
  let written = (): number => 0;
  try {
    if (await sameFile(from, to)) return;
    const target = createWriteStream(beside, { flush: true });
    written = () => target.bytesWritten;
    await pipeline(createReadStream(from), target);
    await renameFile(beside, to);
  } catch (cause) {
    await rm(beside, { force: true });
    if (isDiskFull(cause)) throw new AppError('disk_full', { file, writtenBytes: written() }, { cause });
    const gone = isMissing(cause) && (await realpath(from).catch(() => null)) === null;
    if (gone)
      throw new AppError(
        'file_unreadable',
        { file: basename(from), reason: reasonInWords(cause) },
        { cause },
      );
    throw new AppError('file_unwritable', { file, reason: reasonInWords(cause) }, { cause });
  }
}

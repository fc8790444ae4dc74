import { createWriteStream } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openRegular } from './regular-file.ts';
import { renameFile } from './disk.ts';
import { writeError } from './file-errors.ts';

async function sameFile(from: string, to: string): Promise<boolean> {
  const [first, second] = await Promise.all([from, to].map((path) => realpath(path).catch(() => null)));
  return first !== null && first === second;
}

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
    // Not what a link leads to that somebody else put there.
    await rm(beside, { force: true });
    const source = (await openRegular(from, basename(from))).createReadStream();
    const target = createWriteStream(beside, { flush: true, flags: 'wx' });
    written = () => target.bytesWritten;
    await pipeline(source, target);
    await renameFile(beside, to);
  } catch (cause) {
    await rm(beside, { force: true });
    throw writeError(cause, file, written());
  }
}

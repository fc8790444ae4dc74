import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { isMissing, writeError } from '../../files/file-errors.ts';
import type { Snapshot } from './snapshot.ts';

/** Readers that began before a commit can read its removed files for this long: a week, as other writers have it. */
export const retentionMs = 7 * 86_400_000;

/** Folders and files whose names begin so are no data. */
const isHidden = (name: string): boolean => /^[_.]/.test(name);

/**
 * Removes files of data that the table doesn't have and that no reader needs: those removed before a time, and those that a
 * killed writer left before it.
 * @param table its folder
 * @param beforeMs usually a retention ago
 * @returns their number
 * @throws AppError `file_unwritable`
 */
export async function removeOldFiles(
  table: string,
  { files, removed }: Pick<Snapshot, 'files' | 'removed'>,
  beforeMs: number,
): Promise<number> {
  let count = 0;
  try {
    const entries = await readdir(table, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const place = relative(table, path).split(sep);
      if (!entry.isFile() || !entry.name.endsWith('.parquet') || place.some(isHidden)) continue;
      const name = place.join('/');
      if (files.has(name) || (removed.get(name)?.deletionTimestamp ?? 0) > beforeMs) continue;
      const changed = await stat(path).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (!changed || (changed.mtimeMs > beforeMs && !removed.has(name))) continue;
      await rm(path, { force: true });
      count += 1;
    }
  } catch (error) {
    throw writeError(error, basename(table), 0);
  }
  return count;
}

import { basename, join, relative, sep } from 'node:path';
import { isHeld, withWriteErrors } from '../../files/file-errors.ts';
import { itemAt } from '../../files/output-file.ts';
import { checkNoLinks } from '../../files/links.ts';
import { commitName, checkpointName, logName, versionsIn, type Snapshot } from './snapshot.ts';
import { readdir, rm } from '../../../world/files.ts';
import { randomUUID } from '../../../world/random.ts';

/** Readers that began before a commit can read its removed files for this long: a week, as other writers have it. */
export const retentionMs = 7 * 86_400_000;

/** Commits before a checkpoint show the table as it was; this is the default of other writers, too. */
const logRetentionMs = 30 * 86_400_000;

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };
const interval = /^(?:interval )?(?<count>\d+) (?<unit>second|minute|hour|day|week)s?$/i;

/** How long removed files and commits stay: as long as the settings of a table say, or as usual. In milliseconds. */
export function retentionsOf({ metaData: { configuration } }: Pick<Snapshot, 'metaData'>): {
  readonly files: number;
  readonly commits: number;
} {
  const of = (key: string, usual: number): number => {
    const { count, unit } = interval.exec(configuration?.[key] ?? '')?.groups ?? {};
    const ms = Object.entries(unitMs).find(([name]) => name === unit?.toLowerCase())?.[1];
    return ms === undefined ? usual : Number(count) * ms;
  };
  return {
    files: of('delta.deletedFileRetentionDuration', retentionMs),
    commits: of('delta.logRetentionDuration', logRetentionMs),
  };
}

/** Folders and files whose names begin so are no data. */
const isHidden = (name: string): boolean => /^[_.]/.test(name);

/**
 * The path of a new file, with a name that no other has: files of a table never change, so that those of each version can
 * be read.
 * @param partition its folder in that of the table; empty: the table is not divided
 */
export const newFilePath = (partition: string): string =>
  `${partition === '' ? '' : `${partition}/`}part-${randomUUID().replaceAll('-', '')}.parquet`;

/** Whether a file has such a name. Others are never removed, whatever a log says. */
export const isOwnName = (name: string): boolean => /^part-[0-9a-f]{32}\.parquet(?:\.partial)?$/.test(name);

/** Removes a file; one that can't be removed now, as one that a reader has open on Windows, stays for a later run. @returns whether it is removed */
const removeUnlessHeld = (path: string): Promise<boolean> =>
  rm(path, { force: true }).then(
    () => true,
    (error: unknown) => {
      if (!isHeld(error)) throw error;
      return false;
    },
  );

/**
 * Removes files of ours that the table doesn't have and that no reader needs.
 * @param table its folder
 * @param before usually a retention ago. `removedMs`: of those that left the table earlier; `unknownMs`: of those that a
 *   killed writer left earlier
 * @returns their number, and that of files that stay, because another program has them open
 * @throws AppError `file_unwritable`
 */
export async function removeOldFiles(
  table: string,
  { files, removed }: Pick<Snapshot, 'files' | 'removed'>,
  before: { readonly removedMs: number; readonly unknownMs: number },
): Promise<{ readonly removed: number; readonly held: number }> {
  const counts = { removed: 0, held: 0 };
  await withWriteErrors(basename(table), async () => {
    const entries = await readdir(table, { recursive: true, withFileTypes: true });
    // Another table inside the folder has its own files.
    const otherTables = entries
      .filter((entry) => entry.isDirectory() && entry.name === logName)
      .map(({ parentPath }) => relative(table, parentPath))
      .filter((place) => place !== '');
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (otherTables.some((other) => relative(table, path).startsWith(`${other}${sep}`))) continue;
      const place = relative(table, path).split(sep);
      if (!entry.isFile() || !isOwnName(entry.name) || place.some(isHidden)) continue;
      const name = place.join('/');
      if (files.has(name) || (removed.get(name)?.deletionTimestamp ?? 0) > before.removedMs) continue;
      const changed = await itemAt(path);
      if (!changed || (changed.mtimeMs > before.unknownMs && !removed.has(name))) continue;
      // A folder can have become a link since it was listed.
      await checkNoLinks(table, [name]);
      counts[(await removeUnlessHeld(path)) ? 'removed' : 'held'] += 1;
    }
  });
  return counts;
}

/**
 * Removes the files of the log that a reader of the table as it is doesn't need: those before its last checkpoint that were
 * written before a time.
 * @param table its folder
 * @param beforeMs usually a retention ago
 * @throws AppError `file_unwritable`
 */
export async function removeOldCommits(
  table: string,
  { checkpoint }: Pick<Snapshot, 'checkpoint'>,
  beforeMs: number,
): Promise<void> {
  const log = join(table, logName);
  const { commits, checkpoints } = await versionsIn(log);
  const old = (versions: Iterable<number>, nameOf: (version: number) => string): string[] =>
    [...versions].filter((version) => version < checkpoint).map((version) => join(log, nameOf(version)));
  await withWriteErrors(basename(table), async () => {
    for (const path of [...old(commits, commitName), ...old(checkpoints, checkpointName)]) {
      // Another writer can remove the same ones at the same time.
      const item = await itemAt(path);
      if (item && item.mtimeMs < beforeMs) await removeUnlessHeld(path);
    }
  });
}

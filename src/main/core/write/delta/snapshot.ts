import { basename, join } from 'node:path';
import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import { folderNames } from '../../../../shared/export/export.ts';
import { jsonOrNull } from '../../../../shared/json.ts';
import { maxOf } from '../../../../shared/lists.ts';
import { isMissing, readFailureReason, withWriteErrors, writeError } from '../../files/file-errors.ts';
import { readRegular } from '../../files/regular-file.ts';
import {
  type Action,
  type ActionRow,
  type AddFile,
  type MetaData,
  type Protocol,
  type RemoveFile,
  type RunInfo,
  type Transaction,
  actionRow,
  decodedPath,
  runLine,
  unreadFeatures,
} from './actions.ts';
import { flushFolderNames } from '../../files/disk.ts';
import { openOutput, type OpenOutput } from '../../files/output-file.ts';
import { mkdir, readdir, rm } from '../../../world/files.ts';

export const logName = folderNames.log;

const versionDigits = 20;
const padded = (version: number): string => String(version).padStart(versionDigits, '0');

/** The file of a commit in the folder of the log. */
export const commitName = (version: number): string => `${padded(version)}.json`;
/** The file of a checkpoint in the folder of the log. */
export const checkpointName = (version: number): string => `${padded(version)}.checkpoint.parquet`;

/** A table at one version. */
export interface Snapshot {
  readonly version: number;
  readonly protocol: Protocol;
  readonly metaData: MetaData;
  /** Its files, by their path in the folder of the table. */
  readonly files: ReadonlyMap<string, AddFile>;
  /** Files that were removed and may still be read, by their path. */
  readonly removed: ReadonlyMap<string, RemoveFile>;
  /** The last of each writer's own numbering, by its id. */
  readonly transactions: ReadonlyMap<string, Transaction>;
  /** The version of the last checkpoint; -1: there is none. */
  readonly checkpoint: number;
}

/** @returns JSON of each row */
export type ReadCheckpoint = (path: string) => Promise<readonly string[]>;

/** Whether a path of a log leads out of the folder of its table, as it does in a clone of another table, or after damage. */
const isElsewhere = (path: string): boolean =>
  /^(?:[/\\]|[A-Za-z][\w+.-]*:)/.test(path) || path.split(/[/\\]/).includes('..');

/** Other programs can have changed a table after its last update. */
const maxOtherCommits = 20;
/** About a million files in one commit. */
const maxCommitBytes = 512_000_000;

/**
 * The versions of commits, and of checkpoints that are one file, in the folder of a log.
 * @throws AppError `file_unwritable`
 */
export async function versionsIn(log: string): Promise<{ commits: Set<number>; checkpoints: number[] }> {
  const names = await readdir(log).catch((error: unknown): string[] => {
    if (isMissing(error)) return [];
    throw writeError(error, basename(log), 0);
  });
  const versions = (pattern: RegExp): number[] =>
    names.flatMap((name) => {
      const digits = pattern.exec(name)?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
  return {
    commits: new Set(versions(/^(\d{20})\.json$/)),
    checkpoints: versions(/^(\d{20})\.checkpoint\.parquet$/),
  };
}

type Content = Omit<Snapshot, 'version' | 'protocol' | 'metaData' | 'checkpoint'>;

/** Applies actions in their order. @param before the version before them; absent: the table is new */
function createReplay(before?: Snapshot) {
  let protocol: Protocol | null = before?.protocol ?? null;
  let metaData: MetaData | null = before?.metaData ?? null;
  const content = {
    files: new Map<string, AddFile>(before?.files),
    removed: new Map<string, RemoveFile>(before?.removed),
    transactions: new Map<string, Transaction>(before?.transactions),
  } satisfies Content;
  const { files, removed, transactions } = content;
  return {
    apply(row: ActionRow): void {
      protocol = row.protocol ?? protocol;
      metaData = row.metaData ?? metaData;
      if (row.add) {
        const path = decodedPath(row.add.path);
        files.set(path, row.add);
        removed.delete(path);
      }
      if (row.remove) {
        const path = decodedPath(row.remove.path);
        files.delete(path);
        removed.set(path, row.remove);
      }
      if (row.txn) transactions.set(row.txn.appId, row.txn);
    },
    snapshot: (version: number, checkpoint: number): Snapshot | null =>
      protocol && metaData && { version, protocol, metaData, ...content, checkpoint },
  };
}

/** Whether a folder has a log with a version. @throws AppError `file_unwritable` */
export async function hasLog(table: string): Promise<boolean> {
  const { commits, checkpoints } = await versionsIn(join(table, logName));
  return commits.size + checkpoints.length > 0;
}

/**
 * A table after a commit.
 * @param before null: it is the first one
 * @throws Error if the first commit lacks the protocol or the schema
 */
export function snapshotAfter(before: Snapshot | null, actions: readonly Action[]): Snapshot {
  const replay = createReplay(before ?? undefined);
  for (const action of actions) replay.apply(actionRow.parse(action));
  const after = replay.snapshot((before?.version ?? -1) + 1, before?.checkpoint ?? -1);
  if (!after) throw new Error('the first commit of a table has its protocol and its schema');
  return after;
}

/**
 * What the last commit of Wellbench says of its run, without reading more than a few commits.
 * @param table its folder
 * @returns null if the last commits are of other programs, or the table has no log
 * @throws AppError `file_unreadable`, `file_unwritable`
 */
export async function readLastRun(table: string): Promise<{ timestamp: number; run: RunInfo } | null> {
  const log = join(table, logName);
  const file = `${basename(table)}/${logName}`;
  const { commits } = await versionsIn(log);
  for (const version of [...commits].toSorted((a, b) => b - a).slice(0, maxOtherCommits)) {
    const bytes = await readRegular(join(log, commitName(version)), file, maxCommitBytes);
    const [line = ''] = bytes.toString('utf8').split('\n', 1);
    const { data } = runLine.safeParse(jsonOrNull(line));
    if (data) return { timestamp: data.commitInfo.timestamp, run: data.commitInfo.wellbench };
  }
  return null;
}

/**
 * Reads the log of a table. A checkpoint that can't be read is replaced by the one before it, or by the commits.
 * @param table its folder
 * @returns its last version; null: it has no log
 * @throws AppError `file_unreadable` if the log is damaged or lacks a commit, `table_unsupported` for a table that other
 * programs have changed in ways that its readers must know
 */
export async function readSnapshot(table: string, readCheckpoint: ReadCheckpoint): Promise<Snapshot | null> {
  const log = join(table, logName);
  const { commits, checkpoints } = await versionsIn(log);
  const last = Math.max(-1, maxOf(commits), maxOf(checkpoints));
  if (last < 0) return null;
  const starts = [...checkpoints.toSorted((a, b) => b - a), -1];
  let problem: unknown;
  for (const from of starts) {
    try {
      return await replayLog(table, { from, last }, readCheckpoint);
    } catch (error) {
      // Some damage has no file in the engine's message.
      if (!isAppError(error, 'file_unreadable') && !isAppError(error, 'internal')) throw error;
      problem ??= error;
    }
  }
  throw problem;
}

/**
 * Reads a version of a table.
 * @param range `from`: the checkpoint to begin with; -1: none. `last`: the version
 * @throws AppError as {@link readSnapshot}
 */
async function replayLog(
  table: string,
  { from, last }: { readonly from: number; readonly last: number },
  readCheckpoint: ReadCheckpoint,
): Promise<Snapshot> {
  const log = join(table, logName);
  const file = `${basename(table)}/${logName}`;
  const replay = createReplay();
  const apply = (text: string): void => replay.apply(actionRow.parse(JSON.parse(text)));
  try {
    if (from >= 0) for (const row of await readCheckpoint(join(log, checkpointName(from)))) apply(row);
    for (let version = from + 1; version <= last; version += 1) {
      const bytes = await readRegular(join(log, commitName(version)), file, maxCommitBytes);
      for (const line of bytes.toString('utf8').split('\n')) if (line.trim() !== '') apply(line);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_unreadable', { file, reason: 'it is damaged' }, { cause: error });
  }
  const snapshot = replay.snapshot(last, from);
  if (!snapshot) throw new AppError('file_unreadable', { file, reason: 'it is incomplete' });
  // No file has such a name, and systems end one at a NUL.
  if ([...snapshot.files.keys(), ...snapshot.removed.keys()].some((path) => /\p{Cc}/u.test(path)))
    throw new AppError('file_unreadable', { file, reason: 'it is damaged' });
  if ([...snapshot.files.keys()].some(isElsewhere))
    throw new AppError('file_unreadable', { file, reason: 'it has files outside of its folder' });
  const features = unreadFeatures(snapshot.protocol, snapshot.metaData);
  if (features.length > 0)
    throw new AppError('table_unsupported', { table: basename(table), use: 'read', features });
  return snapshot;
}

/**
 * Commits a change of a table: the file of the commit has its name only when it is complete and on disk, and never that of
 * another commit. A reader sees the table before it or after it.
 * @param table its folder
 * @param before the version that is changed; null: the table is new
 * @returns the table after it; null if another writer has made this version
 * @throws AppError `disk_full`, `file_unwritable`
 */
export async function commitChange(
  table: string,
  before: Snapshot | null,
  actions: readonly Action[],
): Promise<Snapshot | null> {
  const after = snapshotAfter(before, actions);
  const log = join(table, logName);
  await withWriteErrors(basename(table), async () => {
    await mkdir(log, { recursive: true });
    await flushFolderNames(log);
  });
  const path = join(log, commitName(after.version));
  let output: OpenOutput | null = null;
  try {
    output = await openOutput({ path, replaces: false });
    await output.append(actions.map((action) => `${JSON.stringify(action)}\n`).join(''));
    await output.complete();
    await output.publish();
    return after;
  } catch (error) {
    if (isAppError(error, 'file_exists')) return null;
    throw error;
  } finally {
    await output?.discard();
    // Nobody needs a complete commit that another writer's came before.
    if (output) await Promise.allSettled([rm(output.partial, { force: true })]);
  }
}

/**
 * The Parquet files of a folder and its folders, in order; no links. Of a table of Delta, those of its last version.
 * @returns their paths; empty if the folder doesn't exist
 * @throws AppError `file_unreadable`, `table_unsupported`, `file_too_new` for the log of a table
 */
export async function parquetFilesOf(folder: string, readCheckpoint: ReadCheckpoint): Promise<string[]> {
  const table = await readSnapshot(folder, readCheckpoint);
  if (table) return [...table.files.keys()].map((path) => join(folder, path)).toSorted();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    const reason = readFailureReason(error);
    throw new AppError('file_unreadable', { file: basename(folder), reason }, { cause: error });
  });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

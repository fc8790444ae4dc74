import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../../../shared/errors/errors.ts';
import { isMissing, writeError } from '../../files/file-errors.ts';
import { readRegular } from '../../files/regular-file.ts';
import {
  actionRow,
  decodedPath,
  ownProtocol,
  type ActionRow,
  type AddFile,
  type MetaData,
  type Protocol,
  type RemoveFile,
} from './actions.ts';

/** The folder of the log in that of the table. */
export const logName = '_delta_log';

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
  /** The last version of each writer's own numbering. */
  readonly transactions: ReadonlyMap<string, number>;
}

/** Reads a checkpoint. @returns JSON of each row */
export type ReadCheckpoint = (path: string) => Promise<readonly string[]>;

/** About a million files in one commit. */
const maxCommitBytes = 512_000_000;

/** The versions of commits, and of checkpoints that are one file, in the folder of a log. */
async function versionsIn(log: string): Promise<{ commits: Set<number>; checkpoints: number[] }> {
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

/** Applies actions in their order. */
function createReplay() {
  let protocol: Protocol | null = null;
  let metaData: MetaData | null = null;
  const files = new Map<string, AddFile>();
  const removed = new Map<string, RemoveFile>();
  const transactions = new Map<string, number>();
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
      if (row.txn) transactions.set(row.txn.appId, row.txn.version);
    },
    snapshot: (version: number): Snapshot | null =>
      protocol && metaData && { version, protocol, metaData, files, removed, transactions },
  };
}

/**
 * Reads the log of a table.
 * @param table its folder
 * @returns its last version; null: it has no log
 * @throws AppError `file_unreadable` if the log is damaged or lacks a commit, `file_too_new` for a table that other programs
 * have changed in ways that Wellbench doesn't know
 */
export async function readSnapshot(table: string, readCheckpoint: ReadCheckpoint): Promise<Snapshot | null> {
  const log = join(table, logName);
  const file = `${basename(table)}/${logName}`;
  const { commits, checkpoints } = await versionsIn(log);
  const from = checkpoints.reduce((highest, version) => Math.max(highest, version), -1);
  const last = [...commits].reduce((highest, version) => Math.max(highest, version), from);
  if (last < 0) return null;
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
  const snapshot = replay.snapshot(last);
  if (!snapshot) throw new AppError('file_unreadable', { file, reason: 'it is incomplete' });
  const { minReaderVersion, minWriterVersion } = snapshot.protocol;
  if (minReaderVersion > ownProtocol.minReaderVersion || minWriterVersion > ownProtocol.minWriterVersion)
    throw new AppError('file_too_new', { file, format: Math.max(minReaderVersion, minWriterVersion) });
  return snapshot;
}

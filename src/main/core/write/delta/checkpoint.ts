import { basename, join } from 'node:path';
import { writeWhole } from '../../files/disk.ts';
import { withWriteErrors } from '../../files/file-errors.ts';
import { moveFile } from '../../files/move-file.ts';
import {
  parquetCopy,
  patternOf,
  type StartTableEngine,
  type TableEngine,
  type TableFiles,
  withTables,
} from '../../duckdb/duckdb.ts';
import { literal } from '../../../../shared/sql/names.ts';
import { isOwnWriter, type Action, type ActionRow } from './actions.ts';
import { checkpointName, logName, type ReadCheckpoint, type Snapshot } from './snapshot.ts';
import { removeOldCommits, removeOldFiles, retentionsOf } from './vacuum.ts';
import { writeFile } from '../../../world/files.ts';
import { wallMs } from '../../../world/time.ts';
import { randomBytes } from '../../../world/random.ts';

/** The number of commits from one checkpoint to the next, at least. */
const commitsOfCheckpoint = 10;
const memoryMb = 256;
const maxLineBytes = 16 << 20;

/** How checkpoints are read and written: by an engine that starts for it. */
export interface CheckpointPlace {
  readonly startTables: StartTableEngine;
  /** A folder in which each reading and writing gets one of its own, which is removed. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** Runs statements in a folder that is gone afterwards. @param name of what is read or written, for errors */
const withEngine = async <T>(
  { startTables, signal, folder: parent }: CheckpointPlace,
  files: Pick<TableFiles, 'reads' | 'name'>,
  work: (run: TableEngine['run'], folder: string) => Promise<T>,
): Promise<T> => {
  const folder = join(parent, randomBytes(6).toString('hex'));
  return withTables(startTables, { ...files, folder, memoryMb }, signal, async (run) => work(run, folder));
};

const map = 'MAP(VARCHAR, VARCHAR)';
const rowTypes: Readonly<Record<keyof ActionRow, string>> = {
  txn: 'STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)',
  add: `STRUCT(path VARCHAR, partitionValues ${map}, size BIGINT, modificationTime BIGINT, dataChange BOOLEAN, stats VARCHAR, tags ${map})`,
  remove: `STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN, extendedFileMetadata BOOLEAN, partitionValues ${map}, size BIGINT)`,
  metaData: `STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options ${map}), schemaString VARCHAR, partitionColumns VARCHAR[], configuration ${map}, createdTime BIGINT)`,
  protocol:
    'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, readerFeatures VARCHAR[], writerFeatures VARCHAR[])',
};

const needsCheckpoint = ({ version, checkpoint }: Snapshot): boolean =>
  version - Math.max(checkpoint, 0) >= commitsOfCheckpoint;

/** Reads checkpoints. */
export const checkpointReader =
  (place: CheckpointPlace): ReadCheckpoint =>
  async (path) => {
    const name = basename(path);
    return withEngine(place, { reads: [{ path, name }], name }, async (run) => {
      const rows = await run(
        `SELECT CAST(to_json(action) AS VARCHAR) FROM read_parquet(${literal(patternOf(path))}, hive_partitioning = false) AS action`,
      );
      return rows.map(([json]) => String(json));
    });
  };

/**
 * Writes a checkpoint of a table, if there are enough commits since the last one, and removes what no reader needs any more:
 * files that left the table, or that a killed writer left, a week ago, and commits of a month ago, if the table's settings say
 * nothing else.
 * @param table its folder
 * @param nowMs this computer's clock
 * @throws AppError `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
export async function tidyTable(
  table: string,
  snapshot: Snapshot,
  place: CheckpointPlace,
  nowMs = wallMs(),
): Promise<void> {
  if (!needsCheckpoint(snapshot)) return;
  const retentions = retentionsOf(snapshot);
  const beforeMs = nowMs - retentions.files;
  await withEngine(place, { reads: [], name: basename(table) }, async (run, folder) =>
    writeCheckpoint(run, folder, { table, snapshot, removedAfterMs: beforeMs }),
  );
  await removeOldFiles(table, snapshot, { removedMs: beforeMs, unknownMs: beforeMs });
  await removeOldCommits(table, { checkpoint: snapshot.version }, nowMs - retentions.commits);
}

interface WrittenCheckpoint {
  readonly table: string;
  readonly snapshot: Snapshot;
  /** No reader uses files that were removed earlier. */
  readonly removedAfterMs: number;
}

/** Writes all that a reader needs of a version and those before it. */
async function writeCheckpoint(
  run: TableEngine['run'],
  folder: string,
  { table, snapshot, removedAfterMs }: WrittenCheckpoint,
): Promise<void> {
  const { version, protocol, metaData, files, removed, transactions } = snapshot;
  const name = basename(table);
  const tombstones = [...removed.values()].filter(
    ({ deletionTimestamp = 0 }) => deletionTimestamp > removedAfterMs,
  );
  const rows: readonly Action[] = [
    { protocol },
    { metaData },
    ...[...transactions.values()]
      // A job of ours that is older can't continue any more; the numbers of other writers are theirs.
      .filter(({ appId, lastUpdated = Infinity }) => !isOwnWriter(appId) || lastUpdated > removedAfterMs)
      .map((txn) => ({ txn })),
    // They change nothing for a reader that has the table before them.
    ...Array.from(files.values(), (add) => ({ add: { ...add, dataChange: false } })),
    ...tombstones.map((remove) => ({ remove: { ...remove, dataChange: false } })),
  ];
  const [lines, written] = [join(folder, 'actions.ndjson'), join(folder, 'checkpoint.parquet')];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await withWriteErrors(name, async () => writeFile(lines, text));
  const types = Object.entries(rowTypes).map(([column, type]) => `${column}: ${literal(type)}`);
  const select = `SELECT ${Object.keys(rowTypes).join(', ')} FROM read_json(${literal(patternOf(lines))}, format = 'newline_delimited', maximum_object_size = ${maxLineBytes}, columns = {${types.join(', ')}})`;
  await run(parquetCopy(select, { path: written, metadata: [] }));
  const log = join(table, logName);
  const { bytes } = await moveFile(written, join(log, checkpointName(version)), name);
  const last = { version, size: rows.length, sizeInBytes: bytes, numOfAddFiles: files.size };
  const pointer = join(log, '_last_checkpoint');
  await withWriteErrors(name, async () => writeWhole(pointer, JSON.stringify(last)));
}

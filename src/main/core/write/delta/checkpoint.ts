import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeWhole } from '../../files/disk.ts';
import { writeError } from '../../files/file-errors.ts';
import { moveFile } from '../../files/move-file.ts';
import type { TableEngine } from '../../duckdb/table-engine.ts';
import { literal, parquetCopy, patternOf } from '../../duckdb/sql-text.ts';
import type { Action, ActionRow } from './actions.ts';
import { checkpointName, logName, type ReadCheckpoint, type Snapshot } from './snapshot.ts';

/** The number of commits from one checkpoint to the next. */
const commitsOfCheckpoint = 10;
const memoryMb = 256;
const maxLineBytes = 16 << 20;

/** An engine for checkpoints, and a folder of its own. */
export interface CheckpointEngine {
  readonly engine: TableEngine;
  readonly folder: string;
}

const map = 'MAP(VARCHAR, VARCHAR)';
const rowTypes: Readonly<Record<keyof ActionRow, string>> = {
  txn: 'STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)',
  add: `STRUCT(path VARCHAR, partitionValues ${map}, size BIGINT, modificationTime BIGINT, dataChange BOOLEAN, stats VARCHAR, tags ${map})`,
  remove: `STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN, extendedFileMetadata BOOLEAN, partitionValues ${map}, size BIGINT)`,
  metaData: `STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options ${map}), schemaString VARCHAR, partitionColumns VARCHAR[], configuration ${map}, createdTime BIGINT)`,
  protocol: 'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER)',
};

/** Whether a checkpoint follows a version. */
export const needsCheckpoint = (version: number): boolean =>
  version > 0 && version % commitsOfCheckpoint === 0;

/** Reads checkpoints with an engine. */
export const checkpointReader =
  ({ engine, folder }: CheckpointEngine): ReadCheckpoint =>
  async (path) => {
    await engine.open({ folder, reads: [{ path, name: basename(path) }], name: basename(path), memoryMb });
    const rows = await engine.run(
      `SELECT CAST(to_json(action) AS VARCHAR) FROM read_parquet(${literal(patternOf(path))}, hive_partitioning = false) AS action`,
    );
    return rows.map(([json]) => String(json));
  };

/**
 * Writes a checkpoint: all that a reader needs of a version and those before it. Files that were removed long ago are left
 * out.
 * @param removedAfterMs files that were removed earlier are in no reader's hands
 * @throws AppError `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
export async function writeCheckpoint(
  table: string,
  { version, protocol, metaData, files, removed, transactions }: Snapshot,
  { engine, folder }: CheckpointEngine,
  removedAfterMs: number,
): Promise<void> {
  const name = basename(table);
  const tombstones = [...removed.values()].filter(
    ({ deletionTimestamp = 0 }) => deletionTimestamp > removedAfterMs,
  );
  const rows: readonly Action[] = [
    { protocol },
    { metaData },
    ...Array.from(transactions, ([appId, of]) => ({ txn: { appId, version: of, lastUpdated: undefined } })),
    // They change nothing for a reader that has the table before them.
    ...Array.from(files.values(), (add) => ({ add: { ...add, dataChange: false } })),
    ...tombstones.map((remove) => ({ remove: { ...remove, dataChange: false } })),
  ];
  await engine.open({ folder, reads: [], name, memoryMb });
  const [lines, written] = [join(folder, 'actions.ndjson'), join(folder, 'checkpoint.parquet')];
  try {
    await writeFile(lines, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  } catch (error) {
    throw writeError(error, name, 0);
  }
  const types = Object.entries(rowTypes).map(([column, type]) => `${column}: ${literal(type)}`);
  const select = `SELECT ${Object.keys(rowTypes).join(', ')} FROM read_json(${literal(patternOf(lines))}, format = 'newline_delimited', maximum_object_size = ${maxLineBytes}, columns = {${types.join(', ')}})`;
  await engine.run(parquetCopy(select, { path: written, metadata: [] }));
  const log = join(table, logName);
  const { bytes } = await moveFile(written, join(log, checkpointName(version)), name);
  const last = { version, size: rows.length, sizeInBytes: bytes, numOfAddFiles: files.size };
  await writeWhole(join(log, '_last_checkpoint'), JSON.stringify(last)).catch((error: unknown) => {
    throw writeError(error, name, 0);
  });
}

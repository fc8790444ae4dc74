import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { encodedPath, ownProtocol, type Action } from '../../../../../src/main/core/write/delta/actions.ts';
import { checkpointReader, tidyTable } from '../../../../../src/main/core/write/delta/checkpoint.ts';
import {
  commitChange,
  readSnapshot,
  type Snapshot,
} from '../../../../../src/main/core/write/delta/snapshot.ts';
import { fileStats } from '../../../../../src/main/core/write/delta/file-stats.ts';
import { growSchema, type DeltaColumn } from '../../../../../src/main/core/write/delta/schema.ts';
import { startTables } from '../../../features/export/support/jobs.ts';

export const columns: readonly DeltaColumn[] = [
  { name: 'timestamp', type: 'timestamp', description: 'Time of the record' },
  { name: 'data.rop', type: 'double', unit: 'ft/h', description: 'Rate of penetration' },
  { name: 'records', type: 'long' },
  { name: 'state', type: 'string' },
  { name: 'asset_id', type: 'long' },
];

export interface TableFileOfTest {
  /** Its folder and name, such as `asset_id=5003/a.parquet`. */
  readonly path: string;
  readonly asset: string | null;
  /** A statement for its rows. */
  readonly sql: string;
}

/** The engine that writes the files of all tests. */
const instance = DuckDBInstance.create(':memory:');

/** A table of Delta in a folder, changed as an update of a mirror changes it. @param home of its own */
export async function openTable(home: string) {
  const table = join(home, 'table');
  let engineNumber = 0;
  const connection = await (await instance).connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  const checkpoints = { startTables, folder: join(home, 'logs') };
  const read = async (): Promise<Snapshot | null> => readSnapshot(table, checkpointReader(checkpoints));

  /** Writes files, with their statistics of one engine, which has a folder of its own. */
  async function writeFiles(files: readonly TableFileOfTest[]): Promise<Action[]> {
    if (files.length === 0) return [];
    const paths = files.map(({ path }) => ({ path: join(table, path), name: path }));
    for (const [at, { sql }] of files.entries()) {
      const { path = '' } = paths[at] ?? {};
      await mkdir(dirname(path), { recursive: true });
      await connection.run(
        `COPY (${sql}) TO '${path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
      );
    }
    const engine = startTables(undefined);
    try {
      engineNumber += 1;
      const folder = join(home, `engine-${engineNumber}`);
      await engine.open({ folder, reads: paths, name: 'files', memoryMb: 128 });
      const actions: Action[] = [];
      for (const file of files) actions.push(await actionOf(engine, file));
      return actions;
    } finally {
      await engine.close();
    }
  }

  async function actionOf(
    engine: ReturnType<typeof startTables>,
    { path, asset }: TableFileOfTest,
  ): Promise<Action> {
    const file = join(table, path);
    const { size, mtimeMs } = await stat(file);
    const stats = await fileStats(
      engine,
      file,
      columns.filter(({ name }) => name !== 'asset_id'),
    );
    return {
      add: {
        path: encodedPath(path),
        partitionValues: { asset_id: asset },
        size,
        modificationTime: Math.round(mtimeMs),
        dataChange: true,
        stats,
        tags: undefined,
      },
    };
  }

  return {
    table,
    read,
    /** Adds files, and removes those with these paths. @returns the version */
    async update(
      files: readonly TableFileOfTest[],
      {
        removes = [],
        schema = columns,
        transaction,
      }: {
        removes?: readonly string[];
        schema?: readonly DeltaColumn[];
        transaction?: { appId: string; version: number };
      } = {},
    ): Promise<number | null> {
      const added = await writeFiles(files);
      for (;;) {
        const before = await read();
        if (
          transaction &&
          (before?.transactions.get(transaction.appId)?.version ?? -1) >= transaction.version
        )
          return null;
        const now = Date.now();
        const grown = growSchema(before?.metaData.schemaString ?? null, schema).schema;
        const metaData = before?.metaData ?? {
          id: '8f4e3f1c-52a0-4f0e-9d0b-0123456789ab',
          name: 'wits',
          description: undefined,
          format: { provider: 'parquet', options: {} },
          schemaString: grown,
          partitionColumns: ['asset_id'],
          configuration: {},
          createdTime: now,
        };
        const commitInfo = {
          timestamp: now,
          operation: 'WRITE',
          operationParameters: { mode: 'Append' },
          engineInfo: 'Wellbench/0.0.0',
        };
        const after = await commitChange(table, before, [
          { commitInfo },
          ...(before ? [] : [{ protocol: ownProtocol }]),
          ...(before?.metaData.schemaString === grown
            ? []
            : [{ metaData: { ...metaData, schemaString: grown } }]),
          ...(transaction ? [{ txn: { ...transaction, lastUpdated: now } }] : []),
          ...removes.map((path) => {
            const { partitionValues, size } = before?.files.get(path) ?? { partitionValues: {}, size: 0 };
            return {
              remove: {
                path: encodedPath(path),
                deletionTimestamp: now,
                dataChange: true,
                extendedFileMetadata: true,
                partitionValues,
                size,
              },
            };
          }),
          ...added,
        ]);
        if (!after) continue;
        await tidyTable(table, after, checkpoints);
        return after.version;
      }
    },
    close: (): void => connection.closeSync(),
  };
}

/** Rows of a file. @param from the number of the first */
export const rowsSql = (from: number, count: number): string =>
  `SELECT make_timestamptz(1767225600000000 + i * 1000000) AS timestamp, i / 4.0::DOUBLE AS "data.rop", i AS records, CASE WHEN i % 3 > 0 THEN 'drilling ' || i END AS state FROM range(${from}, ${from + count}) AS r(i)`;

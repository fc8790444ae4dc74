import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableEngines } from '../../../../../src/main/core/duckdb/table-engine.ts';
import { encodedPath, ownProtocol, type Action } from '../../../../../src/main/core/write/delta/actions.ts';
import { checkpointReader, tidyTable } from '../../../../../src/main/core/write/delta/checkpoint.ts';
import {
  commitChange,
  readSnapshot,
  type Snapshot,
} from '../../../../../src/main/core/write/delta/snapshot.ts';
import { fileStats } from '../../../../../src/main/core/write/delta/file-stats.ts';
import { growSchema, type DeltaColumn } from '../../../../../src/main/core/write/delta/schema.ts';

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

/** A table of Delta in a folder, changed as an update of a mirror changes it. @param home of its own */
export async function openTable(home: string) {
  const table = join(home, 'table');
  const folder = join(home, 'engine');
  const start = tableEngines();
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  const withEngine = async <T>(work: (engine: ReturnType<typeof start>) => Promise<T>): Promise<T> => {
    const engine = start(undefined);
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  };
  const checkpoints = { startTables: start, folder: join(home, 'logs') };
  const read = async (): Promise<Snapshot | null> => readSnapshot(table, checkpointReader(checkpoints));

  async function writeFile({ path, asset, sql }: TableFileOfTest): Promise<Action> {
    const file = join(table, path);
    await mkdir(dirname(file), { recursive: true });
    await connection.run(
      `COPY (${sql}) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
    );
    const { size, mtimeMs } = await stat(file);
    const stats = await withEngine(async (engine) => {
      await engine.open({ folder, reads: [{ path: file, name: path }], name: path, memoryMb: 128 });
      return fileStats(
        engine,
        file,
        columns.filter(({ name }) => name !== 'asset_id'),
      );
    });
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
      const added = await Promise.all(files.map(writeFile));
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

import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertToParquet } from '../../src/main/core/duckdb/to-parquet.ts';
import { sqlCalls } from '../../src/main/core/duckdb/engine.ts';
import { windowPage } from '../../src/main/core/duckdb/sql-engine.ts';
import { startTablesHere } from './tables.ts';

const context = { signal: new AbortController().signal, emit: () => undefined, transfer: () => undefined };
export type SqlRow = Record<string, unknown>;

/** A table of records; the types of its columns are those of DuckDB, `time` for Unix milliseconds. */
export interface TestTable {
  readonly records: readonly object[];
  readonly types: Readonly<Record<string, 'time' | 'BIGINT' | 'DOUBLE' | 'VARCHAR'>>;
  readonly units?: Readonly<Record<string, string>>;
}

/** Opens tables in an engine of this process. */
export async function openSqlTables(tables: Readonly<Record<string, TestTable>>) {
  const engine = sqlCalls();
  const folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
  const setup = { spillFolder: join(folder, 'spill'), memoryMb: 200 };
  await mkdir(join(folder, 't'));
  const opened = [];
  for (const [name, { records, types, units = {} }] of Object.entries(tables)) {
    const [json, parquet] = [join(folder, `${name}.json`), join(folder, 't', `${name}.parquet`)];
    await writeFile(json, JSON.stringify(records));
    const columns = Object.entries(types).map(([key, type]) => ({ key, name: key, type }));
    await convertToParquet({ startTables: startTablesHere, signal: undefined }, { json, parquet, columns });
    opened.push({ name, files: [parquet], isPartitioned: false, units });
  }
  await engine.open({ tables: opened, outFolder: null, ...setup });
  return {
    /** All rows of a statement. */
    async run(sql: string): Promise<SqlRow[]> {
      const { cursor } = await engine.start({ sql }, context);
      const { records } = await engine.next({ cursor, limits: windowPage(10_000) }, context);
      return JSON.parse(Buffer.from(records).toString()) as SqlRow[];
    },
    /** The unit of each column of a statement, and whether its values are computed. */
    async columns(sql: string): Promise<Record<string, readonly [unit: string | null, isComputed: boolean]>> {
      const { cursor, columns } = await engine.start({ sql }, context);
      await engine.end({ cursor });
      return Object.fromEntries(columns.map(({ name, unit, isComputed }) => [name, [unit, isComputed]]));
    },
    async close(): Promise<void> {
      await engine.open({ tables: [], outFolder: null, spillFolder: folder, memoryMb: 100 });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  convertToParquet,
  type Conversion,
  copyTextTable,
  type TextTable,
} from '../../../../../src/main/core/duckdb/convert.ts';
import {
  createInstances,
  createInterrupts,
  createJobInstance,
} from '../../../../../src/main/core/duckdb/engine.ts';
import type { SqlEngine } from '../../../../../src/main/core/duckdb/sql-engine.ts';
import { sourceAt } from '../../../../../src/main/core/files/files.ts';
import { planTable } from '../../../../../src/main/features/sql/table-plan.ts';
import { openCsvThread } from '../../../../../src/main/core/mapping/source-file.ts';
import { createConversions } from '../../../../../src/main/core/tables/conversion/conversions.ts';
import { isWrittenByEngine, writeByReader } from '../../../../../src/main/features/sql/tables.ts';

/** Reads files as tables both ways, and compares the tables. @param folder of its own */
export async function openBothWays(folder: string) {
  // In this process, and in one instance: those for thousands of files take as long as the files.
  const jobs = createJobInstance(createInstances(), createInterrupts(), 'files');
  const limits = { spillFolder: join(folder, 'spill'), memoryMb: 1024 };
  const never = new AbortController().signal;
  const hold = Promise.withResolvers<void>();
  const held = jobs.run(limits, never, async () => hold.promise);
  const runJob = (async (_signal, call) =>
    call(
      {
        convert: async (input: Conversion) =>
          jobs.run(limits, never, async (connection) => convertToParquet(connection, input)),
        convertText: async (input: { readonly table: TextTable; readonly parquet: string }) =>
          jobs.run(limits, never, async (connection) => copyTextTable(connection, input)),
      } as never,
      limits,
    )) as SqlEngine['runJob'];
  const conversions = createConversions({ folder: join(folder, 'conversions') });
  const thread = openCsvThread(undefined);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  // Files of the same name follow each other within the precision of their times.
  await connection.run('SET enable_external_file_cache = false');
  const context = { conversions, engine: { runJob }, signal: undefined };
  const columnsOf = async (path: string) =>
    (await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`))
      .getRows()
      .map(([name, type]) => `${String(name)} ${String(type)}`);

  return {
    /**
     * @returns whether the engine reads the file, and what differs then
     */
    async compare(path: string): Promise<{ readonly isDirect: boolean; readonly difference: unknown }> {
      const [byEngine, byReader] = [join(folder, 'engine.parquet'), join(folder, 'reader.parquet')];
      await rm(byEngine, { force: true });
      const plan = await planTable(sourceAt(path), {}, { conversions, thread, signal: undefined });
      if (!(await isWrittenByEngine(plan, byEngine, thread, context)))
        return { isDirect: false, difference: null };
      const skipped = await writeByReader(plan, byReader, thread, context);
      const [columns, expected] = [await columnsOf(byEngine), await columnsOf(byReader)];
      if (skipped.rows > 0 || columns.join('\n') !== expected.join('\n'))
        return { isDirect: true, difference: { skipped, columns, expected } };
      const names = columns.map((_, index) => `c${index}`);
      const rows = (file: string, side: string) =>
        `(SELECT row(${names.join(', ')}) AS ${side} FROM '${file}' AS t(${names.join(', ')}))`;
      // Zero has no sign in SQL.
      const reader = await connection.runAndReadAll(
        `SELECT CAST(a AS VARCHAR), CAST(b AS VARCHAR) FROM ${rows(byEngine, 'a')} POSITIONAL JOIN ${rows(byReader, 'b')}
         WHERE a IS DISTINCT FROM b LIMIT 3`,
      );
      return { isDirect: true, difference: reader.getRows()[0] ?? null };
    },
    async close(): Promise<void> {
      hold.resolve();
      await held;
      thread.close();
      connection.closeSync();
    },
  };
}

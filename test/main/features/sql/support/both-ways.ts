import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { StartTableEngine } from '../../../../../src/main/core/duckdb/table-engine.ts';
import { sourceAt } from '../../../../../src/main/core/files/files.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { planTable } from '../../../../../src/main/features/sql/table-plan.ts';
import { openCsvThread } from '../../../../../src/main/core/mapping/source-file.ts';
import { TableReader } from '../../../../../src/main/core/tables/tables.ts';
import { isWrittenByEngine, writeByReader } from '../../../../../src/main/features/sql/tables.ts';

/** Reads files as tables both ways, and compares the tables. @param folder of its own */
export async function openBothWays(folder: string) {
  const reader = new TableReader({ folder: join(folder, 'conversions') });
  const thread = openCsvThread(undefined);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  // Files of the same name follow each other within the precision of their times.
  await connection.run('SET enable_external_file_cache = false');
  await connection.run(`SET TimeZone = 'UTC'`);
  // In this process, and in one instance: those for thousands of files take as long as the files.
  const startTables: StartTableEngine = () => {
    let own: string | undefined;
    const rest = async () => (own === undefined ? undefined : rm(own, { recursive: true, force: true }));
    return {
      load: async () => undefined,
      async open({ folder: used }) {
        own = used;
        await mkdir(used, { recursive: true });
      },
      async run(sql) {
        try {
          return (await connection.runAndReadAll(sql))
            .getRows()
            .map((row) =>
              row.map((value) => (typeof value === 'number' || value === null ? value : String(value))),
            );
        } catch (cause) {
          throw new AppError('internal', { problem: String(cause) });
        }
      },
      rest,
      close: rest,
    };
  };
  const context = { reader, startTables, signal: undefined };
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
      const plan = await planTable(sourceAt(path), {}, { reader, thread, signal: undefined });
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
      const result = await connection.runAndReadAll(
        `SELECT CAST(a AS VARCHAR), CAST(b AS VARCHAR) FROM ${rows(byEngine, 'a')} POSITIONAL JOIN ${rows(byReader, 'b')}
         WHERE a IS DISTINCT FROM b LIMIT 3`,
      );
      return { isDirect: true, difference: result.getRows()[0] ?? null };
    },
    async close(): Promise<void> {
      thread.close();
      connection.closeSync();
    },
  };
}

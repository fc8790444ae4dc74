import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlCalls } from '../../../../src/main/core/duckdb/engine.ts';
import { openTables } from '../../../../src/main/core/duckdb/open-tables.ts';
import { windowPage } from '../../../../src/main/core/duckdb/sql-engine.ts';
import { checkStatement } from '../../../../src/main/core/duckdb/statement.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { parseJson } from '../../../../src/shared/json.ts';
import { seededRandom } from '../../../support/clock.ts';
import { lawRuns } from '../../../support/sample.ts';
import { randomStatement } from './random-statement.ts';

const statements = lawRuns(150);
const seed = 1;

const folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
const shared = join(folder, 'tables');
const secretText = 'DONT-SHOW-ME';
const files = ['secret.csv', 'secret.json', 'secret.parquet', 'manifest.json'];
const names = {
  tables: ['log', 'stages'],
  column: 'well',
  secrets: [
    ...files.map((file) => join(shared, file)),
    join(shared, '..', 'tables', 'secret.csv'),
    join(shared, 'secret.*'),
    'sqlite_master',
    'duckdb_views',
    'duckdb_logs',
    'pg_views',
  ],
};
const tables = names.tables.map((name) => ({
  name,
  files: [join(shared, `${name}.parquet`)],
  isPartitioned: false,
  units: {},
}));

async function withConnection(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '300MB', threads: '1' });
  const connection = await instance.connect();
  try {
    await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

beforeAll(async () => {
  await mkdir(shared);
  await withConnection(async (connection) => {
    for (const name of names.tables)
      await connection.run(
        `COPY (SELECT 5001 + i AS well, i AS depth FROM range(4) r(i)) TO '${join(shared, `${name}.parquet`)}'`,
      );
    for (const file of files)
      await connection.run(`COPY (SELECT '${secretText}' AS well) TO '${join(shared, file)}'`);
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What a call gives: rows as text, or an error. Random joins of random tables are canceled after a while. */
async function textOf(rows: Promise<string>): Promise<string> {
  return rows.catch((error: unknown) =>
    error instanceof AppError ? `${error.code}: ${error.message}` : String(error),
  );
}

/** Statements that both of the tests run. */
function* all(): Generator<string> {
  const random = seededRandom(seed);
  for (let index = 0; index < statements; index += 1) yield randomStatement(random, names);
}

it(`${statements} random statements show nothing of other files, nor paths, and fail with errors of the statement`, async () => {
  const engine = sqlCalls();
  await engine.open({ tables, outFolder: null, spillFolder: join(folder, 'spill'), memoryMb: 300 });
  let answered = 0;
  for (const sql of all()) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 2000);
    const context = { signal: stop.signal, emit: () => undefined, transfer: () => undefined };
    const text = await textOf(
      engine.start({ sql }, context).then(async ({ cursor }) => {
        const { records } = await engine.next({ cursor, limits: windowPage(50) }, context);
        await engine.end({ cursor });
        return `rows: ${Buffer.from(records).toString()}`;
      }),
    );
    clearTimeout(timer);
    expect(text, sql).not.toContain(secretText);
    expect(text, sql).toMatch(/^(?:rows|invalid_input|cancelled): /);
    // A statement may have paths as its own texts.
    if (!sql.includes(folder)) expect(text, sql).not.toContain(folder);
    expect(text, sql).not.toContain('log.parquet');
    if (text.startsWith('rows: ')) answered += 1;
  }
  expect(answered / statements).toBeGreaterThan(0.1);
}, 3_600_000);

it('the lock of the engine alone shows nothing of other files', async () => {
  await withConnection(async (connection) => {
    await openTables(connection, tables, join(folder, 'out'));
    for (const sql of all()) {
      const timer = setTimeout(() => connection.interrupt(), 2000);
      const text = await textOf(
        connection.runAndReadUntil(sql, 50).then((reader) => JSON.stringify(reader.getRowsJson())),
      );
      clearTimeout(timer);
      expect(text, sql).not.toContain(secretText);
    }
  });
}, 3_600_000);

it('the check alone lets nothing through that reads other files or the catalog', async () => {
  await withConnection(async (connection) => {
    const reader = await connection.runAndReadAll('SELECT lower(view_name) FROM duckdb_views()');
    const catalog = new Set(reader.getRows().map(([name]) => String(name)));
    for (const {
      name,
      files: [file = ''],
    } of tables)
      await connection.run(`CREATE VIEW ${name} AS SELECT * FROM read_parquet('${file}')`);
    let allowed = 0;
    for (const sql of all()) {
      const tree = await connection.runAndReadAll(
        'SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)',
        [sql],
      );
      try {
        checkStatement(sql, parseJson(String(tree.getRows()[0]?.[0] ?? 'null')), {
          tables: names.tables,
          catalog,
        });
      } catch {
        continue;
      }
      allowed += 1;
      const timer = setTimeout(() => connection.interrupt(), 2000);
      const text = await textOf(
        connection.runAndReadUntil(sql, 50).then((rows) => JSON.stringify(rows.getRowsJson())),
      );
      clearTimeout(timer);
      expect(text, sql).not.toContain(secretText);
      expect(text, sql).not.toContain('CREATE VIEW');
    }
    expect(allowed / statements).toBeGreaterThan(0.1);
  });
}, 3_600_000);

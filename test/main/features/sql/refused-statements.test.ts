import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTables } from '../../../../src/main/core/duckdb/open-tables.ts';
import { sqlCalls } from '../../../../src/main/core/duckdb/engine.ts';
import { windowPage } from '../../../../src/main/core/duckdb/sql-engine.ts';
import { isAppError } from '../../../../src/shared/errors/errors.ts';

const engine = sqlCalls();
const folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
/** The folder of the tables, in which others have put files too. */
const shared = join(folder, 'tables');
const secret = join(shared, 'secret.csv');
const secretText = 'DONT-SHOW-ME';
const context = { signal: new AbortController().signal, emit: () => undefined, transfer: () => undefined };
const tables = ['log', 'stages'].map((name) => ({
  name,
  files: [join(shared, `${name}.parquet`)],
  isPartitioned: false,
  units: {},
}));

/** The rows of a statement, as text. */
async function run(sql: string): Promise<string> {
  const { cursor } = await engine.start({ sql }, context);
  const { records } = await engine.next({ cursor, limits: windowPage(1000) }, context);
  await engine.end({ cursor });
  return Buffer.from(records).toString();
}

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const copy = async (select: string, file: string) =>
    connection.run(`COPY (${select}) TO '${join(shared, file)}'`);
  await mkdir(shared);
  await copy('SELECT 5001 + i % 2 AS well, i AS depth, i * 1.5 AS rop FROM range(100) r(i)', 'log.parquet');
  await copy('SELECT 5001 + i % 2 AS well, i AS start, i AS stage FROM range(10) r(i)', 'stages.parquet');
  for (const file of ['secret.csv', 'secret.parquet', 'secret.json', 'secret.tsv', 'manifest.json'])
    await copy(`SELECT '${secretText}' AS s`, file);
  await writeFile(join(shared, 'secret.txt'), secretText);
  connection.closeSync();
  instance.closeSync();
  await engine.open({ tables, outFolder: null, spillFolder: join(folder, 'spill'), memoryMb: 100 });
});
afterAll(async () => {
  await engine.open({ tables: [], outFolder: null, spillFolder: folder, memoryMb: 100 });
  await rm(folder, { recursive: true, force: true });
});

/** Statements that would read, write, load, or change more than the open tables. */
const refused = [
  `SELECT * FROM '/etc/passwd'`,
  `SELECT * FROM '/etc/passwd.csv'`,
  `FROM '/etc/passwd'`,
  `SELECT * FROM read_text('/etc/passwd')`,
  `SELECT * FROM read_csv('/etc/passwd')`,
  `SELECT * FROM read_blob('/etc/*')`,
  `SELECT * FROM read_json('/etc/passwd')`,
  `SELECT * FROM read_parquet('${shared}/log.parquet')`,
  `SELECT * FROM parquet_metadata('${shared}/log.parquet')`,
  `SELECT * FROM glob('/**')`,
  `SELECT * FROM log, read_text('/etc/passwd')`,
  `SELECT (SELECT content FROM read_text('/etc/passwd'))`,
  `WITH a AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM a`,
  `SELECT * FROM log WHERE EXISTS (FROM sniff_csv('/etc/passwd'))`,
  `SELECT * FROM query('SELECT 1')`,
  `SELECT * FROM query_table('log')`,
  `SELECT * FROM duckdb_settings()`,
  `SELECT * FROM duckdb_views()`,
  `SELECT * FROM duckdb_secrets()`,
  `SELECT * FROM duckdb_temporary_files()`,
  `SELECT * FROM pragma_database_list()`,
  `SELECT * FROM information_schema.tables`,
  `SELECT * FROM sqlite_master`,
  `SELECT * FROM memory.main.log`,
  `SELECT * FROM pg_catalog.pg_class`,
  `SELECT current_setting('temp_directory')`,
  `SELECT getenv('HOME')`,
  `SELECT getvariable('x')`,
  `SHOW ALL TABLES`,
  `COPY (SELECT 1) TO '${shared}/out.csv'`,
  `COPY log TO '/tmp/out.parquet'`,
  `EXPORT DATABASE '/tmp/out'`,
  `ATTACH '/tmp/x.db'`,
  `INSTALL httpfs`,
  `LOAD httpfs`,
  `INSERT INTO log VALUES (1, now(), 2)`,
  `CREATE TABLE t AS SELECT 1`,
  `CREATE MACRO f() AS 1`,
  `DROP VIEW log`,
  `DELETE FROM log`,
  `SET enable_external_access = true`,
  `SET lock_configuration = false`,
  `RESET allowed_directories`,
  `PRAGMA database_list`,
  `CALL pragma_version()`,
  `BEGIN`,
  `CHECKPOINT`,
  `EXPLAIN SELECT * FROM log`,
  `SELECT 1; SELECT 2`,
  `SELECT 1; DROP VIEW log`,
  `SELEC 1`,
  ``,
  `-- nothing`,

  // Names of WITH that are in scope elsewhere only.
  `SELECT f.* FROM "${secret}" f, (WITH "${secret}" AS (SELECT 1) SELECT 1) x`,
  `SELECT * FROM '${shared}/manifest.json', (WITH "${shared}/manifest.json" AS (SELECT 1) SELECT 1) x`,
  `SELECT * FROM "secret.csv", (WITH "secret.csv" AS (SELECT 1) SELECT 1) x`,
  `WITH "${secret}" AS (SELECT * FROM "${secret}") SELECT * FROM "${secret}"`,
  `WITH a AS (WITH "${secret}" AS (SELECT 1) SELECT 1), b AS (SELECT * FROM "${secret}") SELECT * FROM b`,
  `WITH RECURSIVE "${secret}"(n) AS (SELECT 1 UNION SELECT 2 FROM "${secret}") SELECT * FROM "${secret}"`,
  `SELECT * FROM sqlite_master, (WITH sqlite_master AS (SELECT 1) SELECT 1) x`,
  `SELECT * FROM "SQLITE_MASTER", (WITH Sqlite_Master AS (SELECT 1) SELECT 1) x`,
  `SELECT * FROM duckdb_views, (WITH duckdb_views AS (SELECT 1) SELECT 1) x`,
  `SELECT * FROM duckdb_settings, (WITH "a.b" AS (SELECT 1) SELECT 1) x`,
  `SELECT * FROM pg_views UNION ALL (WITH pg_views AS (SELECT 1) SELECT * FROM pg_views)`,
  `SELECT (SELECT count(*) FROM pragma_database_list) + (WITH pragma_database_list AS (SELECT 1) SELECT 1)`,
  `WITH duckdb_logs AS (SELECT * FROM duckdb_logs) SELECT * FROM duckdb_logs`,
  `WITH "C:\\secret.csv" AS (SELECT 1) SELECT * FROM "C:\\secret.csv"`,
  // Files and catalogs at every place that a statement has for a table.
  `TABLE "${secret}"`,
  `FROM "${secret}" SELECT *`,
  `SELECT * FROM log WHERE well IN (FROM '${secret}')`,
  `SELECT * FROM log ORDER BY (SELECT s FROM '${secret}')`,
  `SELECT * FROM log LIMIT (SELECT count(*) FROM '${secret}')`,
  `SELECT well FROM log GROUP BY well HAVING max(rop) > (SELECT count(*) FROM '${secret}')`,
  `SELECT * FROM log QUALIFY row_number() OVER (ORDER BY (SELECT s FROM '${secret}')) = 1`,
  `SELECT CASE WHEN EXISTS (FROM '${secret}') THEN 1 END`,
  `SELECT list_transform([1], x -> (SELECT s FROM '${secret}'))`,
  `SELECT max(rop) FILTER (WHERE EXISTS (FROM '${secret}')) FROM log`,
  `SELECT * FROM log ASOF JOIN '${secret}' s ON log.well >= s.s`,
  `SELECT * FROM log POSITIONAL JOIN '${secret}'`,
  `SELECT * FROM log, LATERAL (SELECT * FROM '${secret}' WHERE well > 0)`,
  `SELECT * FROM (VALUES ((SELECT s FROM '${secret}')))`,
  `SELECT 1 UNION ALL BY NAME SELECT * FROM '${secret}'`,
  `SELECT 1 EXCEPT SELECT 1 FROM '${secret}'`,
  `SELECT * FROM range((SELECT count(*) FROM '${secret}'))`,
  `SELECT unnest((SELECT list(s) FROM '${secret}'))`,
  `SELECT * FROM (PIVOT '${secret}' ON s IN ('a') USING count(*))`,
  `SELECT * FROM (UNPIVOT '${secret}' ON s)`,
  `SELECT * FROM '${secret}' TABLESAMPLE 10%`,
  `SELECT * FROM log AT (VERSION => (SELECT count(*) FROM '${secret}'))`,
  `DESCRIBE '${secret}'`,
  `SUMMARIZE '${secret}'`,
  `SHOW '${secret}'`,
  `DESCRIBE SELECT * FROM '${secret}'`,
  `SELECT * FROM (SUMMARIZE '${secret}')`,
  `SELECT * FROM '/*' || '${secret}'`,
  `/* a */ SELECT -- b\n * FROM /* /* c */ */ "${secret}"`,
  `SELECT * FROM U&"\\0073ecret.csv"`,
  `SELECT * FROM $$${secret}$$`,
  `SELECT * FROM E'${secret}'`,
  `SELECT 1\0; DROP VIEW log`,
  `SELECT * FROM main.log`,
  `SELECT * FROM temp.log`,
  `SELECT * FROM secret.csv`,
  `SELECT * FROM system.main.sqlite_master`,
  // Functions that read, look into the catalog, run other statements, or wait.
  `SELECT * FROM read_csv_auto('${secret}')`,
  `SELECT * FROM parquet_scan('${shared}/log.parquet')`,
  `SELECT * FROM parquet_kv_metadata('${shared}/log.parquet')`,
  `SELECT * FROM parquet_schema('${shared}/log.parquet')`,
  `SELECT * FROM "read_text"('${secret}')`,
  `SELECT * FROM system.main.read_text('${secret}')`,
  `SELECT * FROM READ_TEXT('${secret}')`,
  `SELECT * FROM log, LATERAL read_text('${secret}')`,
  `SELECT * FROM read_duckdb('${secret}')`,
  `SELECT * FROM histogram('log', well)`,
  `SELECT * FROM which_secret('${secret}', 's3')`,
  `SELECT * FROM json_execute_serialized_sql('{}')`,
  `SELECT * FROM enable_logging()`,
  `SELECT * FROM duckdb_external_file_cache()`,
  `SELECT * FROM sql_auto_complete('SELECT * FROM ''${shared}/')`,
  `SELECT * FROM summary((SELECT 1))`,
  `SELECT json_serialize_plan('SELECT * FROM ''${secret}''')`,
  `SELECT 'SELECT 1'.json_serialize_plan()`,
  `SELECT "current_setting"('temp_directory')`,
  `SELECT system.main.current_setting('temp_directory')`,
  `SELECT list_transform(['temp_directory'], x -> current_setting(x))`,
  `SELECT pg_get_viewdef(0)`,
  `SELECT pg_sleep(0)`,
  `SELECT sleep_ms(1)`,
  `SELECT obj_description(1, 'x')`,
  `SELECT write_log('x')`,
  `SELECT * FROM log WHERE getvariable('x') IS NULL`,
  // Other statements.
  `COPY log FROM '${secret}'`,
  `COPY log TO '${shared}/log.parquet'`,
  `COPY FROM DATABASE memory TO memory`,
  `IMPORT DATABASE '${shared}'`,
  `DETACH memory`,
  `USE memory`,
  `UPDATE EXTENSIONS`,
  `FORCE INSTALL httpfs FROM community`,
  `SET VARIABLE x = 1`,
  `SET search_path = 'main'`,
  `PRAGMA enable_profiling`,
  `PREPARE q AS SELECT 1`,
  `EXECUTE q`,
  `DEALLOCATE q`,
  `EXPLAIN ANALYZE SELECT * FROM log`,
  `PIVOT log ON well USING count(*)`,
  `VACUUM`,
  `ANALYZE`,
  `CREATE VIEW v AS SELECT * FROM log`,
  `CREATE TEMP TABLE t AS FROM log`,
  `CREATE SECRET s (TYPE s3)`,
  `CREATE TYPE t AS ENUM ('a')`,
  `ALTER VIEW log RENAME TO other`,
  `UPDATE log SET rop = 1`,
  `TRUNCATE log`,
  `MERGE INTO log USING log AS o ON true WHEN MATCHED THEN DELETE`,
  `WITH a AS (DELETE FROM log RETURNING *) SELECT * FROM a`,
  `COMMENT ON VIEW log IS 'x'`,
  `SELECT 1;; SELECT 2`,
];

describe('a statement that does more than read the open tables', () => {
  it.each(refused)('is refused: %s', async (sql) => {
    const error = await run(sql).catch((cause: unknown) => cause);
    if (!isAppError(error, 'invalid_input')) throw new Error(`not refused: ${String(error)}`);
    expect(error.details.issues).toMatchObject([{ place: { field: 'sql' } }]);
    expect(error.message).not.toContain(secretText);
  });

  it('is refused by functions that were looked at: an engine with others needs another look', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      `SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro') ORDER BY ALL`,
    );
    const names = reader.getRows().map(([name]) => String(name));
    const hash = createHash('sha256').update(names.join()).digest('hex');
    expect([names.length, hash]).toEqual([
      818,
      '67ac41e721527b9a0b10351e656519c579f2eaf8c36c17170a7c6ce85e2cdc3a',
    ]);
    const macros = await connection.runAndReadAll(
      `SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'macro' AND contains(lower(macro_definition), 'select')`,
    );
    const calls = macros.getRows().map(([name]) => String(name));
    for (const name of calls)
      await expect(run(`SELECT ${name}()`), name).rejects.toThrow('can’t be used here');
    connection.closeSync();
    instance.closeSync();
  });

  it('reads no other file if our own check missed it, as the engine is locked', async () => {
    const statements = [
      ...refused,
      `SELECT * FROM '${shared}/secret.parquet'`,
      `SELECT * FROM read_text('${shared}/secret.*')`,
      `SELECT * FROM read_text('${shared}/../tables/secret.txt')`,
      `SELECT * FROM read_blob('${shared}/**')`,
      `COPY (SELECT 1) TO '${shared}/out.csv'`,
      `COPY (SELECT 1) TO '${folder}/spill/out.csv'`,
      `COPY (SELECT 1) TO '${folder}/spill-out/../secret.csv'`,
      `COPY (SELECT 1) TO '${folder}/spill-outside.csv'`,
      `SET enable_external_access = true`,
      `SET allowed_paths = ['${secret}']`,
      `INSTALL httpfs`,
      `ATTACH '${shared}/x.db'`,
    ];
    let instance = await DuckDBInstance.create(':memory:');
    /** A connection whose tables are open: a statement can close them for the next one. */
    async function connect(): Promise<DuckDBConnection> {
      const connection = await instance.connect();
      if (await connection.run('SELECT depth FROM log, stages').catch(() => null)) return connection;
      connection.closeSync();
      instance.closeSync();
      instance = await DuckDBInstance.create(':memory:');
      const opened = await instance.connect();
      await openTables(opened, tables, join(folder, 'out'));
      return opened;
    }
    for (const sql of statements) {
      const connection = await connect();
      const rows = await connection.runAndReadAll(sql).then(
        (reader) => JSON.stringify(reader.getRowsJson()),
        (error: unknown) => String(error),
      );
      connection.closeSync();
      expect(rows, sql).not.toContain(secretText);
    }
    instance.closeSync();
    const files = await readdir(shared);
    expect(files.sort()).toEqual([
      'log.parquet',
      'manifest.json',
      'secret.csv',
      'secret.json',
      'secret.parquet',
      'secret.tsv',
      'secret.txt',
      'stages.parquet',
    ]);
    expect(await run('SELECT count(*) AS n FROM log')).toBe('[{"n":100}]');
  });
});

describe('a statement that reads the open tables', () => {
  it.each([
    `WITH a AS (SELECT * FROM log), b(n) AS MATERIALIZED (SELECT count(*) FROM a) SELECT * FROM b, a`,
    `WITH log AS (SELECT * FROM log WHERE depth < 5) SELECT * FROM log`,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n`,
    `WITH "Tiefe (m)" AS (SELECT depth FROM "LOG") SELECT * FROM "tiefe (M)"`,
    `FROM log SELECT well, max(rop) GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL DESC NULLS LAST LIMIT 50%`,
    `SELECT DISTINCT ON (well) * FROM log ORDER BY well, depth LIMIT 3 OFFSET 1`,
    `SELECT l.*, s.stage FROM log l ASOF LEFT JOIN stages s ON l.well = s.well AND l.depth >= s.start`,
    `SELECT * FROM log SEMI JOIN stages USING (well)`,
    `SELECT * FROM log l, LATERAL (SELECT max(stage) FROM stages s WHERE s.well = l.well) x`,
    `SELECT avg(rop) OVER (PARTITION BY well ORDER BY depth ROWS 2 PRECEDING) FROM log QUALIFY row_number() OVER () < 5`,
    `SELECT * FROM (PIVOT log ON well IN (5001, 5002) USING avg(rop) GROUP BY depth)`,
    `SELECT * FROM (UNPIVOT (SELECT depth, rop FROM log) ON depth, rop)`,
    `SELECT * FROM log TABLESAMPLE 10 ROWS`,
    `SELECT COLUMNS('d.*'), * EXCLUDE (rop) REPLACE (depth + 1 AS depth) FROM log`,
    `SELECT list_transform([1, 2], x -> x + 1), {'a': 1}.a, MAP {'k': 1}, [x for x in [1, 2] if x > 1]`,
    `SELECT rop::DECIMAL(9, 2), CAST(depth AS ENUM('a')) IS NULL FROM log WHERE false`,
    `SELECT * FROM range(3) WITH ORDINALITY, generate_series(1, 2), unnest([1, 2]) u(i), repeat('x', 2)`,
    `SELECT 1 AS n UNION ALL BY NAME SELECT well FROM log`,
    `SELECT well FROM log INTERSECT SELECT 5001 EXCEPT SELECT 2`,
    `(VALUES (1, 'a'), (2, 'b')) ORDER BY 1`,
    `TABLE log`,
    `DESCRIBE log`,
    `SUMMARIZE log`,
    `SHOW log`,
    `SELECT pg_typeof(1), typeof(1), version() IS NULL, now() IS NULL, random() < 2, uuid() IS NULL, error(NULL)`,
    `SELECT GROUPING(well), count(*) FROM log GROUP BY CUBE (well, depth)`,
    `SELECT sum(rop) FILTER (WHERE depth > 5), list(rop ORDER BY depth), well IN (SELECT well FROM stages) FROM log GROUP BY well`,
  ])('runs: %s', async (sql) => {
    expect(JSON.parse(await run(sql))).toBeInstanceOf(Array);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { read as readWorkbook, utils } from '@e965/xlsx';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { targetAt } from '../../../src/main/files/files.ts';
import type { ExportFormat } from '../../../src/shared/export/export.ts';
import { useFolders } from '../../support/folders.ts';
import { openSql } from './support/open-sql.ts';

const newFolder = useFolders();

type Sql = Awaited<ReturnType<typeof openSql>>;

async function save(sql: Sql, statement: string, format: ExportFormat, options = {}): Promise<string> {
  const path = join(await newFolder(), `saved.${format}`);
  const { token: target } = sql.files.grantTarget(targetAt(path));
  await sql.save(
    { sql: statement, target, format, csv: {}, layout: {}, columnNames: 'dotted', ...options } as never,
    {},
  );
  return path;
}

const textOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8')).trimEnd().split(/\r?\n/);

/** The cells of the first sheet, as an independent library reads them: their value and its format. */
async function sheetCells(path: string) {
  const { SheetNames, Sheets } = readWorkbook(await readFile(path), { cellNF: true });
  const sheet = Sheets[SheetNames[0] ?? ''] ?? {};
  const { e: end } = utils.decode_range(sheet['!ref'] ?? 'A1');
  return Array.from({ length: end.r + 1 }, (_, r) =>
    Array.from({ length: end.c + 1 }, (__, c) => {
      const cell = sheet[utils.encode_cell({ r, c })] as { v?: unknown; z?: string } | undefined;
      return { value: cell?.v, format: cell?.z?.replaceAll('\\', '') };
    }),
  );
}

/** What the engine itself reads in a Parquet file: names, types, and rows as text. */
async function readBack(path: string) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  const types = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`);
  const rows = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM '${path}'`);
  connection.closeSync();
  return {
    types: Object.fromEntries(types.getRows().map(([name, type]) => [String(name), String(type)])),
    rows: rows.getRows(),
  };
}

/** Each type: its expression, its type in Parquet, its text in CSV, and its value in JSON where that differs. */
const matrix = [
  ['small', '7::TINYINT', 'TINYINT', '7'],
  ['big', '9007199254740993', 'BIGINT', '9007199254740993'],
  ['huge', '12345678901234567890123456789::HUGEINT', 'DECIMAL(38,0)', '12345678901234567890123456789'],
  ['total', 'sum(9007199254740993)', 'DECIMAL(38,0)', '9007199254740993'],
  ['tenth', '0.1::FLOAT', 'FLOAT', '0.1'],
  ['third', '1/3', 'DOUBLE', '0.3333333333333333'],
  ['none', `'nan'::DOUBLE`, 'DOUBLE', 'NaN'],
  ['least', `'-inf'::DOUBLE`, 'DOUBLE', '-Infinity'],
  ['price', '12.50::DECIMAL(10,2)', 'DECIMAL(10,2)', '12.50'],
  [
    'instant',
    `TIMESTAMPTZ '2026-01-01 00:00:00.123456Z'`,
    'TIMESTAMP WITH TIME ZONE',
    '2026-01-01T00:00:00.123456Z',
  ],
  [
    'local',
    `TIMESTAMPTZ '2026-01-01 00:00:00Z' AT TIME ZONE 'America/Chicago'`,
    'TIMESTAMP',
    '2025-12-31T18:00:00.000',
  ],
  ['nanos', `TIMESTAMP_NS '2026-01-01 00:00:00.123456789'`, 'TIMESTAMP_NS', '2026-01-01T00:00:00.123456789'],
  ['old', `TIMESTAMP '1969-12-31 23:59:59.9995'`, 'TIMESTAMP', '1969-12-31T23:59:59.999500'],
  ['day', `DATE '2026-01-31'`, 'DATE', '2026-01-31'],
  ['clock', `TIME '12:30:15'`, 'TIME', '12:30:15'],
  ['span', 'INTERVAL 90 MINUTE', 'INTERVAL', '01:30:00'],
  ['flag', 'true', 'BOOLEAN', 'true'],
  ['text', `'x, “y”'`, 'VARCHAR', '"x, “y”"'],
  ['list', '[1, 2]', 'INTEGER[]', '"[1,2]"'],
  ['timestamp', '1767225600000', 'BIGINT', '1767225600000'],
  ['empty', 'NULL::DOUBLE', 'DOUBLE', ''],
] as const;
const statement = `SELECT ${matrix.map(([name, value]) => `${value} AS ${name}`).join(', ')} -- all types`;
const names = matrix.map(([name]) => name);

describe('the values of a statement', () => {
  it('keep their types and digits in Parquet, for the engine and for another reader', async () => {
    const sql = await openSql();
    const path = await save(sql, statement, 'parquet');
    const { types, rows } = await readBack(path);
    expect(types).toEqual(Object.fromEntries(matrix.map(([name, , type]) => [name, type])));
    const values = Object.fromEntries(names.map((name, at) => [name, rows[0]?.[at]]));
    expect(values).toMatchObject({
      huge: '12345678901234567890123456789',
      total: '9007199254740993',
      none: 'nan',
      instant: '2026-01-01 00:00:00.123456+00',
      local: '2025-12-31 18:00:00',
      old: '1969-12-31 23:59:59.9995',
      clock: '12:30:15',
      span: '01:30:00',
      empty: null,
    });
    const bytes = await readFile(path);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const read = {
      columns: ['big', 'instant', 'local', 'third', 'text'],
      compressors: { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) },
    };
    expect(await parquetReadObjects({ file, ...read })).toEqual([
      {
        big: 9_007_199_254_740_993n,
        instant: new Date('2026-01-01T00:00:00.123Z'),
        local: new Date('2025-12-31T18:00:00Z'),
        third: 1 / 3,
        text: 'x, “y”',
      },
    ]);
    const { key_value_metadata: metadata = [] } = parquetMetadata(file);
    const described = metadata.find(({ key }) => key === 'wellbench.columns')?.value ?? '[]';
    expect((JSON.parse(described) as { name: string }[]).map(({ name }) => name)).toEqual(names);
  });

  it('keep their digits and their order in CSV, NDJSON, and JSON', async () => {
    const sql = await openSql();
    const [header, row] = await textOf(await save(sql, statement, 'csv'));
    expect(header).toBe(names.join(','));
    expect(row).toBe(matrix.map(([, , , text]) => text).join(','));
    for (const format of ['ndjson', 'json'] as const) {
      const text = (await textOf(await save(sql, statement, format))).join('');
      expect([...text.matchAll(/"(\w+)":/g)].map(([, name]) => name)).toEqual(names);
      expect(text).toContain('"huge":12345678901234567890123456789,');
      expect(text).toContain('"local":"2025-12-31T18:00:00.000",');
    }
  });

  it('are dates, times, and numbers in a workbook, where a column called timestamp may have numbers', async () => {
    const sql = await openSql();
    const cells = await sheetCells(await save(sql, statement, 'xlsx', { timeZone: 'America/Chicago' }));
    const of = (name: (typeof names)[number]) => cells.at(-1)?.[names.indexOf(name)];
    expect(cells[0]?.map(({ value }) => value)).toEqual(names);
    const serial = (iso: string) => Date.parse(iso) / 86_400_000 + 25_569;
    // An instant is in the time zone that the person selected, a time without one stays.
    expect(Number(of('instant')?.value)).toBeCloseTo(serial('2025-12-31T18:00:00.123Z'), 8);
    expect(of('local')?.value).toBe(serial('2025-12-31T18:00:00Z'));
    expect(of('day')).toEqual({ value: serial('2026-01-31'), format: 'yyyy-mm-dd' });
    expect(of('local')?.format).toBe('yyyy-mm-dd hh:mm:ss');
    expect(of('timestamp')).toEqual({ value: 1_767_225_600_000, format: 'General' });
    expect(of('big')).toEqual({ value: '9007199254740993', format: 'General' });
  });

  it('that are instants are written in a time zone with all their digits, and with the form for spreadsheets', async () => {
    const sql = await openSql();
    const times = `SELECT TIMESTAMPTZ '2026-07-01 00:00:00.123456Z' AS a, TIMESTAMP '2026-07-01 00:00:00' AS b, 1767225600000 AS timestamp`;
    const zone = { timeZone: 'America/Chicago' };
    expect(await textOf(await save(sql, times, 'csv', zone))).toEqual([
      'a,b,timestamp',
      '2026-06-30T19:00:00.123456-05:00,2026-07-01T00:00:00.000,1767225600000',
    ]);
    expect(
      await textOf(await save(sql, times, 'csv', { ...zone, layout: { times: 'spreadsheet' } })),
    ).toEqual([
      'a (America/Chicago),b,timestamp',
      '2026-06-30 19:00:00.123,2026-07-01 00:00:00,1767225600000',
    ]);
  });

  it('have the columns of the statement, in its order, also without rows', async () => {
    const sql = await openSql();
    const none = 'SELECT 1 AS zeta, 2 AS timestamp, 3 AS asset_id, 4 AS "data.rop", 5 AS _id FROM range(0)';
    const order = ['zeta', 'timestamp', 'asset_id', 'data.rop', '_id'];
    expect(await textOf(await save(sql, none, 'csv'))).toEqual([order.join(',')]);
    expect(Object.keys((await readBack(await save(sql, none, 'parquet'))).types)).toEqual(order);
    const [header] = await sheetCells(await save(sql, none, 'xlsx'));
    expect(header?.map(({ value }) => value)).toEqual(order);
    expect(await textOf(await save(sql, none.replace('range(0)', 'range(1)'), 'csv'))).toEqual([
      order.join(','),
      '1,2,3,4,5',
    ]);
  });

  it('have distinct names in Parquet, also where they differ in case only', async () => {
    const sql = await openSql();
    const path = await save(sql, 'SELECT 1 AS a, 2 AS a, 3 AS A, 4 AS "b""c"', 'parquet');
    const { types, rows } = await readBack(path);
    expect(Object.keys(types)).toEqual(['a', 'a:1', 'A:2', 'b"c']);
    expect(rows).toEqual([['1', '2', '3', '4']]);
  });
});

it('rows in Parquet come from a statement that only reads: others are refused before a file exists', async () => {
  const sql = await openSql();
  for (const refused of [
    'CREATE TABLE x AS SELECT 1',
    "SELECT 1) TO '/tmp/x.csv' --",
    `SELECT * FROM query('SELECT 1')`,
  ])
    await expect(save(sql, refused, 'parquet')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(save(sql, `SELECT error('stopped') FROM range(3)`, 'parquet')).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

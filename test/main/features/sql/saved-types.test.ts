import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { read as readWorkbook, utils } from '@e965/xlsx';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { targetAt } from '../../../../src/main/core/files/files.ts';
import type { ExportFormat } from '../../../../src/shared/export/export.ts';
import { useFolders } from '../../../support/folders.ts';
import { cellText } from '../../../../src/renderer/features/results/grid-columns.ts';
import { openResult } from '../../../../src/renderer/features/records/result.ts';
import { createMemory } from '../../../../src/renderer/features/records/pages.ts';
import type { CopyFormat } from '../../../../src/renderer/features/records/row-writer.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import type { SqlRun } from '../../../../src/shared/sql/sql.ts';
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

/** What a type is in each way out. */
interface TypeCase {
  readonly name: string;
  readonly sql: string;
  /** Its type in Parquet, and its value there as the engine prints it; absent: as in CSV. */
  readonly parquet: string;
  readonly inParquet?: string | null;
  readonly csv: string;
  /** Its JSON in files; absent: the number, or the text, of CSV. */
  readonly json?: string;
  /** Its text in the grid and in copied cells, in UTC; absent: as in CSV. */
  readonly shown?: string;
  /** Its value in a workbook; absent: the text of CSV. */
  readonly sheet?: unknown;
  /** Its value in LAS; absent: it is no number, and LAS names it in a warning. */
  readonly las?: string;
}

const serial = (iso: string) => Date.parse(iso) / 86_400_000 + 25_569;
const numberCase = (name: string, sql: string, parquet: string, csv: string): TypeCase => ({
  name,
  sql,
  parquet,
  csv,
  json: csv,
  // Excel shows 15 digits: longer integers are ids.
  sheet: csv.replace(/\D/g, '').length > 15 && /^-?\d+$/.test(csv) ? csv : Number(csv),
  las: csv,
});
const big = '12345678901234567890123456789';
const none = { las: '-999.25' };

const matrix: readonly TypeCase[] = [
  numberCase('tiny', '7::TINYINT', 'TINYINT', '7'),
  numberCase('small', '-7::SMALLINT', 'SMALLINT', '-7'),
  numberCase('whole', '7', 'INTEGER', '7'),
  numberCase('big', '9007199254740993', 'BIGINT', '9007199254740993'),
  numberCase('huge', `${big}::HUGEINT`, 'DECIMAL(38,0)', big),
  numberCase('total', 'sum(9007199254740993)', 'DECIMAL(38,0)', '9007199254740993'),
  numberCase('byte', '255::UTINYINT', 'UTINYINT', '255'),
  numberCase('word', '65535::USMALLINT', 'USMALLINT', '65535'),
  numberCase('unsigned', '4294967295::UINTEGER', 'UINTEGER', '4294967295'),
  numberCase('long', '18446744073709551615::UBIGINT', 'UBIGINT', '18446744073709551615'),
  numberCase('longest', `${big}::UHUGEINT`, 'DECIMAL(38,0)', big),
  numberCase('bignum', `'${big}${big}'::BIGNUM`, 'VARCHAR', `${big}${big}`),
  numberCase('tenth', '0.1::FLOAT', 'FLOAT', '0.1'),
  numberCase('third', '1/3', 'DOUBLE', '0.3333333333333333'),
  {
    name: 'timestamp',
    sql: '1767225600000',
    parquet: 'BIGINT',
    csv: '1767225600000',
    json: '1767225600000',
    // The grid shows milliseconds in a column of this name as a time, as in records.
    shown: '2026-01-01 00:00:00',
    sheet: 1_767_225_600_000,
  },
  {
    ...numberCase('price', '12.50::DECIMAL(10,2)', 'DECIMAL(10,2)', '12.50'),
    shown: '12.5',
  },
  {
    ...numberCase(
      'exact',
      `12345678901234567890.123456789::DECIMAL(38,9)`,
      'DECIMAL(38,9)',
      '12345678901234567890.123456789',
    ),
    sheet: '12345678901234567890.123456789',
  },
  { name: 'nan', sql: `'nan'::DOUBLE`, parquet: 'DOUBLE', inParquet: 'nan', csv: 'NaN', ...none },
  { name: 'least', sql: `'-inf'::DOUBLE`, parquet: 'DOUBLE', inParquet: '-inf', csv: '-Infinity', ...none },
  { name: 'most', sql: `'inf'::FLOAT`, parquet: 'FLOAT', inParquet: 'inf', csv: 'Infinity', ...none },
  {
    name: 'empty',
    sql: 'NULL::DOUBLE',
    parquet: 'DOUBLE',
    inParquet: null,
    csv: '',
    json: 'null',
    sheet: undefined,
  },
  {
    name: 'instant',
    sql: `TIMESTAMPTZ '2026-01-01 00:00:00.123456Z'`,
    parquet: 'TIMESTAMP WITH TIME ZONE',
    inParquet: '2026-01-01 00:00:00.123456+00',
    csv: '2026-01-01T00:00:00.123456Z',
    // The grid shows times in the zone of the tab.
    shown: '2026-01-01 00:00:00.123',
    // And a workbook in the zone that the person selects: see below.
    sheet: serial('2025-12-31T18:00:00.123Z'),
  },
  {
    name: 'local',
    sql: `TIMESTAMPTZ '2026-01-01 00:00:00Z' AT TIME ZONE 'America/Chicago'`,
    parquet: 'TIMESTAMP',
    inParquet: '2025-12-31 18:00:00',
    csv: '2025-12-31T18:00:00.000',
    sheet: serial('2025-12-31T18:00:00Z'),
  },
  {
    name: 'old',
    sql: `TIMESTAMP '1969-12-31 23:59:59.9995'`,
    parquet: 'TIMESTAMP',
    inParquet: '1969-12-31 23:59:59.9995',
    csv: '1969-12-31T23:59:59.999500',
    sheet: serial('1969-12-31T23:59:59.999Z'),
  },
  {
    name: 'seconds',
    sql: `'2026-01-31 12:30:15'::TIMESTAMP_S`,
    parquet: 'TIMESTAMP',
    inParquet: '2026-01-31 12:30:15',
    csv: '2026-01-31T12:30:15.000',
    sheet: serial('2026-01-31T12:30:15Z'),
  },
  {
    name: 'millis',
    sql: `'2026-01-31 12:30:15.123'::TIMESTAMP_MS`,
    parquet: 'TIMESTAMP',
    inParquet: '2026-01-31 12:30:15.123',
    csv: '2026-01-31T12:30:15.123',
    sheet: serial('2026-01-31T12:30:15.123Z'),
  },
  {
    name: 'nanos',
    sql: `TIMESTAMP_NS '2026-01-01 00:00:00.123456789'`,
    parquet: 'TIMESTAMP_NS',
    inParquet: '2026-01-01 00:00:00.123456789',
    csv: '2026-01-01T00:00:00.123456789',
    sheet: serial('2026-01-01T00:00:00.123Z'),
  },
  {
    name: 'ancient',
    sql: `TIMESTAMP '0001-01-01 00:00:00'`,
    parquet: 'TIMESTAMP',
    inParquet: '0001-01-01 00:00:00',
    csv: '0001-01-01T00:00:00.000',
  },
  ...['TIMESTAMP', 'TIMESTAMP_NS', 'DATE'].map((type) => ({
    name: `endless_${type.toLowerCase()}`,
    sql: `'-infinity'::${type}`,
    parquet: type,
    csv: '-infinity',
  })),
  { name: 'day', sql: `DATE '2026-01-31'`, parquet: 'DATE', csv: '2026-01-31', sheet: serial('2026-01-31') },
  { name: 'clock', sql: `TIME '12:30:15'`, parquet: 'TIME', csv: '12:30:15' },
  {
    name: 'zoned_clock',
    sql: `'12:30:15+02'::TIMETZ`,
    parquet: 'TIME WITH TIME ZONE',
    inParquet: '10:30:15+00',
    csv: '12:30:15+02',
  },
  {
    name: 'exact_clock',
    sql: `'12:30:15.123456789'::TIME_NS`,
    parquet: 'VARCHAR',
    csv: '12:30:15.123456789',
  },
  { name: 'span', sql: 'INTERVAL 90 MINUTE', parquet: 'INTERVAL', csv: '01:30:00' },
  {
    name: 'long_span',
    sql: `INTERVAL '1 year 2 days 03:04:05.5'`,
    parquet: 'INTERVAL',
    csv: '1 year 2 days 03:04:05.5',
  },
  { name: 'flag', sql: 'true', parquet: 'BOOLEAN', csv: 'true', json: 'true', sheet: true },
  {
    name: 'text',
    sql: `'x, “y”'`,
    parquet: 'VARCHAR',
    inParquet: 'x, “y”',
    csv: '"x, “y”"',
    json: '"x, “y”"',
    shown: 'x, “y”',
    sheet: 'x, “y”',
  },
  { name: 'code', sql: `'007'`, parquet: 'VARCHAR', csv: '007' },
  { name: 'blob', sql: `'\\xAA\\x00b'::BLOB`, parquet: 'BLOB', inParquet: '\\xAA\\x00b', csv: 'aa0062' },
  { name: 'bits', sql: `'0101'::BIT`, parquet: 'VARCHAR', csv: '0101' },
  { name: 'choice', sql: `'b'::ENUM('a', 'b')`, parquet: 'VARCHAR', csv: 'b' },
  {
    name: 'uuid',
    sql: `'12345678-1234-1234-1234-123456789012'::UUID`,
    parquet: 'UUID',
    csv: '12345678-1234-1234-1234-123456789012',
  },
  {
    name: 'either',
    sql: `'x'::UNION(amount INTEGER, remark VARCHAR)`,
    parquet: 'VARCHAR',
    csv: 'x',
  },
  {
    name: 'eithers',
    sql: `['x'::UNION(amount INTEGER, remark VARCHAR)]`,
    parquet: 'VARCHAR',
    inParquet: '[{"remark":"x"}]',
    csv: '"[""x""]"',
    json: '["x"]',
    shown: '["x"]',
    sheet: '["x"]',
  },
  ...[
    [
      'list',
      '[1, NULL, 9007199254740993]',
      'BIGINT[]',
      '[1, NULL, 9007199254740993]',
      '[1,null,9007199254740993]',
    ],
    ['array', 'array_value(1.5, 2.5)', 'DECIMAL(2,1)[]', '[1.5, 2.5]', '[1.5,2.5]'],
    ['map', `MAP {'k': 1.5}`, 'MAP(VARCHAR, DECIMAL(2,1))', '{k=1.5}', '[{"key":"k","value":1.5}]'],
    ['times', `[DATE '2026-01-31']`, 'DATE[]', '[2026-01-31]', '["2026-01-31"]'],
  ].map(([name = '', sql = '', parquet = '', inParquet = '', json = '']) => ({
    name,
    sql,
    parquet,
    inParquet,
    json,
    csv: /[",]/.test(json) ? `"${json.replaceAll('"', '""')}"` : json,
    shown: json,
    sheet: json,
    // The values of a map are columns.
    ...(name === 'map' ? { las: '1.5' } : {}),
  })),
];
const statement = `SELECT 100.5 AS measured_depth, ${matrix.map(({ name, sql }) => `${sql} AS ${name}`).join(', ')} -- all types`;
const names = ['measured_depth', ...matrix.map(({ name }) => name)];

/** Value of each type, by its name. */
const each = (valueOf: (type: TypeCase) => unknown): Record<string, unknown> =>
  Object.fromEntries(matrix.map((type) => [type.name, valueOf(type)]));

/** A result in the window's worker, over the same handler. */
async function openInWindow(sql: Sql) {
  const { signal } = new AbortController();
  const api = { sql: { run: async (request: SqlRun) => sql.run(request, {}) } };
  const request = { connection: 'c', provider: '', dataset: '', sql: statement, limit: 10 };
  return openResult(
    { request: { kind: 'sql', request }, isUnlimited: false, orderField: null },
    { api: api as never, memory: createMemory(1e8), onGrow: () => undefined, signal },
  );
}

describe('the values of a statement', () => {
  it('keep their types and digits in Parquet, for the engine and for another reader', async () => {
    const sql = await openSql();
    const path = await save(sql, statement, 'parquet');
    const { types, rows } = await readBack(path);
    expect(types).toEqual({ measured_depth: 'DECIMAL(4,1)', ...each(({ parquet }) => parquet) });
    expect(Object.fromEntries(names.slice(1).map((name, at) => [name, rows[0]?.[at + 1]]))).toEqual(
      each(({ inParquet, csv }) => (inParquet === undefined ? csv : inParquet)),
    );
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
    expect(row).toBe(['100.5', ...matrix.map(({ csv }) => csv)].join(','));
    const json = matrix.map(
      ({ name, csv, json: written = JSON.stringify(csv) }) => `${JSON.stringify(name)}:${written}`,
    );
    for (const format of ['ndjson', 'json'] as const)
      expect((await textOf(await save(sql, statement, format))).join('')).toContain(
        `{"measured_depth":100.5,${json.join(',')}}`,
      );
  });

  it('keep their digits in the grid, and where its cells are copied', async () => {
    const { opened, text } = await openInWindow(await openSql());
    const context = {
      signal: new AbortController().signal,
      emit: () => undefined,
      transfer: () => undefined,
    };
    const paths = opened.shape.columns.map(({ path }) => path);
    expect(paths.map(([name]) => name)).toEqual(names);
    const copy = async (format: CopyFormat) =>
      (await text({ rows: null, paths, format, wellNames: new Map(), zone: 'UTC' }, context)).text;
    const [header = '', row = ''] = (await copy('tsv')).split('\n');
    expect(header.split('\t')).toEqual(names);
    const cells = row
      .split('\t')
      .slice(1)
      .map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
    const shown = ({ shown: own, csv }: TypeCase) => own ?? csv;
    expect(Object.fromEntries(matrix.map(({ name }, at) => [name, cells[at]]))).toEqual(each(shown));
    // A cell of the grid is the same, but for lists and null.
    const inGrid = opened.head.columns.map(({ path: [name = ''], kind, cells: { 0: cell } }) => [
      name,
      cellText(cell, kind, 'UTC'),
    ]);
    expect(Object.fromEntries(inGrid)).toMatchObject({
      ...each((type) => (type.json?.startsWith('[') ? expect.any(String) : shown(type))),
      empty: words.results.nullCell,
    });
    const copied = JSON.parse(await copy('json')) as Record<string, unknown>;
    expect(Object.keys(copied)).toEqual(names);
    expect(await copy('json')).toContain(`"huge": ${big}`);
  });

  it('are dates, times, and numbers in a workbook, where a column called timestamp may have numbers', async () => {
    const sql = await openSql();
    const cells = await sheetCells(await save(sql, statement, 'xlsx', { timeZone: 'America/Chicago' }));
    const of = (name: string) => cells.at(-1)?.[names.indexOf(name)];
    expect(cells[0]?.map(({ value }) => value)).toEqual(names);
    for (const type of matrix) {
      const value = 'sheet' in type ? type.sheet : type.csv;
      if (typeof value === 'number') expect(Number(of(type.name)?.value), type.name).toBeCloseTo(value, 8);
      else expect(of(type.name)?.value, type.name).toEqual(value);
    }
    expect(of('day')?.format).toBe('yyyy-mm-dd');
    expect(of('local')?.format).toBe('yyyy-mm-dd hh:mm:ss');
    expect(of('timestamp')?.format).toBe('General');
  });

  it('are numbers in LAS, which names the columns that have others, and needs a column of depths', async () => {
    const sql = await openSql();
    const lines = await textOf(await save(sql, statement, 'las'));
    const curves = matrix.filter(({ las }) => las !== undefined && las !== none.las);
    const row = lines.at(-1)?.trim().split(/\s+/);
    expect(row).toEqual(['100.5', ...curves.map(({ las }) => las)]);
    const warned = lines.join(' ');
    for (const { name, las } of matrix)
      if (las === undefined && name !== 'empty') expect(warned, name).toContain(name);
    const values = `SELECT range AS measured_depth, CASE range WHEN 1 THEN 'nan'::DOUBLE ELSE range / 2 END AS rop FROM range(3)`;
    const rows = (await textOf(await save(sql, values, 'las')))
      .slice(-3)
      .map((line) => line.trim().split(/\s+/));
    expect(rows).toEqual([
      ['0', '0'],
      ['1', '-999.25'],
      ['2', '1'],
    ]);
    await expect(save(sql, 'SELECT 1 AS depth, 2 AS rop', 'las')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/depth AS measured_depth/),
    });
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

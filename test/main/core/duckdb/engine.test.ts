import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { convertToParquet, type Conversion } from '../../../../src/main/core/duckdb/to-parquet.ts';
import { startTablesHere } from '../../../support/tables.ts';
import { sqlCalls } from '../../../../src/main/core/duckdb/engine.ts';
import { windowPage } from '../../../../src/main/core/duckdb/sql-engine.ts';
import { parseJson, type JsonObject } from '../../../../src/shared/json.ts';

const engine = sqlCalls();
const folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
const context = { signal: new AbortController().signal, emit: () => undefined, transfer: () => undefined };
const big = '9223372036854775807';
const minute = 60_000;

const setup = {
  tables: ['seconds', 'stages', 'exact'].map((name) => ({
    name,
    files: [join(folder, 'tables', `${name}.parquet`)],
    isPartitioned: false,
    units: {},
  })),
  outFolder: null,
  spillFolder: join(folder, 'spill'),
  memoryMb: 60,
};

/** Seconds of two wells, with an offset. */
const seconds = Array.from({ length: 600 }, (_, index) => ({
  well: index % 2 === 0 ? 5003 : 5004,
  time: 1_700_000_000_000 + index * 500,
  rop: index % 7 === 0 ? null : Math.sin(index) * 50 + 100,
}));
const stages = [
  { well: 5003, time: 1_700_000_010_000, stage: 1 },
  { well: 5003, time: 1_700_000_120_000, stage: 2 },
  { well: 5004, time: 1_700_000_060_000, stage: 3 },
];

async function all(sql: string, signal = context.signal): Promise<JsonObject[]> {
  const { cursor } = await engine.start({ sql }, { ...context, signal });
  const rows: JsonObject[] = [];
  for (;;) {
    const page = await engine.next({ cursor, limits: windowPage(1000) }, { ...context, signal });
    rows.push(...(parseJson(Buffer.from(page.records).toString()) as JsonObject[]));
    if (page.isLast) return rows;
  }
}

beforeAll(async () => {
  const place = { startTables: startTablesHere, signal: undefined };
  const parquet = async (name: string, rows: readonly object[], columns: Conversion['columns']) => {
    const json = join(folder, `${name}.json`);
    await writeFile(json, JSON.stringify(rows));
    await convertToParquet(place, { json, parquet: join(folder, 'tables', `${name}.parquet`), columns });
  };
  await mkdir(join(folder, 'tables'));
  await parquet('seconds', seconds, [
    { key: 'well', name: 'well', type: 'BIGINT' },
    { key: 'time', name: 'time', type: 'time' },
    { key: 'rop', name: 'rop', type: 'DOUBLE' },
  ]);
  await parquet('stages', stages, [
    { key: 'well', name: 'well', type: 'BIGINT' },
    { key: 'time', name: 'time', type: 'time' },
    { key: 'stage', name: 'stage', type: 'BIGINT' },
  ]);
  await writeFile(
    join(folder, 'exact.json'),
    `[{"data.id":${big},"data.large":12345678901234567890123456789,"text":"x"}]`,
  );
  await convertToParquet(place, {
    json: join(folder, 'exact.json'),
    parquet: join(folder, 'tables', 'exact.parquet'),
    columns: [
      { key: 'data.id', name: 'data.id', type: 'BIGINT' },
      { key: 'data.large', name: 'data.large', type: 'DECIMAL(38,0)' },
      { key: 'text', name: 'text', type: 'VARCHAR' },
    ],
  });
  await engine.open(setup);
});
afterAll(async () => {
  await engine.open({ tables: [], outFolder: null, spillFolder: folder, memoryMb: 100 });
  await rm(folder, { recursive: true, force: true });
});

describe('a statement', () => {
  it('names infinite numbers, and those that are no number: null would be another value', async () => {
    expect(
      await all(
        `SELECT 'inf'::DOUBLE AS a, '-inf'::FLOAT AS b, ['nan'::DOUBLE, 1.5] AS c, {'d': 'inf'::DOUBLE} AS e`,
      ),
    ).toEqual([{ a: 'Infinity', b: '-Infinity', c: ['NaN', 1.5], e: { d: 'Infinity' } }]);
  });

  it('resamples like a plain sum', async () => {
    const found = await all(
      `SELECT well, epoch_ms(time_bucket(INTERVAL '1 minute', time)) AS start, avg(rop) AS mean, count(*) AS n
       FROM seconds GROUP BY ALL ORDER BY ALL`,
    );
    const groups = Map.groupBy(seconds, ({ well, time }) => `${well} ${Math.floor(time / minute) * minute}`);
    expect(found).toHaveLength(groups.size);
    for (const { well, start, mean, n } of found) {
      const rows = groups.get(`${String(well)} ${String(start)}`) ?? [];
      const values = rows.flatMap(({ rop }) => rop ?? []);
      expect(n).toBe(rows.length);
      expect(mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
    }
  });

  it('joins the latest stage to each second', async () => {
    const found = await all(
      `SELECT s.well, epoch_ms(s.time) AS time, stage FROM seconds s ASOF LEFT JOIN stages g ON s.well = g.well AND s.time >= g.time ORDER BY time`,
    );
    expect(found).toEqual(
      seconds.map(({ well, time }) => ({
        well,
        time,
        stage: stages.findLast((each) => each.well === well && each.time <= time)?.stage ?? null,
      })),
    );
  });

  it('keeps all digits of integers, and names fields of records without dots', async () => {
    expect(await all('SELECT data_id, data_large, text FROM exact')).toEqual([
      { data_id: BigInt(big), data_large: 12345678901234567890123456789n, text: 'x' },
    ]);
  });

  it('returns times as ISO 8601, with an offset if they are instants', async () => {
    expect(
      await all(
        `SELECT max(time) AS last, DATE '2026-01-31' AS day, 'nan'::DOUBLE AS none, 1.50::DECIMAL(9,2) AS price, [1, 2] AS list, {'a': time '10:00'} AS part, '01'::BIT AS bits FROM seconds`,
      ),
    ).toEqual([
      {
        last: new Date(seconds.at(-1)?.time ?? 0).toISOString(),
        day: '2026-01-31',
        none: 'NaN',
        price: 1.5,
        list: [1, 2],
        part: { a: '10:00:00' },
        bits: '01',
      },
    ]);
  });

  it('returns numbers of 32 bits in their shortest form, and times with all their digits', async () => {
    expect(
      await all(
        `SELECT 0.1::FLOAT AS tenth, 16777216::FLOAT AS large, 1e-40::FLOAT AS tiny, 3.4028235e38::FLOAT AS largest, NULL::FLOAT AS none,
          TIMESTAMPTZ '1969-12-31 23:59:59.9995Z' AS late, make_timestamp_ns(-1) AS nano, TIMESTAMPTZ '1969-12-31 23:59:59.999Z' AS exact`,
      ),
    ).toEqual([
      {
        tenth: 0.1,
        large: 16_777_216,
        tiny: 1e-40,
        largest: 3.4028235e38,
        none: null,
        late: '1969-12-31T23:59:59.999500Z',
        nano: '1969-12-31T23:59:59.999999999',
        exact: '1969-12-31T23:59:59.999Z',
      },
    ]);
  });

  it('makes duplicate column names distinct', async () => {
    const [row] = await all('SELECT a.well, b.well FROM stages a, stages b LIMIT 1');
    expect(Object.keys(row ?? {})).toHaveLength(2);
  });

  it('is read in pages', async () => {
    const { cursor, columns } = await engine.start(
      { sql: 'SELECT time, rop FROM seconds ORDER BY time' },
      context,
    );
    expect(columns).toEqual([
      { name: 'time', type: 'TIMESTAMP WITH TIME ZONE', unit: null, isComputed: false },
      { name: 'rop', type: 'DOUBLE', unit: null, isComputed: false },
    ]);
    const first = await engine.next({ cursor, limits: windowPage(500) }, context);
    const second = await engine.next({ cursor, limits: windowPage(500) }, context);
    expect([first.count, first.isLast, second.count, second.isLast]).toEqual([500, false, 100, true]);
  });

  it('is read to its end while other tables are opened', async () => {
    const { cursor } = await engine.start({ sql: 'SELECT time FROM seconds ORDER BY time' }, context);
    const first = await engine.next({ cursor, limits: windowPage(100) }, context);
    await engine.open(setup);
    const rest = await engine.next({ cursor, limits: windowPage(1000) }, context);
    expect([first.count, rest.count, rest.isLast]).toEqual([100, 500, true]);
    expect(await all('SELECT count(*) AS n FROM seconds')).toEqual([{ n: 600 }]);
  });

  it('without rows has one empty page', async () => {
    expect(await all('SELECT * FROM seconds WHERE well = 1')).toEqual([]);
  });

  it('spills to disk above the memory limit, and ends', async () => {
    const [row] = await all(
      `SELECT count(*) AS n, min(k) AS first FROM (SELECT hash(i) AS k, repeat('x', 40) || i AS t FROM range(1500000) r(i) ORDER BY k, t)`,
    );
    expect(row?.['n']).toBe(1_500_000);
    const left = await readdir(join(folder, 'spill'), { recursive: true });
    expect(left.filter((name) => name.includes('duckdb_temp'))).toEqual([]);
  });

  it('can be canceled', async () => {
    const controller = new AbortController();
    const running = all('SELECT count(*) FROM range(100000000000) a', controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(await all('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a fault of the engine itself', () => {
  it('ends the statement that has it; another one is read to its end, and the next ones need tables that are opened again', async () => {
    const sql = 'SELECT time FROM seconds ORDER BY time';
    const { cursor } = await engine.start({ sql }, context);
    const first = await engine.next({ cursor, limits: windowPage(100) }, context);
    const prepare = vi.spyOn(DuckDBConnection.prototype, 'prepare');
    prepare.mockRejectedValueOnce(
      new Error('INTERNAL Error: Attempted to access index 1 within vector of size 1'),
    );
    await expect(all('SELECT 1')).rejects.toMatchObject({ code: 'sql_unavailable' });
    prepare.mockRestore();
    await expect(all('SELECT 1')).rejects.toMatchObject({ code: 'sql_unavailable' });
    await engine.open(setup);
    expect(await all('SELECT count(*) AS n FROM seconds')).toEqual([{ n: 600 }]);
    const rest = await engine.next({ cursor, limits: windowPage(1000) }, context);
    expect([first.count, rest.count, rest.isLast]).toEqual([100, 500, true]);
  });
});

describe('a statement that names what isn’t there', () => {
  it('is rejected with its position', async () => {
    await expect(all(`SELECT 'é'\nFROM seconds, nowhere`)).rejects.toMatchObject({
      details: { issues: [{ place: { field: 'sql', line: 2, column: 15 } }] },
    });
    await expect(all('SELECT nothing\nFROM seconds')).rejects.toMatchObject({
      details: { issues: [{ place: { field: 'sql', line: 1, column: 8 } }] },
    });
  });
});

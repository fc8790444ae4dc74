import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pivot } from '../../../../src/shared/sql/write-sql.ts';
import { wellpath } from '../../../../src/shared/sql/wellpath.ts';
import { openSqlTables } from '../../../support/sql-tables.ts';

const logs = [5003, 5004].flatMap((well) =>
  [10, 20].map((md) => ({ well, md, rop: 120.25, stage: 'a', inc: 1.5, azi: 30 })),
);
const surveys = [5003, 5004].map((well) => ({
  well,
  'data.stations': JSON.stringify(logs.filter((row) => row.well === well)),
}));

let tables: Awaited<ReturnType<typeof openSqlTables>>;
beforeAll(async () => {
  tables = await openSqlTables({
    logs: {
      records: logs,
      types: { well: 'BIGINT', md: 'DOUBLE', rop: 'DOUBLE', stage: 'VARCHAR', inc: 'DOUBLE', azi: 'DOUBLE' },
      units: { md: 'm', rop: 'm/h', inc: 'deg', azi: 'deg' },
    },
    offsets: {
      records: logs,
      types: { well: 'BIGINT', md: 'DOUBLE', rop: 'DOUBLE' },
      units: { md: 'ft', rop: 'ft/h' },
    },
    surveys: {
      records: surveys,
      types: { well: 'BIGINT', 'data.stations': 'VARCHAR' },
      units: { 'data.stations.md': 'ft', 'data.stations.inc': 'deg' },
    },
  });
});
afterAll(() => tables.close());
const columnsOf = (sql: string) => tables.columns(sql);

describe('the columns of a result', () => {
  it('have the units of the columns of tables that they are, under any name', async () => {
    expect(await columnsOf('SELECT *, rop AS speed, l.md AS "the depth" FROM logs AS l')).toEqual({
      well: [null, false],
      md: ['m', false],
      rop: ['m/h', false],
      stage: [null, false],
      inc: ['deg', false],
      azi: ['deg', false],
      speed: ['m/h', false],
      'the depth': ['m', false],
    });
    const nested = `WITH a AS (SELECT MD AS depth, max(rop) AS fastest, avg(rop) AS mean FROM logs GROUP BY md)
      SELECT x.depth, x.fastest, CAST(x.mean AS DOUBLE) AS mean FROM (SELECT * FROM a) AS x`;
    expect(await columnsOf(nested)).toEqual({
      depth: ['m', false],
      fastest: ['m/h', false],
      mean: ['m/h', true],
    });
  });

  it('have none where they are calculated, or could be columns of two units', async () => {
    expect(
      await columnsOf(`SELECT md * 0.3048 AS md, rop + 1 AS a, sum(rop) OVER () AS b, count(*) OVER () AS c,
        CASE WHEN md > 1 THEN md END AS d FROM logs`),
    ).toEqual({
      md: [null, true],
      a: [null, true],
      b: [null, true],
      c: [null, true],
      d: [null, true],
    });
    expect(await columnsOf('SELECT rop FROM logs UNION ALL SELECT rop FROM offsets')).toEqual({
      rop: [null, false],
    });
    const byName = 'SELECT md AS a, rop AS b FROM logs UNION ALL BY NAME SELECT md AS b, rop AS a FROM logs';
    expect(await columnsOf(byName)).toEqual({ a: [null, false], b: [null, false] });
    // Which columns a union has that excludes some isn't certain, nor that the depths are those of the logs.
    const part = 'SELECT * EXCLUDE well FROM offsets';
    expect(await columnsOf(`SELECT * FROM (${part} UNION ALL ${part}) AS o, logs`)).toMatchObject({
      md: [null, false],
    });
    expect(
      await columnsOf('SELECT md, logs.rop, offsets.rop AS other FROM logs JOIN offsets USING (well, md)'),
    ).toEqual({
      md: [null, true],
      rop: ['m/h', false],
      other: ['ft/h', false],
    });
  });

  it('have the unit of a distance, and none of other differences', async () => {
    const sql =
      'SELECT max(md) - min(md) AS drilled, max(rop) - min(rop) AS faster, md - rop AS mixed FROM logs GROUP BY md, rop';
    expect(await columnsOf(sql)).toEqual({ drilled: ['m', true], faster: [null, true], mixed: [null, true] });
  });

  it('have none where the statement hides their names', async () => {
    expect(await columnsOf('SELECT a, b FROM (SELECT md, rop FROM logs) AS q(b, a)')).toEqual({
      a: [null, true],
      b: [null, true],
    });
    expect(await columnsOf("SELECT columns('md|rop') FROM logs")).toEqual({
      md: [null, false],
      rop: [null, false],
    });
    expect(await columnsOf('SELECT * REPLACE (md * 2 AS md) FROM logs')).toMatchObject({ md: [null, false] });
  });

  it.each([10, 0.1])('of a pivot have the units of its values, and of its rows, by %d', async (depth) => {
    const statement = pivot({
      table: 'logs',
      rows: { name: 'md' },
      step: { depth },
      well: 'well',
      columns: 'stage',
      values: ['a', 'b'],
      value: { name: 'rop', nullNumbers: [-999.25] },
      functions: ['mean', 'count'],
      order: 'md',
    });
    expect(await columnsOf(statement)).toEqual({
      well: [null, false],
      depth_from: ['m', true],
      rop_mean_a: ['m/h', true],
      rop_count_a: [null, true],
      rop_mean_b: ['m/h', true],
      rop_count_b: [null, true],
    });
  });

  it('have the unit of steps as saved statements have them, and none of others', async () => {
    const unitsOf = async (sql: string) => (await columnsOf(`SELECT ${sql} AS step FROM logs`))['step']?.[0];
    expect(await unitsOf('floor(md / 0.1) * 0.1')).toBe('m');
    expect(await unitsOf('floor(md / 0.1 + 1e-6) * 0.1')).toBe('m');
    expect(await unitsOf('floor(md / 0.1 + 1e-6) * 0.3')).toBeNull();
    expect(await unitsOf('floor(md / 0.1 + rop) * 0.1')).toBeNull();
  });

  it('of a wellpath have the units of its measured depth', async () => {
    const options = {
      well: 'well',
      survey: null,
      depth: 'md',
      inclination: 'inc',
      azimuth: 'azi',
      section: null,
    };
    expect(await columnsOf(wellpath({ ...options, table: 'logs', list: null, per: 30 }))).toEqual({
      well: [null, false],
      md: ['m', false],
      inclination: ['deg', false],
      azimuth: ['deg', false],
      tvd: ['m', true],
      north: ['m', true],
      east: ['m', true],
      dogleg_per_30: ['deg/30m', true],
      vertical_section: ['m', true],
    });
    const fields = ['md', 'inc', 'azi'].map((name) => ({ name, type: 'DOUBLE' }));
    const listed = { ...options, table: 'surveys', list: { column: 'data_stations', fields }, per: 100 };
    expect(await columnsOf(wellpath(listed))).toMatchObject({
      md: ['ft', false],
      azimuth: [null, false],
      tvd: ['ft', true],
      dogleg_per_100: ['deg/100ft', true],
      vertical_section: ['ft', true],
    });
    // In another unit than that of the depths, nothing is certain.
    const converted = wellpath({ ...options, table: 'logs', list: null, per: 30 }).replace(
      'SELECT *,\n       north',
      'SELECT *, tvd * 3.28084 AS tvd_ft,\n       north',
    );
    expect(await columnsOf(converted)).toMatchObject({ tvd: ['m', true], tvd_ft: [null, true] });
    const changed = wellpath({ ...options, table: 'logs', list: null, per: 30 })
      .replace(' AS tvd', ' * 3.28084 AS tvd')
      .replace('* 30 END', '* 30.5 END');
    expect(await columnsOf(changed)).toMatchObject({ tvd: [null, true], dogleg_per_30: [null, true] });
    const unlike =
      'WITH path AS (SELECT md, md * 3.28084 AS tvd, rop * 2 AS north FROM logs) SELECT * FROM path';
    expect(await columnsOf(unlike)).toEqual({ md: ['m', false], tvd: [null, true], north: [null, true] });
  });
});

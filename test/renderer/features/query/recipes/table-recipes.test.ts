import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recipes } from '../../../../../src/renderer/features/query/recipes/recipes.ts';
import { sqlFunctions } from '../../../../../src/shared/sql/write-sql.ts';
import { sqlName } from '../../../../../src/shared/sql/names.ts';
import { openSqlTables } from '../../../../support/sql-tables.ts';
import { factsStatement } from '../../../../../src/renderer/features/query/sql/table-facts.ts';
import { formOf, numbers } from './support.ts';

const start = Date.UTC(2026, 0, 31);

/** Two wells, with an offset and gaps; the second column needs quotes. */
const rows = Array.from({ length: 300 }, (_, index) => ({
  well: 5003 + (index % 2),
  time: start + index * 700,
  'rop (ft/h)': index % 11 === 0 ? null : Math.round(Math.sin(index) * 900),
}));
const stages = [1, 2, 3].map((stage) => ({ id: 5003, start: start + stage * 50_000, stage }));
const value = 'rop (ft/h)';
const untimed = [1, 2].flatMap((well) => [
  { well, time: null, [value]: 5 },
  { well, time: start, [value]: 7 },
]);

let tables: Awaited<ReturnType<typeof openSqlTables>>;
const run = (sql: string | null) => tables.run(sql ?? '');
const form = formOf();
beforeAll(async () => {
  tables = await openSqlTables({
    time_data: { records: rows, types: { well: 'BIGINT', time: 'time', [value]: 'BIGINT' } },
    untimed: { records: untimed, types: { well: 'BIGINT', time: 'time', [value]: 'BIGINT' } },
    order: {
      records: [{ from: 1, group: 5003, left: 2 }],
      types: { from: 'BIGINT', group: 'BIGINT', left: 'DOUBLE' },
    },
    stages: { records: stages, types: { id: 'BIGINT', start: 'time', stage: 'BIGINT' } },
  });
});
afterAll(() => tables.close());

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const valuesOf = (some: typeof rows) => some.flatMap((row) => row[value] ?? []);

describe('a generated statement', () => {
  it('resamples by each function like a plain loop', async () => {
    const found = await run(
      recipes.resample.sql(
        {
          table: 'time_data',
          time: 'time',
          well: 'well',
          value: numbers(value),
          function: sqlFunctions,
          step: '10 seconds',
        },
        form,
      ),
    );
    const groups = Map.groupBy(
      rows,
      ({ well, time }) => `${well} ${new Date(Math.floor(time / 10_000) * 10_000).toISOString()}`,
    );
    expect(found).toHaveLength(groups.size);
    for (const row of found) {
      const group = groups.get(`${String(row['well'])} ${String(row['interval_start'])}`) ?? [];
      const values = valuesOf(group);
      expect(row[`${value}_mean`]).toBeCloseTo(mean(values), 9);
      expect(row[`${value}_min`]).toBe(Math.min(...values));
      expect(row[`${value}_max`]).toBe(Math.max(...values));
      expect(row[`${value}_first`]).toBe(values[0]);
      expect(row[`${value}_last`]).toBe(values.at(-1));
      expect(row[`${value}_count`]).toBe(values.length);
    }
  });

  it('reads tables and columns whose names are words of SQL', async () => {
    // The engine of tables refuses this function.
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(
      `SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')`,
    );
    const words = reader.getRows().flat().map(String);
    connection.closeSync();
    expect(words.length).toBeGreaterThan(50);
    expect(words.filter((word) => sqlName(word) === word)).toEqual([]);
    expect(sqlName('TO')).toBe('"TO"');
    const result = await run(
      recipes.average.sql(
        { table: 'order', order: 'from', well: 'group', log: null, value: numbers('left'), rows: 1 },
        form,
      ),
    );
    expect(result).toEqual([{ from: 1, group: 5003, left: 2, left_average: 2 }]);
    const [facts] = await run(factsStatement('order', ['from', 'left']));
    expect(facts).toMatchObject({ texts0: '["1"]', texts1: '["2.0"]' });
  });

  it('resamples no rows without a time', async () => {
    const options = { time: 'time', well: 'well', value: numbers(value), step: '1 minute' } as const;
    const result = await run(
      recipes.resample.sql({ ...options, table: 'untimed', function: ['count'] }, form),
    );
    expect(result.map((row) => [row['well'], row[`${value}_count`]])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('joins the latest row of another table by time, within a well', async () => {
    const found = await run(
      recipes.join.sql(
        {
          table: 'time_data',
          time: 'time',
          other: 'stages',
          otherTime: 'start',
          add: 'stage',
          well: numbers('well'),
          otherWell: numbers('id'),
        },
        form,
      ),
    );
    expect(found.map((row) => row['stage'])).toEqual(
      rows.map(
        ({ well, time }) => stages.findLast((each) => each.id === well && each.start <= time)?.stage ?? null,
      ),
    );
  });

  it('averages the rows around each row', async () => {
    const found = await run(
      recipes.average.sql(
        { table: 'time_data', order: 'time', well: 'well', log: null, value: numbers(value), rows: 2 },
        form,
      ),
    );
    const own = rows.filter(({ well }) => well === 5003);
    expect(found.filter((row) => row['well'] === 5003)[10]?.[`${value}_average`]).toBeCloseTo(
      mean(valuesOf(own.slice(8, 13))),
      9,
    );
  });

  it('lists the maximum values of each well', async () => {
    const found = await run(
      recipes.top.sql(
        { table: 'time_data', well: 'well', log: null, value: numbers(value), topRows: 3 },
        form,
      ),
    );
    const expected = [5003, 5004].flatMap((well) =>
      valuesOf(rows.filter((row) => row.well === well))
        .sort((a, b) => b - a)
        .slice(0, 3),
    );
    expect(found.map((row) => row[value])).toEqual(expected);
  });

  it('quotes names when necessary', () => {
    expect([sqlName('data_rop'), sqlName('1st'), sqlName('a"b')]).toEqual(['data_rop', '"1st"', '"a""b"']);
  });
});

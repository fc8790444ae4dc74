import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pivot } from '../../../src/shared/sql/write-sql.ts';
import { openSqlTables } from '../../support/sql-tables.ts';

const start = Date.UTC(2026, 0, 31);
const states = ['Drilling', 'Driller’s "rest"', "In 'slips'"];

/** Two wells, each with a record in 10 seconds in turns; the value column needs quotes. */
const rows = Array.from({ length: 240 }, (_, index) => ({
  well: 5003 + (index % 2),
  time: start + index * 10_000,
  depth: 1000 + index / 4,
  state: states[Math.floor(index / 7) % 3] ?? '',
  'rop (ft/h)': index % 11 === 0 ? -999.25 : Math.round(Math.sin(index) * 900),
}));
const rop = 'rop (ft/h)';
const value = { name: rop, nullNumbers: [-999.25] };
type Row = (typeof rows)[number];

let tables: Awaited<ReturnType<typeof openSqlTables>>;
beforeAll(async () => {
  tables = await openSqlTables({
    drilling: {
      records: rows,
      types: { well: 'BIGINT', time: 'time', depth: 'DOUBLE', state: 'VARCHAR', [rop]: 'DOUBLE' },
    },
  });
});
afterAll(() => tables.close());

const mean = (all: readonly Row[]): number | null => {
  const values = all.map((row) => row[rop]).filter((each) => each !== -999.25);
  return values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
};
const base = { table: 'drilling', well: null, value, functions: ['mean'] as const, order: 'time' };

describe('a pivot', () => {
  it('has a row for each interval of time, and a column for each well', async () => {
    const found = await tables.run(
      pivot({
        ...base,
        rows: { name: 'time' },
        step: { time: '1 minute' },
        columns: 'well',
        values: [5003, 5004],
      }),
    );
    const minutes = [...Map.groupBy(rows, ({ time }) => Math.floor(time / 60_000)).values()];
    expect(found).toHaveLength(minutes.length);
    minutes.forEach((all, at) => {
      for (const well of [5003, 5004])
        expect(found[at]?.[`${rop}_${well}`]).toBeCloseTo(
          mean(all.filter((row) => row.well === well)) ?? 0,
          9,
        );
    });
  });

  it('has a row for each well and interval of depth, and columns for each state and function', async () => {
    const statement = pivot({
      ...base,
      rows: { name: 'depth' },
      step: { depth: 20 },
      well: 'well',
      columns: 'state',
      values: states,
      functions: ['mean', 'count', 'last'],
    });
    const found = await tables.run(statement);
    const parts = Map.groupBy(rows, ({ well, depth }) => `${well} ${Math.floor(depth / 20) * 20}`);
    expect(found).toHaveLength(parts.size);
    for (const row of found) {
      const all = parts.get(`${Number(row['well'])} ${Number(row['depth_from'])}`) ?? [];
      for (const state of states) {
        const own = all.filter((each) => each.state === state);
        const wanted = mean(own);
        if (wanted === null) expect(row[`${rop}_mean_${state}`] ?? null).toBeNull();
        else expect(row[`${rop}_mean_${state}`]).toBeCloseTo(wanted, 9);
        expect(row[`${rop}_count_${state}`]).toBe(own.filter((each) => each[rop] !== -999.25).length);
        expect(row[`${rop}_last_${state}`] ?? undefined).toBe(
          own.findLast((each) => each[rop] !== -999.25)?.[rop],
        );
      }
    }
  });

  it.each([0.1, 0.2, 0.1524, 0.3, 10])(
    'has depths in the steps of %d that begin with them',
    async (depth) => {
      const depths = Array.from({ length: 2000 }, (_, n) => Number((depth * (n - 500)).toFixed(6)));
      const steps = await openSqlTables({
        log: {
          records: depths.flatMap((at) => [at, at + depth * 0.6].map((md) => ({ md, a: 'a', v: 1 }))),
          types: { md: 'DOUBLE', a: 'VARCHAR', v: 'DOUBLE' },
        },
      });
      const found = await steps.run(
        pivot({
          table: 'log',
          rows: { name: 'md' },
          step: { depth },
          well: null,
          columns: 'a',
          values: ['a'],
          value: { name: 'v' },
          functions: ['count'],
          order: 'md',
        }),
      );
      await steps.close();
      expect(found.map((row) => row['depth_from'])).toEqual(depths);
      expect(new Set(found.map((row) => row['v_a']))).toEqual(new Set([2]));
    },
  );

  it('has a row for each value of a column without steps', async () => {
    const found = await tables.run(
      pivot({ ...base, rows: { name: 'state' }, step: null, columns: 'well', values: [5004] }),
    );
    expect(found.map((row) => row['state'])).toEqual(states.toSorted());
    for (const row of found)
      expect(row[`${rop}_5004`]).toBeCloseTo(
        mean(rows.filter(({ state, well }) => state === row['state'] && well === 5004)) ?? 0,
        9,
      );
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recipes } from '../../../../../src/renderer/features/query/recipes/recipes.ts';
import { openSqlTables, type SqlRow } from '../../../../support/sql-tables.ts';
import { formOf, numbers } from './support.ts';

const start = Date.UTC(2026, 0, 31, 20);
const slips = 'In Slips';
const maxGap = 300;

/** Two wells of stands: drilling, off bottom, slips, off bottom; a trip in the second; a gap of 20 minutes in both. */
const rows = [5003, 5004].flatMap((well) => {
  const all: { well: number; time: number; hole: number; bit: number; state: string; rop: number | null }[] =
    [];
  let time = start;
  let hole = well === 5003 ? 1000 : 2000;
  const add = (state: string, count: number, above: number, feet = 0) => {
    for (let at = 0; at < count; at += 1) {
      hole += feet / count;
      all.push({
        well,
        time,
        hole,
        bit: hole - above,
        state,
        rop: feet > 0 ? (at % 7 === 0 ? -999.25 : feet + at) : null,
      });
      time += 10_000;
    }
  };
  for (let stand = 0; stand < 5; stand += 1) {
    add('Rotary Drilling', 60 + stand, 0, 90);
    add('Static Off Bottom', 3, 20);
    add(slips, 12 + stand, 20);
    if (well === 5004 && stand === 2)
      for (let pulled = 1; pulled < 4; pulled += 1) {
        add('Pull out of Hole', 9, 90 * pulled);
        add(slips, 8, 90 * pulled);
      }
    if (stand === 1) time += 20 * 60_000;
    add('Static Off Bottom', 2, 20);
  }
  add('Rotary Drilling', 30, 0, 40);
  return all;
});
// Tops in m, depths in ft.
const perMetre = 3.280839895013123;
const tops = [
  { id: 5003, top: 0, label: 'Rustler' },
  { id: 5003, top: 350, label: 'Salado' },
  { id: 5004, top: 660, label: 'Castile' },
];
let tables: Awaited<ReturnType<typeof openSqlTables>>;
const run = (sql: string | null): Promise<SqlRow[]> => tables.run(sql ?? '');
beforeAll(async () => {
  tables = await openSqlTables({
    rig: {
      records: rows,
      types: { well: 'BIGINT', time: 'time', hole: 'DOUBLE', bit: 'DOUBLE', state: 'VARCHAR', rop: 'DOUBLE' },
    },
    unset: {
      records: [0, 9000, 9120, 0].map((hole, at) => ({ time: start + at * 2 * 3_600_000 - 60_000, hole })),
      types: { time: 'time', hole: 'DOUBLE' },
    },
    tops: { records: tops, types: { id: 'BIGINT', top: 'DOUBLE', label: 'VARCHAR' } },
  });
});
afterAll(() => tables.close());

const rig = { table: 'rig', time: 'time', well: 'well', state: 'state', maxGap };
const form = formOf();
const hole = numbers('hole');
const rop = numbers('rop', { nullNumbers: [-999.25] });
const byTop = {
  table: 'rig',
  other: 'tops',
  label: 'label',
  well: numbers('well'),
  otherWell: numbers('id'),
};
const wells = [5003, 5004];
const ofWell = (well: number) => rows.filter((row) => row.well === well);
const instant = (value: unknown): number => Date.parse(String(value));

/** The periods of a well by a plain loop. */
function loopPeriods(well: number) {
  const all: { state: string; from: number; to: number; first: number; last: number }[] = [];
  ofWell(well).forEach((row, at, own) => {
    const [before, after] = [own[at - 1], own[at + 1]];
    const end = after && after.time - row.time <= maxGap * 1000 ? after.time : row.time;
    const current = all.at(-1);
    if (!current || before?.state !== row.state || row.time - before.time > maxGap * 1000)
      all.push({ state: row.state, from: row.time, to: end, first: row.hole, last: row.hole });
    else Object.assign(current, { to: end, last: row.hole });
  });
  return all;
}

describe('a recipe', () => {
  it('adds up the time in each state, with gaps apart', async () => {
    const result = await run(recipes.states.sql(rig, form));
    for (const well of wells) {
      const hours = new Map<string, number>();
      ofWell(well).forEach(({ time, state }, at, own) => {
        const next = own[at + 1];
        if (!next) return;
        const of = next.time - time > maxGap * 1000 ? 'No records' : state;
        hours.set(of, (hours.get(of) ?? 0) + (next.time - time) / 3_600_000);
      });
      const own = result.filter((row) => row['well'] === well);
      const total = [...hours.values()].reduce((sum, each) => sum + each, 0);
      expect(new Set(own.map((row) => row['state']))).toEqual(new Set(hours.keys()));
      for (const row of own) {
        const expected = hours.get(String(row['state'])) ?? Number.NaN;
        expect(row['hours']).toBeCloseTo(expected, 9);
        expect(row['percent']).toBeCloseTo((100 * expected) / total, 9);
      }
    }
  });

  it('lists the periods of all states, and of one', async () => {
    const result = await run(recipes.periods.sql({ ...rig, hole, only: null }, form));
    const expected = wells.flatMap((well) => loopPeriods(well).map((period) => ({ well, ...period })));
    expect(
      result.map((row) => ({
        well: row['well'],
        state: row['state'],
        from: instant(row['period_start']),
        to: instant(row['period_end']),
        first: row['depth_from'],
        last: row['depth_to'],
      })),
    ).toEqual(expected);
    expect(result.map((row) => row['minutes'])).toEqual(expected.map(({ from, to }) => (to - from) / 60_000));
    const inSlips = await run(recipes.periods.sql({ ...rig, hole: null, only: slips }, form));
    expect(inSlips).toHaveLength(expected.filter(({ state }) => state === slips).length);
  });

  it('measures connections from slip to slip and from weight to weight, without trips', async () => {
    const result = await run(
      recipes.connections.sql({ ...rig, hole, bit: numbers('bit'), inSlips: slips, tolerance: 1 }, form),
    );
    const expected = wells.flatMap((well) => {
      const all = loopPeriods(well);
      const isOnBottom = ({ state }: { state: string }) => state === 'Rotary Drilling';
      const found = all.flatMap((period, at) => {
        if (period.state !== slips) return [];
        const off = all.slice(0, at).findLast(isOnBottom);
        const on = all.slice(at).find(isOnBottom);
        return off && on ? [{ well, period, off: off.to, on: on.from }] : [];
      });
      return found.filter(({ off }) => found.filter((other) => other.off === off).length === 1);
    });
    expect(expected.map(({ well }) => well)).toEqual([
      ...Array<number>(5).fill(5003),
      ...Array<number>(4).fill(5004),
    ]);
    expect(
      result.map((row) => [
        row['well'],
        instant(row['slips_set']),
        row['slip_to_slip_minutes'],
        row['weight_to_weight_minutes'],
      ]),
    ).toEqual(
      expected.map(({ well, period, off, on }) => [
        well,
        period.from,
        (period.to - period.from) / 60_000,
        (on - off) / 60_000,
      ]),
    );
    expect(result[1]?.['drilled_since_last']).toBeCloseTo(90, 9);
  });

  it('takes the mean in each formation, with tops in another unit and null values left out', async () => {
    const result = await run(
      recipes.tops.sql(
        { ...byTop, hole: numbers('hole', { unit: 'ft' }), value: rop, top: numbers('top', { unit: 'm' }) },
        form,
      ),
    );
    const topOf = ({ well, hole }: (typeof rows)[number]) =>
      tops.findLast(({ id, top }) => id === well && top * perMetre <= hole)?.label ?? null;
    const groups = Map.groupBy(rows, (row) => `${row.well} ${topOf(row)}`);
    expect(result.map((row) => `${String(row['well'])} ${String(row['label'])}`).sort()).toEqual(
      [...groups.keys()].sort(),
    );
    for (const row of result) {
      const own = groups.get(`${String(row['well'])} ${String(row['label'])}`) ?? [];
      const values = own.flatMap(({ rop }) => (rop === null || rop === -999.25 ? [] : [rop]));
      expect(row['depth_from']).toBe(Math.min(...own.map(({ hole }) => hole)));
      expect(row['rop_count']).toBe(values.length);
      if (values.length > 0)
        expect(row['rop_mean']).toBeCloseTo(values.reduce((sum, each) => sum + each, 0) / values.length, 9);
    }
  });

  it.each([0, -6, 5.5])('sums up days that begin at midnight of UTC%d', async (hours) => {
    const result = await run(recipes.daily.sql({ ...rig, hole, value: rop, hours }, form));
    const dayOf = (time: number) =>
      Math.floor((time + hours * 3_600_000) / 86_400_000) * 86_400_000 - hours * 3_600_000;
    const groups = [...Map.groupBy(rows, ({ well, time }) => `${well} ${dayOf(time)}`)];
    expect(result.map((row) => `${String(row['well'])} ${instant(row['day_start'])}`)).toEqual(
      groups.map(([key]) => key),
    );
    result.forEach((row, at) => {
      const holes = (groups[at]?.[1] ?? []).map(({ hole }) => hole);
      expect(row['records']).toBe(holes.length);
      expect(row['drilled']).toBeCloseTo(Math.max(...holes) - Math.min(...holes), 9);
    });
  });

  it('leaves depths of 0, which the rig sends without a depth, out of what a day drilled', async () => {
    const result = await run(
      recipes.daily.sql(
        { table: 'unset', time: 'time', well: null, hole, value: numbers('hole'), hours: 0 },
        form,
      ),
    );
    expect(result).toMatchObject([
      { depth_from: 9000, depth_to: 9120, drilled: 120, records: 3 },
      { depth_from: null, depth_to: null, drilled: null, records: 1 },
    ]);
  });

  it('counts days from the first depth of each well, and never goes back', async () => {
    const result = await run(recipes.days.sql({ ...rig, hole }, form));
    for (const well of wells) {
      const own = result.filter((row) => row['well'] === well);
      expect(own[0]?.['days']).toBe(0);
      const depths = own.map((row) => Number(row['hole_depth']));
      expect(depths).toEqual(depths.toSorted((a, b) => a - b));
      expect(depths.at(-1)).toBe(Math.max(...ofWell(well).map(({ hole }) => hole)));
    }
  });

  it('resamples all channels by depth and by time', async () => {
    const values = formOf([numbers('bit'), rop]);
    const byDepth = await run(
      recipes.resampleAll.sql(
        { table: 'rig', index: hole, well: 'well', log: null, step: { depth: 50 } },
        values,
      ),
    );
    const groups = Map.groupBy(rows, ({ well, hole }) => `${well} ${Math.floor(hole / 50) * 50}`);
    expect(byDepth).toHaveLength(groups.size);
    for (const row of byDepth) {
      const own = groups.get(`${String(row['well'])} ${String(row['depth_from'])}`) ?? [];
      expect(row['records']).toBe(own.length);
      expect(row['bit']).toBeCloseTo(own.reduce((sum, { bit }) => sum + bit, 0) / own.length, 6);
    }
    const byTime = await run(
      recipes.resampleAll.sql(
        { table: 'rig', index: numbers('time'), well: null, log: null, step: { time: '1 minute' } },
        values,
      ),
    );
    expect(byTime).toHaveLength(new Set(rows.map(({ time }) => Math.floor(time / 60_000))).size);
  });

  it('leaves out depths that are null values', async () => {
    const depth = numbers('hole', { nullNumbers: [rows[0]?.hole ?? 0] });
    const [first] = await run(
      recipes.daily.sql({ ...rig, hole: depth, value: numbers('rop'), hours: 0 }, form),
    );
    expect(first?.['depth_from']).toBe(rows[1]?.hole);
    const [step] = await run(
      recipes.resampleAll.sql(
        { table: 'rig', index: depth, well: 'well', log: null, step: { depth: 1e6 } },
        formOf([numbers('bit')]),
      ),
    );
    expect(step?.['records']).toBe(ofWell(5003).length - 1);
    const [top] = await run(
      recipes.tops.sql(
        {
          ...byTop,
          hole: { ...depth, unit: 'ft' },
          value: numbers('rop'),
          top: numbers('top', { unit: 'm', nullNumbers: [0] }),
        },
        form,
      ),
    );
    expect([top?.['label'], top?.['depth_from']]).toEqual([null, rows[1]?.hole]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/index.ts';
import type { JsonObject } from '../../src/shared/json.ts';
import { object, objects } from '../conformance/target.ts';
import { clientOf } from './client.ts';

let demo: Demo;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
  demo = await startDemo();
  client = clientOf(demo);
});
afterAll(() => demo.close());

interface Row {
  readonly timestamp: number;
  readonly state: string;
  readonly hole: number;
  readonly bit: number;
  readonly rop: number;
  readonly weight: number;
  readonly hook: number;
  readonly rpm: number;
  readonly flow: number;
  readonly gamma: number;
}

/** The drilling data of a well by time. */
async function rowsOf(asset: number): Promise<Row[]> {
  const records = await client.records('demo/wits', {
    query: { asset_id: asset },
    sort: { timestamp: 1, _id: 1 },
  });
  return records.map((record) => {
    const data = object(record['data']);
    const of = (name: string) => Number(data[name]);
    return {
      timestamp: Number(record['timestamp']),
      state: String(data['state']),
      hole: of('hole_depth'),
      bit: of('bit_depth'),
      rop: of('rop'),
      weight: of('weight_on_bit'),
      hook: of('hook_load'),
      rpm: of('rotary_rpm'),
      flow: of('mud_flow_in'),
      gamma: of('gamma_ray'),
    };
  });
}

const referenceOf = (dataset: string, asset: number): Promise<JsonObject[]> =>
  client.records(`demo/${dataset}`, { query: { asset_id: asset } });

/** A well that is being drilled, and one that was. */
const [active, drilled] = [5001, 5003];
/** Wells of one pad. */
const pad = [5001, 5002, 5003, 5004];
/** A well of each pad: their logs begin at other formations, some of them in the curve. */
const pads = [5001, 5005, 5010, 5013, 5017, 5021, 5025];

describe.each([active, drilled])('the drilling data of well %d', (asset) => {
  test('have a hole that only gets deeper, and a bit in it', async () => {
    let deepest = 0;
    for (const { hole, bit } of await rowsOf(asset)) {
      expect(hole).toBeGreaterThanOrEqual(deepest);
      expect(bit).toBeLessThanOrEqual(hole + 0.11);
      expect(bit).toBeGreaterThanOrEqual(-0.01);
      deepest = hole;
    }
  });

  test('have states that agree with depths, hook load, rotation, and flow', async () => {
    const rows = await rowsOf(asset);
    /** What each state says of a row. */
    const laws: Readonly<Record<string, (row: Row) => boolean>> = {
      'Rotary Drilling': ({ hole, bit, rpm, flow, weight, rop }) =>
        hole - bit < 0.2 && rpm > 40 && flow > 450 && weight > 5 && rop > 20,
      'Slide Drilling': ({ hole, bit, rpm, flow, weight, rop }) =>
        hole - bit < 0.2 && rpm === 0 && flow > 450 && weight > 5 && rop > 8,
      'In Slips': ({ hook, rpm, flow, rop }) => hook < 60 && rpm === 0 && flow === 0 && rop === 0,
      'Run in Hole': ({ rpm, flow, rop, hook }) => rpm === 0 && flow === 0 && rop === 0 && hook > 60,
      'Pull out of Hole': ({ rpm, flow, rop, hook }) => rpm === 0 && flow === 0 && rop === 0 && hook > 60,
      'Static Off Bottom': ({ rop, hook }) => rop === 0 && hook > 60,
      'Static On Bottom': ({ hole, bit, rop }) => hole - bit < 0.2 && rop === 0,
      'Dry Reaming Down': ({ rpm, flow, rop }) => rpm > 40 && flow === 0 && rop === 0,
    };
    expect(rows.filter((row) => laws[row.state]?.(row) !== true)).toEqual([]);
    // The hole gets deeper only while the bit drills.
    const states = rows.flatMap((row, at) => {
      const before = rows[at - 1];
      const isNear = before && row.timestamp - before.timestamp <= 1000;
      return isNear && row.hole > before.hole + 0.05 ? [row.state, before.state] : [];
    });
    expect(states.filter((state) => !state.endsWith('Drilling'))).toHaveLength(0);
  });

  test('have rates of a rig, slower while it slides', async () => {
    const rows = await rowsOf(asset);
    const meanOf = (state: string) => {
      const rates = rows.filter((row) => row.state === state).map(({ rop }) => rop);
      return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    };
    expect(Math.max(...rows.map(({ rop }) => rop))).toBeLessThan(450);
    expect(meanOf('Slide Drilling')).toBeLessThan(meanOf('Rotary Drilling') * 0.6);
  });
});

test.each([5001, 5006, 5016])(
  'well %d, which is being drilled, makes a connection at each stand',
  async (asset) => {
    const rows = await rowsOf(asset);
    /** The depths of the hole at which the pipe was in slips near the bottom. */
    const near = rows.filter(({ state, hole, bit }) => state === 'In Slips' && hole - bit < 25);
    const depths = [...new Set(near.map(({ hole }) => hole))];
    expect(depths.length).toBeGreaterThan(1);
    for (const [at, depth] of depths.slice(1).entries()) expect(depth - (depths[at] ?? 0)).toBeCloseTo(94, 0);
  },
);

describe('a well that was drilled', () => {
  test('has data from the ground to its end, with trips to change the bit and to run casing', async () => {
    const rows = await rowsOf(drilled);
    const sections = (await referenceOf('data.well-sections', drilled)).map((record) =>
      object(record['data']),
    );
    const end = Math.max(...sections.map((section) => Number(section['bottom_depth'])));
    expect(rows[0]?.hole).toBeLessThan(150);
    expect(rows.at(-1)?.hole).toBeCloseTo(end, 0);
    const days = ((rows.at(-1)?.timestamp ?? 0) - (rows[0]?.timestamp ?? 0)) / 86_400_000;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(30);
    // Times on the ground after the first: one for each casing, and at least one new bit.
    const grounds = rows.filter(({ bit }, at) => bit === 0 && (rows[at - 1]?.bit ?? 0) > 0);
    expect(grounds.length).toBeGreaterThan(sections.length);
  });

  test('has the rates and the gamma ray of each formation', async () => {
    const rows = (await rowsOf(drilled)).filter(
      ({ state, gamma }) => state === 'Rotary Drilling' && gamma > -900,
    );
    const tops = (await referenceOf('data.formations', drilled)).map((record) => object(record['data']));
    const meanIn = (name: string, value: (row: Row) => number): number => {
      const at = tops.findIndex((top) => top['formation_name'] === name);
      const [from, to] = [Number(tops[at]?.['md']), Number(tops[at + 1]?.['md'] ?? Infinity)];
      const values = rows.filter(({ hole }) => hole > from + 20 && hole < to - 20).map(value);
      return values.reduce((sum, each) => sum + each, 0) / values.length;
    };
    const rop = (name: string) => meanIn(name, (row) => row.rop);
    const gamma = (name: string) => meanIn(name, (row) => row.gamma);
    // Salt is drilled fast and has no potassium; limestone is slow; shale has much.
    expect(rop('Salado')).toBeGreaterThan(rop('Brushy Canyon') * 1.3);
    expect(rop('Brushy Canyon')).toBeGreaterThan(rop('Bone Spring') * 1.15);
    expect(gamma('Salado')).toBeLessThan(30);
    expect(gamma('Wolfcamp B')).toBeGreaterThan(gamma('Bell Canyon') + 50);
  });
});

describe('what describes a well', () => {
  test('has a path on which the vertical depth is never below the measured one, and all data agree', async () => {
    for (const asset of pads) {
      const [survey] = await referenceOf('data.actual_survey', asset);
      const stations = objects(object(survey?.['data'])['stations']).map((station) => ({
        md: Number(station['measured_depth']),
        tvd: Number(station['tvd']),
        inclination: Number(station['inclination']),
        dls: Number(station['dls']),
      }));
      const logs = await referenceOf('drilling.wits.depth', asset);
      const tops = (await referenceOf('data.formations', asset)).map((record) => object(record['data']));
      const depths = [
        ...stations.map(({ md, tvd }) => [md, tvd] as const),
        ...logs.map(
          (record) => [Number(record['measured_depth']), Number(object(record['data'])['tvd'])] as const,
        ),
        ...tops.map(({ md, td }) => [Number(md), Number(td)] as const),
      ];
      for (const [md, tvd] of depths) expect(tvd).toBeLessThanOrEqual(md + 0.1);
      // A vertical depth between two stations is between theirs.
      for (const [md, tvd] of depths) {
        const below = stations.findIndex((station) => station.md >= md);
        const [upper, lower] = [stations[below - 1], stations[below]];
        if (!upper || !lower) continue;
        expect(tvd).toBeGreaterThan(upper.tvd - 6);
        expect(tvd).toBeLessThan(lower.tvd + 25);
      }
      for (const { dls, inclination } of stations) {
        expect(dls).toBeLessThan(14);
        expect(inclination).toBeLessThanOrEqual(91);
      }
      const md = tops.map((top) => Number(top['md']));
      expect(md).toEqual(md.toSorted((a, b) => a - b));
    }
  });

  test('has sections that follow each other, each with a smaller bit', async () => {
    for (const asset of pad) {
      const sections = (await referenceOf('data.well-sections', asset))
        .map((record) => object(record['data']))
        .toSorted((a, b) => Number(a['top_depth']) - Number(b['top_depth']));
      expect(sections[0]?.['top_depth']).toBe(0);
      for (const [at, section] of sections.entries()) {
        const before = sections[at - 1];
        if (!before) continue;
        expect(section['top_depth']).toBe(before['bottom_depth']);
        expect(Number(section['diameter'])).toBeLessThan(Number(before['diameter']));
      }
    }
  });

  test('has the same formations in the wells of a pad, with the same beds in their logs', async () => {
    const topsOf = async (asset: number) =>
      (await referenceOf('data.formations', asset)).map((record) => Number(object(record['data'])['td']));
    const all = await Promise.all(pad.map(topsOf));
    for (const tops of all)
      tops.forEach((top, at) => expect(Math.abs(top - (all[0]?.[at] ?? 0))).toBeLessThan(20));
    const gammaOf = async (asset: number, top: number) => {
      const records = await client.records('demo/drilling.wits.depth', {
        query: { asset_id: asset },
        sort: { measured_depth: 1 },
      });
      return new Map(
        records.map((record) => [
          Math.round(Number(object(record['data'])['tvd']) - top),
          Number(object(record['data'])['ghcavg']),
        ]),
      );
    };
    // The logs begin above one of the formations; any of the pad's tops shifts them alike.
    const [one, other] = await Promise.all([
      gammaOf(5002, all[1]?.[4] ?? 0),
      gammaOf(5003, all[2]?.[4] ?? 0),
    ]);
    const pairs = [...one].flatMap(([depth, gamma]) => {
      const match = other.get(depth);
      return match === undefined || match < 0 || gamma < 0 ? [] : [[gamma, match] as const];
    });
    expect(pairs.length).toBeGreaterThan(50);
    const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
    const [a, b] = [mean(0), mean(1)];
    const covariance = pairs.reduce((sum, [x, y]) => sum + (x - a) * (y - b), 0);
    const spread = (at: 0 | 1, middle: number) =>
      Math.sqrt(pairs.reduce((sum, pair) => sum + (pair[at] - middle) ** 2, 0));
    expect(covariance / (spread(0, a) * spread(1, b))).toBeGreaterThan(0.8);
  });
});

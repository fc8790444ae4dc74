import { Aggregator } from 'mingo';
import { describe, expect, it } from 'vitest';
import { createPlotHost } from '../../../../src/renderer/features/plot/thinning.ts';
import {
  breaksOf,
  detailOf,
  detailPipeline,
  loadWhole,
  readSteps,
  stepsSource,
  stepWidth,
  withDetail,
  wholePipeline,
  type Whole,
  type WholeSpec,
} from '../../../../src/renderer/features/results/whole-range.ts';
import type { JsonObject, JsonValue } from '../../../../src/shared/json.ts';
import { parseRelaxedArray } from '../../../../src/shared/language/relaxed.ts';

const find = {
  connection: 'sample',
  provider: 'demo',
  dataset: 'wits',
  query: '{ version: 1 } // mine',
  sort: '{ timestamp: -1 }',
  limit: 10,
  skip: 0,
  fields: [],
  includeCount: false,
};
const overTime: WholeSpec = {
  find,
  index: 'timestamp',
  isTime: true,
  groups: ['asset_id'],
  fields: ['data.rop', 'data.gamma'],
};
const overDepth: WholeSpec = {
  ...overTime,
  index: 'measured_depth',
  isTime: false,
  groups: ['asset_id', 'log_identifier'],
  fields: ['data.gamma'],
};

const second = 1000;
const recordsOfWell = (
  well: number,
  count: number,
  value: (at: number) => JsonValue,
  start = 0,
): JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({
    version: 1,
    asset_id: well,
    timestamp: (start + at) * second,
    data: { rop: value(at), gamma: at },
  }));
const recordsOfLog = (log: string, count: number): JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({
    version: 1,
    asset_id: 1,
    log_identifier: log,
    measured_depth: 100 + at / 2,
    data: { gamma: at % 50 },
  }));

function runPipeline(stages: string, records: readonly JsonObject[]): JsonValue[] {
  const pipeline = parseRelaxedArray(stages, 'stages') as Record<string, unknown>[];
  return new Aggregator(pipeline).run([...records]) as JsonValue[];
}

/** A service with records, which counts its requests. */
function serviceOf(spec: WholeSpec, records: readonly JsonObject[]) {
  const requests: string[] = [];
  const addresses = new Set<string | undefined>();
  const page = (rows: readonly JsonValue[]) => ({
    records: new TextEncoder().encode(JSON.stringify(rows)),
    count: rows.length,
    total: null,
    ms: 1,
  });
  return {
    requests,
    addresses,
    find: async ({ sort = '', dataUrl }: { sort?: string | undefined; dataUrl?: string | undefined }) => {
      requests.push('find');
      addresses.add(dataUrl);
      const sorted = records.toSorted((a, b) => Number(a[spec.index]) - Number(b[spec.index]));
      return page([sorted.at(sort.includes('-1') ? -1 : 0) ?? {}].slice(0, records.length));
    },
    pipeline: async ({ stages, dataUrl }: { stages: string; dataUrl?: string | undefined }) => {
      requests.push('pipeline');
      addresses.add(dataUrl);
      return page(runPipeline(stages, records));
    },
  };
}

async function wholeOf(spec: WholeSpec, records: readonly JsonObject[]): Promise<Whole> {
  const whole = await loadWhole(serviceOf(spec, records), spec, new AbortController().signal);
  if (!whole) throw new Error('there is no whole');
  return whole;
}

const sourceOf = (steps: Whole['steps'], spec: WholeSpec) =>
  stepsSource(steps, spec, { fields: [], part: null });

describe('steps', () => {
  it('have a readable width, and at most 1,000 of them are in a range', () => {
    const widths: readonly (readonly [number, boolean, number])[] = [
      [11_765 * second, true, 12 * second],
      [600, true, 1],
      [0, true, 1],
      [86_400_000 * 900, true, 86_400_000],
      [86_400_000 * 3000, true, 5 * 86_400_000],
      [10_000, false, 10],
      [1200, false, 2],
      [150, false, 0.2],
      [0, false, 0.000001],
    ];
    for (const [length, isTime, width] of widths)
      expect(stepWidth({ from: 50, to: 50 + length }, isTime)).toBe(width);
  });

  it('have the minimum and maximum of all matching records, in three requests, and no null values', async () => {
    const rop = (at: number): JsonValue =>
      at % 100 === 7 ? -999.25 : at % 100 === 8 ? -9999 : at % 100 === 9 ? 'x' : at % 77;
    const records = [...recordsOfWell(1, 5000, rop), { version: 2, asset_id: 9, timestamp: 1e9 }];
    const service = serviceOf(overTime, records.slice(0, 5000));
    const whole = await loadWhole(service, overTime, new AbortController().signal);
    expect(service.requests.toSorted()).toEqual(['find', 'find', 'pipeline']);
    expect(whole).toMatchObject({ width: 5 * second, range: { from: 0, to: 4999 * second } });
    const steps = whole?.steps ?? [];
    expect(steps).toHaveLength(1000);
    expect(steps.reduce((sum, { count }) => sum + count, 0)).toBe(5000);
    expect(steps[1]).toMatchObject({
      names: ['1'],
      from: 5000,
      to: 9000,
      count: 5,
      lows: [5, 5],
      highs: [6, 9],
    });
    expect(steps.flatMap(({ lows, highs }) => [...lows, ...highs]).some((value) => value < 0)).toBe(false);
    // Only those that match.
    const all = runPipeline(wholePipeline(overTime, 5000).stages, records);
    expect(readSteps(all, overTime, () => 5000).map(({ names }) => names[0])).not.toContain('9');
  });

  it('are those of each well, and of each log', async () => {
    const wells = [3, 1, 2].flatMap((well) => recordsOfWell(well, 2000, (at) => well * 1000 + at));
    const steps = sourceOf((await wholeOf(overTime, wells)).steps, overTime);
    const { names, codes } = await steps.groups(['asset_id']);
    expect(names).toEqual([['1'], ['2'], ['3']]);
    const [x, rop] = await steps.numbers(['timestamp', 'data.rop']);
    const second = [...codes].indexOf(1);
    expect([x?.[second], rop?.[second], rop?.[second + 1]]).toEqual([0, 2000, 2001]);
    const logs = await wholeOf(overDepth, [
      ...recordsOfLog('a', 4000),
      ...recordsOfLog('b', 4000),
      { ...recordsOfLog('b', 1)[0], measured_depth: -999.25 },
    ]);
    // A null value is no depth.
    expect(logs.range).toEqual({ from: 100, to: 100 + 3999 / 2 });
    const depths = sourceOf(logs.steps, overDepth);
    expect(logs.width).toBe(2);
    expect((await depths.groups(['asset_id', 'log_identifier'])).names).toEqual([
      ['1', 'a'],
      ['1', 'b'],
    ]);
    expect((await depths.numbers(['measured_depth']))[0]?.at(-1)).toBe(100 + 3999 / 2);
  });

  it('are short for a well that has its records in a small part of the range, in one more request', async () => {
    const records = [
      ...recordsOfWell(1, 20_000, (at) => at),
      ...recordsOfWell(2, 2000, (at) => at, 10_000),
      ...recordsOfWell(3, 700, (at) => at, 10_000),
    ];
    const service = serviceOf(overTime, records);
    const whole = await loadWhole(service, overTime, new AbortController().signal);
    expect(service.requests.filter((kind) => kind === 'pipeline')).toHaveLength(2);
    const steps = Map.groupBy(whole?.steps ?? [], ({ names }) => names[0]);
    expect([...steps].map(([well, all]) => [well, all.length, all[0]?.width])).toEqual([
      ['1', 1000, 20 * second],
      ['2', 1000, 2 * second],
      ['3', 700, second],
    ]);
    expect(whole?.steps.reduce((sum, { count }) => sum + count, 0)).toBe(records.length);
  });

  it('are one point for a single record', async () => {
    const one = sourceOf(
      (
        await wholeOf(
          overTime,
          recordsOfWell(1, 1, () => 5, 77),
        )
      ).steps,
      overTime,
    );
    expect(one).toMatchObject({ rows: 1, breaks: [] });
    expect((await one.numbers(['timestamp', 'data.rop'])).map((values) => [...values])).toEqual([
      [77_000],
      [5],
    ]);
    const spec = { ...overTime, dataUrl: 'https://result.example' };
    const service = serviceOf(
      spec,
      recordsOfWell(1, 10, () => 5),
    );
    await loadWhole(service, spec, new AbortController().signal);
    expect([service.requests.length, [...service.addresses]]).toEqual([3, [spec.dataUrl]]);
    const none = serviceOf(overTime, []);
    expect(await loadWhole(none, overTime, new AbortController().signal)).toBeNull();
    expect(none.requests).toEqual(['find', 'find']);
  });
});

describe('gaps', () => {
  it('are where records are missing, also if records are rarer than steps', async () => {
    const dense = [...recordsOfWell(1, 3000, () => 1), ...recordsOfWell(1, 3000, () => 2, 9000)];
    const rare = recordsOfWell(2, 240, () => 3)
      .map((record, at) => ({ ...record, timestamp: at * 50_000 }))
      .filter((_, at) => at < 100 || at > 130);
    // Less than a step, at the edge of one.
    const almost = recordsOfWell(3, 3000, () => 1).filter((_, at) => at < 1198 || at > 1203);
    const { steps, width } = await wholeOf(overTime, [...dense, ...rare, ...almost]);
    expect(width).toBe(12_000);
    const gaps = breaksOf(steps).map((at) => [steps[at]?.names[0], steps[at]?.to, steps[at + 1]?.from]);
    expect(gaps).toEqual([
      ['1', 2999 * second, 9000 * second],
      ['2', 99 * 50_000, 131 * 50_000],
    ]);
  });

  it('break the line of their well, also when wells start at 0', async () => {
    const records = [
      ...recordsOfWell(1, 3000, () => 1, 100),
      ...recordsOfWell(1, 3000, () => 2, 9100),
      ...recordsOfWell(2, 12_000, () => 3, 100),
    ];
    const source = sourceOf((await wholeOf(overTime, records)).steps, overTime);
    const [x = new Float64Array(), rop = new Float64Array()] = await source.numbers([
      'timestamp',
      'data.rop',
    ]);
    const { codes } = await source.groups(['asset_id']);
    for (const elapsed of [false, true]) {
      const spec = {
        kind: 'lines' as const,
        x: 'x',
        y: ['y'],
        color: null,
        stations: null,
        groupedBy: 'wells',
        shown: [0, 1],
        breaks: source.breaks,
        elapsed,
        changes: {},
        view: { part: null, along: 3000, across: 100 },
      };
      const numbers = Object.entries({ x, y: rop });
      const loaded = createPlotHost().load(
        { plot: 1, source: 1, spec, numbers, codes },
        { signal: new AbortController().signal, emit: () => undefined, transfer: () => undefined },
      );
      if ('missing' in loaded) throw new Error('records are missing');
      const { first, gaps } = loaded;
      const breaks = first?.lines.map((line) => [...line.x].filter((_, at) => Number.isNaN(line.y[at])));
      expect(breaks).toEqual([[((3099 + 9100) / 2 - (elapsed ? 100 : 0)) * second], []]);
      expect(gaps.every(({ from, to }) => !Number.isFinite(from) || !Number.isFinite(to))).toBe(true);
    }
  });
});

describe('more detail', () => {
  const zoom = { from: 4000 * second, to: 4500 * second };

  it('is loaded for fewer than 150 steps in view: half of them more on both sides, and records if there are few', async () => {
    const whole = await wholeOf(
      overTime,
      recordsOfWell(1, 20_000, (at) => at),
    );
    const ofZoom = (range: typeof zoom | null, before: Parameters<typeof detailOf>[3] = null) =>
      detailOf(whole, whole.steps, range, before, true);
    expect(whole.width).toBe(20 * second);
    expect([ofZoom(null), ofZoom({ from: 0, to: 3000 * second })]).toEqual([null, null]);
    const steps = ofZoom({ from: 10_000 * second, to: 12_000 * second });
    expect(steps).toEqual({ range: { from: 9000 * second, to: 13_000 * second }, width: 5 * second });
    const records = ofZoom(zoom);
    expect(records).toEqual({ range: { from: 3750 * second, to: 4750 * second }, width: 0 });
    // A zoom within it needs no more.
    expect(ofZoom({ from: 4100 * second, to: 4200 * second }, records)).toBe(records);
    expect(ofZoom({ from: 4100 * second, to: 4800 * second }, records)).not.toBe(records);
    expect(ofZoom({ from: 10_000 * second, to: 11_000 * second }, steps)).toBe(steps);
    expect(ofZoom({ from: 10_000 * second, to: 10_500 * second }, steps)).toMatchObject({ width: 0 });
  });

  it('takes the place of the steps of its range', async () => {
    const all = recordsOfWell(1, 20_000, (at) => at);
    const whole = await wholeOf(overTime, all);
    const detail = detailOf(whole, whole.steps, zoom, null, true);
    if (!detail) throw new Error('there is no detail');
    const rows = runPipeline(detailPipeline(overTime, detail).stages, all);
    const finer = readSteps(rows, overTime, () => detail.width);
    expect(finer).toHaveLength(1001);
    const merged = withDetail(whole, { ...detail, steps: finer });
    const source = sourceOf(merged, overTime);
    expect(source.breaks).toEqual([]);
    const [x = new Float64Array(), rop] = await source.numbers(['timestamp', 'data.rop']);
    expect(x).toEqual(x.toSorted());
    expect([x[0], x.at(-1)]).toEqual([0, 19_999 * second]);
    const at = x.indexOf(4000 * second);
    expect([rop?.[at], rop?.[at + 1]]).toEqual([4000, 4001]);
  });
});

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/index.ts';
import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../src/shared/json.ts';
import { object, objects, textOf } from '../conformance/target.ts';
import { clientOf } from './client.ts';

let demo: Demo;
let client: ReturnType<typeof clientOf>;
let wells: JsonObject[];
beforeAll(async () => {
  demo = await startDemo();
  client = clientOf(demo);
  wells = objects(object((await client.platform('/v2/wells', { per_page: 1000 })).json)['data']);
});
afterAll(() => demo.close());

const attributes = (well: JsonObject): JsonObject => object(well['attributes']);
const names = [
  'wits',
  'drilling.wits.depth',
  'completion.wits',
  'wits.summary-1ft',
  'sensors.pad',
  'data.actual_survey',
  'data.formations',
  'data.well-sections',
  'completion.stage-times',
];

describe('the sample, by default', () => {
  test('has 30 wells, datasets of all four types, and 200,000 records', async () => {
    expect(wells).toHaveLength(30);
    let records = 0;
    const types = new Set<JsonValue>();
    for (const name of names) {
      const definition = object((await client.definitions(`demo/${name}/`)).json);
      types.add(definition['data_type'] ?? '');
      expect(object(definition['statistics'])['count']).toBeGreaterThan(0);
      records += await client.count(`demo/${name}`);
    }
    expect(records).toBe(200_000);
    expect(types).toEqual(new Set(['time', 'depth', 'reference', 'timeseries']));
  });

  test('has empty datasets of each type to upload into', async () => {
    for (const type of ['time', 'depth', 'reference', 'timeseries']) {
      const definition = object((await client.definitions(`demo/uploads.${type}/`)).json);
      expect([definition['data_type'], object(definition['statistics'])['count']]).toEqual([type, 0]);
    }
  });

  test('has a platform id for every well that is not its asset id, some of them equal to another’s asset id', () => {
    const assets = new Map(wells.map((well) => [attributes(well)['asset_id'], well]));
    expect(wells.filter((well) => assets.get(well['id'] ?? 0) === well)).toEqual([]);
    expect(wells.filter((well) => assets.has(well['id'] ?? 0)).length).toBeGreaterThan(0);
  });

  test('has asset 5003, with drilling data', async () => {
    expect(wells.some((well) => attributes(well)['asset_id'] === 5003)).toBe(true);
    expect(await client.count('demo/wits', { asset_id: 5003 })).toBeGreaterThan(1000);
  });

  test('has wells of many states and statuses, of two companies', () => {
    const values = (name: string): number => new Set(wells.map((well) => attributes(well)[name])).size;
    expect(values('state')).toBeGreaterThan(7);
    expect(values('status')).toBeGreaterThan(4);
    expect(values('company_id')).toBe(2);
  });

  test('has unique API numbers of 14 digits, some with a leading zero', () => {
    const numbers = wells.map((well) => object(attributes(well)['settings'])['api_number'] as string);
    expect(numbers.every((number) => /^\d\d-\d{3}-\d{5}-\d\d-\d\d$/.test(number))).toBe(true);
    expect(new Set(numbers).size).toBe(30);
    expect(numbers.some((number) => number.startsWith('0'))).toBe(true);
  });

  test('has names with quotes, commas, and non-Latin letters', () => {
    const all = wells.map((well) => textOf(attributes(well)['name'])).join('\n');
    expect(all).toMatch(/".*,/);
    expect(all).toMatch(/\p{Script=Cyrillic}/u);
    expect(all).toMatch(/\p{Script=Han}/u);
  });
});

describe('drilling data', () => {
  test('has all states of a rig, including connections and trips', async () => {
    const states = await client.pipeline('demo/wits', [
      { $match: { asset_id: { $in: [5001, 5002, 5003] } } },
      { $group: { _id: '$data.state', n: { $sum: 1 } } },
    ]);
    expect(new Set(states.map((state) => state['_id']))).toEqual(
      new Set([
        'Dry Reaming Down',
        'In Slips',
        'Pull out of Hole',
        'Rotary Drilling',
        'Run in Hole',
        'Slide Drilling',
        'Static Off Bottom',
        'Static On Bottom',
      ]),
    );
  });

  test('is one record per second, with gaps and repeated timestamps', async () => {
    const records = await client.records('demo/wits', {
      query: { asset_id: 5001 },
      sort: { timestamp: 1 },
      fields: 'timestamp',
    });
    const times = records.map((record) => Number(record['timestamp']));
    const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(steps.filter((step) => step === 1000).length).toBeGreaterThan(steps.length * 0.98);
    expect(steps).toContain(0);
    expect(Math.max(...steps)).toBeGreaterThan(30_000);
  });

  test('has missing values as null and as -999.25', async () => {
    expect(await client.count('demo/wits', { asset_id: 5001, 'data.diff_press': null })).toBeGreaterThan(0);
    expect(await client.count('demo/wits', { asset_id: 5001, 'data.diff_press': -999.25 })).toBeGreaterThan(
      0,
    );
    expect(await client.count('demo/wits', { asset_id: 5001, 'data.gamma_ray': -999.25 })).toBeGreaterThan(0);
  });

  test('is plausible: the bit is never below the hole, the hole never gets shallower, the block stays in the derrick', async () => {
    const records = await client.records('demo/wits', {
      query: { asset_id: 5001 },
      sort: { timestamp: 1, _id: 1 },
    });
    let deepest = 0;
    const implausible = records.filter((record) => {
      const {
        hole_depth: hole,
        bit_depth: bit,
        block_height: block,
      } = record['data'] as Record<string, number>;
      const isPlausible = bit! <= hole! + 0.11 && hole! >= deepest && block! >= -1 && block! < 125;
      deepest = hole!;
      return !isPlausible;
    });
    expect(records.length).toBeGreaterThan(1000);
    expect(implausible).toEqual([]);
  });

  test('ends at a fixed instant, whatever the current date', async () => {
    const [newest] = await client.records('demo/wits', { sort: { timestamp: -1 }, limit: 1 });
    expect(newest?.['timestamp']).toBe(Date.parse('2026-11-20T00:00:00Z'));
  });
});

describe('other data', () => {
  test('has depth logs, of which some wells have two over the same depths', async () => {
    const logs = await client.pipeline('demo/drilling.wits.depth', [
      { $group: { _id: { asset: '$asset_id', log: '$log_identifier' } } },
      { $group: { _id: '$_id.asset', logs: { $sum: 1 } } },
    ]);
    expect(new Set(logs.map((log) => log['logs']))).toEqual(new Set([1, 2]));
  });

  test('has completion stages that count from 1', async () => {
    const [stages] = await client.pipeline('demo/completion.wits', [{ $group: { _id: null, first: { $min: '$stage_number' }, last: { $max: '$stage_number' } } }]); // oxfmt-ignore
    expect(stages?.['first']).toBe(1);
    expect(stages?.['last']).toBeGreaterThan(2);
  });

  test('has surveys with nested arrays', async () => {
    const [survey] = await client.records('demo/data.actual_survey', { limit: 1 });
    const stations = objects(object(survey?.['data'])['stations']);
    expect(stations.length).toBeGreaterThan(40);
    expect(stations[0]).toMatchObject({ measured_depth: 95 });
  });

  test('has timeseries records with datetime and metadata, and no asset_id of their own', async () => {
    const [record] = await client.records('demo/sensors.pad', { sort: { datetime: -1 }, limit: 1 });
    expect(record).toMatchObject({
      datetime: '2026-11-20T00:00:00.000Z',
      metadata: { asset_id: expect.any(Number) as number },
    });
    expect(record).not.toHaveProperty('asset_id');
  });

  test('has integers beyond 2^53 that are found and compared by their exact value', async () => {
    const [one] = await client.records('demo/data.formations', { limit: 1 });
    const id = object(one?.['data'])['sample_id'] as bigint;
    expect(typeof id).toBe('bigint');
    expect(await client.count('demo/data.formations', { 'data.sample_id': id })).toBe(1);
    expect(await client.count('demo/data.formations', { 'data.sample_id': id + 500n })).toBe(0);
    const above = await client.count('demo/data.formations', { 'data.sample_id': { $gt: id } });
    expect(above + (await client.count('demo/data.formations', { 'data.sample_id': { $lte: id } }))).toBe(
      await client.count('demo/data.formations'),
    );
    const [largest] = await client.pipeline('demo/data.formations', [
      { $group: { _id: null, largest: { $max: '$data.sample_id' } } },
    ]);
    expect(largest?.['largest']).toBeGreaterThan(id);
  });

  test('has texts with commas, quotes, line breaks, and non-Latin letters', async () => {
    const surveys = stringifyJson(
      await client.records('demo/data.actual_survey', { fields: 'data.comment' }),
    );
    for (const part of ['\\"sag\\"', '\\n', 'замечаний', '测量', ',']) expect(surveys).toContain(part);
  });
});

describe('the same seed produces the same', () => {
  async function fingerprint(service: Demo): Promise<string> {
    const own = clientOf(service);
    const hash = createHash('sha256');
    hash.update((await own.platform('/v2/wells', { per_page: 1000 })).text);
    for (const name of names)
      hash.update(stringifyJson(await own.records(`demo/${name}`, { sort: { _id: 1 } })));
    return hash.digest('hex');
  }

  test('wells, records, and credentials; another seed produces others', async () => {
    const [a, b, c] = await Promise.all([1, 1, 2].map((seed) => startDemo({ seed, records: 2_000 })));
    const [first, second, third] = await Promise.all([a!, b!, c!].map(fingerprint));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect([b!.apiKeys, b!.login]).toEqual([a!.apiKeys, a!.login]);
    expect(c!.apiKeys.write).not.toBe(a!.apiKeys.write);
    await Promise.all([a!, b!, c!].map((service) => service.close()));
  });
});

describe('sizes', () => {
  test.each([
    [0, 0],
    [1, 0],
    [1, 10],
    [5, 1],
    [5, 999],
    [100, 5_000],
  ])('%d wells and %d records', async (wellCount, records) => {
    const service = await startDemo({ wells: wellCount, records });
    const own = clientOf(service);
    const listed = objects(object((await own.platform('/v2/wells', { per_page: 1000 })).json)['data']);
    let found = 0;
    for (const name of names) found += await own.count(`demo/${name}`);
    expect([listed.length, found]).toEqual([wellCount, wellCount === 0 ? 0 : records]);
    await service.close();
  });

  test('50,000 wells and 2,000 datasets', async () => {
    const service = await startDemo({ wells: 50_000, datasets: 2_000, records: 50_000 });
    const own = clientOf(service);
    const ids = new Set<JsonValue>();
    for (const page of [1, 500, 501]) {
      const listed = objects(object((await own.platform('/v2/wells', { per_page: 100, page })).json)['data']);
      for (const well of listed) ids.add(well['id'] ?? 0);
    }
    expect(ids.size).toBe(200);
    expect(objects((await own.definitions()).json).length).toBeGreaterThan(1_990);
    await service.close();
  });
});

describe('live records', () => {
  test('are added: the newest record is current, and new ones arrive', async () => {
    const service = await startDemo({ live: true, records: 2_000 });
    const own = clientOf(service);
    const newest = async (): Promise<number> => {
      const [record] = await own.records('demo/wits', { sort: { timestamp: -1 }, limit: 1 });
      return Number(isObject(record) ? record['timestamp'] : 0);
    };
    const first = await newest();
    expect(Math.abs(Date.now() - first)).toBeLessThan(60_000);
    await expect.poll(newest, { timeout: 20_000, interval: 100 }).toBeGreaterThan(first);
    // A well continues from its history: its depth doesn't jump.
    const [last] = await own.records('demo/wits', { sort: { timestamp: -1 }, limit: 1 });
    const query = { asset_id: (isObject(last) && last['asset_id']) || null };
    const latestRecords = await own.records('demo/wits', { query, sort: { timestamp: -1 }, limit: 10 });
    const depths = latestRecords.map((record) =>
      Number(isObject(record) && isObject(record['data']) && record['data']['hole_depth']),
    );
    expect(Math.max(...depths) - Math.min(...depths)).toBeLessThan(5);
    await service.close();
  });

  test('have one of the last minutes for every active well, and for no other', async () => {
    const service = await startDemo({ live: true, records: 20_000 });
    const own = clientOf(service);
    const listed = objects(object((await own.platform('/v2/wells', { per_page: 1000 })).json)['data']);
    const since = Date.now() - 10 * 60_000;
    const newest = await own.pipeline('demo/wits', [
      { $match: { timestamp: { $gt: since } } },
      { $group: { _id: '$asset_id', last: { $max: '$timestamp' } } },
    ]);
    const last = new Map(newest.map(({ _id, last: at }) => [_id, Number(at)]));
    for (const well of listed) {
      const { asset_id: asset = null, status, state, name } = attributes(well);
      expect([name, (last.get(asset) ?? 0) > since]).toEqual([name, status === 'active']);
      if (state !== 'completions') continue;
      expect(
        await own.count('demo/completion.wits', { asset_id: asset, timestamp: { $gt: since } }),
      ).toBeGreaterThan(0);
    }
    await expect
      .poll(
        () =>
          own.count('demo/sensors.pad', { datetime: { $gt: new Date(since + 10 * 60_000).toISOString() } }),
        { timeout: 30_000, interval: 250 },
      )
      .toBeGreaterThan(0);
    await service.close();
  });
});

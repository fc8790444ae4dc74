import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { indexShapes } from '../../src/demo/datasets.ts';
import {
  type SortField,
  Work,
  compareSortValues,
  limits,
  predicate,
  sortValues,
} from '../../src/demo/mongo.ts';
import { Problem } from '../../src/demo/service.ts';
import { Collection, recordOf, type Row } from '../../src/demo/store.ts';
import type { DatasetType } from '../../src/shared/datasets/datasets.ts';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { lawParameters } from '../support/sample.ts';

const { workMs } = limits;
const assets = [5001, 5002, 5003];
const timestampOf = (row: Row): unknown => recordOf(row)['timestamp'];
const logs = ['a', 'b'];
const asset = fc.constantFrom(...assets);
const smallKey = fc.integer({ min: 0, max: 12 });
const instant = smallKey.map((second) => new Date(1_700_000_000_000 + second * 1000).toISOString());
const data = fc.record({
  x: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(null)),
  big: fc.constant(2n ** 60n),
});

const arbitraryRecord: Record<DatasetType, fc.Arbitrary<JsonObject>> = {
  time: fc.record({ company_id: fc.constantFrom(1, 2), asset_id: asset, timestamp: smallKey, data }),
  depth: fc.record({
    company_id: fc.constant(1),
    asset_id: asset,
    log_identifier: fc.constantFrom(...logs),
    measured_depth: smallKey,
    data,
  }),
  reference: fc.record(
    { company_id: fc.constant(1), asset_id: asset, data },
    { requiredKeys: ['company_id', 'data'] },
  ),
  timeseries: fc.record(
    { company_id: fc.constant(1), datetime: instant, metadata: fc.record({ asset_id: asset }), data },
    { requiredKeys: ['company_id', 'metadata', 'data'] },
  ),
};
const keyPath: Record<DatasetType, string> = {
  time: 'timestamp',
  depth: 'measured_depth',
  reference: 'data.x',
  timeseries: 'datetime',
};

function conditionOn(path: string, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    value.map((v) => ({ [path]: v })),
    fc.array(value, { maxLength: 4 }).map((list) => ({ [path]: { $in: list } })),
    fc.tuple(value, value).map(([a, b]) => ({ [path]: { $gte: a, $lt: b } })),
    fc.tuple(value, value).map(([a, b]) => ({ [path]: { $gt: a, $lte: b } })),
    value.map((v) => ({ $and: [{ [path]: { $gte: v } }, { [path]: { $ne: v } }] })),
  );
}

function queryOf(type: DatasetType): fc.Arbitrary<JsonObject> {
  const key = type === 'timeseries' ? instant : smallKey;
  const scope = conditionOn(type === 'timeseries' ? 'metadata.asset_id' : 'asset_id', asset);
  const range = conditionOn(keyPath[type], key);
  const rest = fc.oneof(
    fc.constant({}),
    conditionOn('data.x', fc.integer({ min: 0, max: 5 })),
    fc.constant({ 'data.x': null }),
  );
  return fc.oneof(
    fc.tuple(scope, range, rest).map((parts) => ({ $and: parts })),
    fc.tuple(range, rest).map(([a, b]) => ({ ...a, ...b })),
    scope,
    range,
    fc.constant({}),
    fc.tuple(scope, range).map(([a, b]) => ({ $or: [a, b] })),
  );
}

function sortOf(type: DatasetType): fc.Arbitrary<SortField[]> {
  const direction = fc.constantFrom(1 as const, -1 as const);
  const paths = [keyPath[type], 'asset_id', 'data.x', 'metadata.asset_id'];
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...paths), direction), { maxLength: 3, selector: ([path]) => path })
    .chain((fields) => direction.map((id): SortField[] => [...fields, ['_id', id]]));
}

const scenario = (type: DatasetType) =>
  fc.record({
    generated: fc.array(arbitraryRecord[type], { maxLength: 30 }),
    batches: fc.array(fc.array(arbitraryRecord[type], { minLength: 1, maxLength: 12 }), { maxLength: 12 }),
    query: queryOf(type),
    sort: sortOf(type),
    page: fc.integer({ min: 1, max: 9 }),
  });

function fill(
  type: DatasetType,
  generated: readonly JsonObject[],
  batches: readonly JsonObject[][],
): { collection: Collection; all: JsonObject[] } {
  const shape = indexShapes[type];
  const collection = new Collection(shape, '66f100010000');
  const all: JsonObject[] = [];
  const path = shape.keyPath;
  for (const [at, assetId] of assets.entries()) {
    const own = generated.filter(
      (r) =>
        (r['asset_id'] ?? (r['metadata'] as JsonObject | undefined)?.['asset_id']) === assetId &&
        r['company_id'] === 1 &&
        (r['log_identifier'] ?? 'a') === 'a' &&
        (type === 'reference' || r[path] !== undefined),
    );
    if (type !== 'reference') own.sort((a, b) => compareSortValues([[path, 1]], [a[path]], [b[path]]));
    const { company_id = 1, log_identifier } = own[0] ?? {};
    const scope: JsonObject =
      type === 'timeseries'
        ? { company_id, metadata: { asset_id: assetId } }
        : { company_id, asset_id: assetId, ...(log_identifier === undefined ? {} : { log_identifier }) };
    const idPrefix = `66f00001000${String(at)}`;
    collection.addGenerated({
      scope,
      length: own.length,
      idPrefix,
      key: (row) => (own[row]?.[path] ?? null) as string | number | null,
      make: (_id, row) => ({ _id, ...own[row] }),
    });
    for (const [row, record] of own.entries())
      all.push({ _id: idPrefix + row.toString(16).padStart(12, '0'), ...record });
  }
  for (const batch of batches) {
    const ids = collection.insert(batch);
    all.push(...batch.map((record, i) => ({ _id: ids[i] ?? '', ...record })));
  }
  return { collection, all };
}

function expected(all: readonly JsonObject[], query: JsonObject, sort: readonly SortField[]): JsonObject[] {
  const test = predicate(query);
  return all
    .filter((record) => test(record))
    .sort((a, b) => compareSortValues(sort, sortValues(sort, a), sortValues(sort, b)));
}

describe('a collection finds the same as a plain scan and sort', () => {
  for (const type of ['time', 'depth', 'reference', 'timeseries'] as const) {
    test(`${type}: all pages, in order, and their count`, async () => {
      await fc.assert(
        fc.asyncProperty(scenario(type), async ({ generated, batches, query, sort, page }) => {
          const { collection, all } = fill(type, generated, batches);
          const reading = { query, sort, visible: () => true, seenBy: 'all' };
          const wanted = expected(all, query, sort).map((record) => record['_id']);
          const found: JsonValue[] = [];
          for (let skip = 0; ; skip += page) {
            const rows = await collection.find(reading, skip, page, new Work());
            found.push(...rows.map(({ run, at }) => run.id(at)));
            if (rows.length < page) break;
          }
          expect(found).toEqual(wanted);
          expect(await collection.count(reading, new Work())).toBe(wanted.length);
        }),
        lawParameters(100),
      );
    });
  }

  test('by id: ranges and single ids, in id order', async () => {
    await fc.assert(
      fc.asyncProperty(
        scenario('reference'),
        fc.nat(40),
        fc.constantFrom('$gt', '$gte', '$lt'),
        async ({ generated, batches }, at, operator) => {
          const { collection, all } = fill('reference', generated, batches);
          const pivot = all[at % Math.max(1, all.length)]?.['_id'] ?? 'none';
          for (const query of [
            { _id: { [operator]: pivot } },
            { _id: pivot },
            { _id: { $in: [pivot, 'none'] }, asset_id: { $gte: 0 } },
          ]) {
            const reading = { query, sort: [['_id', 1]] as const, visible: () => true, seenBy: 'all' };
            const rows = await collection.find(reading, 0, 1000, new Work());
            expect(rows.map(recordOf)).toEqual(expected(all, query, [['_id', 1]]));
          }
        },
      ),
    );
  });
});

describe('records with equal keys', () => {
  test('stay separate by scope when the scope is the first sort field', async () => {
    const at = (asset_id: number, x: number): JsonObject => ({
      company_id: 1,
      asset_id,
      timestamp: 7,
      data: { x },
    });
    const { collection } = fill('time', [], [[at(5002, 9), at(5001, 3), at(5001, 2)]]);
    const sort = [['asset_id', -1], ['timestamp', 1], ['data.x', 1]] as const; // oxfmt-ignore
    const rows = await collection.find(
      { query: {}, sort, visible: () => true, seenBy: 'all' },
      0,
      10,
      new Work(),
    );
    expect(rows.map((row) => recordOf(row)['data'])).toEqual([{ x: 9 }, { x: 2 }, { x: 3 }]);
  });
});

describe('inaccessible records', () => {
  test('are neither found nor counted', async () => {
    const { collection } = fill(
      'time',
      [],
      [assets.map((asset_id) => ({ company_id: 1, asset_id, timestamp: 1 }))],
    );
    const reading = {
      query: {},
      sort: [],
      visible: (scope: JsonObject) => scope['asset_id'] !== 5002,
      seenBy: 'some',
    };
    expect(await collection.count(reading, new Work())).toBe(2);
    expect(await collection.find(reading, 0, 10, new Work())).toHaveLength(2);
  });
});

describe('a full export', () => {
  const many = 60_000;
  test('by skip in index order creates only the records of its page', async () => {
    let made = 0;
    const collection = new Collection(indexShapes.time, '66f100010000');
    for (const [at, asset_id] of assets.entries()) {
      collection.addGenerated({
        scope: { asset_id },
        length: many / 3,
        idPrefix: `66f00001000${String(at)}`,
        key: (row) => row,
        make: (_id, row) => ({ _id, asset_id, timestamp: ((made += 1), row) }),
      });
    }
    const reading = {
      query: {},
      sort: [
        ['timestamp', -1],
        ['_id', 1],
      ] as const,
      visible: () => true,
      seenBy: 'all',
    };
    const rows = await collection.find(reading, many - 500, 1000, new Work());
    expect(rows).toHaveLength(500);
    expect(made).toBe(0);
  });
});

describe('a pattern that backtracks without end', () => {
  afterAll(() => {
    limits.workMs = workMs;
  });

  test('is stopped, whatever else the query has', async () => {
    limits.workMs = 200;
    const { collection } = fill('time', [], [[{ asset_id: 5001, timestamp: 5, note: `${'a'.repeat(50)}b` }]]);
    const query = { asset_id: 5001, timestamp: { $lt: 9 }, note: { $regex: '^(a+)+$' } };
    const reading = { query, sort: [['timestamp', 1]] as const, visible: () => true, seenBy: 'all' };
    await expect(collection.find(reading, 0, 10, new Work())).rejects.toThrow(Problem);
    await expect(collection.count(reading, new Work())).rejects.toThrow(Problem);
  });
});

describe('records that arrive while a page is read', () => {
  test('do not change the returned rows', async () => {
    const { collection } = fill('time', [], [[{ company_id: 1, asset_id: 5001, timestamp: 5 }]]);
    const reading = { query: {}, sort: [['timestamp', 1]] as const, visible: () => true, seenBy: 'all' };
    const rows = await collection.find(reading, 0, 10, new Work());
    collection.insert([{ company_id: 1, asset_id: 5001, timestamp: 1 }]);
    expect(rows.map(timestampOf)).toEqual([5]);
    const again = await collection.find(reading, 0, 10, new Work());
    expect(again.map(timestampOf)).toEqual([1, 5]);
  });
});

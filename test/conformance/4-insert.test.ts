import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { client, subjects, target } from './suite.ts';
import { object } from './target.ts';

const { writable } = target;
const [assetId = 0] = subjects.assetIds;
let unique = 1_700_000_000_000;
const timeRecord = (more: JsonObject = {}): JsonObject => ({
  version: 1,
  asset_id: assetId,
  timestamp: (unique += 1000),
  data: { x: 1 },
  ...more,
});
const without = (record: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));

describe.skipIf(!writable.time)('4.1 Insert records, time', () => {
  const dataset = writable.time ?? '';

  test('accepts one record', async () => {
    const reply = await client.insert(dataset, [timeRecord()]);
    expect([reply.status, object(reply.json)['failed_count']]).toEqual([200, 0]);
  });

  test('accepts 1,000 records', async () => {
    const reply = await client.insert(
      dataset,
      Array.from({ length: 1000 }, () => timeRecord()),
    );
    expect(object(reply.json)['inserted_ids']).toHaveLength(1000);
  });

  test('returns 422 for no record', async () => {
    expect((await client.insert(dataset, [])).status).toBe(422);
  });

  test('returns 422 for 1,001 records, and stores none', async () => {
    const records = Array.from({ length: 1001 }, () => timeRecord());
    expect((await client.insert(dataset, records)).status).toBe(422);
    expect(
      await client.count(dataset, { asset_id: assetId, timestamp: records[0]?.['timestamp'] ?? 0 }),
    ).toBe(0);
  });

  test.each(['version', 'asset_id', 'timestamp'])('returns 422 when %s is missing', async (field) => {
    expect((await client.insert(dataset, [without(timeRecord(), field)])).status).toBe(422);
  });

  test.each<[string, JsonValue]>([
    ['version', '1'],
    ['asset_id', 'none'],
    ['timestamp', '2026-01-01T00:00:00Z'],
    ['timestamp', 1.5],
  ])('returns 422 when %s is %j', async (field, value) => {
    expect((await client.insert(dataset, [timeRecord({ [field]: value })])).status).toBe(422);
  });

  test('returns 400 for a body that is not JSON', async () => {
    expect((await client.insert(dataset, null, { rawBody: '[{"version":1,' })).status).toBe(400);
  });

  test('inserted records are found unchanged, under the returned ids', async () => {
    const record = timeRecord({
      data: { rop: 142.7, state: 'Rotary "Drilling",\nдерево', nested: { list: [1, null, { a: true }] } },
    });
    const reply = await client.insert(dataset, [record]);
    const [found] = await client.find(dataset, { asset_id: assetId, timestamp: record['timestamp'] ?? 0 });
    expect(found).toMatchObject(record);
    expect(object(reply.json)['inserted_ids']).toEqual([found?.['_id']]);
  });

  test('records that are sent twice are stored twice: inserts are not idempotent', async () => {
    const record = timeRecord();
    await client.insert(dataset, [record]);
    await client.insert(dataset, [record]);
    expect(await client.count(dataset, { asset_id: assetId, timestamp: record['timestamp'] ?? 0 })).toBe(2);
  });

  test('integers beyond 2^53 keep all their digits', async () => {
    const record = timeRecord({ data: { serial: 9007199254740993n, huge: 123456789012345678901234567890n } });
    await client.insert(dataset, [record]);
    const [found] = await client.find(dataset, { asset_id: assetId, timestamp: record['timestamp'] ?? 0 });
    expect(found?.['data']).toEqual(record['data']);
  });

  test.skipIf(!target.readOnly)('returns 403 for a key without write permission', async () => {
    const reply = await client.insert(dataset, [timeRecord()], { authorization: target.readOnly });
    expect(reply.status).toBe(403);
  });

  test.skipIf(!target.forbidden)('returns 403 for an asset that the identity may not access', async () => {
    const reply = await client.insert(dataset, [timeRecord({ asset_id: target.forbidden!.assetId })]);
    expect(reply.status).toBe(403);
  });

  test.skipIf(!target.forbidden)('returns 403 for a company that the identity may not access', async () => {
    expect((await client.insert(dataset, [timeRecord({ company_id: 999_999 })])).status).toBe(403);
  });
});

describe.skipIf(!writable.depth)('4.1 Insert records, depth', () => {
  const dataset = writable.depth ?? '';
  const record: JsonObject = {
    version: 1,
    asset_id: assetId,
    measured_depth: 1234.5,
    log_identifier: 'a1b2c3',
    data: { dep: 1234.5 },
  };

  test('accepts a record with measured_depth and log_identifier', async () => {
    expect((await client.insert(dataset, [record])).status).toBe(200);
    const [found] = await client.find(dataset, {
      asset_id: assetId,
      log_identifier: 'a1b2c3',
      measured_depth: 1234.5,
    });
    expect(found).toMatchObject(record);
  });

  test.each(['version', 'asset_id', 'measured_depth', 'log_identifier'])(
    'returns 422 when %s is missing',
    async (field) => {
      expect((await client.insert(dataset, [without(record, field)])).status).toBe(422);
    },
  );

  test.each<[string, JsonValue]>([
    ['measured_depth', '1234'],
    ['log_identifier', 7],
  ])('returns 422 when %s is %j', async (field, value) => {
    expect((await client.insert(dataset, [{ ...record, [field]: value }])).status).toBe(422);
  });
});

describe.skipIf(!writable.reference)('4.1 Insert records, reference', () => {
  test('requires only version', async () => {
    expect((await client.insert(writable.reference!, [{ version: 1, data: { a: 1 } }])).status).toBe(200);
    expect((await client.insert(writable.reference!, [{ data: { a: 1 } }])).status).toBe(422);
  });
});

describe.skipIf(!writable.timeseries)('4.1 Insert records, timeseries', () => {
  test('accepts a record with datetime and metadata, found by both', async () => {
    const record = {
      version: 1,
      datetime: '2026-03-04T05:06:07.000Z',
      metadata: { asset_id: assetId },
      data: { t: 1 },
    };
    expect((await client.insert(writable.timeseries!, [record])).status).toBe(200);
    const found = await client.find(writable.timeseries!, {
      'metadata.asset_id': assetId,
      datetime: record.datetime,
    });
    expect(found[0]).toMatchObject(record);
  });
});

describe('4.1 Insert records, anywhere', () => {
  test('returns 404 for a dataset that does not exist', async () => {
    expect((await client.insert('nobody/nothing', [timeRecord()])).status).toBe(404);
  });
});

import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { attributes } from './client.ts';
import { client, subjects } from './suite.ts';
import { object, objects, textOf } from './target.ts';

const id = z.string().min(1);
const integer = z.int();

const envelope = z.looseObject({
  _id: id,
  company_id: integer.optional(),
  asset_id: integer.optional(),
  version: integer,
  provider: z.string(),
  collection: z.string(),
  data: z.looseObject({}),
  timestamp: integer.optional(),
  measured_depth: z.number().optional(),
  log_identifier: z.string().optional(),
  stage_number: integer.optional(),
  datetime: z.iso.datetime({ offset: true }).optional(),
  metadata: z.looseObject({ company_id: integer.optional(), asset_id: integer.optional() }).optional(),
});

const definition = z.looseObject({
  id: integer,
  company_id: integer,
  provider: z.string(),
  name: z.string(),
  friendly_name: z.string(),
  description: z.string(),
  schema: z.looseObject({}),
  data_type: z.string(),
  plottable: z.boolean(),
  temporary: z.boolean(),
  permission_workflow: z.object({ read: z.string(), write: z.string(), delete: z.string() }),
  indexes: z.array(z.unknown()),
  statistics: z.looseObject({ size: integer, count: integer, storage_size: integer, index_size: integer }),
});

const resource = z.looseObject({
  id: z.union([integer, z.string().regex(/^\d+$/)]),
  type: z.string(),
  attributes: z.looseObject({}),
  relationships: z
    .record(z.string(), z.object({ data: z.looseObject({ id: z.unknown(), type: z.string() }).nullable() }))
    .optional(),
});

describe('2.1 Dataset record', () => {
  const { time, depth, stages, timeseries } = subjects;

  test.skipIf(!time)(
    'a record of a time dataset has the envelope and a timestamp in Unix milliseconds',
    () => {
      const record = envelope.required({ timestamp: true }).parse(time!.newest);
      expect(record.timestamp).toBeGreaterThan(1e12);
      expect(`${record.provider}/${record.collection}`).toBe(time!.dataset);
    },
  );

  test.skipIf(!depth)('a record of a depth dataset has measured_depth and log_identifier', () => {
    envelope.required({ measured_depth: true, log_identifier: true }).parse(depth!.newest);
  });

  test.skipIf(!stages)('a record of a completion dataset has a stage_number', () => {
    envelope.required({ stage_number: true }).parse(stages!.newest);
  });

  test.skipIf(!timeseries)(
    'a record of a timeseries dataset has datetime, and metadata with company_id or asset_id',
    () => {
      const { metadata } = envelope.required({ datetime: true, metadata: true }).parse(timeseries!.newest);
      expect(metadata?.asset_id ?? metadata?.company_id).toBeDefined();
    },
  );

  test.skipIf(!time)('a count response is an object with an integer count', async () => {
    const reply = await client.data(time!.dataset, 'count/', { query: { asset_id: time!.assetId } });
    z.object({ count: integer }).parse(reply.json);
  });
});

describe('2.2 Dataset definition', () => {
  test('every definition in the list has the fields of a definition', () => {
    expect(subjects.definitions.length).toBeGreaterThan(0);
    for (const listed of subjects.definitions) definition.parse(listed);
  });

  test('name is provider and collection joined by a separator', () => {
    for (const { name, provider } of subjects.definitions) {
      expect(textOf(name).startsWith(textOf(provider))).toBe(true);
    }
  });

  test('a single definition carries the same fields', async () => {
    const listed = subjects.definitions[0];
    const name = textOf(listed?.['name']).split('#').at(-1) ?? '';
    const reply = await client.definitions(`${textOf(listed?.['provider'])}/${encodeURIComponent(name)}/`);
    const single = definition.parse(reply.json);
    expect([single.id, single.provider, single.name]).toEqual([
      listed?.['id'],
      listed?.['provider'],
      listed?.['name'],
    ]);
  });

  test('data_type is one of the four types', () => {
    const types = new Set(subjects.definitions.map((listed) => listed['data_type']));
    expect(
      [...types].filter((type) => !['time', 'depth', 'reference', 'timeseries'].includes(textOf(type))),
    ).toEqual([]);
  });

  test('the company listing is an object of company names to lists of id, provider, name and type', async () => {
    const reply = await client.definitions('company/');
    const item = z.looseObject({ id: integer, provider: z.string(), name: z.string(), type: z.string() });
    const byCompany = z.record(z.string(), z.array(item)).parse(reply.json);
    expect(Object.values(byCompany).flat().length).toBeGreaterThan(0);
  });
});

describe('2.3 Platform resources', () => {
  const resources = ['wells', 'assets', 'programs', 'pads', 'rigs', 'drillout_units', 'frac_fleets'];

  test.each(resources)('%s: the list is an object with data, an array of resources', async (name) => {
    const reply = await client.platform(`/v2/${name}`, { per_page: 50 });
    const { data } = z.looseObject({ data: z.array(resource) }).parse(reply.json);
    expect(data.length).toBeGreaterThan(0);
  });

  test('the type of a well is well', () => {
    expect(new Set(subjects.wells.map((well) => well['type']))).toEqual(new Set(['well']));
  });

  test('a well has a name, an asset_id and a status', () => {
    const seen = z.looseObject({ name: z.string(), asset_id: integer, status: z.string() });
    for (const well of subjects.wells) seen.parse(attributes(well));
  });

  test('attributes that were not requested by fields[] may be omitted', async () => {
    const [well] = await client.list('wells', { 'fields[]': ['well.name'], per_page: 1 });
    expect(Object.keys(attributes(well))).toContain('name');
  });
});

describe('2.1 Insert response', () => {
  const dataset = client.target.writable.reference;

  test.skipIf(!dataset)('is an object with inserted_ids, failed_count and messages', async () => {
    const reply = await client.insert(dataset!, [{ version: 1, data: { note: 'conformance' } }]);
    const answer = z.looseObject({
      inserted_ids: z.array(z.string()),
      failed_count: integer,
      messages: z.array(z.unknown()),
    });
    expect(answer.parse(reply.json).inserted_ids).toHaveLength(1);
  });

  test.skipIf(!dataset)('the server fills company_id, provider and collection', async () => {
    const reply = await client.insert(dataset!, [{ version: 1, data: { note: 'filled in' } }]);
    const [inserted] = objects(
      await client.find(dataset!, { 'data.note': 'filled in' }, { sort: { _id: -1 }, limit: 1 }),
    );
    expect(object(reply.json)['inserted_ids']).toEqual([inserted?.['_id']]);
    envelope.required({ company_id: true }).parse(inserted);
  });
});

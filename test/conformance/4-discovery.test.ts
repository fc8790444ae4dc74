import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { client, subjects, target } from './suite.ts';
import { object, objects, textOf } from './target.ts';

const nameOf = (definition: JsonObject): string => textOf(definition['name']).split('#').at(-1) ?? '';
const list = async (parameters: Record<string, JsonValue>): Promise<JsonObject[]> =>
  objects((await client.definitions('', parameters)).json);
const { definitions } = subjects;
const ids = (found: readonly JsonObject[]): JsonValue[] =>
  found.map((definition) => definition['id'] ?? null);

describe('4.1 Dataset discovery: the list', () => {
  test('search finds datasets by name', async () => {
    const [first] = definitions;
    const part = nameOf(first ?? {}).slice(0, 4);
    const found = await list({ search: part });
    expect(ids(found)).toContain(first?.['id']);
    expect(found.every((definition) => nameOf(definition).toLowerCase().includes(part.toLowerCase()))).toBe(
      true,
    );
  });

  test('an empty search finds all', async () => {
    expect(ids(await list({ search: '' }))).toEqual(ids(definitions));
  });

  test('a search without matches returns an empty array', async () => {
    expect(await list({ search: 'no-dataset-has-this-name' })).toEqual([]);
  });

  test.each(['plottable', 'temporary'])('%s filters by its value', async (name) => {
    for (const value of [true, false]) {
      const wanted = definitions.filter((definition) => definition[name] === value);
      expect(ids(await list({ [name]: value }))).toEqual(ids(wanted));
    }
  });
});

describe('4.1 Dataset discovery: by company', () => {
  const byCompany = async (parameters: Record<string, JsonValue> = {}): Promise<JsonObject[]> => {
    const answer = object((await client.definitions('company/', parameters)).json);
    return Object.values(answer).flatMap((items) => objects(items));
  };

  test.each(['time', 'depth', 'reference', 'timeseries'])(
    'type=%s returns datasets of that type',
    async (type) => {
      const wanted = (await byCompany()).filter((item) => item['type'] === type);
      expect(ids(await byCompany({ type }))).toEqual(ids(wanted));
    },
  );

  test('plottable filters by its value', async () => {
    const plottable = new Set(ids(await byCompany({ plottable: true })));
    const rest = new Set(ids(await byCompany({ plottable: false })));
    expect(plottable.isDisjointFrom(rest)).toBe(true);
    expect(plottable.union(rest)).toEqual(new Set(ids(await byCompany())));
  });

  test('an unknown type is rejected', async () => {
    expect([400, 422]).toContain((await client.definitions('company/', { type: 'unheard-of' })).status);
  });
});

describe('4.1 Dataset discovery: one definition', () => {
  test.skipIf(!subjects.time)(
    'returns the definition of the dataset, its indexes and its statistics',
    async () => {
      const single = object((await client.definitions(`${subjects.time!.dataset}/`)).json);
      expect(single['data_type']).toBe('time');
      expect(Array.isArray(single['indexes'])).toBe(true);
      expect(Number(object(single['statistics'])['count'])).toBeGreaterThan(0);
    },
  );

  test('returns 404 for a dataset that does not exist', async () => {
    expect((await client.definitions('nobody/nothing/')).status).toBe(404);
  });

  test.skipIf(!target.writable.reference)('its count grows with an insert', async () => {
    const dataset = target.writable.reference!;
    const count = async (): Promise<number> =>
      Number(object(object((await client.definitions(`${dataset}/`)).json)['statistics'])['count']);
    const before = await count();
    await client.insert(dataset, [{ version: 1, data: { a: 1 } }]);
    expect(await count()).toBe(before + 1);
  });
});

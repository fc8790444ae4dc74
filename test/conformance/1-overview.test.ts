import { describe, expect, test } from 'vitest';
import { attributes } from './client.ts';
import { client, subjects, target } from './suite.ts';

describe('1 What the service does', () => {
  const { time } = subjects;

  test.skipIf(!time)(
    '1.1 a dataset is addressed by provider and name; records of it can be found and counted',
    async () => {
      const { dataset, assetId } = time!;
      expect(await client.find(dataset, { asset_id: assetId }, { limit: 1 })).toHaveLength(1);
      expect(await client.count(dataset, { asset_id: assetId })).toBeGreaterThan(0);
    },
  );

  test.skipIf(!time)(
    '1.3 the asset_id of a well on the platform scopes its records on the data service',
    async () => {
      const { dataset, assetId } = time!;
      const [well] = await client.list('wells', { asset_id: assetId });
      expect(attributes(well)['asset_id']).toBe(assetId);
      const records = await client.find(dataset, { asset_id: assetId }, { limit: 10 });
      expect(records.every((record) => record['asset_id'] === assetId)).toBe(true);
    },
  );

  test('1.4 a well has two ids: attributes.asset_id of /v2/wells is the top-level id of /v2/assets', async () => {
    const assets = await client.list('assets', { 'types[]': ['well'], per_page: 10_000 });
    const ids = new Set(assets.map((asset) => Number(asset['id'])));
    expect(subjects.assetIds.length).toBeGreaterThan(0);
    expect(subjects.assetIds.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('1.4 the top-level id of /v2/wells need not be the asset id', () => {
    const differing = subjects.wells.filter((well) => Number(well['id']) !== attributes(well)['asset_id']);
    expect(differing.length).toBeGreaterThan(0);
  });

  test('1.6 both services accept an API key', async () => {
    expect((await client.definitions()).status).toBe(200);
    expect((await client.platform('/v2/wells', { per_page: 1 })).status).toBe(200);
  });

  test.skipIf(!target.login)('1.6 both services accept a Bearer token', async () => {
    const reply = await client.platform(
      '/v1/user_token',
      {},
      { authorization: null, body: { auth: { ...target.login! } } },
    );
    const authorization = `Bearer ${(reply.json as { jwt: string }).jwt}`;
    const wells = await client.platform('/v2/wells', { per_page: 1 }, { authorization });
    const records = await client.data(
      time?.dataset ?? '',
      'count/',
      { query: { asset_id: time?.assetId ?? 0 } },
      { authorization },
    );
    expect([wells.status, records.status]).toEqual([200, 200]);
  });
});

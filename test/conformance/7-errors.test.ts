import { describe, expect, test } from 'vitest';
import { client, subjects, target } from './suite.ts';
import { ask } from './target.ts';

describe('7 Errors', () => {
  test('400: malformed JSON in a body', async () => {
    const { dataset } = subjects.time!;
    expect((await client.data(dataset, 'list/', {}, { rawBody: 'not json' })).status).toBe(400);
    expect((await client.data(dataset, 'list/', {}, { method: 'POST', rawBody: '' })).status).toBe(400);
  });

  test('404: a path that does not exist', async () => {
    expect((await ask(target, `${target.dataUrl}/api/v1/nothing/`)).status).toBe(404);
    expect((await client.platform('/v2/nothing')).status).toBe(404);
  });

  test('404: an invalid id', async () => {
    expect((await client.platform('/v2/wells/none')).status).toBe(404);
  });

  test('an error describes in its body what is wrong', async () => {
    const reply = await client.data(subjects.time!.dataset, '', { query: {}, sort: {}, limit: 0 });
    expect(reply.status).toBe(422);
    expect(reply.text).toContain('limit');
  });

  test('an empty result is not an authentication failure', async () => {
    const reply = await client.data(subjects.time!.dataset, '', {
      query: { asset_id: -1 },
      sort: {},
      limit: 1,
    });
    expect([reply.status, reply.json]).toEqual([200, []]);
  });

  test('an unknown operator, or one that would run code, is rejected', async () => {
    for (const query of [
      { $where: 'true' },
      { 'data.x': { $unheard: 1 } },
      { $expr: { $function: { body: 'x', args: [], lang: 'js' } } },
    ]) {
      const reply = await client.data(subjects.time!.dataset, '', { query, sort: {}, limit: 1 });
      expect([400, 403, 422]).toContain(reply.status);
    }
  });
});

describe('8 Limits', () => {
  const { dataset = '', assetId = 0 } = subjects.time ?? {};
  const usual = { query: { asset_id: assetId }, sort: { timestamp: 1 } };

  test.each([
    [0, 422],
    [1, 200],
    [10_000, 200],
    [10_001, 422],
  ])('read limit %d: %d', async (limit, status) => {
    expect((await client.data(dataset, '', { ...usual, limit })).status).toBe(status);
    expect((await client.data(dataset, 'list/', {}, { body: { ...usual, limit } })).status).toBe(status);
    expect(
      (await client.data(dataset, 'aggregate/', { match: usual.query, sort: usual.sort, limit })).status,
    ).toBe(status);
  });

  test.each([
    [-1, 422],
    [0, 200],
    [1_000_000, 200],
  ])('read skip %d: %d', async (skip, status) => {
    expect((await client.data(dataset, '', { ...usual, limit: 1, skip })).status).toBe(status);
  });
});

describe('9 Versioning', () => {
  test('the data service is under /api/v1/, the lists under /v2/, the token endpoint under /v1/', async () => {
    expect((await ask(target, `${target.dataUrl}/api/v1/dataset/`)).status).toBe(200);
    expect((await ask(target, `${target.platformUrl}/v2/wells`)).status).toBe(200);
    expect((await ask(target, `${target.platformUrl}/v1/user_token`, { body: {} })).status).not.toBe(404);
  });

  test.skipIf(!target.writable.reference)('version is set by the writer, and stored unchanged', async () => {
    const dataset = target.writable.reference!;
    await client.insert(dataset, [{ version: 7, data: { note: 'versioned' } }]);
    const [found] = await client.find(dataset, { 'data.note': 'versioned' });
    expect(found?.['version']).toBe(7);
  });
});

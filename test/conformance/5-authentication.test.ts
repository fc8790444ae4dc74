import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { JsonValue } from '../../src/shared/json.ts';
import { client, subjects, target } from './suite.ts';
import type { Reply } from './target.ts';

const services: readonly (readonly [string, (authorization: string | null) => Promise<Reply>])[] = [
  ['data service', (authorization) => client.data(subjects.time?.dataset ?? 'demo/wits', 'count/', { query: { asset_id: subjects.assetIds[0] ?? 0 } }, { authorization })],
  ['platform service', (authorization) => client.platform('/v2/wells', { per_page: 1 }, { authorization })],
]; // oxfmt-ignore
const key = target.authorization.replace(/^API /, '');

describe.each(services)('5 Authentication: %s', (_name, asks) => {
  test('returns 200 for an API key', async () => {
    expect((await asks(`API ${key}`)).status).toBe(200);
  });

  test.each<[string, string | null]>([
    ['no Authorization header', null],
    ['an empty Authorization header', ''],
    ['a key without the word API', key],
    ['the word API without a space', `API${key}`],
    ['another scheme', `Basic ${key}`],
    ['an unknown key', 'API unknown-key'],
    ['an invalid Bearer token', 'Bearer nothing'],
    ['a key as Bearer token', `Bearer ${key}`],
  ])('returns 401 for %s', async (_words, authorization) => {
    expect((await asks(authorization)).status).toBe(401);
  });

  test.skipIf(!target.expired)('returns 401 for a key that has expired', async () => {
    expect((await asks(target.expired)).status).toBe(401);
  });

  test.skipIf(!target.readOnly)('returns 200 for a key with the level Read', async () => {
    expect((await asks(target.readOnly)).status).toBe(200);
  });

  test('returns 401 before it checks anything else', async () => {
    const authorization = 'API unknown-key';
    expect((await client.data('nobody/nothing', 'list/', {}, { rawBody: '{', authorization })).status).toBe(
      401,
    );
  });
});

const tokens = z.looseObject({
  jwt: z.string().min(1),
  auth_key: z.string(),
  refresh_token: z.string().min(1),
  user_id: z.int(),
});

const post = (auth: JsonValue): Promise<Reply> =>
  client.platform('/v1/user_token', {}, { authorization: null, body: { auth } });
const claims = (jwt: string): { exp: number } =>
  z
    .looseObject({ exp: z.number() })
    .parse(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()));

describe.skipIf(!target.login)('5 The token endpoint', () => {
  const login = { ...target.login! };
  const sevenDays = 7 * 86_400;

  test('a sign-in by email and password returns jwt, auth_key, refresh_token and user_id', async () => {
    const reply = await post(login);
    expect(reply.status).toBe(200);
    tokens.parse(reply.json);
  });

  test('auth_key has the same value as jwt', async () => {
    const { jwt, auth_key } = tokens.parse((await post(login)).json);
    expect(auth_key).toBe(jwt);
  });

  test('there is one further string field', async () => {
    const known = new Set(['jwt', 'auth_key', 'refresh_token', 'user_id']);
    const further = Object.entries(tokens.parse((await post(login)).json)).filter(
      ([name]) => !known.has(name),
    );
    expect(further.map(([, value]) => typeof value)).toEqual(['string']);
  });

  test('the token says when it expires, in exp: by default seven days from now', async () => {
    const { jwt } = tokens.parse((await post(login)).json);
    const left = claims(jwt).exp - Date.now() / 1000;
    expect(left).toBeGreaterThan(0);
    if (target.own) expect(Math.abs(left - sevenDays)).toBeLessThan(60);
  });

  test('a refresh returns a new jwt and a new refresh_token, and the new jwt is valid', async () => {
    const first = tokens.parse((await post(login)).json);
    const second = tokens.parse((await post({ refresh_token: first.refresh_token })).json);
    expect(second.jwt).not.toBe(first.jwt);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const reply = await client.platform(
      '/v2/wells',
      { per_page: 1 },
      { authorization: `Bearer ${second.jwt}` },
    );
    expect(reply.status).toBe(200);
  });

  test('a refresh token that was used returns 401', async () => {
    const first = tokens.parse((await post(login)).json);
    await post({ refresh_token: first.refresh_token });
    expect((await post({ refresh_token: first.refresh_token })).status).toBe(401);
  });

  test('a refresh token that is unknown returns 401', async () => {
    expect((await post({ refresh_token: 'unknown' })).status).toBe(401);
  });

  test('a wrong password returns 401', async () => {
    expect((await post({ ...login, password: 'wrong' })).status).toBe(401);
  });

  test.each<[string, JsonValue]>([
    ['an empty body', {}],
    ['an email address alone', { email: login.email ?? '' }],
    ['a password alone', { password: 'x' }],
    ['a body that isn’t an object', 'text'],
  ])('%s is rejected', async (_words, auth) => {
    expect([400, 401, 422]).toContain((await post(auth)).status);
  });

  test('a token has the permissions of its user', async () => {
    const { jwt } = tokens.parse((await post(login)).json);
    const authorization = `Bearer ${jwt}`;
    const mine = await client.platform('/v2/wells', { per_page: 10_000 }, { authorization });
    expect(mine.status).toBe(200);
    if (!target.forbidden) return;
    const query = { asset_id: target.forbidden.assetId };
    const reply = await client.data(subjects.time!.dataset, 'count/', { query }, { authorization });
    expect(reply.status).toBe(403);
  });

  test('a token that was tampered with returns 401', async () => {
    const { jwt } = tokens.parse((await post(login)).json);
    const [head = '', , signature = ''] = jwt.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims(jwt), exp: 4_000_000_000 })).toString('base64url');
    const authorization = `Bearer ${head}.${forged}.${signature}`;
    expect((await client.platform('/v2/wells', {}, { authorization })).status).toBe(401);
  });
});

describe('5 Access', () => {
  test.skipIf(!target.forbidden)(
    'a valid key still gets 403 for a dataset that it may not read',
    async () => {
      const reply = await client.data(target.forbidden!.dataset, 'count/', { query: {} });
      expect(reply.status).toBe(403);
    },
  );

  test.skipIf(!target.forbidden)(
    'records of assets that the identity may not access are not found without naming them',
    async () => {
      const { dataset } = subjects.time!;
      const ids = await client.data(dataset, 'aggregate/pipeline/', {
        stages: [{ $group: { _id: '$asset_id' } }],
      });
      const found = (ids.json as { _id: number }[]).map(({ _id }) => _id);
      expect(found).not.toContain(target.forbidden!.assetId);
      expect(found.filter((id) => !subjects.assetIds.includes(id))).toEqual([]);
    },
  );

  test.skipIf(!target.forbidden)('wells that the identity may not access are not listed', () => {
    expect(subjects.assetIds).not.toContain(target.forbidden!.assetId);
  });
});

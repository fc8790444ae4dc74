import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import {
  createConnections,
  type Connections,
  type ConnectionsOptions,
} from '../../../../src/main/core/connections/connections.ts';
import { useServers } from '../../../support/servers.ts';

const servers = useServers();
const opened: Connections[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
});

function create(options: Partial<ConnectionsOptions> = {}): Connections {
  const connections = createConnections({ env: {}, ...options });
  opened.push(connections);
  return connections;
}

const secret = 'very-secret-key';
const draft = (url: string, more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  name: 'North Ridge',
  color: 'blue',
  dataUrl: url,
  platformUrl: url,
  credential: { method: 'api_key', apiKey: `API ${secret}` },
  readOnly: false,
  ...more,
});

/** The two services on separate addresses, each with only its own endpoints. */
async function twoServices() {
  const only = (isOwn: (path: string) => boolean, empty: unknown) =>
    servers.http(({ headers, url }, response) => {
      if (!isOwn(url.pathname)) {
        response.statusCode = 404;
        return { message: 'no such page' };
      }
      if (url.pathname === '/v1/user_token') return { jwt: 'e.e30.s', refresh_token: 'r', user_id: 1 };
      if (headers.authorization === `API ${secret}` || headers.authorization === 'Bearer e.e30.s')
        return empty;
      response.statusCode = 401;
      return { message: 'no such key' };
    });
  const data = await only((path) => path.startsWith('/api/'), []);
  const platform = await only((path) => /^\/(v1|v2)\//.test(path), { data: [] });
  return { data, platform };
}

describe('adding a connection', () => {
  const wrongKey = { method: 'api_key', apiKey: 'a-wrong-key' } as const;
  const login = { method: 'login', email: 'me@company.example', password: 'pass word' } as const;

  it('tries an API key at both services, and stores nothing when it is rejected', async () => {
    const { data, platform } = await twoServices();
    const { handlers } = create();
    const wanted = draft(data.url, { platformUrl: platform.url });
    await expect(handlers.add({ ...wanted, credential: wrongKey }, {})).rejects.toMatchObject({
      code: 'not_authenticated',
      details: { why: 'key_unknown' },
    });
    expect(await handlers.list({}, {})).toEqual([]);
    await expect(handlers.add(wanted, {})).resolves.toMatchObject({ name: 'North Ridge' });
  });

  it('stores nothing when an address is rejected, although the other service accepts the key', async () => {
    const { data, platform } = await twoServices();
    const { url } = await servers.nobody();
    const { handlers } = create();
    for (const wrong of [draft(data.url, { platformUrl: url }), draft(url, { platformUrl: platform.url })])
      await expect(handlers.add(wrong, {})).rejects.toMatchObject({
        code: 'unreachable',
        details: { host: new URL(url).host, reason: 'refused' },
      });
    expect(await handlers.list({}, {})).toEqual([]);
  });

  it.each([
    ['an API key', draft('').credential],
    ['a wrong API key', wrongKey],
    ['email and password', login],
  ])('detects swapped addresses with %s, and stores nothing', async (_what, credential) => {
    const { data, platform } = await twoServices();
    const { handlers } = create();
    const swapped = draft(platform.url, { platformUrl: data.url, credential });
    await expect(handlers.add(swapped, {})).rejects.toMatchObject({ code: 'addresses_swapped' });
    expect(await handlers.list({}, {})).toEqual([]);
    if (credential.method === 'login') return;
    const tested = await handlers.test({ draft: swapped }, {});
    expect([tested.data.code, tested.platform.code]).toEqual(['addresses_swapped', 'addresses_swapped']);
  });

  it('saves anyway if the user confirms, even a change of an existing connection', async () => {
    const { data, platform } = await twoServices();
    const { handlers } = create();
    const swapped = draft(platform.url, { platformUrl: data.url, credential: wrongKey });
    const { id } = await handlers.add({ ...swapped, saveAnyway: true }, {});
    const change = { connection: id, credential: { ...wrongKey, apiKey: 'another-wrong-key' } };
    await expect(handlers.change(change, {})).rejects.toMatchObject({ code: 'addresses_swapped' });
    await expect(handlers.change({ ...change, name: 'South', saveAnyway: true }, {})).resolves.toMatchObject({
      name: 'South',
    });
  });

  it('tries a sign-in at both services too', async () => {
    const { platform } = await twoServices();
    const { url } = await servers.nobody();
    const { handlers } = create();
    const wanted = draft(url, { platformUrl: platform.url, credential: login });
    await expect(handlers.add(wanted, {})).rejects.toMatchObject({
      code: 'unreachable',
      details: { service: 'data' },
    });
    await expect(handlers.add({ ...wanted, saveAnyway: true }, {})).resolves.toMatchObject({
      method: 'login',
    });
  });
});

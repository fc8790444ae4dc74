import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import type { Notice } from '../../../../src/shared/workspace/workspace.ts';
import {
  createConnections,
  type Connections,
  type ConnectionsOptions,
} from '../../../../src/main/core/connections/connections.ts';
import type { OpenDemo } from '../../../../src/main/core/connections/sample.ts';
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

/** Both services, which accept one key. */
const bothServices = () =>
  servers.http(({ headers, url }, response) => {
    if (headers.authorization !== `API ${secret}`) {
      response.statusCode = 401;
      return { message: `unknown key ${headers.authorization}` };
    }
    return url.pathname.startsWith('/v2') ? { data: [] } : [];
  });

describe('connections', () => {
  it('are added, listed, and used; their credentials are never returned', async () => {
    const server = await bothServices();
    const connections = create();
    const added = await connections.handlers.add(draft(server.url), {});
    expect(added).toMatchObject({ name: 'North Ridge', method: 'api_key', secret: 'session', sample: false });
    expect(inspect(await connections.handlers.list({}, {}))).not.toContain(secret);
    const services = connections.services(added.id);
    expect(connections.services(added.id)).toBe(services);
    await expect(services.data.datasets({})).resolves.toEqual([]);
    expect(server.seen[0]?.headers.authorization).toBe(`API ${secret}`);
  });

  it('get distinct names and colors', async () => {
    const connections = create();
    const names: string[] = [];
    for (const name of ['North Ridge', 'north ridge', 'North Ridge']) {
      const { name: given, color } = await connections.handlers.add(
        draft('https://a.example', { name, saveAnyway: true }),
        {},
      );
      names.push(`${given} ${color}`);
    }
    expect(names).toEqual(['North Ridge blue', 'north ridge (2) green', 'North Ridge (3) amber']);
  });

  it('that are removed or never existed are unknown', async () => {
    const connections = create();
    const { id } = await connections.handlers.add(draft('https://a.example', { saveAnyway: true }), {});
    connections.services(id);
    await connections.handlers.remove({ connection: id }, {});
    expect(await connections.handlers.list({}, {})).toEqual([]);
    expect(() => connections.services(id)).toThrow(expect.objectContaining({ code: 'connection_unknown' }));
    expect(() => connections.get('nobody')).toThrow(/“nobody”/);
    await expect(connections.handlers.remove({ connection: id }, {})).rejects.toMatchObject({
      code: 'connection_unknown',
    });
  });

  it('with a key that isn’t a valid header value are rejected', async () => {
    const credential = { method: 'api_key', apiKey: 'ключ s3cret' } as const;
    const adding = create().handlers.add(draft('https://a.example', { credential }), {});
    await expect(adding).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(adding).rejects.not.toThrow(/s3cret/);
  });

  it('that are read-only insert nothing', async () => {
    const server = await bothServices();
    const connections = create();
    const { id } = await connections.handlers.add(draft(server.url, { readOnly: true }), {});
    const { data } = connections.services(id);
    const insert = data.insert({ provider: 'p', dataset: 'd' }, Buffer.from('[{}]'), 1);
    await expect(insert).rejects.toMatchObject({ code: 'connection_read_only' });
    await expect(data.datasets({})).resolves.toEqual([]);
    expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('report retries', async () => {
    let tries = 0;
    const server = await servers.http((_request, response) => {
      tries += 1;
      if (tries === 1) response.writeHead(429, { 'retry-after': '0' });
      return [];
    });
    const notices: Notice[] = [];
    const connections = create({ onNotice: (notice) => notices.push(notice) });
    const { id } = await connections.handlers.add(draft(server.url, { saveAnyway: true }), {});
    await connections.services(id).data.datasets({});
    expect(notices).toMatchObject([{ kind: 'retry', service: 'data', attempt: 1 }]);
  });
});

describe('testing a connection', () => {
  it('reaches both services once, for a draft and for a saved connection', async () => {
    const server = await bothServices();
    const { handlers } = create();
    const fine = { data: { ok: true }, platform: { ok: true } };
    await expect(handlers.test({ draft: draft(server.url) }, {})).resolves.toMatchObject(fine);
    expect(server.seen.map(({ url }) => url.pathname + url.search).sort()).toEqual([
      '/api/v1/dataset/?search=wits',
      '/v2/wells?per_page=1&page=1',
    ]);
    expect(await handlers.list({}, {})).toEqual([]);
    const { id } = await handlers.add(draft(server.url), {});
    await expect(handlers.test({ connection: id }, {})).resolves.toMatchObject(fine);
  });

  it('describes what is wrong with each, without credentials', async () => {
    const server = await bothServices();
    const { url } = await servers.nobody();
    const wrong = draft(server.url, {
      platformUrl: url,
      credential: { method: 'api_key', apiKey: 'the-wrong-one' },
    });
    const check = await create().handlers.test({ draft: wrong }, {});
    expect(check.data).toMatchObject({
      ok: false,
      code: 'not_authenticated',
    });
    expect(check.platform).toMatchObject({
      ok: false,
      code: 'unreachable',
    });
    expect(JSON.stringify(check)).not.toContain('the-wrong-one');
  });

  it('can be canceled', async () => {
    const server = await servers.http(() => undefined);
    const cancel = new AbortController();
    const test = create().handlers.test({ draft: draft(server.url) }, { signal: cancel.signal });
    cancel.abort();
    await expect(test).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('the connection of the environment', () => {
  const env = {
    WELLBENCH_DATA_URL: 'https://data.example/',
    WELLBENCH_PLATFORM_URL: 'https://platform.example',
    WELLBENCH_API_KEY: ` API ${secret} `,
  };

  it('is read from the variables, the same each time', async () => {
    const connections = create({ env });
    const connection = await connections.fromEnvironment();
    expect(connection).toMatchObject({
      id: 'environment',
      name: 'data.example',
      dataUrl: 'https://data.example',
      secret: 'environment',
      method: 'api_key',
    });
    expect(await connections.fromEnvironment()).toEqual(connection);
    expect(await connections.handlers.list({}, {})).toEqual([connection]);
  });

  it('may sign in instead', async () => {
    const { WELLBENCH_API_KEY: _none, ...addresses } = env;
    const login = { ...addresses, WELLBENCH_EMAIL: 'me@company.example', WELLBENCH_PASSWORD: 'pass word' };
    expect(await create({ env: login }).fromEnvironment()).toMatchObject({ method: 'login' });
  });

  it.each([
    [{}, ['WELLBENCH_DATA_URL', 'WELLBENCH_PLATFORM_URL', 'WELLBENCH_API_KEY']],
    [{ ...env, WELLBENCH_DATA_URL: 'http://data.example' }, ['WELLBENCH_DATA_URL']],
    [{ ...env, WELLBENCH_PLATFORM_URL: `https://me:${secret}@p.example` }, ['WELLBENCH_PLATFORM_URL']],
    [{ ...env, WELLBENCH_API_KEY: `${secret} and more` }, ['WELLBENCH_API_KEY']],
    [{ ...env, WELLBENCH_API_KEY: '', WELLBENCH_EMAIL: 'me@c.example' }, ['WELLBENCH_PASSWORD']],
    [{ ...env, WELLBENCH_API_KEY: '', WELLBENCH_PASSWORD: secret }, ['WELLBENCH_EMAIL']],
    [
      { ...env, WELLBENCH_API_KEY: '', WELLBENCH_PASSWORD: secret, WELLBENCH_EMAIL: 'x' },
      ['WELLBENCH_EMAIL'],
    ],
  ])('names each variable that is missing or malformed, without its value (%#)', async (wrong, names) => {
    const error: unknown = await create({ env: wrong })
      .fromEnvironment()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'invalid_input',
      details: { issues: names.map((field) => ({ place: { field } })) },
    });
    expect(inspect(error, { depth: 9 })).not.toContain(secret);
  });

  it('that is malformed does not hide the other connections', async () => {
    const connections = create({ env: { WELLBENCH_DATA_URL: 'nowhere' } });
    expect(await connections.handlers.list({}, {})).toEqual([]);
  });
});

describe('the sample workspace', () => {
  function demos(url: string) {
    const state = { started: 0, closed: 0, alive: true };
    const openDemo = async (): Promise<OpenDemo> => {
      state.started += 1;
      state.alive = true;
      return {
        dataUrl: url,
        platformUrl: url,
        apiKey: secret,
        isRunning: () => state.alive,
        close: async () => {
          state.closed += 1;
          state.alive = false;
        },
      };
    };
    return { state, openDemo };
  }

  it('is started once, reused, and is a connection like any other', async () => {
    const server = await bothServices();
    const { state, openDemo } = demos(server.url);
    const connections = create({ openDemo });
    const [first, second] = await Promise.all([
      connections.handlers.openSample({}, {}),
      connections.handlers.openSample({}, {}),
    ]);
    expect(await connections.handlers.openSample({}, {})).toEqual(first);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ id: 'sample', sample: true, dataUrl: server.url });
    expect(state.started).toBe(1);
    await expect(connections.services('sample').data.datasets({})).resolves.toEqual([]);
  });

  it('is restarted when it no longer exists, and ended when it is removed', async () => {
    const { state, openDemo } = demos('http://127.0.0.1:1');
    const connections = create({ openDemo });
    await connections.handlers.openSample({}, {});
    state.alive = false;
    await connections.handlers.openSample({}, {});
    expect(state.started).toBe(2);
    expect(await connections.handlers.list({}, {})).toHaveLength(1);
    await connections.handlers.remove({ connection: 'sample' }, {});
    expect(state.closed).toBe(1);
  });

  it('that failed to start can be requested again', async () => {
    const { openDemo } = demos('http://127.0.0.1:1');
    let failing = true;
    const connections = create({
      openDemo: async () => {
        if (failing) throw new Error('no memory');
        return openDemo();
      },
    });
    await expect(connections.handlers.openSample({}, {})).rejects.toThrow('no memory');
    failing = false;
    await expect(connections.handlers.openSample({}, {})).resolves.toMatchObject({ id: 'sample' });
  });
});

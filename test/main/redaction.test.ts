import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp, type App } from '../../src/main/app.ts';
import { targetAt } from '../../src/main/core/files/files.ts';
import { noDialogs } from '../../src/main/hosts/no-dialogs.ts';
import type { ConnectionDraft, Credential } from '../../src/shared/connections/connections.ts';
import { makeCertificates } from '../support/certificates.ts';
import { runCli } from '../support/cli.ts';
import { useFolders } from '../support/folders.ts';
import { useServers, type ReceivedRequest } from '../support/servers.ts';

const servers = useServers();
const folders = useFolders();
const apps: App[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

const key = 'k3y-of-the-person-0123';
const password = 'correct horse battery 7';
const wrongPassword = 'another pass phrase 9';
const refreshToken = 'refresh-of-the-person-4567';
const jwt = [
  'eyJhbGciOiJub25lIn0',
  btoa('{"sub":"the person","exp":4000000000}').replaceAll('=', ''),
  'sig',
].join('.');
const proxyPassword = 'pr0xy p@ssword';
const proxyLogin = `me:${encodeURIComponent(proxyPassword)}`;

/** Every secret in every form in which it is sent. */
const secrets = [
  key,
  password,
  wrongPassword,
  refreshToken,
  jwt,
  jwt.split('.')[1] ?? '',
  proxyPassword,
  proxyLogin,
  Buffer.from(`me:${proxyPassword}`).toString('base64'),
];

function expectClean(name: string, text: string): void {
  for (const secret of secrets)
    expect(text.includes(secret), `${name} shows ${secret}: ${text.slice(0, 2000)}`).toBe(false);
}

/** The text of all files below a folder, with their names. */
async function everyFile(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'latin1')]),
  );
}

/** The body of a request for a token. */
function fieldsOf(body: string): Record<string, string> {
  return body.startsWith('{"auth"') ? (JSON.parse(body) as { auth: Record<string, string> }).auth : {};
}

/** A service that repeats its requests in responses, as careless ones do, in several shapes. */
async function leakingService() {
  const seenOnce = new Set<string>();
  // Bare: no context identifies it as a secret.
  const echo = ({ headers, body, url }: ReceivedRequest) =>
    [(headers.authorization ?? '').replace(/^\w+ /, ''), ...Object.values(fieldsOf(body)), url.href].join(
      ' / ',
    );
  return servers.http((seen, response) => {
    const path = seen.url.pathname;
    if (path === '/v1/user_token') {
      const refreshing = seen.body.includes('refresh_token');
      if (!refreshing && seen.body.includes(password))
        return { jwt, auth_key: jwt, refresh_token: refreshToken, user_id: 1, token: 'of a widget' };
      response.statusCode = 401;
      return { errors: { login: [`is wrong: ${echo(seen)}`] } };
    }
    if (path.includes('/redirected/')) {
      response.writeHead(307, { location: `https://elsewhere.example/?key=${key}` }).end();
      return undefined;
    }
    // A read is retried once, with a notice, and then rejected.
    const first = !seenOnce.has(`${path} ${seen.headers.authorization}`);
    seenOnce.add(`${path} ${seen.headers.authorization}`);
    if (path.includes('/busy/') && first) {
      response.writeHead(503, { 'retry-after': '0' });
      return { message: `busy with ${echo(seen)}` };
    }
    if (path.includes('/lost/') && first) {
      response.destroy();
      return undefined;
    }
    if (path.includes('/page/')) {
      response.writeHead(403, { 'content-type': 'text/html' });
      response.end(`<html><title>Bad ${echo(seen)}</title></html>`);
      return undefined;
    }
    if (path.includes('/broken/')) return `not an array: ${echo(seen)}`;
    response.statusCode = path.includes('/refused/') ? 422 : 401;
    return { code: response.statusCode, message: `who is ${echo(seen)}` };
  });
}

async function openApp(env: Record<string, string>) {
  const folder = await folders();
  const allEvents: unknown[] = [];
  const app = await createApp({
    host: 'command-line',
    fileMode: 'dialog',
    dataFolder: folder,
    env: { WELLBENCH_KEYCHAIN: 'off', ...env },
    choose: () => noDialogs,
    warn: (sentence) => allEvents.push(sentence),
  });
  apps.push(app);
  const stop = new AbortController();
  const drain = async (events: Promise<AsyncIterable<unknown>>): Promise<void> => {
    for await (const event of await events) allEvents.push(event);
  };
  const { notices, connections, jobs } = app.client.events;
  for (const stream of [notices, connections, jobs])
    void drain(stream({}, { signal: stop.signal })).catch(() => undefined);
  const failing = async (work: Promise<unknown>): Promise<void> => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    allEvents.push(error);
  };
  return { folder, allEvents, app, failing, stop };
}

const draft = (url: string, credential: Credential): ConnectionDraft => ({
  name: 'North Ridge',
  color: 'blue',
  dataUrl: url,
  platformUrl: url,
  credential,
  readOnly: false,
  // The rejections are what these tests check.
  saveAnyway: true,
});
const ask = (app: App, connection: string, dataset: string) =>
  app.client.query.find({
    connection,
    provider: 'p',
    dataset,
    query: '{}',
    sort: '{}',
    limit: 1,
    timeoutMs: 2000,
  });

describe('no secret appears', () => {
  it('in errors, retries, redirects, pages, sign-in, jobs, reports, events, or files', async () => {
    const service = await leakingService();
    const { folder, allEvents, app, failing, stop } = await openApp({});
    const login: Credential = { method: 'login', email: 'me@company.example', password };
    const { id: byKey } = await app.client.connections.add(
      draft(service.url, { method: 'api_key', apiKey: key }),
    );
    const { id: byLogin } = await app.client.connections.add(draft(service.url, login));
    for (const id of [byKey, byLogin]) {
      for (const dataset of ['refused', 'redirected', 'page', 'broken', 'lost', 'busy', 'unknown'])
        await failing(ask(app, id, dataset));
      const insert = app.connections
        .services(id)
        .data.insert({ provider: 'p', dataset: 'd' }, Buffer.from('[{}]'), 1);
      allEvents.push(await insert);
    }
    const wrong = { ...login, password: wrongPassword };
    await failing(app.client.connections.add(draft(service.url, wrong)));
    await failing(
      app.client.connections.authenticate({
        connection: byKey,
        credential: { method: 'api_key', apiKey: key },
      }),
    );
    allEvents.push(await app.client.connections.test({ connection: byKey }));
    for await (const event of await app.client.connections.diagnose({ connection: byKey }))
      allEvents.push(event);
    allEvents.push(await app.client.connections.exportProfiles({}));
    allEvents.push(await app.client.connections.list({}));
    const target = app.files.grantTarget(targetAt(join(folder, 'out.csv')));
    const request = {
      connection: byKey,
      provider: 'p',
      dataset: 'refused',
      query: '{}',
      target: target.token,
    };
    const { job } = await app.client.export.start({ ...request, format: 'csv' }).catch((error: unknown) => {
      allEvents.push(error);
      return { job: null };
    });
    if (job) allEvents.push(await (await app.runner()).waitUntilStopped(job));
    stop.abort();

    expect(allEvents.length).toBeGreaterThan(30);
    for (const event of allEvents)
      expectClean(
        'an event or error',
        inspect(event, { depth: 12, showHidden: true, maxStringLength: null }),
      );
    const files = await everyFile(folder);
    expect(files.map(([path]) => path).join()).toContain('wellbench.log');
    for (const [path, text] of files) expectClean(path, text);
    for (const { url } of service.seen) expectClean('an address', decodeURIComponent(url.href));
    // The secrets had been sent, so there was something to hide.
    const sent = service.seen.map(({ headers, body }) => `${headers.authorization} ${body}`).join();
    for (const secret of [key, password, wrongPassword, refreshToken, jwt]) expect(sent).toContain(secret);
  });

  it('from a proxy, in any outcome', async () => {
    const pair = makeCertificates(['wells.example']);
    for (const status of ['407 No\r\nproxy-authenticate: Basic realm="x"', '502 Bad', '']) {
      const proxy = createServer();
      proxy.on('connect', ({ headers }: IncomingMessage, socket: Socket) => {
        socket.on('error', () => undefined);
        if (status === '') socket.destroy();
        else
          socket.end(
            `HTTP/1.1 ${status}\r\nx-echo: ${headers['proxy-authorization']}\r\ncontent-length: 0\r\n\r\n`,
          );
      });
      const { port } = await servers.raw(proxy);
      const env = { HTTPS_PROXY: `http://${proxyLogin}@127.0.0.1:${port}` };
      const { folder, allEvents, app, failing, stop } = await openApp(env);
      const url = 'https://wells.example';
      const { id } = await app.client.connections.add(draft(url, { method: 'api_key', apiKey: key }));
      allEvents.push(await app.client.connections.test({ connection: id }));
      for await (const event of await app.client.connections.diagnose({ connection: id }))
        allEvents.push(event);
      allEvents.push(
        await app.connections
          .services(id)
          .data.insert({ provider: 'p', dataset: 'd' }, Buffer.from('[{}]'), 1),
      );
      await failing(
        app.client.connections.authenticate({
          connection: id,
          credential: { method: 'api_key', apiKey: key },
        }),
      );
      app.log.fault(new Error(`connect to ${env.HTTPS_PROXY} failed`));
      stop.abort();
      for (const event of allEvents)
        expectClean(
          'an event or error',
          inspect(event, { depth: 12, showHidden: true, maxStringLength: null }),
        );
      for (const [path, text] of await everyFile(folder)) expectClean(path, text);
    }
    expect(pair.ca).toContain('CERTIFICATE');
  });

  it('on the command line, even in a debugging run', async () => {
    const service = await leakingService();
    const env = {
      WELLBENCH_DATA_URL: service.url,
      WELLBENCH_PLATFORM_URL: service.url,
      WELLBENCH_DEBUG: '1',
      HTTPS_PROXY: `http://${proxyLogin}@127.0.0.1:9`,
    };
    const folder = await folders();
    const login = { WELLBENCH_EMAIL: 'me@company.example', WELLBENCH_PASSWORD: password };
    const commands: [string[], Record<string, string>][] = [
      [['find', 'p/refused'], { WELLBENCH_API_KEY: key }],
      [['find', 'p/page', '--json', '--timeout', '2'], { WELLBENCH_API_KEY: `API ${key}` }],
      [['count', 'p/unknown', '--json'], login],
      [['connections', 'test', '--report'], { WELLBENCH_API_KEY: key }],
      [['connections', 'list'], login],
      [['find', 'p/x'], { WELLBENCH_API_KEY: `two words ${key}` }],
      [
        [
          'connections',
          'add',
          'North',
          '--data-url',
          `https://${proxyLogin}@x.example`,
          '--platform-url',
          service.url,
        ],
        {},
      ],
    ];
    for (const [command, own] of commands) {
      const { stdout, stderr } = await runCli([...command, '--data-dir', folder], { ...env, ...own }, key);
      expect(stdout + stderr).not.toBe('');
      expectClean(command.join(' '), stdout + stderr);
    }
    for (const [path, text] of await everyFile(folder)) expectClean(path, text);
  });
});

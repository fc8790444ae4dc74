import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import type { DiagnosisStep } from '../../../../src/shared/contract/connections.ts';
import {
  createConnections,
  type Connections,
  type ConnectionsOptions,
} from '../../../../src/main/core/connections/connections.ts';
import { createFiles, sourceAt } from '../../../../src/main/core/files/files.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sentenceFor } from '../../../../src/shared/errors/sentences.ts';
import { makeCertificates, makeSelfSigned } from '../../../support/certificates.ts';
import { useFolders } from '../../../support/folders.ts';
import { testKeychain } from '../../../support/keychain.ts';
import { account, loginService } from '../../../support/login-service.ts';
import { useServers, type RequestHandler } from '../../../support/servers.ts';

const servers = useServers();
const folders = useFolders();
const opened: Connections[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
});
const files = createFiles();
function create(options: Partial<ConnectionsOptions> = {}): Connections {
  const about = { version: '1.2.3', host: 'command-line' };
  const connections = createConnections({ env: {}, keychain: testKeychain(), files, about, ...options });
  opened.push(connections);
  return connections;
}

const key = 'the-secret-key';
const draft = (dataUrl: string, more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  name: 'North Ridge',
  color: 'blue',
  dataUrl,
  platformUrl: dataUrl,
  credential: { method: 'api_key', apiKey: key },
  readOnly: false,
  ...more,
});
const answer: RequestHandler = ({ headers, url }, response) => {
  if (headers.authorization !== `API ${key}`) {
    response.statusCode = 401;
    return { message: `no such key: ${headers.authorization}` };
  }
  return url.pathname.startsWith('/v2') ? { data: [] } : [];
};

/** A summary of a diagnosis, by step. */
async function examine(connections: Connections, input: Parameters<Connections['handlers']['diagnose']>[0]) {
  const steps: DiagnosisStep[] = [];
  for await (const event of await connections.handlers.diagnose(input, {})) {
    if (event.kind === 'step') steps.push(event);
    else {
      const short = steps.map(({ step, state }) => `${step} ${state}`);
      const byStep = Object.fromEntries(steps.map((step) => [step.step, step]));
      return { steps, short, byStep, ...event };
    }
  }
  throw new Error('it had no end');
}

async function caFileOf(pem: string): Promise<string> {
  const path = join(await folders(), 'corp.pem');
  await writeFile(path, pem);
  return (await files.grantSource(sourceAt(path))).token;
}

/** A proxy that leads every tunnel to one port, or refuses it. */
async function proxyTo(port: number, refusal = '', delayMs = 0) {
  const server = createServer();
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    if (refusal !== '') {
      socket.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const through = connect(port, '127.0.0.1', () => setTimeout(opened, delayMs));
    const opened = () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    };
    through.on('error', () => socket.destroy());
  });
  return servers.raw(server);
}

describe('connectivity diagnostics', () => {
  it('check each step of a working connection, once for a host that both services share', async () => {
    const pair = makeCertificates(['wells.example']);
    const { url } = await servers.https(pair, answer);
    const { short, byStep, ok, report } = await examine(create(), {
      draft: draft(url, { caFile: await caFileOf(pair.ca) }),
    });
    expect(short).toEqual([
      'keychain skipped',
      'name skipped',
      'proxy skipped',
      'tcp ok',
      'tls ok',
      'auth ok',
      'data ok',
      'platform ok',
    ]);
    expect(ok).toBe(true);
    expect(byStep['tls']?.certificate).toMatchObject({
      subject: 'wells.example',
      issuer: 'Private test authority',
      until: '2120-01-01T00:00:00.000Z',
    });
    expect(byStep['tls']?.found).toMatch(
      /signed by Private test authority \(an authority of this company or computer/,
    );
    expect(report).toContain('Wellbench 1.2.3, command-line');
    expect(report).toContain('all steps passed');
    expect(report).not.toContain(key);
  });

  it('report each of two hosts, and skip the steps after a failure', async () => {
    const fine = await servers.http(answer);
    const { url: dead } = await servers.nobody();
    const { short, byStep, ok } = await examine(create(), { draft: draft(fine.url, { platformUrl: dead }) });
    expect(short).toEqual([
      'keychain skipped',
      'name skipped',
      'proxy skipped',
      'tcp ok',
      'tls skipped',
      'name skipped',
      'proxy skipped',
      'tcp failed',
      'tls skipped',
      'auth ok',
      'data ok',
      'platform skipped',
    ]);
    expect(byStep['tcp']?.code).toBe('unreachable');
    const sentence = sentenceFor('unreachable', {
      service: 'platform',
      host: new URL(dead).host,
      reason: 'refused',
    });
    expect(`${byStep['tcp']?.found} ${byStep['tcp']?.advice}`).toBe(sentence);
    expect(ok).toBe(false);
  });

  it('name the issuer of a certificate that is not trusted, or expired', async () => {
    const pair = makeCertificates(['wells.example']);
    const unknown = await servers.https(pair, answer);
    const first = await examine(create(), { draft: draft(unknown.url) });
    expect(first.byStep['tls']).toMatchObject({
      state: 'failed',
      certificate: { issuer: 'Private test authority' },
      advice: expect.stringContaining('CA file'),
    });
    expect(first.short.slice(-3)).toEqual(['auth skipped', 'data skipped', 'platform skipped']);
    const old = makeCertificates(['wells.example'], { until: 2021 });
    const expired = await servers.https(old, answer);
    const second = await examine(create(), { draft: draft(expired.url, { caFile: await caFileOf(old.ca) }) });
    expect(second.byStep['tls']).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('has expired'),
      certificate: { until: '2021-01-01T00:00:00.000Z' },
    });
    // Neither has received the key.
    expect([...unknown.seen, ...expired.seen]).toEqual([]);
  });

  it('detect swapped addresses, and report them at both services', async () => {
    const only = (own: RegExp) =>
      servers.http((seen, response, socket) => {
        if (own.test(seen.url.pathname)) return answer(seen, response, socket);
        response.statusCode = 404;
        return {};
      });
    const [data, platform] = [await only(/^\/api\//), await only(/^\/v[12]\//)];
    const { byStep, short } = await examine(create(), {
      draft: draft(platform.url, { platformUrl: data.url }),
    });
    expect(short.slice(-3)).toEqual(['auth skipped', 'data failed', 'platform failed']);
    for (const step of [byStep['data'], byStep['platform']])
      expect(step).toMatchObject({
        code: 'addresses_swapped',
        found: expect.stringContaining('swapped'),
        advice: expect.stringContaining('Swap'),
      });
  });

  it('distinguish a self-signed certificate from one of an unknown authority', async () => {
    const { key: itsKey, cert } = makeSelfSigned('wells.example');
    const { url } = await servers.https({ key: itsKey, cert }, answer);
    const { byStep } = await examine(create(), { draft: draft(url) });
    expect(byStep['tls']).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('self-signed'),
      advice: expect.stringContaining('certificate file'),
    });
    // Its own certificate as the CA file is enough.
    const trusted = await examine(create(), { draft: draft(url, { caFile: await caFileOf(cert) }) });
    expect(trusted.ok).toBe(true);
  });

  it('report an unresolved host', async () => {
    const { byStep } = await examine(create(), { draft: draft('https://nowhere.invalid') });
    expect(byStep['name']).toMatchObject({ state: 'failed', code: 'unreachable' });
    expect(byStep['tcp']).toMatchObject({ state: 'skipped', found: 'Not reached.' });
  });

  it('go through a proxy, and never show its user and password', async () => {
    const pair = makeCertificates(['wells.example']);
    const { port } = await servers.https(pair, answer);
    const proxy = await proxyTo(port);
    const env = { HTTPS_PROXY: `http://me:p%40ssw0rd@127.0.0.1:${proxy.port}` };
    const caFile = await caFileOf(pair.ca);
    const { short, byStep, report } = await examine(create({ env }), {
      draft: draft('https://wells.example', { caFile }),
    });
    expect(short.slice(1, 5)).toEqual(['name skipped', 'proxy ok', 'tcp skipped', 'tls ok']);
    expect(byStep['proxy']?.found).toContain(`127.0.0.1:${proxy.port}`);
    expect(report).toContain(`HTTPS_PROXY   http://•••@127.0.0.1:${proxy.port}`);
    for (const hidden of ['p%40ssw0rd', 'p@ssw0rd', btoa('me:p@ssw0rd'), key])
      expect(report).not.toContain(hidden);
  });

  it('have the time that each step took, also of those that succeeded', async () => {
    const delayMs = 40;
    const pair = makeCertificates(['wells.example']);
    const { port } = await servers.https(pair, async ({ url }) => {
      await wait(delayMs);
      if (url.pathname === '/v1/user_token') return { jwt: 'a-token', refresh_token: 'another' };
      return url.pathname.startsWith('/v2') ? { data: [] } : [];
    });
    const proxy = await proxyTo(port, '', delayMs);
    const { byStep } = await examine(create({ env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } }), {
      draft: draft('https://wells.example', {
        caFile: await caFileOf(pair.ca),
        credential: { method: 'login', email: 'me@wells.example', password: 'a long password' },
      }),
    });
    for (const name of ['proxy', 'auth', 'data', 'platform']) {
      expect(byStep[name]?.state).toBe('ok');
      expect(byStep[name]?.ms).toBeGreaterThanOrEqual(delayMs - 2);
    }
  });

  it('explain a proxy that requires a Windows sign-in', async () => {
    const proxy = await proxyTo(1, '407 No\r\nproxy-authenticate: Negotiate\r\nproxy-authenticate: NTLM');
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { byStep, report } = await examine(create({ env }), { draft: draft('https://wells.example') });
    const refusal = { status: 407, asks: ['negotiate', 'ntlm'], gaveLogin: false };
    const sentence = sentenceFor('unreachable', {
      service: 'data',
      host: 'wells.example',
      reason: 'proxy',
      proxy: { proxy: `127.0.0.1:${proxy.port}`, ...refusal },
    });
    expect(byStep['proxy']?.state).toBe('failed');
    expect(`${byStep['proxy']?.found} ${byStep['proxy']?.advice}`).toBe(sentence);
    expect(report).toContain(`Next step: ${byStep['proxy']?.advice}`);
  });

  it('distinguish a wrong key from a failing service', async () => {
    const { url } = await servers.http(answer);
    const wrong = { method: 'api_key', apiKey: 'a-wrong-secret-key' } as const;
    const first = await examine(create(), { draft: draft(url, { credential: wrong }) });
    expect(first.short.slice(-3)).toEqual(['auth failed', 'data failed', 'platform failed']);
    expect(first.report).not.toContain('a-wrong-secret-key');
    const failing = await servers.http((_request, response) => void response.writeHead(500).end());
    const second = await examine(create(), { draft: draft(failing.url) });
    expect(second.short.slice(-3)).toEqual(['auth skipped', 'data failed', 'platform failed']);
  });

  it('check the keychain entry of a saved connection', async () => {
    const { url, state } = await loginService(servers);
    const keychain = testKeychain();
    const connections = create({ keychain, lockFolder: join(await folders(), 'locks') });
    const { id } = await connections.handlers.add(draft(url, { credential: account }), {});
    expect((await examine(connections, { connection: id })).byStep['keychain']).toMatchObject({
      state: 'ok',
    });
    keychain.trouble = 'locked';
    const locked = await examine(connections, { connection: id });
    expect(locked.byStep['keychain']).toMatchObject({ state: 'failed', code: 'keychain_unavailable' });
    expect(state.auths).toHaveLength(1);
  });

  it('can be canceled', async () => {
    const { url } = await servers.tcp(() => undefined);
    const cancel = new AbortController();
    const input = { draft: draft(url.replace('http:', 'https:')) };
    const events = await create().handlers.diagnose(input, { signal: cancel.signal });
    const all = (async () => {
      for await (const event of events) if (event.kind === 'step' && event.step === 'tcp') cancel.abort();
    })();
    await expect(all).rejects.toMatchObject({ code: 'cancelled' });
  });
});

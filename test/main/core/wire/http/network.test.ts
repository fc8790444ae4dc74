import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Http } from '../../../../../src/main/core/wire/http/http.ts';
import { get } from '../../../../../src/main/core/wire/http/exchange.ts';
import { makeCertificates } from '../../../../support/certificates.ts';
import { useServers } from '../../../../support/servers.ts';
import { decode, key, longTimeouts, useHttp } from './support.ts';

const servers = useServers();
const client = useHttp();
const pair = makeCertificates(['wells.example']);

/** A proxy that leads every tunnel to one port, or responds to CONNECT with a status. */
async function proxyTo(port: number, status = 200, asks: readonly string[] = ['NTLM'], tls = false) {
  const requests: IncomingMessage[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(request);
    response.writeHead(500).end();
  };
  const server = tls ? createTlsServer(pair, answer) : createServer(answer);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    requests.push(request);
    socket.on('error', () => undefined);
    if (status !== 200) {
      const challenges = asks.map((scheme) => `proxy-authenticate: ${scheme}\r\n`).join('');
      socket.end(`HTTP/1.1 ${status} No\r\n${challenges}content-length: 0\r\n\r\n`);
      return;
    }
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
  });
  return { ...(await servers.raw(server)), requests };
}

const insert = (http: Http) => http.send({ method: 'POST', path: '/', body: Buffer.from('[{}]') });

describe('certificates', () => {
  it('of a private authority are trusted only when that authority is configured', async () => {
    const server = await servers.https(pair, () => 'fine');
    await expect(client(server.url, {}, { authorities: [pair.ca] }).read(get('/'), decode)).resolves.toBe(
      'fine',
    );
    await expect(client(server.url).read(get('/'), decode)).rejects.toMatchObject({
      code: 'unreachable',
      details: { reason: 'tls' },
    });
  });

  it('with another name, or expired, are rejected', async () => {
    const other = await servers.https(pair, () => 'fine');
    const renamed = client(`https://localhost:${other.port}`, {}, { authorities: [pair.ca] });
    await expect(renamed.read(get('/'), decode)).rejects.toMatchObject({ details: { reason: 'tls' } });
    await expect(renamed.read(get('/'), decode)).rejects.toThrow(/isn’t valid for localhost/);
    const old = makeCertificates(['wells.example'], { until: 2021 });
    const server = await servers.https(old, () => 'fine');
    const expired = client(server.url, {}, { authorities: [old.ca] });
    await expect(expired.read(get('/'), decode)).rejects.toMatchObject({
      message: expect.stringContaining('has expired'),
      details: { reason: 'tls', certificate: 'CERT_HAS_EXPIRED' },
    });
  });

  it('are reported as missing when the server doesn’t use TLS', async () => {
    const plain = await servers.http(() => 'fine');
    const read = client(`https://127.0.0.1:${plain.port}`).read(get('/'), decode);
    await expect(read).rejects.toMatchObject({ details: { reason: 'tls' } });
  });
});

describe('a proxy', () => {
  const through = (proxy: { port: number }, more: object = {}) =>
    client(
      'https://wells.example',
      {},
      {
        authorities: [pair.ca],
        env: { HTTPS_PROXY: `http://me:p%40ss-word@127.0.0.1:${proxy.port}` },
        ...more,
      },
    );

  it('carries a tunnel that only the service can read, with its own password', async () => {
    const server = await servers.https(pair, ({ headers }) => headers['proxy-authorization'] ?? 'not told');
    const proxy = await proxyTo(server.port);
    await expect(through(proxy).read(get('/'), decode)).resolves.toBe('not told');
    expect(await insert(through(proxy))).toMatchObject({ kind: 'answered', error: null });
    const [connect] = proxy.requests;
    expect(connect).toMatchObject({ method: 'CONNECT', url: 'wells.example:443' });
    expect(connect?.headers['proxy-authorization']).toBe(
      `Basic ${Buffer.from('me:p@ss-word').toString('base64')}`,
    );
    expect(connect?.headers.authorization).toBeUndefined();
  });

  it('that refuses, is down, disconnects, or doesn’t respond is distinguished from the service: nothing was sent', async () => {
    const server = await servers.https(pair, () => 'fine');
    const cutting = await servers.tcp((socket) => void socket.once('data', () => socket.destroy()));
    const silent = await servers.tcp(() => undefined);
    const proxies = [
      await proxyTo(server.port, 407),
      await proxyTo(server.port, 502),
      await servers.nobody(),
      cutting,
    ];
    for (const proxy of proxies) {
      const sent = await insert(through(proxy));
      expect(sent).toMatchObject({
        kind: 'not_sent',
        error: { code: 'unreachable', details: { reason: 'proxy' } },
      });
      const shown = inspect(sent, { depth: 9, showHidden: true });
      for (const secret of ['p@ss-word', 'p%40ss', key]) expect(shown).not.toContain(secret);
    }
    const shortTimeout = through(silent, { timeouts: { ...longTimeouts, connectMs: 40 } });
    expect(await insert(shortTimeout)).toMatchObject({ kind: 'not_sent', error: { code: 'unreachable' } });
    expect(server.seen).toEqual([]);
  });

  it('that requires a sign-in reports which kind, and whether credentials were sent', async () => {
    const cases = [
      [
        ['NTLM', 'Negotiate'],
        ['ntlm', 'negotiate'],
      ],
      [['Negotiate, NTLM, Basic realm="a, NTLM=x"'], ['negotiate', 'ntlm', 'basic']],
      [['Kerberos'], ['kerberos']],
      [['Digest realm="x", nonce="y"'], ['digest']],
      [[], []],
    ] as const;
    for (const [challenges, asks] of cases) {
      const proxy = await proxyTo(1, 407, challenges);
      const error: unknown = await through(proxy)
        .read(get('/'), decode)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        details: { proxy: { proxy: `127.0.0.1:${proxy.port}`, status: 407, asks, gaveLogin: true } },
      });
      // A repeated request would get the same response.
      expect(proxy.requests).toHaveLength(1);
    }
    const proxy = await proxyTo(1, 407, ['Basic realm="corp"']);
    const read = through(proxy, { env: { HTTPS_PROXY: proxy.url } }).read(get('/'), decode);
    await expect(read).rejects.toMatchObject({
      code: 'unreachable',
      details: { proxy: { asks: ['basic'], gaveLogin: false } },
    });
  });

  it('may itself be reached over TLS', async () => {
    const server = await servers.https(pair, () => 'fine');
    const proxy = await proxyTo(server.port, 200, [], true);
    const env = { HTTPS_PROXY: `https://me:pw@127.0.0.1:${proxy.port}` };
    await expect(through(proxy, { env }).read(get('/'), decode)).resolves.toBe('fine');
    expect(proxy.requests[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('me:pw')}`);
    const untrusted = through(proxy, { env, authorities: [] }).read(get('/'), decode, { maxTries: 1 });
    await expect(untrusted).rejects.toMatchObject({ details: { reason: 'proxy' } });
  });

  it('is the one that the system names; a dead one is replaced by the next, and is then tried last', async () => {
    const server = await servers.https(pair, () => 'fine');
    let tried = 0;
    const dead = await servers.tcp((socket) => {
      tried += 1;
      socket.destroy();
    });
    const proxy = await proxyTo(server.port);
    const requests: string[] = [];
    const resolveProxy = async (url: string) => {
      requests.push(url);
      return `SOCKS s:1; PROXY 127.0.0.1:${dead.port}; PROXY 127.0.0.1:${proxy.port}`;
    };
    const http = through(proxy, { env: {}, resolveProxy });
    await expect(http.read(get('/'), decode)).resolves.toBe('fine');
    expect(requests).toEqual(['https://wells.example']);
    expect(proxy.requests).toHaveLength(1);
    await Promise.all([1, 2, 3].map(() => http.read(get('/'), decode)));
    expect(proxy.requests.length).toBeGreaterThan(1);
    expect(tried).toBe(1);
    const socks = through(proxy, { env: {}, resolveProxy: async () => 'SOCKS5 s:1080' });
    await expect(socks.read(get('/'), decode)).rejects.toThrow(/SOCKS proxy s:1080/);
  });

  it('that refuses ends the request: the next one is not tried', async () => {
    const second = await proxyTo(1);
    const first = await proxyTo(1, 403);
    const resolveProxy = async () => `PROXY 127.0.0.1:${first.port}; PROXY 127.0.0.1:${second.port}; DIRECT`;
    const read = through(first, { env: {}, resolveProxy }).read(get('/'), decode);
    await expect(read).rejects.toMatchObject({ details: { proxy: { status: 403 } } });
    expect(second.requests).toEqual([]);
  });

  it('is not used for this machine, nor for hosts in NO_PROXY', async () => {
    const server = await servers.http(() => 'direct');
    const proxy = await proxyTo(server.port);
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '.invalid' };
    await expect(client(server.url, {}, { env }).read(get('/'), decode)).resolves.toBe('direct');
    const named = client('https://a.invalid', {}, { env }).read(get('/'), decode, { maxTries: 1 });
    await expect(named).rejects.toMatchObject({ details: { reason: 'name' } });
    expect(proxy.requests).toEqual([]);
  });
});

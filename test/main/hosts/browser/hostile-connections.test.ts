import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, signIn, useBrowserHosts } from '../../../support/browser-host.ts';

/** Sends these bytes, and returns everything received until the connection ends. */
function exchange(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
    socket.on('error', () => undefined).on('close', () => resolve(answer));
  });
}

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => undefined);
  });

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.resume().once('close', () => resolve());
  });

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

describe('a hostile connection to the browser host', () => {
  const { start } = useBrowserHosts();
  // Under `wellbench serve` an uncaught exception would end the process.
  let uncaught: Error[] = [];
  beforeEach(() => {
    uncaught = [];
    process.setUncaughtExceptionCaptureCallback((error) => uncaught.push(error));
  });
  afterEach(() => process.setUncaughtExceptionCaptureCallback(null));

  async function startWithPort(limits: Parameters<typeof start>[0] = {}) {
    const started = await start(limits);
    return { ...started, port: started.host.port };
  }

  const handshake = 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n';

  it.each([
    '//',
    '///',
    '/\\',
    '\\',
    '/%00',
    '/%',
    '//ws',
    '/ws/',
    '/./ws',
    'ws',
    '*',
    'http://[',
    '//[::',
    '/ws#',
  ])('is refused an upgrade to %j, without other effects', async (target) => {
    const { port, host, origin } = await startWithPort();
    const cookie = await signIn(host);
    const request = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\n`;
    const answer = await exchange(
      port,
      `${request}${handshake}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    expect([400, 403]).toContain(statusOf(answer));
    expect(uncaught).toEqual([]);
    expect((await ask(origin, { headers: { cookie } })).status).toBe(200);
  });

  it.each(['//', '/\\', '/%', '/%00', '//[::', 'http://[', 'http://127.0.0.1/', '*', '/files/%', '/?%'])(
    'is refused the address %j, without other effects',
    async (target) => {
      const { port, host, origin } = await startWithPort();
      const cookie = await signIn(host);
      for (const method of ['GET', 'OPTIONS', 'POST', 'CONNECT', 'TRACE', 'HEAD']) {
        const headers = `Host: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nContent-Length: 0\r\nConnection: close\r\n`;
        const status = statusOf(await exchange(port, `${method} ${target} HTTP/1.1\r\n${headers}\r\n`));
        // 0: closed without a response. `/` with a meaningless query is the page itself.
        if (target !== '/?%') expect([0, 400, 403, 404, 405]).toContain(status);
      }
      expect(uncaught).toEqual([]);
      expect((await ask(origin, { headers: { cookie } })).status).toBe(200);
    },
  );

  it('may be reset while its upgrade is rejected', async () => {
    const { port, host, origin } = await startWithPort();
    const cookie = await signIn(host);
    for (let round = 0; round < 40; round += 1) {
      const socket = await opened(port);
      socket.write(`GET /ws HTTP/1.1\r\nHost: x\r\n${handshake}\r\n`);
      if (round % 8 > 0) await new Promise((resolve) => setTimeout(resolve, (round % 8) - 1));
      socket.resetAndDestroy();
    }
    expect((await ask(origin, { headers: { cookie } })).status).toBe(200);
    expect(uncaught).toEqual([]);
  });

  it('is destroyed when its upgrade is rejected, even when it keeps its own side half open', async () => {
    const { port } = await startWithPort({ unauthenticatedMs: 3_600_000 });
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write(`GET /ws HTTP/1.1\r\nHost: x\r\n${handshake}\r\n`);
    await new Promise((resolve) => socket.once('end', resolve));
    // Writing to a closed socket fails; to a half-open one a peer could write forever.
    const refused = closed(socket);
    const writer = setInterval(() => socket.write('x'), 5);
    await refused;
    clearInterval(writer);
  });

  it.each([
    ['sends nothing', ''],
    ['sends half of its headers', 'GET / HTTP/1.1\r\nHost: '],
    [
      'never sends the body that it announced',
      'POST /files?name=a HTTP/1.1\r\nHost: HOST\r\nContent-Length: 9\r\n\r\n',
    ],
    ['requests the page repeatedly without a cookie', 'GET / HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['has its upgrade refused', `GET /ws HTTP/1.1\r\nHost: HOST\r\n${handshake}\r\n`],
  ])('is closed when it %s', async (_what, text) => {
    const { port } = await startWithPort({ unauthenticatedMs: 200 });
    const socket = await opened(port);
    socket.write(text.replace('HOST', `127.0.0.1:${port}`));
    await closed(socket);
    expect(uncaught).toEqual([]);
  });

  it('is closed for newer ones when there are too many without the cookie; one with the cookie stays open', async () => {
    const { port, host } = await startWithPort({ maxUnauthenticated: 5 });
    const cookie = await signIn(host);
    const own = await opened(port);
    const page = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`;
    own.write(page);
    await new Promise((resolve) => own.once('data', resolve));
    const idle: Socket[] = [];
    for (let n = 0; n < 12; n += 1) idle.push(await opened(port));
    await Promise.all(idle.slice(0, 7).map(closed));
    expect(idle.slice(7).map((socket) => socket.closed)).toEqual([false, false, false, false, false]);
    own.write(page);
    await new Promise((resolve) => own.once('data', resolve));
    for (const socket of [own, ...idle]) socket.destroy();
  });

  it('can’t lock the user out with cookies that another port of this machine has set', async () => {
    const { host, origin } = await startWithPort();
    const cookie = await signIn(host);
    const others = Array.from({ length: 60 }, (_, n) => `c${n}=${'x'.repeat(4000)}`).join('; ');
    expect((await ask(origin, { headers: { cookie: `${others}; ${cookie}` } })).status).toBe(200);
  });

  it('can’t load a page into a frame of another port', async () => {
    const { host, origin } = await startWithPort();
    const cookie = await signIn(host);
    const framed = {
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
    };
    expect((await ask(origin, { headers: { ...framed, cookie } })).status).toBe(403);
    const link = { ...framed, 'sec-fetch-dest': 'document' };
    expect((await ask(origin, { headers: { ...link, cookie } })).status).toBe(200);
  });
});

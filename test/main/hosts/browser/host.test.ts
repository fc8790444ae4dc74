import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { grantedFile } from '../../../../src/shared/files/files.ts';
import { ask, signIn, useBrowserHosts } from '../../../support/browser-host.ts';

describe('the browser host', () => {
  const { start } = useBrowserHosts();

  it('exchanges its one-time token for an HttpOnly, same-site cookie by a redirect', async () => {
    const { host, origin } = await start();
    const answer = await ask(host.newLink());
    expect(answer.status).toBe(302);
    expect(answer.headers['location']).toBe('/');
    expect(String(answer.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    expect((await ask(origin, { headers: { cookie } })).body).toContain('<title>Wellbench</title>');
  });

  it('rejects a second use of the token, a wrong one, and a visitor without the cookie', async () => {
    const { host, origin } = await start();
    expect((await ask(`${origin}/?token=wrong`)).status).toBe(403);
    const link = host.newLink();
    expect((await ask(link, { method: 'HEAD' })).status).toBe(401);
    expect((await ask(link)).status).toBe(302);
    expect((await ask(link)).status).toBe(403);
    expect((await ask(origin)).status).toBe(401);
    expect(
      (await ask(origin, { headers: { cookie: `wellbench-${new URL(origin).port}=guess` } })).status,
    ).toBe(401);
  });

  it('issues a new sign-in link at any time, which invalidates the previous one', async () => {
    const { host, origin } = await start();
    const cookie = await signIn(host);
    const [first, second] = [host.newLink(), host.newLink()];
    expect((await ask(first)).status).toBe(403);
    // A session survives a used link, which is in the browser's history.
    expect(await ask(first, { headers: { cookie } })).toMatchObject({
      status: 302,
      headers: { location: '/' },
    });
    expect((await ask(second)).headers['set-cookie']).toEqual([expect.stringContaining(cookie)]);
    expect((await ask(origin, { headers: { cookie } })).status).toBe(200);
  });

  it('has a new name in its links each time it uses a port that a page was at before', async () => {
    const { host: earlier } = await start();
    const { port } = earlier;
    await earlier.close();
    const names: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const { host } = await start({}, undefined, port);
      const link = new URL(host.newLink());
      expect(link.hostname).toMatch(/^[0-9a-f]{20}\.localhost$/);
      names.push(link.hostname);
      // Node looks up no names below localhost.
      const ours = `http://127.0.0.1:${port}`;
      const answer = await ask(`${ours}/${link.search}`, { headers: { host: link.host } });
      const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
      const page = await ask(ours, { headers: { host: link.host, cookie } });
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).toContain(`ws://${link.host}`);
      for (const name of ['localhost', '127.0.0.1', names[0] ?? ''])
        expect((await ask(ours, { headers: { host: `${name}:${port}` } })).status).toBe(
          name.length > 12 && name !== link.hostname ? 403 : 401,
        );
      await host.close();
    }
    expect(names[0]).not.toBe(names[1]);
  });

  it('redirects through its own page if the link comes from another site, because strict cookies are not sent then', async () => {
    const { host } = await start();
    const followed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const answer = await ask(host.newLink(), { headers: followed });
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'set-cookie': [expect.stringContaining('Strict')] },
    });
    expect(answer.body).toContain('content="0; url=/"');
  });

  it('issues a new link over HTTP only to the holder of its key', async () => {
    const { host, origin } = await start();
    const post = (authorization?: string, more = {}) =>
      ask(`${origin}/link`, {
        method: 'POST',
        headers: { ...(authorization ? { authorization } : {}), ...more },
      });
    const cookie = await signIn(host);
    expect((await post()).status).toBe(401);
    expect((await post('Bearer guess')).status).toBe(401);
    // Our own page has a session and needs no further links.
    expect((await post(undefined, { cookie })).status).toBe(405);
    const right = `Bearer ${host.linkKey}`;
    expect((await post(right, { origin: 'https://evil.example' })).status).toBe(403);
    const { url } = JSON.parse((await post(right)).body) as { url: string };
    expect((await ask(url)).status).toBe(302);
  });

  it('explains to a browser that is not signed in how to get a link, without a script', async () => {
    const { origin } = await start();
    for (const answer of [await ask(origin), await ask(`${origin}/?token=old`)]) {
      expect(answer.headers['content-type']).toContain('text/html');
      expect(answer.body).toContain('wellbench open');
      expect(answer.body).toContain('<kbd>Enter</kbd>');
      expect(answer.body).not.toContain('<script');
    }
  });

  it('sends a strict policy with every response, and nothing that may be cached', async () => {
    const { host, origin } = await start();
    const cookie = await signIn(host);
    for (const answer of [
      await ask(origin, { headers: { cookie } }),
      await ask(origin),
      await ask(`${origin}/nothing`, { headers: { cookie } }),
    ]) {
      expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
      expect(answer.headers['content-security-policy']).not.toContain('unsafe-eval');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('opens the files of another start only for the holder of its key, and only in the application', async () => {
    const opened: unknown[] = [];
    const app = await start({}, async (request) => void opened.push(request));
    const other = await start();
    const body = JSON.stringify({ argv: ['a.csv', 'b.las'], cwd: '/home' });
    const open = ({ origin }: typeof app, authorization: string, text = body) =>
      ask(`${origin}/open`, { method: 'POST', headers: { authorization }, body: text });
    const rightKey = `Bearer ${app.host.linkKey}`;
    expect((await open(app, 'Bearer wrong')).status).toBe(401);
    expect((await open(app, rightKey, '{"argv":[7],"cwd":"/"}')).status).toBe(500);
    expect((await open(app, rightKey, `{"argv":["${'a'.repeat(1_100_000)}"]}`)).status).toBe(404);
    expect((await open(other, `Bearer ${other.host.linkKey}`)).status).toBe(401);
    expect(opened).toEqual([]);
    expect((await open(app, rightKey)).status).toBe(200);
    expect(opened).toEqual([JSON.parse(body)]);
  });

  it('answers another start once its window is open, however long that takes, so that it opens nothing twice', async () => {
    const app = await start(
      { unauthenticatedMs: 100 },
      () => new Promise((resolve) => setTimeout(resolve, 300)),
    );
    const headers = { authorization: `Bearer ${app.host.linkKey}` };
    const body = JSON.stringify({ argv: ['a.csv'], cwd: '/home' });
    expect((await ask(`${app.origin}/open`, { method: 'POST', headers, body })).status).toBe(200);
  });

  it('rejects a rebound host name, a page of another site, and a page of another port', async () => {
    const { host, origin } = await start();
    const cookie = await signIn(host);
    const port = new URL(origin).port;
    const refused = [
      { host: 'evil.example', cookie },
      { host: `evil.example:${port}`, cookie },
      { origin: 'https://evil.example', cookie },
      { origin: 'http://127.0.0.1:1', cookie },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', cookie },
      { origin: 'null', cookie },
    ];
    for (const headers of refused) expect((await ask(origin, { headers })).status).toBe(403);
  });

  it('serves nothing from outside its folder', async () => {
    const { host, origin } = await start();
    const cookie = await signIn(host);
    for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/....//secret.txt'])
      expect(await ask(`${origin}${path}`, { headers: { cookie } })).toMatchObject({ status: 404 });
  });

  it('responds to calls on /ws, and opens it only to its own pages', async () => {
    const { host, origin } = await start();
    const cookie = await signIn(host);
    const address = `${origin.replace('http', 'ws')}/ws`;
    const attempt = (headers: Record<string, string>, path = address): Promise<WebSocket | 'refused'> =>
      new Promise((resolve) => {
        const socket = new WebSocket(path, { headers });
        socket.once('open', () => resolve(socket));
        socket.once('error', () => resolve('refused'));
      });
    expect(await attempt({ cookie })).toBe('refused');
    expect(await attempt({ origin })).toBe('refused');
    expect(await attempt({ cookie, origin: 'http://127.0.0.1:1' })).toBe('refused');
    expect(await attempt({ cookie, origin: 'https://evil.example' })).toBe('refused');
    expect(await attempt({ cookie, origin }, `${origin.replace('http', 'ws')}/other`)).toBe('refused');
    const socket = await attempt({ cookie, origin });
    if (socket === 'refused') throw new Error('its own page was refused');
    const answered = new Promise<string>((resolve) =>
      socket.once('message', (data) => resolve(String(data))),
    );
    socket.send(JSON.stringify({ i: '1', p: { u: '/settings/change', b: { json: {} } } }));
    expect(await answered).toContain('dark');
    socket.close();
  });

  it('closes a socket with invalid messages, and continues serving', async () => {
    const { host, origin } = await start();
    const cookie = await signIn(host);
    const broken = [
      '{',
      'null',
      '[]',
      '{"i":"1"}',
      '{"i":"2","p":{"u":5}}',
      '{"i":{},"p":{"u":"/settings/change"}}',
      '{"i":"3","p":{"u":"http://["}}',
      '{"i":"3","p":{"u":"/__proto__/x"}}',
      '{"i":"4","t":3,"p":{"e":"message"}}',
      Buffer.from([0, 255, 1]),
    ];
    for (const frame of broken) {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { cookie, origin } });
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(frame);
      expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1008);
    }
    expect((await ask(origin, { headers: { cookie } })).status).toBe(200);
  });

  it('survives a malformed handshake', async () => {
    const { host, origin } = await start();
    const cookie = await signIn(host);
    const raw = connect(Number(new URL(origin).port), '127.0.0.1');
    raw.resume().on('error', () => undefined);
    raw.end('GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n\u0000\u0000');
    await new Promise((resolve) => raw.once('close', resolve));
    expect((await ask(origin, { headers: { cookie } })).status).toBe(200);
  });

  it('accepts a selected file and returns a token, with its name without folders', async () => {
    const { host, origin, files } = await start();
    const cookie = await signIn(host);
    const headers = { cookie, origin };
    const name = encodeURIComponent('..\\..\\C:/Users/me/survey "7".csv');
    const answer = await ask(`${origin}/files?name=${name}`, { method: 'POST', headers, body: 'a,b\n1,2\n' });
    const granted = grantedFile.parse(JSON.parse(answer.body));
    expect(granted).toMatchObject({ name: 'survey 7.csv', bytes: 8 });
    expect(answer.body).not.toContain('spool');
    const { place, path } = files.source(granted.token);
    expect(place).toBe('spooled');
    expect(await readFile(path, 'utf8')).toBe('a,b\n1,2\n');
  });

  it('serves a file by its token as a download, and nothing for a guess', async () => {
    const { host, origin, files, home } = await start();
    const cookie = await signIn(host);
    const path = join(home, 'result.csv');
    await writeFile(path, 'x\n1\n');
    const { token } = await files.grantSource({ place: 'path', path, name: 'Brønn «7».csv' });
    const answer = await ask(`${origin}/files/${token}`, { headers: { cookie } });
    expect(answer).toMatchObject({ status: 200, body: 'x\n1\n' });
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent('Brønn «7».csv')}`,
    );
    // File names on Windows may be invalid Unicode.
    const odd = await files.grantSource({ place: 'path', path, name: 'a\ud800.csv' });
    expect((await ask(`${origin}/files/${odd.token}`, { headers: { cookie } })).status).toBe(200);
    expect((await ask(`${origin}/files/${'A'.repeat(32)}`, { headers: { cookie } })).status).toBe(404);
    expect((await ask(`${origin}/files/${token}`)).status).toBe(401);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { implement } from '@orpc/server';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type CallLimits, maxFrameValues, readFrame } from '../../../../src/main/hosts/limited-port.ts';
import type { AppRouter } from '../../../../src/main/app.ts';
import { createSockets } from '../../../../src/main/hosts/browser/serve.ts';
import { createCallServer } from '../../../../src/main/hosts/window-host.ts';
import { contract } from '../../../../src/shared/contract/contract.ts';

const limits: CallLimits = { running: 4, waiting: 20, streams: 5, unreadBytes: 1024 * 1024 };
const pageBytes = 1024 * 1024;

const servers: Server[] = [];
const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
  for (const server of servers.splice(0)) server.close();
});

/** A host whose calls wait until `release`, and whose pages have a megabyte. */
async function startHost() {
  const os = implement(contract);
  const waiting: (() => void)[] = [];
  const counts = { running: 0, mostRunning: 0, pages: 0, streams: 0 };
  const router = {
    query: {
      find: os.query.find.handler(async () => {
        counts.pages += 1;
        return { records: new Uint8Array(pageBytes), count: 1, total: null, ms: 1 };
      }),
    },
    workspace: {
      about: os.workspace.about.handler(async ({ signal }) => {
        counts.running += 1;
        counts.mostRunning = Math.max(counts.mostRunning, counts.running);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          signal?.addEventListener('abort', () => resolve());
        });
        counts.running -= 1;
        throw new Error('it has no answer');
      }),
    },
    events: {
      notices: os.events.notices.handler(async function* ({ signal }) {
        counts.streams += 1;
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
        counts.streams -= 1;
        yield* [];
      }),
    },
  };
  const called = router as unknown as AppRouter; // the part of it that is called
  const host = createSockets(called, () => undefined, limits);
  const server = createServer();
  servers.push(server);
  server.on('upgrade', (request, socket, head) => host.accept(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connect = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    sockets.push(socket);
    const answers: string[] = [];
    const closed = once(socket, 'close').then(([code, reason]) => `${code} ${String(reason)}`);
    socket.on('message', (data: Buffer) => answers.push(data.subarray(0, 40).toString('latin1')));
    await once(socket, 'open');
    const call = (id: string, name: string, input: object = {}) =>
      socket.send(JSON.stringify({ i: id, p: { u: `/${name}`, b: { json: input } } }));
    return { socket, answers, closed, call, abort: (id: string) => socket.send(`{"i":"${id}","t":4}`) };
  };
  const release = () => waiting.splice(0).forEach((resolve) => resolve());
  return { connect, counts, release, router: called };
}

const until = async (condition: () => boolean) => {
  for (let tries = 0; tries < 2000 && !condition(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
};
const find = { connection: 'demo', provider: 'demo', dataset: 'wits', limit: 1 };

describe('what one window makes the application do is limited', () => {
  it('few calls run at once, the others wait in order, and none is lost', async () => {
    const { connect, counts, release } = await startHost();
    const [busy, other] = [await connect(), await connect()];
    for (let at = 0; at < limits.running + limits.waiting; at += 1) busy.call(`${at}`, 'workspace/about');
    await until(() => counts.running === limits.running);
    // Another window is answered meanwhile.
    other.call('page', 'query/find', find);
    await until(() => other.answers.length === 1);
    expect(counts.mostRunning).toBe(limits.running);
    while (busy.answers.length < limits.running + limits.waiting) {
      release();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(counts.mostRunning).toBe(limits.running);
    const ids = busy.answers.map((answer) => Number(/"i":"(\d+)"/.exec(answer)?.[1]));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('a canceled call makes room, also before it runs', async () => {
    const { connect, counts } = await startHost();
    const window = await connect();
    for (let at = 0; at < 6; at += 1) window.call(`${at}`, 'workspace/about');
    await until(() => counts.running === 4);
    window.abort('4');
    for (const id of ['0', '1', '2', '3']) window.abort(id);
    await until(() => counts.running === 1);
    window.abort('5');
    await until(() => counts.running === 0);
    window.call('page', 'query/find', find);
    await until(() => window.answers.some((answer) => answer.includes('page')));
  });

  it.each([
    ['made too many calls at once', 'workspace/about', limits.running + limits.waiting + 1],
    ['opened too many streams', 'events/notices', limits.streams + 1],
  ])('a window that %s loses its connection, and no other does', async (reason, name, count) => {
    const { connect, counts } = await startHost();
    const [hostile, other] = [await connect(), await connect()];
    for (let at = 0; at < count; at += 1) hostile.call(`${at}`, name);
    expect(await hostile.closed).toBe(`1008 ${reason}`);
    await until(() => counts.running + counts.streams === 0);
    other.call('page', 'query/find', find);
    await until(() => other.answers.length === 1);
  });

  it('calls that came at once with the one too many end with their connection', async () => {
    const { counts, router } = await startHost();
    const ends: string[] = [];
    const serve = createCallServer(router, () => undefined, limits);
    const port = serve({ send: () => undefined, end: (reason) => ends.push(reason), unreadBytes: () => 0 });
    for (let at = 0; at <= limits.running + limits.waiting; at += 1)
      port.receive(JSON.stringify({ i: `${at}`, p: { u: '/workspace/about', b: { json: {} } } }));
    expect(ends).toEqual(['made too many calls at once']);
    // Longer than a call takes to begin.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await until(() => counts.running === 0);
  });

  it.each([
    ['running', 1],
    ['waiting', limits.running + 1],
  ])(
    'a window that uses the ID of a %s call again loses its connection: such calls would not be counted',
    async (_state, count) => {
      const { connect, counts } = await startHost();
      const hostile = await connect();
      for (let at = 0; at < count; at += 1) hostile.call(`${at}`, 'workspace/about');
      await until(() => counts.running === Math.min(count, limits.running));
      hostile.call(`${count - 1}`, 'workspace/about');
      expect(await hostile.closed).toBe('1008 used the ID of a call again');
      await until(() => counts.running === 0);
    },
  );

  it('streams don’t keep calls from running', async () => {
    const { connect, counts } = await startHost();
    const window = await connect();
    for (let at = 0; at < limits.streams; at += 1) window.call(`s${at}`, 'events/notices');
    await until(() => counts.streams === limits.streams);
    window.call('page', 'query/find', find);
    await until(() => window.answers.some((answer) => answer.includes('page')));
  });

  it('a window that reads nothing gets no further pages until it reads', async () => {
    const { connect, counts } = await startHost();
    const window = await connect();
    window.socket.pause();
    for (let at = 0; at < limits.running + limits.waiting; at += 1) window.call(`${at}`, 'query/find', find);
    await until(() => counts.pages > 0);
    let before = -1;
    while (before !== counts.pages) {
      before = counts.pages;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // The operating system's buffers take some more.
    expect(counts.pages).toBeLessThan(limits.running + limits.waiting);
    window.socket.resume();
    await until(() => window.answers.length === limits.running + limits.waiting);
  });
});

it('a frame of many small values is refused before it is parsed', () => {
  const frameOf = (values: number, text = '') =>
    `{"i":"1","p":{"u":"/a/b","b":{"json":{"text":${JSON.stringify(text)},"list":[${'{"a":1},'.repeat(values)}0]}}}}`;
  expect(readFrame(frameOf(maxFrameValues / 2 - 10))).toMatchObject({ id: '1', kind: 'call' });
  expect(readFrame(frameOf(maxFrameValues / 2 + 10))).toBeNull();
  expect(readFrame(frameOf(1, '[{"\\,'.repeat(1_000_000)))).toMatchObject({ id: '1' });
});

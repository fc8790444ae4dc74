import { afterEach, describe, expect, it } from 'vitest';
import { createApi } from '../../../src/renderer/api/api.ts';
import {
  createReconnectingLink,
  SignedOut,
  type LinkState,
  type ReconnectingLink,
} from '../../../src/renderer/api/reconnecting.ts';
import { openSocket } from '../../../src/renderer/api/socket.ts';
import { followStream } from '../../../src/renderer/state/follow-stream.ts';
import { serveSocket, type Seen } from './host.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const quick = { minDelayMs: 5, maxDelayMs: 20 };
const requestOf = (query: string) => ({ connection: 'c', provider: 'demo', dataset: 'wits', query });

function linkTo(port: () => number, options = {}) {
  const link = createReconnectingLink(() => openSocket(`ws://127.0.0.1:${port()}/ws`), {
    ...quick,
    ...options,
  });
  closing.push(link.close);
  return link;
}
const reached = (link: ReconnectingLink, wanted: LinkState) =>
  expect.poll(() => link.state.getState().state).toBe(wanted);

describe('a reconnecting link', () => {
  it('fails running calls when it is lost, reports it, and reconnects', async () => {
    const start = Promise.withResolvers<void>();
    const seen: Seen = { aborted: 0, begun: start.resolve };
    const host = await serveSocket(seen);
    closing.push(host.close);
    const link = linkTo(() => host.port);
    const states: LinkState[] = [];
    link.state.subscribe(({ state }) => states.push(state));
    const api = createApi(link.link);

    const lost = api.query.count(requestOf('wait'));
    const settled = expect(lost).rejects.toMatchObject({ code: 'internal' });
    await start.promise;
    host.cut();
    await settled;
    expect(await api.query.count(requestOf('{}'))).toMatchObject({ count: 7 });
    expect(states).toEqual(['connected', 'reconnecting', 'connected']);
  });

  it('lets calls wait for a host that has not started yet', async () => {
    const seen: Seen = { aborted: 0, begun: () => undefined };
    const first = await serveSocket(seen);
    await first.close();
    const link = linkTo(() => first.port);
    const call = createApi(link.link).query.count(requestOf('{}'));
    expect(link.state.getState().state).toBe('connecting');
    const host = await serveSocket(seen, first.port);
    closing.push(host.close);
    expect(await call).toMatchObject({ count: 7 });
  });

  it('reports that a new sign-in link is needed, or that no server responds, and reconnects when possible', async () => {
    const host = await serveSocket({ aborted: 0, begun: () => undefined });
    closing.push(host.close);
    let failure: Error | null = new SignedOut();
    const link = createReconnectingLink(async () => {
      if (failure) throw failure;
      return openSocket(`ws://127.0.0.1:${host.port}/ws`);
    }, quick);
    closing.push(link.close);
    await reached(link, 'signedOut');
    failure = new Error('nobody');
    await reached(link, 'unanswered');
    failure = null;
    await reached(link, 'connected');
  });

  it('lets no call wait forever, and sends no canceled call', async () => {
    const host = await serveSocket({ aborted: 0, begun: () => undefined });
    await host.close();
    const link = linkTo(() => host.port, { callTimeoutMs: 30 });
    const api = createApi(link.link);
    await expect(api.query.count(requestOf('{}'))).rejects.toMatchObject({ code: 'internal' });
    const abortedSignal = AbortSignal.abort();
    await expect(api.query.count(requestOf('{}'), { signal: abortedSignal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('reopens event streams that were lost with it', async () => {
    const host = await serveSocket({ aborted: 0, begun: () => undefined });
    closing.push(host.close);
    const link = linkTo(() => host.port);
    const api = createApi(link.link);
    const stop = new AbortController();
    const numbers: number[] = [];
    const following = followStream(
      (signal) => api.events.notices({}, { signal }),
      (notice) => notice.kind === 'retry' && numbers.push(notice.attempt),
      { signal: stop.signal, retryDelayMs: 5 },
    );
    await expect.poll(() => numbers.length).toBeGreaterThan(0);
    host.cut();
    const before = numbers.length;
    await reached(link, 'connected');
    await expect.poll(() => numbers.length).toBeGreaterThan(before);
    stop.abort();
    await following;
  });
});

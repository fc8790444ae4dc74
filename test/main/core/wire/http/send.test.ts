import { connect, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Http, SendOutcome } from '../../../../../src/main/core/wire/http/http.ts';
import { seededRandom } from '../../../../support/clock.ts';
import { makeCertificates } from '../../../../support/certificates.ts';
import { useServers, type RequestHandler } from '../../../../support/servers.ts';
import { longTimeouts, useHttp } from './support.ts';

const servers = useServers();
const client = useHttp();

const send = (http: Http, body = '[{}]', signal?: AbortSignal): Promise<SendOutcome> =>
  http.send({ method: 'POST', path: '/api/', body: Buffer.from(body) }, { signal });

const truncatesResponse: RequestHandler = (_request, response, socket) => {
  response.writeHead(200, { 'content-length': 50 }).write('{"ins', () => socket.destroy());
};

describe('a request that is sent once', () => {
  it('gets a response', async () => {
    const server = await servers.http(() => ({ inserted_ids: [] }));
    const sent = await send(client(server.url), '[{"é":1}]');
    expect(sent).toMatchObject({ kind: 'answered', error: null });
    expect(server.seen).toMatchObject([
      { body: '[{"é":1}]', headers: { 'content-type': 'application/json' } },
    ]);
  });

  it.each([400, 401, 403, 404, 413, 422, 429, 500, 503, 307])(
    'is not sent again after %i',
    async (status) => {
      const server = await servers.http((_request, response) => {
        response.writeHead(status, { 'retry-after': '2', location: '/elsewhere' });
        return {};
      });
      const sent = await send(client(server.url));
      expect(sent).toMatchObject({ kind: 'answered', response: { status } });
      expect(sent.kind === 'answered' && sent.error).toBeTruthy();
      expect(sent).toMatchObject({ retryAfterMs: status === 429 || status >= 500 ? 2000 : null });
      expect(server.seen).toHaveLength(1);
    },
  );

  it('was certainly not sent when the connection is refused or the host is unknown', async () => {
    const { url } = await servers.nobody();
    expect(await send(client(url))).toMatchObject({
      kind: 'not_sent',
      error: { details: { reason: 'refused' } },
    });
    const unresolvable = client('http://no-such-host.invalid');
    expect(await send(unresolvable)).toMatchObject({
      kind: 'not_sent',
      error: { details: { reason: 'name' } },
    });
  });

  it('was certainly not sent when the certificate is not trusted', async () => {
    const server = await servers.https(makeCertificates(['wells.example']), () => ({}));
    expect(await send(client(server.url))).toMatchObject({
      kind: 'not_sent',
      error: { details: { reason: 'tls' } },
    });
    expect(server.seen).toEqual([]);
  });

  it('was certainly not sent when the connection can’t be made in time', async () => {
    const silent = await servers.tcp(() => undefined);
    const http = client(
      `https://127.0.0.1:${silent.port}`,
      {},
      { timeouts: { ...longTimeouts, connectMs: 40 } },
    );
    expect(await send(http)).toMatchObject({ kind: 'not_sent', error: { details: { reason: 'timeout' } } });
  });

  it('was certainly not sent when there are no credentials for it', async () => {
    const server = await servers.http(() => ({}));
    const credential = {
      header: async () => Promise.reject(new Error('no keychain')),
      onRefused: () => false,
      secrets: () => [],
    };
    expect(await send(client(server.url, { credential }))).toMatchObject({ kind: 'not_sent' });
    expect(server.seen).toEqual([]);
  });

  it.each<[string, RequestHandler]>([
    ['it is cut off without a response', (_request, _response, socket) => void socket.destroy()],
    ['the response is truncated', truncatesResponse],
    ['the response is not HTTP', (_request, _response, socket) => void socket.end('hello\r\n\r\n')],
  ])('has an unknown outcome when %s', async (_name, answer) => {
    const server = await servers.http(answer);
    expect(await send(client(server.url))).toMatchObject({ kind: 'lost' });
    expect(server.seen).toHaveLength(1);
  });

  it('has an unknown outcome when no response arrives in time', async () => {
    const server = await servers.http(() => undefined);
    const http = client(server.url, {}, { timeouts: { ...longTimeouts, headersMs: 30 } });
    expect(await send(http)).toMatchObject({ kind: 'lost', error: { code: 'timed_out' } });
    expect(server.seen).toHaveLength(1);
  });

  it('has an unknown outcome when it is canceled after it was sent', async () => {
    const cancel = new AbortController();
    const server = await servers.http(() => cancel.abort());
    const sent = await send(client(server.url), '[]', cancel.signal);
    expect(sent).toMatchObject({ kind: 'lost', error: { code: 'cancelled' } });
  });

  it('is never sent when it is canceled before, even if the connection opens later', async () => {
    const pair = makeCertificates(['wells.example']);
    const server = await servers.https(pair, () => ({}));
    const held: Socket[] = [];
    const cancel = new AbortController();
    // A gate in front of the server that lets nothing through until it is opened.
    const relay = await servers.tcp((socket) => {
      held.push(socket);
      cancel.abort();
    });
    const http = client(`https://127.0.0.1:${relay.port}`, {}, { authorities: [pair.ca] });
    await expect(send(http, '["cancelled"]', cancel.signal)).rejects.toMatchObject({ code: 'cancelled' });
    for (const socket of held) {
      const through = connect(server.port, '127.0.0.1');
      socket.pipe(through).pipe(socket);
      await new Promise((resolve) => through.once('data', resolve));
    }
    // The handshake is complete. A second request on the same connection would arrive after the first, if that had
    // been sent.
    expect(await send(client(server.url, {}, { authorities: [pair.ca] }), '["second"]')).toMatchObject({
      kind: 'answered',
    });
    expect(server.seen.map(({ body }) => body)).toEqual(['["second"]']);
  });
});

describe('the law of inserts', () => {
  const behaviors: readonly RequestHandler[] = [
    () => ({ inserted_ids: ['1'], failed_count: 0, messages: [] }),
    (_request, response) => void response.end('<html>'),
    (_request, response) => void response.writeHead(422).end('{}'),
    (_request, response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
    (_request, response) => void response.writeHead(503).end(),
    (_request, response) => void response.writeHead(307, { location: '/again' }).end(),
    (_request, _response, socket) => void socket.destroy(),
    (_request, _response, socket) => void socket.resetAndDestroy(),
    truncatesResponse,
    // Responds, then closes the connection without notice: the next request may use a dead one.
    (_request, response, socket) => void response.end('{}', () => setImmediate(() => socket.destroy())),
  ];

  it('each body arrives at most once, and exactly once unless reported as not sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = seededRandom(seed);
        const server = await servers.http((...seen) =>
          behaviors[Math.floor(random() * behaviors.length)]?.(...seen),
        );
        const http = client(server.url);
        const bodies = Array.from({ length: 40 }, (_, n) => `[{"n":${n}}]`);
        const sent = await Promise.all(bodies.map((body) => send(http, body)));
        for (const [n, body] of bodies.entries()) {
          const times = server.seen.filter((request) => request.body === body).length;
          expect(times).toBeLessThanOrEqual(1);
          if (sent[n]?.kind === 'answered') expect(times).toBe(1);
          if (sent[n]?.kind === 'not_sent') expect(times).toBe(0);
        }
      }),
      { numRuns: 15 },
    );
  });
});

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../../src/shared/errors/errors.ts';
import type { RetryNotice } from '../../../../../src/shared/workspace/workspace.ts';
import { openHttp } from '../../../../../src/main/core/wire/http/http.ts';
import { openNetwork } from '../../../../../src/main/core/wire/http/network.ts';
import { get, post } from '../../../../../src/main/core/wire/http/exchange.ts';
import { sentenceFor, withoutAdvice } from '../../../../../src/shared/errors/sentences.ts';
import { testClock } from '../../../../support/clock.ts';
import { useServers } from '../../../../support/servers.ts';
import { decode, key, longTimeouts, useHttp } from './support.ts';

const servers = useServers();
const client = useHttp();

describe('a service that asks to wait', () => {
  it.each([
    [429, '86400', /wait 24 h\b.* 2026-01-02 00:00 UTC/],
    [503, 'Sun, 04 Jan 2026 12:30:00 GMT', /wait 4 days\b.* 2026-01-04 12:30 UTC/],
    [429, '600', /wait 10 min\b.* 2026-01-01 00:10 UTC/],
    [503, '99999999999999', /wait 3660 days\b.* 2036-01-09 00:00 UTC/],
  ])(
    'longer than Wellbench retries: the error of a %i says how long and until when by its clock',
    async (status, wait, words) => {
      const server = await servers.http((_request, response) => {
        response.writeHead(status, { 'retry-after': wait, date: 'Thu, 01 Jan 2026 00:00:00 GMT' }).end('{}');
      });
      // This computer's clock is an hour ahead.
      const clock = testClock({ start: Date.parse('2026-01-01T01:00:00Z') });
      await expect(client(server.url, { clock }).read(get('/'), decode)).rejects.toThrow(words);
      expect(server.seen).toHaveLength(1);
      expect(clock.waits).toEqual([]);
    },
  );
});

describe('a read', () => {
  it('sends the header, the path below the base address, and repeated encoded parameters', async () => {
    const server = await servers.http(() => ({ ok: true }));
    const http = client(`${server.url}/below`);
    const parameters = [
      ['ids[]', '1'],
      ['ids[]', '2'],
      ['q', '{"a":"b&c d+é"}'],
    ] as const;
    await expect(http.read(get('/v2/wells', parameters), decode)).resolves.toEqual({ ok: true });
    const [seen] = server.seen;
    expect(seen?.headers.authorization).toBe(`API ${key}`);
    expect(seen?.url.pathname).toBe('/below/v2/wells');
    expect(seen?.url.searchParams.getAll('ids[]')).toEqual(['1', '2']);
    expect(seen?.url.searchParams.get('q')).toBe('{"a":"b&c d+é"}');
  });

  it('keeps every digit of integers, in requests and responses', async () => {
    const server = await servers.http(
      (_request, response) => void response.end('{"n":12345678901234567890}'),
    );
    const http = client(server.url);
    const read = http.read(post('/list/', { n: 98765432109876543210n }), decode);
    await expect(read).resolves.toEqual({ n: 12345678901234567890n });
    expect(server.seen[0]?.body).toBe('{"n":98765432109876543210}');
  });

  it('decompresses gzip', async () => {
    const server = await servers.http((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('[1,2]'));
    });
    await expect(client(server.url).read(get('/'), decode)).resolves.toEqual([1, 2]);
  });

  it('reports that a header is too large, and does not retry', async () => {
    const server = await servers.http((_request, response) => {
      response.setHeader('x-long', 'a'.repeat(100_000));
      response.end('[]');
    });
    await expect(client(server.url).read(get('/'), decode)).rejects.toMatchObject({
      code: 'bad_answer',
      details: { problem: 'its header is too large' },
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([true, false])('rejects a response above its limit, even when compressed (%s)', async (packed) => {
    const body = Buffer.from(`[${' '.repeat(5_000_000)}]`);
    const server = await servers.http((_request, response) => {
      if (packed) response.setHeader('content-encoding', 'gzip');
      response.end(packed ? gzipSync(body) : body);
    });
    const http = client(server.url);
    await expect(http.read(get('/'), decode)).rejects.toMatchObject({
      code: 'bad_answer',
      details: { problem: expect.stringContaining('larger than 4 MB') },
    });
    expect(server.seen).toHaveLength(1);
    await expect(http.read(get('/'), decode, { maxBytes: 6_000_000 })).resolves.toEqual([]);
  });

  it.each([true, false])(
    'reports the status of an error whose page is endless (compressed %s)',
    async (packed) => {
      const page = Buffer.from(`<title>No</title>${' '.repeat(9_000_000)}`);
      const server = await servers.http((_request, response) => {
        response.statusCode = 403;
        if (packed) response.setHeader('content-encoding', 'gzip');
        response.end(packed ? gzipSync(page) : page);
      });
      await expect(client(server.url).read(get('/'), decode)).rejects.toMatchObject({ code: 'forbidden' });
    },
  );

  it.each<[number, ErrorCode]>([
    [400, 'refused'],
    [401, 'not_authenticated'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'refused'],
    [412, 'refused'],
    [413, 'too_large'],
    [414, 'too_large'],
    [422, 'refused'],
  ])('reports %i as %s, and does not retry', async (status, code) => {
    const server = await servers.http((_request, response) => {
      response.statusCode = status;
      return { code: status, message: `no, ${key}` };
    });
    const read = client(server.url).read(get('/'), decode, { what: 'the dataset demo/wits' });
    const error: unknown = await read.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code, details: { service: 'data', status, said: 'no, •••' } });
    expect(server.seen).toHaveLength(1);
  });

  it.each<[number, ErrorCode]>([
    [429, 'too_many_requests'],
    [500, 'service_failed'],
    [503, 'service_failed'],
    [599, 'service_failed'],
  ])('retries %i, up to ten tries, and then reports %s', async (status, code) => {
    const server = await servers.http((_request, response) => {
      response.statusCode = status;
      return {};
    });
    await expect(client(server.url).read(get('/'), decode)).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(10);
  });

  it('waits as long as Retry-After requires, in seconds or dates, and reports each wait before it starts', async () => {
    const clock = testClock();
    const headers = ['3', new Date(clock.now() + 3000 + 8000).toUTCString()];
    const server = await servers.http((_request, response) => {
      const header = headers.shift();
      if (header === undefined) return 'fine';
      response.statusCode = 429;
      response.setHeader('retry-after', header);
      response.setHeader('date', new Date(clock.now()).toUTCString());
      return {};
    });
    const notices: RetryNotice[] = [];
    const http = client(server.url, { clock, onRetry: (notice) => notices.push(notice) });
    const retryNotices: RetryNotice[] = [];
    const onRetry = (notice: RetryNotice) => void retryNotices.push(notice);
    await expect(http.read(get('/'), decode, { onRetry })).resolves.toBe('fine');
    expect(clock.waits).toEqual([3000, 8000]);
    expect(notices).toEqual(retryNotices);
    expect(notices[0]).toEqual({
      kind: 'retry',
      service: 'data',
      host: `127.0.0.1:${server.port}`,
      attempt: 1,
      nextTryMs: 3000,
      cause: withoutAdvice(sentenceFor('too_many_requests', { service: 'data' })),
    });
  });

  it.each([
    ['a reset', (socket: { destroy(): void }) => socket.destroy()],
    [
      'a body shorter than announced',
      (socket: { end(text: string): void }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n[1,'),
    ],
    [
      'chunks that break off',
      (socket: { end(text: string): void }) =>
        socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[1\r\n'),
    ],
    [
      'a truncated body without a length',
      (socket: { end(text: string): void }) =>
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[{"a":[1]'),
    ],
    [
      'an empty body',
      (socket: { end(text: string): void }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    ],
  ])('retries after %s', async (_name, breakOff) => {
    let left = 3;
    const server = await servers.tcp((socket) => {
      socket.once('data', () => {
        left -= 1;
        if (left > 0) breakOff(socket);
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n[1]');
      });
    });
    await expect(client(server.url).read(get('/'), decode)).resolves.toEqual([1]);
    expect(left).toBe(0);
  });

  it.each([
    ['a web page', '<html><title>Log in</title></html>', 'it is a web page instead of JSON'],
    ['something else', '[NaN]', 'it is not JSON'],
  ])('reports that the response is %s, and does not retry', async (_name, body, problem) => {
    const server = await servers.http((_request, response) => void response.end(body));
    const error: unknown = await client(server.url)
      .read(get('/'), decode)
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'bad_answer', details: { service: 'data', problem } });
    expect(server.seen).toHaveLength(1);
  });

  it('reports a server that does not speak HTTP', async () => {
    const server = await servers.tcp((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const read = client(server.url).read(get('/'), decode);
    await expect(read).rejects.toMatchObject({ code: 'bad_answer', details: { problem: 'it is not HTTP' } });
  });

  it('reports a refused connection', async () => {
    const { url, port } = await servers.nobody();
    const read = client(url).read(get('/'), decode, { maxTries: 2 });
    await expect(read).rejects.toMatchObject({
      code: 'unreachable',
      details: { service: 'data', host: `127.0.0.1:${port}`, reason: 'refused' },
    });
  });

  it('reports an unknown host name', async () => {
    const read = client('http://no-such-host.invalid').read(get('/'), decode, { maxTries: 1 });
    await expect(read).rejects.toMatchObject({ code: 'unreachable', details: { reason: 'name' } });
  });
});

describe('timeouts and canceling', () => {
  it('ends a request whose response does not start in time, and does not repeat it', async () => {
    const server = await servers.http(() => undefined);
    const read = client(server.url).read(get('/'), decode, { timeoutMs: 30 });
    await expect(read).rejects.toMatchObject({ code: 'timed_out', details: { afterMs: 30 } });
    expect(server.seen).toHaveLength(1);
  });

  it('treats a response that stalls as a cut connection, and retries', async () => {
    let tries = 0;
    const server = await servers.http((_request, response) => {
      tries += 1;
      if (tries > 1) return [1];
      response.write('[');
      return undefined;
    });
    const http = client(server.url, {}, { timeouts: { ...longTimeouts, idleMs: 30 } });
    await expect(http.read(get('/'), decode)).resolves.toEqual([1]);
  });

  it.each([
    ['early hints for ever', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 'timed_out'],
    ['nothing after a part of the body', null, 'unreachable'],
  ])('ends a request by the limit of the call where the service sends %s', async (_, sent, code) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    const server = await servers.tcp((socket) => {
      socket.once('data', () => {
        // A chunk that is announced as 1 GB.
        if (sent === null) socket.write(`${head}40000000\r\n[`);
        const timer = setInterval(() => sent !== null && socket.write(sent), 10);
        socket.on('close', () => clearInterval(timer));
      });
    });
    const startedAt = performance.now();
    const read = client(server.url).read(get('/'), decode, { timeoutMs: 300, maxTries: 1 });
    await expect(read).rejects.toMatchObject({ code });
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  it('ends a response that never finishes', async () => {
    const server = await servers.http((_request, response) => {
      response.write('[');
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    });
    const http = client(server.url, {}, { timeouts: { ...longTimeouts, totalMs: 60 } });
    await expect(http.read(get('/'), decode)).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('can be canceled before a request starts, while it waits for a response, and while it reads one', async () => {
    const http = client((await servers.http(() => undefined)).url);
    await expect(http.read(get('/'), decode, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    for (const part of ['', '[1,']) {
      const cancel = new AbortController();
      let closed: () => void = () => undefined;
      const disconnect = new Promise<void>((resolve) => (closed = resolve));
      const server = await servers.http((_request, response) => {
        response.on('close', closed);
        if (part) response.write(part, () => cancel.abort());
        else cancel.abort();
      });
      const read = client(server.url).read(get('/'), decode, { signal: cancel.signal });
      await expect(read).rejects.toMatchObject({ code: 'cancelled' });
      await disconnect;
      expect(server.seen).toHaveLength(1);
    }
  });

  it('can be canceled during the wait before a retry', async () => {
    const server = await servers.http((_request, response) => {
      response.statusCode = 503;
      return {};
    });
    const cancel = new AbortController();
    const read = client(server.url).read(get('/'), decode, {
      signal: cancel.signal,
      onRetry: () => cancel.abort(),
    });
    await expect(read).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('closing', () => {
  it('ends running and later requests, without retries', async () => {
    const services = openNetwork({ env: {}, tls: false });
    const server = await servers.http(() => void services.close());
    const http = openHttp({ service: 'data', baseUrl: server.url, network: services, credential: null });
    await expect(http.read(get('/'), decode)).rejects.toMatchObject({ code: 'cancelled' });
    await expect(http.read(get('/'), decode)).rejects.toMatchObject({ code: 'cancelled' });
    const insert = http.send({ method: 'POST', path: '/', body: Buffer.from('[]') });
    await expect(insert).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('redirects', () => {
  it('are followed within the same origin', async () => {
    const server = await servers.http(({ url }, response) => {
      if (url.pathname.endsWith('/')) return url.search;
      response.writeHead(307, { location: `${url.pathname}/${url.search}` });
      return '';
    });
    await expect(client(server.url).read(get('/a', [['q', '1 2']]), decode)).resolves.toBe('?q=1%202');
    await expect(client(server.url).read(post('/a', { q: 1 }), decode)).resolves.toBe('');
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST']);
  });

  it('never send credentials to another origin', async () => {
    const other = await servers.http(() => 'stolen');
    const server = await servers.http((_request, response) => {
      response.writeHead(307, { location: `${other.url}/take?it` });
      return '';
    });
    const read = client(server.url).read(get('/'), decode);
    await expect(read).rejects.toMatchObject({
      code: 'bad_answer',
      details: { problem: `it redirects to another host, 127.0.0.1:${other.port}` },
    });
    expect(other.seen).toEqual([]);
  });

  it.each(['/round', '', 'http://['])(
    'end with an error in a loop or at an invalid address: %j',
    async (location) => {
      const server = await servers.http((_request, response) => {
        response.writeHead(302, location ? { location } : {});
        return '';
      });
      await expect(client(server.url).read(get('/round'), decode)).rejects.toMatchObject({
        code: 'bad_answer',
      });
      expect(server.seen.length).toBeLessThanOrEqual(6);
    },
  );
});

describe('a rejected authorization', () => {
  it('is renewed once', async () => {
    const server = await servers.http(({ headers }, response) => {
      if (headers.authorization === 'Bearer new') return 'fine';
      response.statusCode = 401;
      return {};
    });
    let header = 'Bearer old';
    const credential = {
      header: async () => header,
      onRefused: () => {
        header = 'Bearer new';
        return true;
      },
      secrets: () => [],
    };
    await expect(client(server.url, { credential }).read(get('/'), decode)).resolves.toBe('fine');
    expect(server.seen).toHaveLength(2);
  });

  it('is an error the second time', async () => {
    const server = await servers.http((_request, response) => {
      response.statusCode = 401;
      return { errors: { login: ['is locked'] } };
    });
    const credential = { header: async () => 'Bearer x', onRefused: () => true, secrets: () => [] };
    const read = client(server.url, { credential }).read(get('/'), decode);
    await expect(read).rejects.toMatchObject({
      code: 'not_authenticated',
      details: { said: 'login is locked' },
    });
    expect(server.seen).toHaveLength(2);
  });
});

describe('many concurrent reads', () => {
  it('are limited to half as many after a 429', async () => {
    const held: ServerResponse[] = [];
    const server = await servers.http((_request, response) => void held.push(response));
    const http = client(server.url);
    const reads = Promise.all(Array.from({ length: 20 }, () => http.read(get('/'), decode)));
    const arrived = async (count: number): Promise<ServerResponse[]> => {
      while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
      // Any further request has had many turns to start.
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return held.splice(0);
    };
    const first = await arrived(8);
    expect(first).toHaveLength(8);
    for (const response of first) response.writeHead(429).end();
    const second = await arrived(4);
    expect(second).toHaveLength(4);
    for (const response of second) response.end('{}');
    const third = await arrived(5);
    expect(third).toHaveLength(5);
    for (const response of third) response.end('{}');
    for (let left = 20 - 4 - 5; left > 0;) {
      for (const response of held.splice(0)) {
        left -= 1;
        response.end('{}');
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect(reads).resolves.toHaveLength(20);
  });
});

describe('the content of errors', () => {
  it('contains neither credentials nor the request', async () => {
    const bodies = [`<p>${key}</p>`, JSON.stringify({ message: `bad key API ${key}` }), key];
    for (const body of bodies) {
      const server = await servers.http((_request, response) => {
        response.statusCode = 403;
        response.end(body);
      });
      const http = client(server.url);
      const sent = await http.send({ method: 'POST', path: '/', body: Buffer.from('[]') });
      const failure: unknown = await http.read(get('/'), decode).catch((error: unknown) => error);
      for (const shown of [inspect(sent, { depth: 9 }), inspect(failure, { depth: 9, showHidden: true })]) {
        expect(shown.replaceAll(/bytes: <Buffer[^>]*>/g, '')).not.toContain(key);
      }
    }
  });
});

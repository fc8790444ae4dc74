import { describe, expect, it } from 'vitest';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const wits = { provider: 'demo', dataset: 'wits' };
const body = Buffer.from('[{"version":1}]');

describe('an insert', () => {
  it('accepts ids, failures, and messages of any form', async () => {
    const server = await servers.http(() => ({
      inserted_ids: ['66f0c0ffee00000000000001'],
      failed_count: 1,
      messages: ['bad', { index: 3 }, null],
    }));
    await expect(open(server.url).data.insert(wits, body, 2)).resolves.toEqual({
      kind: 'answered',
      insertedIds: ['66f0c0ffee00000000000001'],
      failedCount: 1,
      messages: ['bad', { index: 3 }, null],
    });
    expect(server.seen).toMatchObject([
      { method: 'POST', url: { pathname: '/api/v1/data/demo/wits/' }, body: '[{"version":1}]' },
    ]);
  });

  it('accepts missing messages and a count in digits', async () => {
    const server = await servers.http(() => ({ inserted_ids: [], failed_count: '2' }));
    const outcome = await open(server.url).data.insert(wits, body, 2);
    expect(outcome).toMatchObject({ kind: 'answered', failedCount: 2, messages: [] });
  });

  it.each(['{}', '[]', '<html>', '', '{"inserted_ids":[1]}', '{"inserted_ids":[],"failed_count":"some"}'])(
    'with 200 that can’t be read is unknown: %j',
    async (text) => {
      const server = await servers.http((_request, response) => void response.end(text));
      const outcome = await open(server.url).data.insert(wits, body, 1);
      expect(outcome).toMatchObject({ kind: 'unknown', status: 200, error: { code: 'bad_answer' } });
      expect(server.seen).toHaveLength(1);
    },
  );

  it.each([
    [401, 'not_authenticated', null],
    [413, 'too_large', null],
    [429, 'too_many_requests', 4000],
  ])('is not stored after %i', async (status, code, retryAfterMs) => {
    const server = await servers.http((_request, response) => {
      response.writeHead(status, { 'retry-after': '4' });
      return { message: 'no' };
    });
    const outcome = await open(server.url).data.insert(wits, body, 1);
    expect(outcome).toMatchObject({ kind: 'not_stored', status, retryAfterMs, error: { code } });
    expect(server.seen).toHaveLength(1);
  });

  it.each([400, 403, 404, 409, 422, 500, 502, 307])('is unknown after %i', async (status) => {
    const server = await servers.http((_request, response) => void response.writeHead(status).end('{}'));
    await expect(open(server.url).data.insert(wits, body, 1)).resolves.toMatchObject({
      kind: 'unknown',
      status,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('is unknown without a response, and not sent if the connection is refused', async () => {
    const cutting = await servers.http((_request, _response, socket) => void socket.destroy());
    const unknown = await open(cutting.url).data.insert(wits, body, 1);
    expect(unknown).toMatchObject({ kind: 'unknown', status: null, error: { code: 'unreachable' } });
    const { url } = await servers.nobody();
    await expect(open(url).data.insert(wits, body, 1)).resolves.toMatchObject({ kind: 'not_sent' });
  });

  it('throws only when it is canceled before it is sent, or has an invalid size', async () => {
    const server = await servers.http(() => ({}));
    const { data } = open(server.url);
    await expect(data.insert(wits, body, 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    for (const rows of [0, 1001, 1.5]) {
      await expect(data.insert(wits, body, rows)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(server.seen).toEqual([]);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { type Demo, type Faults, faultNames, noFaults, parseFault, startDemo } from '../../src/demo/index.ts';
import { isAppError } from '../../src/shared/errors/errors.ts';
import { isObject } from '../../src/shared/json.ts';
import { object } from '../conformance/target.ts';
import { clientOf, someRecords } from './client.ts';

let demo: Demo | undefined;
afterEach(async () => demo?.close());

async function start(faults: Partial<Faults>): Promise<ReturnType<typeof clientOf>> {
  demo = await startDemo({ records: 2_000, faults });
  return clientOf(demo);
}
const wells = '/v2/wells';

describe('faults of any request', () => {
  test('rate_429 returns 429, without Retry-After', async () => {
    const reply = await (await start({ rate_429: 1 })).platform(wells);
    expect([reply.status, reply.headers.has('Retry-After')]).toEqual([429, false]);
    expect(reply.json).toMatchObject({ code: 429 });
  });

  test('retry_after sets seconds in Retry-After', async () => {
    const reply = await (await start({ rate_429: 1, retry_after: 3 })).definitions();
    expect([reply.status, reply.headers.get('Retry-After')]).toEqual([429, '3']);
  });

  test('rate_5xx returns 503', async () => {
    expect((await (await start({ rate_5xx: 1 })).platform(wells)).status).toBe(503);
  });

  test('html_errors returns errors as an HTML page', async () => {
    const reply = await (await start({ rate_5xx: 1, html_errors: true })).platform(wells);
    expect([reply.status, reply.headers.get('Content-Type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(reply.text).toMatch(/^<!doctype html>/);
  });

  test('reset_before resets the connection before anything is done', async () => {
    const client = await start({ reset_before: 1 });
    await expect(client.insert(someRecords(2))).rejects.toMatchObject({ code: 'ECONNRESET' });
    demo!.faults.reset_before = 0;
    expect(await client.uploaded()).toEqual([]);
  });

  test('truncate cuts the body in the middle', async () => {
    const client = await start({ truncate: 1 });
    await expect(client.platform(wells)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('a probability affects the same requests for the same seed', async () => {
    const statuses = async (): Promise<number[]> => {
      const client = await start({ rate_5xx: 0.4 });
      const statuses: number[] = [];
      for (let i = 0; i < 40; i += 1) statuses.push((await client.platform(wells, { per_page: 1 })).status);
      await demo?.close();
      return statuses;
    };
    const first = await statuses();
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await statuses()).toEqual(first);
  });

  test('fault_times ends a fault after this many requests, fault_after starts it after this many', async () => {
    const client = await start({ rate_5xx: 1, fault_times: 2, fault_after: 1 });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await client.platform(wells, { per_page: 1 })).status);
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
  });

  test.each(['reads', 'writes', 'platform', 'token'] as const)(
    'fault_on=%s affects only these',
    async (kind) => {
      const client = await start({ rate_5xx: 1, fault_on: kind });
      const body = { auth: { ...demo!.login } };
      const statuses = {
        reads: (await client.data('demo/wits/list/', {}, { body: { query: {}, sort: {}, limit: 1 } })).status,
        writes: (await client.insert(someRecords(1))).status,
        platform: (await client.platform(wells)).status,
        token: (await client.platform('/v1/user_token', {}, { authorization: null, body })).status,
      };
      expect(statuses).toEqual({ reads: 200, writes: 200, platform: 200, token: 200, [kind]: 503 });
    },
  );

  test('latency_ms, jitter_ms, and bandwidth delay responses, and change nothing in them', async () => {
    const client = await start({});
    const plain = await client.platform(wells, { per_page: 2 });
    Object.assign(demo!.faults, { latency_ms: 20, jitter_ms: 20, bandwidth: 20_000 });
    const before = performance.now();
    const slow = await client.platform(wells, { per_page: 2 });
    // At 20,000 bytes per second, this body can't arrive sooner; a later arrival doesn't matter.
    expect(performance.now() - before).toBeGreaterThan(20 + (plain.text.length / 20_000 - 0.1) * 1000 - 5);
    expect(slow.text).toBe(plain.text);
  });
});

describe('faults of inserts', () => {
  test('reset_after_write stores all records, then resets the connection', async () => {
    const client = await start({ reset_after_write: 1 });
    await expect(client.insert(someRecords(3))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await client.uploaded()).toHaveLength(3);
  });

  test('fail_after_partial_write stores the first half, then returns 500', async () => {
    const client = await start({ fail_after_partial_write: 1 });
    expect((await client.insert(someRecords(4))).status).toBe(500);
    expect((await client.uploaded()).map((record) => record['timestamp'])).toEqual([1, 2]);
  });

  test('refuse_after_partial_write stores the first half, then returns 422', async () => {
    const client = await start({ refuse_after_partial_write: 1 });
    expect((await client.insert(someRecords(4))).status).toBe(422);
    expect((await client.uploaded()).map((record) => record['timestamp'])).toEqual([1, 2]);
  });

  test('late_commit_ms returns 504 immediately and stores later', async () => {
    const client = await start({ late_commit_ms: 600_000 });
    expect((await client.insert(someRecords(3))).status).toBe(504);
    expect(await client.uploaded()).toEqual([]);
    demo!.faults.late_commit_ms = 1;
    expect((await client.insert(someRecords(2))).status).toBe(504);
    await expect.poll(async () => (await client.uploaded()).length).toBe(2);
  });

  test('late_commit_ms affects only as many inserts as fault_times sets', async () => {
    const client = await start({ late_commit_ms: 600_000, fault_times: 1 });
    expect((await client.insert(someRecords(1))).status).toBe(504);
    expect((await client.insert(someRecords(1))).status).toBe(200);
  });

  test('stale_reads_ms shows inserted records late, and the others always', async () => {
    const client = await start({ stale_reads_ms: 600_000 });
    await client.insert(someRecords(2));
    expect(await client.uploaded()).toEqual([]);
    expect(await client.count('demo/uploads.time')).toBe(0);
    expect(await client.count('demo/wits')).toBeGreaterThan(0);
    demo!.faults.stale_reads_ms = 1;
    await expect.poll(async () => (await client.uploaded()).length).toBe(2);
  });

  test.each([
    ['indexed', { index: expect.any(Number) as number, message: expect.any(String) as string }],
    ['string', expect.any(String) as string],
    ['nested', { error: expect.any(Object) as object }],
    ['none', undefined],
  ] as const)('partial_failure skips records; messages of shape %s', async (message_shape, message) => {
    const client = await start({ partial_failure: 0.5, message_shape });
    const answer = object((await client.insert(someRecords(40))).json);
    const stored = await client.uploaded();
    expect(answer['inserted_ids']).toEqual(stored.map((record) => record['_id']));
    expect(stored.length + Number(answer['failed_count'])).toBe(40);
    expect(answer['failed_count']).toBeGreaterThan(5);
    const messages = answer['messages'] as unknown[];
    expect(messages).toEqual(message === undefined ? [] : messages.map(() => message));
    expect(messages.length).toBe(message === undefined ? 0 : answer['failed_count']);
    if (message_shape !== 'indexed') return;
    const failed = new Set((messages as { index: number }[]).map(({ index }) => index + 1));
    expect(stored.some((record) => failed.has(Number(record['timestamp'])))).toBe(false);
  });

  test('short_answer reports fewer records than the batch had', async () => {
    const client = await start({ short_answer: true });
    const answer = object((await client.insert(someRecords(4))).json);
    expect([(answer['inserted_ids'] as unknown[]).length, answer['failed_count']]).toEqual([3, 0]);
    expect(await client.uploaded()).toHaveLength(4);
  });

  test('rewrite_values rounds numbers and drops nulls', async () => {
    const client = await start({ rewrite_values: true });
    await client.insert([{ version: 1, asset_id: 5003, timestamp: 1, data: { a: 0.1, b: null, c: 3 } }]);
    expect((await client.uploaded())[0]?.['data']).toEqual({ a: Math.fround(0.1), c: 3 });
  });

  test('max_body returns 413 for larger bodies', async () => {
    const client = await start({ max_body: 1000 });
    expect((await client.insert(someRecords(100))).status).toBe(413);
    expect((await client.insert(someRecords(2))).status).toBe(200);
    expect(await client.uploaded()).toHaveLength(2);
  });
});

describe('faults of reads', () => {
  test('require_scope returns 400 without asset_id and company_id', async () => {
    const client = await start({ require_scope: true });
    const status = async (query: object): Promise<number> =>
      (await client.data('demo/wits/count/', { query: JSON.stringify(query) })).status;
    expect(await status({ timestamp: { $gt: 0 } })).toBe(400);
    expect(await status({ asset_id: 5003 })).toBe(200);
    expect(await status({ company_id: 1 })).toBe(200);
    expect(await status({ 'metadata.asset_id': 5003 })).toBe(200);
  });

  test('require_index returns 412 for sorts without an index', async () => {
    const client = await start({ require_index: true });
    const status = async (sort: Record<string, number>): Promise<number> =>
      (await client.data('demo/wits/', { query: { asset_id: 5003 }, sort, limit: 1 })).status;
    expect(await status({ 'data.rop': 1 })).toBe(412);
    expect(await status({ timestamp: -1, _id: 1 })).toBe(200);
    expect(await status({ _id: 1 })).toBe(200);
  });

  test('ids_unmatchable: filters on _id never match', async () => {
    const client = await start({ ids_unmatchable: true });
    const [first] = await client.records('demo/data.formations', { limit: 1 });
    expect(await client.records('demo/data.formations', { query: { _id: first?.['_id'] ?? '' } })).toEqual(
      [],
    );
    expect(await client.records('demo/data.formations', { query: { _id: { $gt: '' } } })).toEqual([]);
  });

  test('datetime_unmatchable: filters on datetime never match', async () => {
    const client = await start({ datetime_unmatchable: true });
    const [first] = await client.records('demo/sensors.pad', { limit: 1 });
    const query = { datetime: first?.['datetime'] ?? '' };
    expect(await client.records('demo/sensors.pad', { query })).toEqual([]);
  });

  test('unstable_ties: records with equal sort values change places', async () => {
    const client = await start({});
    await client.insert(someRecords(20).map((record) => ({ ...record, timestamp: 7 })));
    const read = async (): Promise<string> =>
      JSON.stringify(
        (await client.records('demo/uploads.time', { sort: { timestamp: 1 } })).map((r) => r['_id']),
      );
    expect(await read()).toBe(await read());
    demo!.faults.unstable_ties = true;
    const orders = new Set<string>();
    for (let i = 0; i < 12; i += 1) orders.add(await read());
    expect(orders.size).toBe(2);
  });

  test('no_total: include_count returns no Total header', async () => {
    const client = await start({ no_total: true });
    const reply = await client.data('demo/wits/', { query: {}, sort: {}, limit: 1, include_count: true });
    expect([reply.status, reply.headers.has('Total')]).toEqual([200, false]);
  });
});

describe('faults of the platform', () => {
  test('cap_per_page caps the page below the requested size', async () => {
    const client = await start({ cap_per_page: 7 });
    expect(object((await client.platform(wells, { per_page: 100 })).json)['data']).toHaveLength(7);
    expect(object((await client.platform(wells, { per_page: 100, page: 5 })).json)['data']).toHaveLength(2);
  });

  test('ignore_page returns the first page again', async () => {
    const client = await start({ ignore_page: true });
    const first = await client.platform(wells, { per_page: 5 });
    expect((await client.platform(wells, { per_page: 5, page: 2 })).text).toBe(first.text);
  });

  test('string_ids returns ids as strings of digits', async () => {
    const client = await start({ string_ids: true });
    const [well] = object((await client.platform(wells, { per_page: 1 })).json)['data'] as unknown[];
    expect(isObject(well) && well['id']).toMatch(/^\d+$/);
  });
});

describe('faults of tokens', () => {
  const tokenOf = async (auth: object): Promise<Record<string, string> & { status: number }> => {
    const client = clientOf(demo!);
    const reply = await client.platform(
      '/v1/user_token',
      {},
      { authorization: null, body: { auth: { ...auth } } },
    );
    return { status: reply.status, ...(reply.json as Record<string, string>) } as Record<string, string> & {
      status: number;
    };
  };

  test('token_lifetime_s sets when tokens expire; an expired one returns 401', async () => {
    const client = await start({ token_lifetime_s: -1 });
    const expired = await tokenOf(demo!.login);
    expect(
      (await client.platform(wells, {}, { authorization: `Bearer ${expired['jwt'] ?? ''}` })).status,
    ).toBe(401);
    demo!.faults.token_lifetime_s = 600;
    const alive = await tokenOf(demo!.login);
    const claims = JSON.parse(Buffer.from(alive['jwt']?.split('.')[1] ?? '', 'base64url').toString()) as {
      iat: number;
      exp: number;
    };
    expect(claims.exp - claims.iat).toBe(600);
    expect((await client.platform(wells, {}, { authorization: `Bearer ${alive['jwt'] ?? ''}` })).status).toBe(
      200,
    );
  });

  test('refresh_revoked returns 401 for a refresh, with the body of the token endpoint', async () => {
    await start({ refresh_revoked: true });
    const { refresh_token } = await tokenOf(demo!.login);
    const refused = await tokenOf({ refresh_token });
    expect(refused).toEqual({ status: 401, errors: { login: [expect.any(String)] } });
  });
});

describe('faults by name', () => {
  test.each([
    ['latency_ms=250', { latency_ms: 250 }],
    ['rate_429=0.25', { rate_429: 0.25 }],
    ['retry_after=none', { retry_after: -1 }],
    ['html_errors=true', { html_errors: true }],
    ['ignore_page=off', { ignore_page: false }],
    ['message_shape=nested', { message_shape: 'nested' }],
    ['fault_on=writes', { fault_on: 'writes' }],
  ])('%s is accepted', (text, faults) => {
    expect(parseFault(text)).toEqual(faults);
  });

  test.each([
    'nothing=1',
    'latency_ms',
    'latency_ms=',
    'latency_ms=soon',
    'html_errors=perhaps',
    'message_shape=round',
    'message_shape=writes',
    'fault_on=none',
    '=',
    'toString=1',
    'rate_429=2',
    'rate_429=-1',
  ])('%s is rejected with a helpful message', (text) => {
    const failure = (() => {
      try {
        return parseFault(text);
      } catch (error) {
        return error;
      }
    })();
    expect(isAppError(failure, 'invalid_input')).toBe(true);
    expect((failure as Error).message).toMatch(/number|true or false|one of|from 0 to 1/);
  });

  test('an unknown name is rejected with the list of names', () => {
    expect(() => parseFault('nothing=1')).toThrow(faultNames.join(', '));
  });

  test('without a fault everything follows the specification', () => {
    expect(Object.values(noFaults).filter((value) => value !== 0 && value !== false)).toEqual([
      -1,
      'indexed',
      'all',
    ]);
  });
});

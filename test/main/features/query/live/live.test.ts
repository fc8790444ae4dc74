import { afterEach, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../../src/demo/index.ts';
import {
  createLive,
  NewerRecords,
  type PageRequester,
  type Batch,
} from '../../../../../src/main/features/query/live/live.ts';
import type { Services } from '../../../../../src/main/core/wire/services/services.ts';
import type { LiveEvent, LiveRequest } from '../../../../../src/shared/tabs/live.ts';
import { testClock } from '../../../../support/clock.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import fc from 'fast-check';
import type { JsonObject } from '../../../../../src/shared/json.ts';

const servers = useServers();
const open = useServices();
const request: LiveRequest = {
  connection: 'c',
  provider: 'demo',
  dataset: 'wits',
  query: '{}',
  fields: [],
  field: 'timestamp',
  everyMs: 5000,
  after: null,
  first: 10,
};

/** Collects this many events. */
async function collect(
  services: Services,
  count: number,
  asked: Partial<LiveRequest> = {},
  clock = testClock(),
): Promise<LiveEvent[]> {
  const stop = new AbortController();
  const live = createLive({ services: () => services, clock });
  const events: LiveEvent[] = [];
  for await (const event of await live({ ...request, ...asked }, { signal: stop.signal })) {
    events.push(event);
    if (events.length === count) break;
  }
  stop.abort();
  return events;
}
const idsIn = (event: LiveEvent | undefined): string[] =>
  event?.kind === 'records' ? (JSON.parse(event.records) as { _id: string }[]).map(({ _id }) => _id) : [];

describe('a live dataset', () => {
  let demo: Demo | null = null;
  afterEach(async () => {
    await demo?.close();
    demo = null;
  });

  it('returns its newest records, then new ones, each once and in order', async () => {
    demo = await startDemo({ wells: 8, records: 2000, live: true });
    const services = open(demo.dataUrl, { credential: { method: 'api_key', apiKey: demo.apiKeys.read } });
    const real = { ...testClock(), wait: () => new Promise<void>((done) => setTimeout(done, 700)) };
    const stop = new AbortController();
    const live = createLive({ services: () => services, clock: real });
    const ids: string[] = [];
    const times: number[] = [];
    for await (const event of await live(request, { signal: stop.signal })) {
      if (event.kind !== 'records') continue;
      for (const record of JSON.parse(event.records) as { _id: string; timestamp: number }[]) {
        ids.push(record._id);
        times.push(record.timestamp);
      }
      if (ids.length > 16) break;
    }
    stop.abort();
    expect(new Set(ids).size).toBe(ids.length);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('is requested once at a time, with a pause after each request', async () => {
    const clock = testClock();
    const server = await servers.http((_request, response) => void response.end('[]'));
    const events = await collect(open(server.url), 4, {}, clock);
    expect(events.map(({ kind }) => kind)).toEqual(['nothing', 'nothing', 'nothing', 'nothing']);
    expect(clock.waits.slice(0, 3)).toEqual([5000, 5000, 5000]);
  });

  it('continues from a cursor, with a small overlap, and keeps the user’s own conditions', async () => {
    const answers = ['[{"_id":"a","timestamp":50000},{"_id":"b","timestamp":50000}]', '[]'];
    const server = await servers.http((_request, response) => void response.end(answers.shift() ?? '[]'));
    const after = { value: 50_000, floor: 0, ids: ['a'] };
    const [event] = await collect(open(server.url), 1, {
      after,
      query: '{asset_id: 7, timestamp: {$lt: 90000}}',
    });
    expect(idsIn(event)).toEqual(['b']);
    const { searchParams } = server.seen[0]?.url ?? new URL('http://none');
    expect(JSON.parse(searchParams.get('query') ?? '')).toEqual({
      asset_id: 7,
      timestamp: { $lt: 90_000, $gte: 40_000 },
    });
    expect(searchParams.get('sort')).toBe('{"timestamp":1}');
    const own = await servers.http((_request, response) => void response.end('[]'));
    await collect(open(own.url), 1, { after, query: '{timestamp: {$gt: 45000}}' });
    expect(JSON.parse(own.seen[0]?.url.searchParams.get('query') ?? '')).toEqual({
      timestamp: { $gt: 45_000, $lt: expect.any(Number) },
    });
  });

  it('is read with its wells and logs, whatever fields are selected', async () => {
    const server = await servers.http((_request, response) => void response.end('[]'));
    const services = open(server.url);
    await collect(services, 1, { fields: ['data.rop'] });
    await collect(services, 1, { field: 'measured_depth', fields: ['asset_id', 'data.rop'] });
    await collect(services, 1, { field: 'datetime', fields: ['data.rop'] });
    await collect(services, 1, { field: 'datetime', fields: ['metadata'] });
    await collect(services, 1);
    expect(server.seen.map(({ url }) => url.searchParams.get('fields'))).toEqual([
      'data.rop,timestamp,asset_id',
      'asset_id,data.rop,measured_depth,log_identifier',
      'data.rop,datetime,metadata.asset_id',
      'metadata,datetime',
      null,
    ]);
  });

  it('with times in an unknown format is read from its newest record down to known records', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    const stored = Array.from({ length: 130 }, (_, at) => ({
      _id: `r${at}`,
      datetime: new Date(start + at * 1000).toISOString(),
    }));
    const server = await servers.http((_request, response) => {
      const { searchParams } = server.seen.at(-1)?.url ?? new URL('http://none');
      expect([searchParams.get('query'), searchParams.get('sort')]).toEqual(['{}', '{"datetime":-1}']);
      const skip = Number(searchParams.get('skip') ?? 0);
      // Fewer than requested, as some services return.
      response.end(JSON.stringify(stored.toReversed().slice(skip, skip + 60)));
    });
    const field = 'datetime' as const;
    const [first] = await collect(open(server.url), 1, { field, first: 60 });
    if (first?.kind !== 'records') throw new Error('nothing came');
    expect([first.count, first.cursor.value]).toEqual([60, start + 129_000]);
    for (let at = 130; at < 300; at += 1)
      stored.push({ _id: `r${at}`, datetime: new Date(start + at * 1000).toISOString() });
    // One well is late.
    stored.splice(130, 0, { _id: 'late', datetime: new Date(start + 125_000).toISOString() });
    const [then, nothing] = await collect(open(server.url), 2, { field, after: first.cursor });
    expect(new Set(idsIn(then))).toEqual(new Set(['late', ...stored.slice(131).map(({ _id }) => _id)]));
    expect(nothing?.kind).toBe('nothing');
  });

  it('is requested less often after each failure, and normally after a success', async () => {
    let failing = true;
    const server = await servers.http((_request, response) => {
      response.statusCode = failing ? 500 : 200;
      response.end(failing ? '{"message":"no"}' : '[]');
    });
    const clock = testClock();
    const stop = new AbortController();
    const services = open(server.url);
    const live = createLive({ services: () => services, clock });
    const waits: number[] = [];
    let events = 0;
    for await (const event of await live(request, { signal: stop.signal })) {
      events += 1;
      if (event.kind === 'trouble') waits.push(event.nextTryMs);
      if (waits.length === 3) failing = false;
      if (events === 5) break;
    }
    stop.abort();
    expect(waits).toEqual([10_000, 20_000, 40_000]);
    expect(clock.waits.slice(0, 4)).toEqual([10_000, 20_000, 40_000, 5000]);
  });

  it('is requested from the services that are opened when those before are closed, as by another proxy', async () => {
    const server = await servers.http((_request, response) => void response.end('[]'));
    let services = open(server.url);
    const stop = new AbortController();
    const live = createLive({ services: () => services, clock: testClock() });
    const kinds: string[] = [];
    for await (const { kind } of await live(request, { signal: stop.signal })) {
      kinds.push(kind);
      if (kinds.length === 3) break;
      if (kinds.length === 2) services = open(server.url);
      else await services.close();
    }
    stop.abort();
    expect(kinds).toEqual(['nothing', 'trouble', 'nothing']);
  });

  it('ends when the connection has another address, also after a pause: other services have other records', async () => {
    const body = '[{"_id":"a","asset_id":1,"timestamp":1700000000000}]';
    const [one, other] = [
      await servers.http((_request, response) => void response.end(body)),
      await servers.http((_request, response) => void response.end('[]')),
    ];
    const [event] = await collect(open(one.url), 1);
    const after = event?.kind === 'records' ? event.cursor : null;
    expect(after).toMatchObject({ dataUrl: one.url });
    expect(await collect(open(one.url), 1, { after })).toEqual([{ kind: 'nothing' }]);
    await expect(collect(open(other.url), 1, { after })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(other.seen).toEqual([]);
  });

  it.each([
    [401, 'not_authenticated'],
    [403, 'forbidden'],
    [400, 'refused'],
  ] as const)('is not requested again after a %d', async (status, code) => {
    const server = await servers.http((_request, response) => {
      response.statusCode = status;
      response.end('{"message":"no"}');
    });
    await expect(collect(open(server.url), 9)).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
  });

  it('continues after a record of the year 2099 in each of two wells', async () => {
    demo = await startDemo({ wells: 8, records: 2000 });
    const change = (timestamp: number, n: number) =>
      demo?.change('demo/wits', {
        insert: [5001, 5002].map((asset_id) => ({
          company_id: 1,
          asset_id,
          version: 1,
          timestamp: timestamp + n,
        })),
      });
    change(Date.UTC(2099, 0, 1), 0);
    const services = open(demo.dataUrl, {
      credential: { method: 'api_key', apiKey: demo.apiKeys.read },
      clock: testClock({ start: Date.now(), frozen: true }),
    });
    const stop = new AbortController();
    const live = createLive({ services: () => services, clock: testClock() });
    const counts: number[] = [];
    const now = Date.now();
    for await (const event of await live(request, { signal: stop.signal })) {
      if (event.kind === 'records') counts.push(event.count);
      if (counts.length === 3) break;
      change(now, counts.length * 1000);
    }
    stop.abort();
    expect(counts).toEqual([10, 2, 2]);
  });

  it('rejects a condition that can’t be narrowed', async () => {
    const server = await servers.http((_request, response) => void response.end('[]'));
    await expect(collect(open(server.url), 1, { query: '{timestamp: null}' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(server.seen).toEqual([]);
  });
});

/** A dataset that responds as a service does, never with more than `cap` records at a time. */
function datasetOf(records: JsonObject[], cap: number): PageRequester {
  const time = (record: JsonObject) => Number(record['timestamp']);
  return async ({ above, direction, skip, limit }) =>
    records
      .filter((record) => above === null || time(record) >= above)
      .toSorted((a, b) => direction * (time(a) - time(b)))
      .slice(skip, skip + Math.min(limit, cap));
}
const idsOf = (batches: readonly Batch[]) =>
  batches.flatMap(({ records }) => records.map((record) => (record as JsonObject)['_id']));
async function all(newer: NewerRecords): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of newer.since()) batches.push(batch);
  return batches;
}
const field = 'timestamp';
const record = (_id: string, timestamp: number): JsonObject => ({ _id, timestamp });

describe('newer records', () => {
  it('are returned once each, however many share a value, with any page cap of the service', async () => {
    const times = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 5 }), async (rounds, cap) => {
        const records: JsonObject[] = [record('first', 1000)];
        // Pages as large as the number of records with one value, so that they can be paged.
        const newer = new NewerRecords(
          { requestPage: datasetOf(records, 12 + cap), field, lookBack: 0, pageSize: 12 + cap },
          null,
        );
        const received = idsOf([await newer.newest(10)].flatMap((batch) => batch ?? []));
        let now = 1000;
        for (const [round, steps] of rounds.entries()) {
          for (const [at, step] of steps.entries()) records.push(record(`${round}/${at}`, (now += step)));
          received.push(...idsOf(await all(newer)));
        }
        expect(received).toEqual(records.map(({ _id }) => _id));
      }),
    );
  });

  it('of one value may fill several pages', async () => {
    const records = [record('a', 1)];
    const newer = new NewerRecords(
      { requestPage: datasetOf(records, 10), field, lookBack: 0, pageSize: 10 },
      null,
    );
    await newer.newest(10);
    records.push(...Array.from({ length: 35 }, (_, at) => record(`b${at}`, 2)));
    expect(idsOf(await all(newer))).toHaveLength(35);
    expect(await all(newer)).toEqual([]);
    records.push(record('late twin', 2), record('c', 3));
    expect(idsOf(await all(newer))).toEqual(['late twin', 'c']);
  });

  it('come to an end when a service ignores `skip`', async () => {
    const records = [record('a', 1)];
    const all10 = datasetOf(records, 10);
    const newer = new NewerRecords(
      { requestPage: (page) => all10({ ...page, skip: 0 }), field, lookBack: 0, pageSize: 10 },
      null,
    );
    await newer.newest(10);
    records.push(...Array.from({ length: 35 }, (_, at) => record(`b${at}`, 2)));
    expect(idsOf(await all(newer)).length).toBeGreaterThan(0);
  });

  it.each([
    ['one record', 1],
    ['full pages', 10],
  ])('are not sought for ever where %s of a wrong time come for every request', async (_, count) => {
    let requests = 0;
    const requestPage: PageRequester = async () => {
      requests += 1;
      return Array.from({ length: count }, (_record, at) => record(`future${at}`, 9000));
    };
    const options = { requestPage, field, lookBack: 0, pageSize: 10, maxValue: () => 5000 } as const;
    await expect(new NewerRecords(options, null).newest(10)).rejects.toMatchObject({ code: 'bad_answer' });
    expect(requests).toBeLessThan(100);
  });

  it('that a service invents for ever end the turn, so that the next one comes after a pause', async () => {
    let requests = 0;
    const requestPage: PageRequester = async () => [record(`invented${(requests += 1)}`, 2)];
    const newer = new NewerRecords({ requestPage, field, lookBack: 0, pageSize: 10 }, null);
    await newer.newest(1);
    await all(newer);
    expect(requests).toBeLessThan(1100);
  });

  it('of a well that is late are found within the overlap', async () => {
    const records = [record('a0', 4000), record('a', 10_000)];
    const newer = new NewerRecords(
      { requestPage: datasetOf(records, 5), field, lookBack: 5000, pageSize: 100 },
      null,
    );
    await newer.newest(10);
    records.push(...Array.from({ length: 20 }, (_, at) => record(`a${at}`, 10_000 + at * 100)));
    expect(idsOf(await all(newer))).toHaveLength(20);
    records.push(record('late', 8000), record('too late', 1000), record('before', 3999));
    expect(idsOf(await all(newer))).toEqual(['late']);
  });

  it('of two wells that are late are found in the window that is searched from time to time, each once', async () => {
    const of = (well: number, n: number): JsonObject => ({ ...record(`${well}/${n}`, n), asset_id: well });
    const records = [of(7, 1000)];
    let counts = 0;
    const newer = new NewerRecords(
      {
        requestPage: datasetOf(records, 50),
        async countBetween(from, to) {
          counts += 1;
          return records.filter(({ timestamp }) => Number(timestamp) >= from && Number(timestamp) < to)
            .length;
        },
        field,
        lookBack: 10,
        lateWindow: 1000,
        pageSize: 50,
      },
      null,
    );
    const received = idsOf([await newer.newest(10)].flatMap((batch) => batch ?? []));
    const expected: JsonObject[] = [of(7, 1000)];
    for (let n = 1001; n < 1301; n += 10) {
      // The second well is always 100 behind, and the third one comes once.
      const added = [
        of(7, n),
        ...(n > 1110 ? [of(8, n - 100)] : []),
        ...(n === 1201 ? [of(9, 1050), of(9, 1060)] : []),
      ];
      records.push(...added);
      expected.push(...added);
      received.push(...idsOf(await all(newer)));
    }
    expect(new Set(received).size).toBe(received.length);
    expect(new Set(received)).toEqual(new Set(expected.map(({ _id }) => _id)));
    expect(counts).toBe(5);
  });

  it('are not hidden by records with a wrong time', async () => {
    const records = [record('a', 1000), record('b', 1010), record('future', 5000), record('far future', 9e9)];
    const newer = new NewerRecords(
      { requestPage: datasetOf(records, 50), field, lookBack: 10, pageSize: 50, maxValue: () => 3000 },
      null,
    );
    expect(idsOf([await newer.newest(10)].flatMap((batch) => batch ?? []))).toEqual(['a', 'b']);
    records.push(record('c', 1020), record('d', 1030));
    expect(idsOf(await all(newer))).toEqual(['c', 'd']);
  });

  it('continue from another reader’s cursor', async () => {
    const records = [record('a', 1), record('b', 2), record('c', 2)];
    const requestPage = datasetOf(records, 100);
    const newer = new NewerRecords(
      { requestPage, field, lookBack: 0, pageSize: 100 },
      { value: 2, floor: 0, ids: ['b'] },
    );
    expect(idsOf(await all(newer))).toEqual(['c']);
  });

  it('start in an empty dataset', async () => {
    const records: JsonObject[] = [];
    const newer = new NewerRecords(
      { requestPage: datasetOf(records, 100), field, lookBack: 0, pageSize: 100 },
      null,
    );
    expect(await newer.newest(10)).toBeNull();
    expect(await all(newer)).toEqual([]);
    records.push(record('a', 1), { _id: 'no time' });
    expect(idsOf(await all(newer))).toEqual(['a']);
  });

  it('are read past those whose time is ahead of the clock, where times can’t be queried', async () => {
    const at = (id: string, seconds: number): JsonObject => ({
      _id: id,
      datetime: new Date(seconds * 1000).toISOString(),
    });
    const ahead = Array.from({ length: 150 }, (_, n) => at(`ahead${n}`, 10_000 + n));
    const records = [at('a', 1), ...ahead];
    const requestPage: PageRequester = async ({ skip, limit }) =>
      records.toReversed().slice(skip, skip + limit);
    const maxValue = () => 5_000_000;
    const newer = new NewerRecords(
      { requestPage, field: 'datetime', lookBack: 0, pageSize: 100, maxValue },
      null,
    );
    expect(idsOf([await newer.newest(200)].flatMap((batch) => batch ?? []))).toEqual(['a']);
    records.splice(1, 0, at('b', 2));
    expect(idsOf(await all(newer))).toEqual(['b']);
  });

  it('begin behind any number of pages whose times are ahead of the clock', async () => {
    const at = (id: string, seconds: number): JsonObject => ({
      _id: id,
      datetime: new Date(seconds * 1000).toISOString(),
    });
    const ahead = Array.from({ length: 1200 }, (_, n) => at(`ahead${n}`, 10_000 + n));
    const records = [at('a', 1), at('b', 2), ...ahead];
    const requestPage: PageRequester = async ({ skip, limit }) =>
      records.toReversed().slice(skip, skip + limit);
    const open = () =>
      new NewerRecords(
        { requestPage, field: 'datetime', lookBack: 0, pageSize: 1000, maxValue: () => 5_000_000 },
        null,
      );
    expect(idsOf([await open().newest(100)].flatMap((batch) => batch ?? []))).toEqual(['a', 'b']);
    expect(idsOf(await all(open()))).toEqual(['a', 'b']);
  });

  it('keep no more ids in memory than can repeat', async () => {
    const records = [record('a', 1)];
    const newer = new NewerRecords(
      { requestPage: datasetOf(records, 100), field, lookBack: 2, pageSize: 100 },
      null,
    );
    await newer.newest(10);
    records.push(...Array.from({ length: 50 }, (_, at) => record(`r${at}`, 2 + at)));
    const batches = await all(newer);
    expect(batches.at(-1)?.cursor).toEqual({ value: 51, floor: 1, ids: ['r47', 'r48', 'r49'] });
  });
});

describe.each(['America/Chicago', 'Europe/Berlin'])('newer records on a computer in %s', (zone) => {
  const own = process.env['TZ'];
  afterEach(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });

  it.each(['2024-03-10', '2024-03-31'])('are complete when daylight saving starts, %s', async (day) => {
    process.env['TZ'] = zone;
    const at = (n: number): JsonObject => ({
      _id: `r${n}`,
      datetime: new Date(Date.parse(`${day}T00:00:00Z`) + n * 600_000).toISOString().slice(0, 19),
    });
    const records = [at(0)];
    const requestPage: PageRequester = async ({ skip, limit }) =>
      records.toReversed().slice(skip, skip + limit);
    const newer = new NewerRecords({ requestPage, field: 'datetime', lookBack: 10_000, pageSize: 100 }, null);
    await newer.newest(10);
    const received: unknown[] = [];
    for (let n = 1; n < 24; n += 1) {
      records.push(at(n));
      received.push(...idsOf(await all(newer)));
    }
    expect(received).toEqual(records.slice(1).map(({ _id }) => _id));
  });
});

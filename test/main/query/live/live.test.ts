import { afterEach, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { createLive } from '../../../../src/main/query/live/live.ts';
import type { Services } from '../../../../src/main/services/services.ts';
import type { LiveEvent, LiveRequest } from '../../../../src/shared/tabs/live.ts';
import { testClock } from '../../../support/clock.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

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

/** Listens until so many events were heard. */
async function heard(
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

describe('a dataset that is followed', () => {
  let demo: Demo | null = null;
  afterEach(async () => {
    await demo?.close();
    demo = null;
  });

  it('gives its newest records, then those that come, each once and in order', async () => {
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

  it('is asked once at a time, with a pause after each question', async () => {
    const clock = testClock();
    const server = await servers.http((_request, response) => void response.end('[]'));
    const events = await heard(open(server.url), 4, {}, clock);
    expect(events.map(({ kind }) => kind)).toEqual(['nothing', 'nothing', 'nothing', 'nothing']);
    expect(clock.waits.slice(0, 3)).toEqual([5000, 5000, 5000]);
  });

  it('goes on from a cursor, asks from a little below it, and leaves the person’s own conditions alone', async () => {
    const answers = ['[{"_id":"a","timestamp":50000},{"_id":"b","timestamp":50000}]', '[]'];
    const server = await servers.http((_request, response) => void response.end(answers.shift() ?? '[]'));
    const after = { value: 50_000, floor: 0, ids: ['a'] };
    const [event] = await heard(open(server.url), 1, {
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
    await heard(open(own.url), 1, { after, query: '{timestamp: {$gt: 45000}}' });
    expect(own.seen[0]?.url.searchParams.get('query')).toBe('{"timestamp":{"$gt":45000}}');
  });

  it('whose times are kept in a form nobody knows is read from its newest record down to what is known', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    const stored = Array.from({ length: 130 }, (_, at) => ({
      _id: `r${at}`,
      datetime: new Date(start + at * 1000).toISOString(),
    }));
    const server = await servers.http((_request, response) => {
      const { searchParams } = server.seen.at(-1)?.url ?? new URL('http://none');
      expect([searchParams.get('query'), searchParams.get('sort')]).toEqual(['{}', '{"datetime":-1}']);
      const skip = Number(searchParams.get('skip') ?? 0);
      // Fewer than was asked for, as some services give.
      response.end(JSON.stringify(stored.toReversed().slice(skip, skip + 60)));
    });
    const field = 'datetime' as const;
    const [first] = await heard(open(server.url), 1, { field });
    if (first?.kind !== 'records') throw new Error('nothing came');
    expect([first.count, first.cursor.value]).toEqual([60, start + 129_000]);
    for (let at = 130; at < 300; at += 1)
      stored.push({ _id: `r${at}`, datetime: new Date(start + at * 1000).toISOString() });
    // One well is late.
    stored.splice(130, 0, { _id: 'late', datetime: new Date(start + 125_000).toISOString() });
    const [then, nothing] = await heard(open(server.url), 2, { field, after: first.cursor });
    expect(new Set(idsIn(then))).toEqual(new Set(['late', ...stored.slice(131).map(({ _id }) => _id)]));
    expect(nothing?.kind).toBe('nothing');
  });

  it('is left alone longer after each failure, and asked as usual once it answers', async () => {
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

  it.each([
    [401, 'not_authenticated'],
    [403, 'forbidden'],
    [400, 'refused'],
  ] as const)('is not asked again after a %d', async (status, code) => {
    const server = await servers.http((_request, response) => {
      response.statusCode = status;
      response.end('{"message":"no"}');
    });
    await expect(heard(open(server.url), 9)).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
  });

  it('refuses a condition that can’t be narrowed', async () => {
    const server = await servers.http((_request, response) => void response.end('[]'));
    await expect(heard(open(server.url), 1, { query: '{timestamp: null}' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(server.seen).toEqual([]);
  });
});

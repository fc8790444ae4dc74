import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const wellsOf = (ids: readonly (number | string)[]) => ({
  data: ids.map((id) => ({ id, type: 'well', attributes: { name: `W${id}` } })),
});
const range = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const number = (url: URL, name: string) => Number(url.searchParams.get(name));

describe('a platform list', () => {
  it('sends filters as the specification names them, with repeated arrays', async () => {
    const server = await servers.http(() => ({ data: [] }));
    const { platform } = open(server.url);
    await platform.list('wells', {
      ids: [1, 2],
      asset_id: [7, 8],
      status: 'active',
      search: '',
      fields: ['well.name'],
    });
    const { searchParams, pathname } = server.seen[0]?.url ?? new URL('http://none');
    expect(pathname).toBe('/v2/wells');
    expect([...searchParams]).toEqual([
      ['ids[]', '1'],
      ['ids[]', '2'],
      ['fields[]', 'well.name'],
      ['asset_id[]', '7'],
      ['asset_id[]', '8'],
      ['status', 'active'],
      ['per_page', '1000'],
      ['page', '1'],
    ]);
  });

  it('stops immediately on an empty first page, and requests once more after a short one', async () => {
    const empty = await servers.http(() => ({ data: [] }));
    await expect(open(empty.url).platform.list('rigs', {})).resolves.toEqual([]);
    expect(empty.seen).toHaveLength(1);
    const short = await servers.http(({ url }) => wellsOf(number(url, 'page') === 1 ? [1, 2] : []));
    await expect(open(short.url).platform.list('wells', {})).resolves.toHaveLength(2);
    expect(short.seen).toHaveLength(2);
  });

  it('has every item of an answer that ignores `per_page`, and of the next one, however many they are', async () => {
    const pages = [range(200_000), range(150_000).map((id) => id + 200_000)];
    const server = await servers.http(({ url }) => ({
      data: (pages[number(url, 'page') - 1] ?? []).map((id) => ({ id })),
    }));
    const wells = await open(server.url).platform.list('wells', {});
    expect(wells).toHaveLength(350_000);
    expect(wells.at(-1)?.id).toBe(350_000);
  });

  it('of a service that invents entries for ever ends with an error', async () => {
    const server = await servers.http(({ url }) => ({
      data: range(50_000).map((id) => ({ id: number(url, 'page') * 50_000 + id })),
    }));
    await expect(open(server.url).platform.list('wells', {})).rejects.toMatchObject({
      code: 'bad_answer',
      details: { service: 'platform' },
    });
    expect(server.seen.length).toBeLessThan(25);
  });

  it('stops on a short page after a full one', async () => {
    const all = range(1500);
    const server = await servers.http(({ url }) => {
      const from = (number(url, 'page') - 1) * 1000;
      return wellsOf(all.slice(from, from + 1000));
    });
    await expect(open(server.url).platform.list('wells', {})).resolves.toHaveLength(1500);
    expect(server.seen).toHaveLength(2);
  });

  it('survives any cap of per_page, and an ignored page number: every item once, and it ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        async (count, cap, ignoresPage) => {
          const all = range(count);
          const server = await servers.http(({ url }) => {
            const size = Math.min(cap, number(url, 'per_page'));
            const from = ignoresPage ? 0 : (number(url, 'page') - 1) * size;
            return wellsOf(all.slice(from, from + size));
          });
          const wells = await open(server.url).platform.list('wells', { per_page: 20 });
          // More than a full page that repeats are requested at once.
          const expected = ignoresPage ? all.slice(0, cap) : all;
          expect(wells.map(({ id }) => id)).toEqual(expected);
          expect(server.seen.length).toBeLessThanOrEqual(Math.ceil(count / Math.min(cap, 20)) + 2);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('of a service that ignores the page number and has more than can be requested at once is refused, not cut', async () => {
    const server = await servers.http(({ url }) => wellsOf(range(Math.min(10_001, number(url, 'per_page')))));
    await expect(open(server.url).platform.list('wells', {})).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('has items that moved between pages once', async () => {
    const pages = [range(3), [3, 4, 5], [5]];
    const server = await servers.http(({ url }) => wellsOf(pages[number(url, 'page') - 1] ?? []));
    const wells = await open(server.url).platform.list('wells', {});
    expect(wells.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads ids as digits, and skips items without an id', async () => {
    const server = await servers.http(() => ({
      data: [
        { id: '12', type: 'well' },
        { id: null, type: 'well' },
        'x',
        { id: 'a1' },
        { id: 13, attributes: null },
      ],
    }));
    await expect(open(server.url).platform.list('wells', {})).resolves.toEqual([
      { id: 12, type: 'well', attributes: {} },
      { id: 13, type: '', attributes: {} },
    ]);
  });

  it('has every pad of many wells once, although a pad has wells of both halves of the filter', async () => {
    const wells = range(600);
    const pads = ['both', 'both', 'both', 'second', 'second'];
    const server = await servers.http(({ url }) => {
      const ids = url.searchParams.getAll('well_ids[]').map(Number);
      const matching = pads.flatMap((of, at) => (of === 'both' || ids.includes(600) ? [at + 1] : []));
      const from = (number(url, 'page') - 1) * 2;
      return wellsOf(matching.slice(from, from + 2));
    });
    const listed = await open(server.url).platform.list('pads', { well_ids: wells });
    expect(listed.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  });

  it('of many ids stays in its order: it isn’t requested in parts when it is sorted', async () => {
    const server = await servers.http(({ url }, response) => {
      const ids = url.searchParams.getAll('ids[]').map(Number);
      if (ids.length > 400) response.writeHead(414).end();
      return ids.length > 400 ? undefined : wellsOf(number(url, 'page') === 1 ? ids.toReversed() : []);
    });
    const { platform } = open(server.url);
    for (const sorting of [{ sort: 'id', order: 'desc' }, { order: 'desc' }] as const) {
      const sorted = await platform.list('wells', { ids: range(400), ...sorting });
      expect(sorted.map(({ id }) => id)).toEqual(range(400).toReversed());
      const tooMany = platform.list('wells', { ids: range(401), ...sorting });
      await expect(tooMany).rejects.toThrow(/sort/);
    }
    for (const filter of [{ ids: range(401) }, { ids: range(401), order: 'asc' }] as const)
      await expect(platform.list('wells', filter)).resolves.toHaveLength(401);
  });

  it('of one page is that page alone', async () => {
    const server = await servers.http(() => wellsOf([1]));
    const { platform } = open(server.url);
    await platform.list('pads', { page: 3 });
    await platform.pages('wells', { per_page: 1 }).next();
    expect(server.seen.map(({ url }) => url.search)).toEqual(['?page=3', '?per_page=1&page=1']);
  });

  it('rejects part of a box, and unsupported filters', async () => {
    const server = await servers.http(() => ({ data: [] }));
    const { platform } = open(server.url);
    await expect(platform.list('wells', { lat_start: 1 })).rejects.toThrow(/all four/);
    const wrong: object = { colour: 'red' };
    await expect(platform.list('wells', wrong)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(server.seen).toEqual([]);
  });

  it('that isn’t a list is reported', async () => {
    const server = await servers.http(() => ({ message: 'no' }));
    await expect(open(server.url).platform.list('wells', {})).rejects.toMatchObject({
      code: 'bad_answer',
      details: { service: 'platform', problem: 'it is not a list' },
    });
  });
});

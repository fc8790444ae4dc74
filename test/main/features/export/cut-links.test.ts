import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findInPages } from '../../../../src/main/core/reading/pages.ts';
import { waitingServices } from '../../../../src/main/core/jobs/waits.ts';
import { isObject, parseJson } from '../../../../src/shared/json.ts';
import { seededRandom } from '../../../support/clock.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { planFor, runExport, runUntil } from './support/jobs.ts';
import { idAt, Rows } from './support/rows.ts';
import { recordsService } from './support/service.ts';

const folder = useFolders();
const servers = useServers();
const open = useServices();
const address = { provider: 'demo', dataset: 'wits' };

/** Records of a size in bytes. @param length of each, for the nth */
const records = (count: number, length: (n: number) => number): string[] =>
  Array.from(
    { length: count },
    (_, n) => `{"_id":"${idAt(n + 1)}","timestamp":${n >> 1},"note":"${'x'.repeat(length(n))}"}`,
  );

const service = async (texts: readonly string[], cutAfter?: (nth: number) => number) => {
  const rows = new Rows(texts);
  const server = await servers.http(recordsService(rows, cutAfter ? { cutAfter } : {}));
  return { services: open(server.url), rows, seen: server.seen };
};

const limitsOf = (seen: readonly { url: URL }[]): number[] =>
  seen.map(({ url }) => Number(url.searchParams.get('limit'))).filter((limit) => limit > 1);

async function exported(services: Parameters<typeof runExport>[0]): Promise<Buffer> {
  const target = await folder();
  await runExport(services, await folder(), planFor(target, { format: 'ndjson' }));
  return readFileSync(join(target, 'out.ndjson'));
}

describe('an export over a link that cuts connections', () => {
  const texts = records(1600, () => 5500);

  it('after 3 MB ends whole, with the bytes of an uninterrupted one and few requests', async () => {
    const { services, rows } = await service(texts, () => 3_000_000);
    const uninterrupted = await service(texts);
    expect((await exported(services)).equals(await exported(uninterrupted.services))).toBe(true);
    expect(rows.requestCount).toBeLessThan(20);
  });

  it('at random places ends whole, with the same bytes', async () => {
    const expected = await exported((await service(texts)).services);
    for (const seed of [1, 2]) {
      const random = seededRandom(seed);
      const { services, rows } = await service(texts, () =>
        random() < 0.4 ? Math.floor(random() * 4_000_000) : Number.POSITIVE_INFINITY,
      );
      expect((await exported(services)).equals(expected)).toBe(true);
      expect(rows.requestCount).toBeLessThan(200);
    }
  }, 30_000);

  it('gets smaller pages where records become larger', async () => {
    const growing = records(1600, (n) => (n < 800 ? 100 : 20_000));
    const { services, rows } = await service(growing, () => 3_000_000);
    expect((await exported(services)).toString().split('\n')).toHaveLength(1601);
    expect(rows.requestCount).toBeLessThan(60);
  });

  it('begins with the size that fitted when it is resumed, and when the dataset is read again', async () => {
    const first = await service(texts, () => 1_000_000);
    const [job, target] = [await folder(), await folder()];
    const plan = planFor(target, { format: 'ndjson' });
    expect(await runUntil(first.services, job, plan, 800)).toBeUndefined();
    const resumed = await service(texts, () => 1_000_000);
    await runExport(resumed.services, job, plan);
    expect(limitsOf(resumed.seen)[0]).toBeGreaterThan(100);
    expect(limitsOf(resumed.seen)[0]).toBeLessThan(182);
    expect(readFileSync(join(target, 'out.ndjson')).equals(await exported(resumed.services))).toBe(true);
    const before = resumed.seen.length;
    await exported(resumed.services);
    expect(limitsOf(resumed.seen.slice(before))[0]).toBeGreaterThan(100);
  });

  it('doesn’t wait for the link of a job: a smaller page is requested at once', async () => {
    const { services } = await service(texts, () => 3_000_000);
    let waits = 0;
    const waiting = waitingServices(
      () => services,
      {
        waitForRecovery: async () => (waits += 1) < 100,
        waitWhilePaused: async () => undefined,
        isDeferred: () => true,
      },
      () => undefined,
    );
    await exported(waiting);
    expect(waits).toBe(0);
  });
});

it('a dataset of records that no full page can hold is exported', async () => {
  const { services, rows } = await service(records(1100, () => 60_000));
  expect((await exported(services)).toString().split('\n')).toHaveLength(1101);
  expect(rows.requestCount).toBeLessThan(40);
}, 30_000);

describe('a find over a link that cuts connections', () => {
  const find = { query: {}, sort: { timestamp: 1 }, limit: 1600, includeCount: true } as const;

  it('has the records of one request, in their order, and the next find begins with the size that fitted', async () => {
    const texts = records(1600, () => 5500);
    const { services, seen } = await service(texts, () => 3_000_000);
    const found = await findInPages(services.data, address, find, {});
    expect(found).toMatchObject({ count: 1600 });
    const parsed = parseJson(found.text);
    expect(Array.isArray(parsed) && parsed.map((one) => isObject(one) && one['timestamp'])).toEqual(
      texts.map((_, n) => n >> 1),
    );
    expect(seen.length).toBeLessThan(10);
    const before = seen.length;
    await findInPages(services.data, address, find, {});
    expect(limitsOf(seen.slice(before))[0]).toBeLessThan(600);
  });

  it('that succeeds is one request, as it was given', async () => {
    const { services, seen } = await service(records(5, () => 10));
    await findInPages(services.data, address, find, {});
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url.searchParams.get('sort')).toBe('{"timestamp":1}');
  });

  it('ends with fewer records than requested where the dataset does', async () => {
    const { services } = await service(
      records(100, () => 5500),
      () => 200_000,
    );
    expect(await findInPages(services.data, address, find, {})).toMatchObject({ count: 100 });
    const none = await service([]);
    expect((await findInPages(none.services.data, address, find, {})).text).toBe('[]');
  });
});

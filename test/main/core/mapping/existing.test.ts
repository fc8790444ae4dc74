import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { parseJson } from '../../../../src/shared/json.ts';
import { openServices } from '../../../support/services.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { fileWith, temporaryFolder } from '../../features/upload/support/files.ts';
import { planOf, runJob, type RunEnd, type RunOptions } from '../../features/upload/support/uploads.ts';

let demo: Demo;
let services: Services;
let wells: number[];
let day = 0;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 5 });
  services = openServices({
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    env: {},
  });
  const found = await services.platform.list('wells', {});
  wells = found.map(({ attributes }) => Number(attributes['asset_id']));
});
afterAll(async () => {
  await services.close();
  await demo.close();
});

const small = { batch: { rows: 7, bytes: 1 << 20 } };
/** Times of day that no other test uses: all tests share one dataset. */
const newDay = (): number => Date.UTC(2020, 0, ++day);
const csv = (start: number, rows: readonly number[], value = (n: number) => `${n}.5`): string =>
  [
    'asset_id,timestamp,version,data.n,data.note',
    ...rows.map((n) => `${wells[n % 2]},${start + n * 1000},1,${value(n)},`),
  ].join('\n');
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

interface Wanted extends Partial<RunOptions> {
  readonly existing?: 'skip' | 'insert';
  readonly dataset?: string;
}
async function upload(
  text: string,
  { existing = 'skip', dataset = 'uploads.time', ...more }: Wanted = {},
): Promise<RunEnd> {
  const plan =
    more.plan ?? (await planOf(await fileWith(text), services, { provider: 'demo', dataset, existing }));
  return runJob({ services, folder: await temporaryFolder(), engine: small, ...more, plan });
}
async function numbersFrom(start: number): Promise<number[]> {
  const { text } = await services.data.find(
    { provider: 'demo', dataset: 'uploads.time' },
    {
      query: { asset_id: { $in: wells }, timestamp: { $gte: start, $lt: start + 86_400_000 } },
      sort: { timestamp: 1 },
      limit: 10_000,
    },
  );
  return (parseJson(text) as { data: { n: number } }[]).map(({ data }) => data.n);
}

describe('rows that already exist in the dataset', () => {
  it('are not inserted by a second upload of the same file', async () => {
    const start = newDay();
    const first = await upload(csv(start, upTo(30)));
    expect(first.result?.ledger).toMatchObject({ accepted: 30, skipped: 0 });
    const second = await upload(csv(start, upTo(30)));
    expect(second.result?.ledger).toEqual({
      rows: 30,
      accepted: 30,
      rejected: 0,
      unknown: 0,
      pending: 0,
      skipped: 30,
    });
    expect(await numbersFrom(start)).toEqual(upTo(30).map((n) => n + 0.5));
  });

  it('are sent anyway on request', async () => {
    const start = newDay();
    await upload(csv(start, upTo(3)));
    const again = await upload(csv(start, upTo(3)), { existing: 'insert' });
    expect(again.result?.ledger).toMatchObject({ accepted: 3, skipped: 0 });
    expect(await numbersFrom(start)).toHaveLength(6);
  });

  it('are skipped, while the new rows of a longer file are sent', async () => {
    const start = newDay();
    await upload(csv(start, upTo(10)));
    const more = await upload(csv(start, upTo(25)));
    expect(more.result?.ledger).toMatchObject({ accepted: 25, skipped: 10 });
    expect(await numbersFrom(start)).toEqual(upTo(25).map((n) => n + 0.5));
  });

  it('count as often as they exist: two of three equal rows', async () => {
    const start = newDay();
    await upload(csv(start, [4, 4]), { existing: 'insert' });
    const thrice = await upload(csv(start, [4, 4, 4]));
    expect(thrice.result?.ledger).toMatchObject({ accepted: 3, skipped: 2 });
    expect(await numbersFrom(start)).toEqual([4.5, 4.5, 4.5]);
  });

  it('are compared with the dataset only: equal rows within the file are all sent', async () => {
    const start = newDay();
    const { result } = await upload(csv(start, [...upTo(8), ...upTo(8)]));
    expect(result?.ledger).toMatchObject({ accepted: 16, skipped: 0 });
    expect(await numbersFrom(start)).toHaveLength(16);
  });

  it('are sent with a warning when other values differ', async () => {
    const start = newDay();
    await upload(csv(start, upTo(5)));
    const { result } = await upload(csv(start, upTo(5), (n) => (n === 3 ? '99' : `${n}.5`)));
    expect(result?.ledger).toMatchObject({ accepted: 5, skipped: 4 });
    expect(result?.warnings).toContainEqual(
      expect.objectContaining({
        code: 'existing_differ',
        message: expect.stringMatching(/^1 row has.*; it isn’t skipped\.$/) as string,
      }),
    );
  });

  it('are rejected or skipped, never both, and the rejects file names the right rows', async () => {
    const start = newDay();
    await upload(csv(start, upTo(5)));
    const text = csv(start, upTo(12))
      .replace(`,${start + 9000},`, ',soon,')
      .replace(`,${start + 2000},`, ',never,');
    const { result, made } = await upload(text);
    expect(result?.ledger).toMatchObject({ rows: 12, accepted: 10, rejected: 2, skipped: 4 });
    const lines = (await readFile(made[0] ?? '', 'utf8')).trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(',').slice(1, 2)[0])).toEqual(['never', 'soon']);
    expect((await numbersFrom(start)).length).toBe(11);
  });

  it.each([0, 1, 2, 3, 5, 8])(
    'don’t include rows that this job stored before it was killed (after %i entries)',
    async (killAfter) => {
      const start = newDay();
      await upload(csv(start, [0, 1, 20, 21]));
      const text = csv(start, [...upTo(15), ...upTo(15), 20, 21, 20]);
      const plan = await planOf(await fileWith(text), services, {
        provider: 'demo',
        dataset: 'uploads.time',
        existing: 'skip',
        concurrency: 1,
      });
      const folder = await temporaryFolder();
      await upload(text, { plan, folder, killAfter });
      const { result } = await upload(text, { plan, folder });
      expect(result?.ledger).toMatchObject({ rows: 33, skipped: 4, rejected: 0, pending: 0 });
      const { accepted, unknown } = result?.ledger ?? { accepted: 0, unknown: 0 };
      expect(accepted + unknown).toBe(33);
      expect((await numbersFrom(start)).length).toBe(33 + 0);
      expect(await readFile(join(folder, 'existing'), 'latin1')).toMatch(/^record (\d+ ){4}1\n/);
    },
  );

  it('are read page by page, in full, when thousands share one time', async () => {
    const start = newDay();
    const rows = upTo(12_000).map((n) => `${wells[0]},${start},1,${n},`);
    const text = ['asset_id,timestamp,version,data.n,data.note', ...rows].join('\n');
    const engine = { batch: { rows: 1000, bytes: 1 << 22 } };
    await upload(text, { existing: 'insert', engine });
    const { result } = await upload(text, { engine });
    expect(result?.ledger).toMatchObject({ accepted: 12_000, skipped: 12_000 });
  });

  it('are found in a dataset without an index', async () => {
    const text = (names: string[]): string =>
      [
        'asset_id,version,data.formation,data.md',
        ...names.map((name, n) => `${wells[0]},1,${name},${n}.25`),
      ].join('\n');
    const dataset =
      (await services.data.datasets({ search: 'uploads' })).find(({ type }) => type === 'reference')
        ?.dataset ?? 'data.formations';
    await upload(text(['A', 'B']), { dataset });
    const { result } = await upload(text(['A', 'B', 'C']), { dataset });
    expect(result?.ledger).toMatchObject({ accepted: 3, skipped: 2 });
  });

  it.each([true, false])(
    'raise an error, not an endless read, when a service ignores `skip` (ids %s)',
    async (ids) => {
      const all = Array.from({ length: 30 }, (_, n) => ({ ...(ids ? { _id: `r${n}` } : {}), data: { n } }));
      const page = JSON.stringify(all.slice(0, 10));
      const data: Services['data'] = {
        ...services.data,
        count: async () => all.length,
        find: async () => ({ bytes: Buffer.from(page), text: page, count: 10, total: null }),
      };
      const definition = (await services.data.datasets({ search: 'uploads' })).find(
        ({ type }) => type === 'reference',
      );
      const text = `asset_id,version,data.formation,data.md\n${wells[0]},1,A,0.25\n`;
      const plan = await planOf(await fileWith(text), services, {
        provider: 'demo',
        dataset: definition?.dataset ?? 'data.formations',
        existing: 'skip',
      });
      const { error } = await runJob({
        plan,
        services: { ...services, data },
        folder: await temporaryFolder(),
        engine: small,
      });
      expect(error).toMatchObject({ code: 'bad_answer' });
      expect(error?.message).toContain('only 10 could be read');
    },
  );

  it('can’t be found without permission to read: nothing is sent, and the error has the next step', async () => {
    const start = newDay();
    const plan = await planOf(await fileWith(csv(start, upTo(3))), services, {
      provider: 'demo',
      dataset: 'uploads.time',
      existing: 'skip',
    });
    const otherServices = openServices({
      dataUrl: demo.dataUrl,
      platformUrl: demo.platformUrl,
      credential: { method: 'api_key', apiKey: 'nobody' },
      env: {},
    });
    const { error } = await upload('', { plan, services: otherServices });
    await otherServices.close();
    expect(error?.code).toMatch(/not_authenticated|forbidden/);
    expect(await numbersFrom(start)).toEqual([]);
  });
});

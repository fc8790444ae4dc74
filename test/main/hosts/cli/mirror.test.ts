import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { cliEnd, connectionEnv, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { filesIn, recordsById } from '../../features/export/support/folders.ts';
import {
  hourly,
  hourlySeries,
  instant,
  series,
  start,
  timed,
} from '../../features/export/support/mirrors.ts';
import { Rows } from '../../features/export/support/rows.ts';
import { recordsService } from '../../features/export/support/service.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 1000, wells: 2 });
});
afterAll(() => demo.close());
const folders = useFolders();
const servers = useServers();

describe('a mirror of a dataset that allows neither aggregations nor counts', () => {
  it.each([
    ['time', 403],
    ['timeseries', 422],
  ] as const)(
    'of %s records exits with 3, has "verified": false, and warns; one that counts exits with 0',
    async (type, status) => {
      const [data, work] = [await folders(), await folders()];
      const isSeries = type === 'timeseries';
      const rows = new Rows(isSeries ? hourlySeries(4) : hourly(4));
      let refused = {};
      const { url, seen } = await servers.http((...request) =>
        recordsService(rows, { type, refused })(...request),
      );
      const update = (statuses: { pipeline?: number; count?: number; total?: number }, json: boolean) => {
        refused = statuses;
        const args = ['mirror', 'demo/wits', '--out', join(work, 'wits'), '--data-dir', data];
        const env = { ...connectionEnv(demo), WELLBENCH_DATA_URL: url };
        return runInProcess([...args, ...(json ? ['--json'] : [])], env);
      };
      for (let n = 0; n < 2; n += 1) {
        const ended = await update({ pipeline: status, count: status, total: status }, true);
        expect(ended.summary()).toMatchObject({
          state: 'done',
          verified: false,
          warnings: [
            expect.stringContaining("couldn't be compared with the service's count"),
            expect.stringContaining('could not be compared with it'),
          ],
        });
        expect(ended.stderr).toContain('Warning: The service allows neither');
        expect(ended.code).toBe(3);
        for (const [at, well] of [5001, 5003].entries())
          rows.add(
            isSeries
              ? series(900 + 2 * n + at, well, instant(start + n))
              : timed(900 + 2 * n + at, well, start + n),
          );
      }
      // Only the records within the overlap were read again.
      const isUpdate = ({ url: { searchParams } }: (typeof seen)[number]): boolean =>
        Number(searchParams.get('limit')) > 1 && (searchParams.get('query') ?? '').includes('$gte');
      expect(seen.filter(isUpdate).length).toBeGreaterThan(0);
      expect((await update({ pipeline: status, count: status }, false)).code).toBe(3);
      const counted = await update({ pipeline: status }, true);
      expect(counted.summary()).toMatchObject({ rows: 12, verified: true, warnings: [] });
      expect(counted.code).toBe(0);
      expect((await update({ count: status }, true)).code).toBe(0);
    },
  );
});

describe('two processes that update one mirror', () => {
  const refusal = /another run/i;

  async function setUp(env = connectionEnv(demo)) {
    const work = await folders();
    const out = join(work, 'wits');
    const args = (data: string, to = out) => {
      const target = ['--out', to, '--data-dir', data];
      return ['mirror', 'demo/wits', ...target, '--json'];
    };
    /** A mirror that nobody else updated. No test changes the records. */
    let freshMirror: Promise<string> | null = null;
    async function makeFresh(): Promise<string> {
      const fresh = join(await folders(), 'fresh');
      expect((await runInProcess(args(await folders(), fresh), env)).code).toBe(0);
      return fresh;
    }
    return {
      out,
      startUpdate: (data: string) => startCli(args(data), env),
      run: (data: string) => runInProcess(args(data), env),
      async expectFresh(): Promise<void> {
        const fresh = await (freshMirror ??= makeFresh());
        const records = await recordsById(fresh);
        expect(Object.keys(records).length).toBeGreaterThan(1);
        expect(await recordsById(out)).toEqual(records);
        // No run leaves files that the table doesn't have.
        const places = (path: string) => filesIn(path).map((file) => file.replace(/part-.*/, 'part'));
        const isData = (file: string) => file.endsWith('part');
        expect(places(out).filter(isData)).toEqual(places(fresh).filter(isData));
      },
    };
  }

  /** A service that doesn't count until it is opened: a run that has locked its mirror waits. */
  async function closedService(rows: Rows) {
    const opening = Promise.withResolvers<void>();
    const isAsked = Promise.withResolvers<void>();
    const handler = recordsService(rows);
    const { url } = await servers.http(async (request, response, socket) => {
      if (request.url.searchParams.has('include_count')) {
        isAsked.resolve();
        await opening.promise;
      }
      return handler(request, response, socket);
    });
    return { url, isAsked: isAsked.promise, open: opening.resolve };
  }

  it.each(['one data folder', 'two data folders'])(
    'of %s: the second is refused in words while the first runs, and later finds nothing to do',
    async (what) => {
      const service = await closedService(new Rows(hourly(30)));
      const { startUpdate, run, expectFresh } = await setUp({
        ...connectionEnv(demo),
        WELLBENCH_DATA_URL: service.url,
      });
      const first = await folders();
      const second = what === 'one data folder' ? first : await folders();
      const end = cliEnd(startUpdate(first));
      await service.isAsked;
      const refused = await run(second);
      expect(refused.code).toBe(1);
      expect(refused.error()).toMatchObject({
        code: 'file_unwritable',
        message: expect.stringContaining('another run is updating it'),
      });
      service.open();
      const ended = await end;
      expect(ended.code).toBe(0);
      expect(ended.summary()).toMatchObject({ verified: true });
      await expectFresh();
      const again = await run(second);
      expect(again.code).toBe(0);
      expect(again.summary()).toMatchObject({ verified: true, added: 0, removed: 0, rewritten: 0 });
      await expectFresh();
    },
  );

  it('at the same moment: at least one succeeds, the other does too or is refused in words', async () => {
    const { startUpdate, expectFresh } = await setUp();
    const data = [await folders(), await folders()];
    for (let round = 0; round < 2; round += 1) {
      const ends = await Promise.all(data.map((place) => cliEnd(startUpdate(place))));
      expect(ends.map(({ code }) => code)).toContain(0);
      for (const { code, stderr } of ends) if (code !== 0) expect(stderr).toMatch(refusal);
      await expectFresh();
    }
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { noFaults, startDemo, type Demo } from '../../../../src/demo/index.ts';
import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { openDemoJobs, type DemoJobs, type FileRowSpec } from './support/demo-jobs.ts';
import { inProcessThread, type RunEnd } from './support/uploads.ts';

let jobs: DemoJobs | null = null;
afterEach(async () => {
  await jobs?.close();
  jobs = null;
});
const open = async (type: DatasetType = 'time') => (jobs = await openDemoJobs(1, {}, { type }));

const rows = Array.from({ length: 60 }, (_, at): FileRowSpec => ({ at, value: at }));

/** The services for several computers, each of which has looked for existing records before any stores the first ones. */
function atTheSameTime(services: Services, computers: number): Services[] {
  const allHaveLooked = Promise.withResolvers<void>();
  let looked = 0;
  return Array.from({ length: computers }, () => {
    let isFirst = true;
    return withInsert(services, async (insert) => {
      if (isFirst && ++looked === computers) allHaveLooked.resolve();
      isFirst = false;
      await allHaveLooked.promise;
      return insert();
    });
  });
}

type Insert = Services['data']['insert'];
const withInsert = (
  services: Services,
  around: (insert: () => ReturnType<Insert>) => ReturnType<Insert>,
) => ({
  ...services,
  data: {
    ...services.data,
    insert: (...call: Parameters<Insert>) => around(() => services.data.insert(...call)),
  },
});

/** How many of the compared rows a result calls stored twice. */
const twiceIn = ({ result, error }: RunEnd): number => {
  if (error) throw error;
  return result?.warnings.find(({ code }) => code === 'stored_twice')?.count ?? 0;
};

describe('the same rows from two computers at once', () => {
  it.each<DatasetType>(['time', 'depth', 'timeseries'])(
    'are noticed at the end of one of them at least, in a dataset by %s',
    async (type) => {
      const { job, services, stored } = await open(type);
      const ends = await Promise.all(
        atTheSameTime(services, 2).map(async (own) => (await job(rows))({ services: own })),
      );
      expect(await stored()).toHaveLength(2 * rows.length);
      expect(ends.some((end) => twiceIn(end) > 0)).toBe(true);
    },
  );

  it('are noticed when an upload is resumed that stopped before the other one', async () => {
    const { job, stored } = await open();
    const run = await job(rows);
    const stop = new AbortController();
    const stopped = await run({ killAfter: 8, signal: stop.signal });
    expect(stopped.error).not.toBeNull();
    const before = (await stored()).length;
    expect(before).toBeGreaterThan(0);
    expect(twiceIn(await (await job(rows))())).toBe(0);
    expect(twiceIn(await run())).toBeGreaterThan(0);
    expect(await stored()).toHaveLength(rows.length + rows.length - before);
  });

  it('are noticed when an upload is resumed that has stored all its rows', async () => {
    const { job, services } = await open();
    const [one = services, other = services] = atTheSameTime(services, 2);
    const run = await job(rows);
    await Promise.all([run({ services: one }), (await job(rows))({ services: other })]);
    // As if the process had ended before the job was done.
    expect(twiceIn(await run())).toBeGreaterThan(0);
  });

  it('are noticed when no insert has an answer', async () => {
    const { job, services } = await open();
    const error = new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 });
    const ends = await Promise.all(
      atTheSameTime(services, 2).map(async (own) => {
        const lossy = withInsert(own, async (insert) => {
          await insert();
          return { kind: 'unknown', status: null, error };
        });
        return (await job(rows))({ services: lossy });
      }),
    );
    expect(ends.some((end) => twiceIn(end) > 0)).toBe(true);
  });

  it('aren’t looked for if Wellbench fails at the end, which is an error', async () => {
    const { job, services } = await open();
    let hasStored = false;
    const own = withInsert(services, (insert) => ((hasStored = true), insert()));
    const openThread = () =>
      inProcessThread(undefined, (name) => {
        if (hasStored && name === 'fingerprintPage') throw new AppError('internal', { problem: 'planned' });
      });
    const { error, lastResult } = await (await job(rows))({ services: own, engine: { openThread } });
    expect(error?.code).toBe('internal');
    expect(lastResult?.ledger).toMatchObject({ accepted: rows.length, pending: 0 });
  });

  it('are found where they have no well', async () => {
    const { job, services } = await open('timeseries');
    const wanted = { mapping: { skip: ['metadata.asset_id'], withoutWell: true } };
    const ends = await Promise.all(
      atTheSameTime(services, 2).map(async (own) => (await job(rows, wanted))({ services: own })),
    );
    expect(ends.some((end) => twiceIn(end) > 0)).toBe(true);
  });

  it('aren’t claimed if the dataset can’t be read at the end', async () => {
    const { job, services } = await open();
    const ends = await Promise.all(
      atTheSameTime(services, 2).map(async (own) => {
        let hasStored = false;
        const { data } = withInsert(own, (insert) => ((hasStored = true), insert()));
        const find: Services['data']['find'] = async (...call) => {
          if (hasStored) throw new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 });
          return own.data.find(...call);
        };
        return (await job(rows))({ services: { ...own, data: { ...data, find } } });
      }),
    );
    expect(ends.map(twiceIn)).toEqual([0, 0]);
  });
});

describe('nothing is called stored twice', () => {
  it.each(['skip', 'insert'] as const)(
    'of one upload, also if its rows existed before: %s',
    async (existing) => {
      const { job, insert } = await open();
      await insert(rows.slice(0, 30));
      expect(twiceIn(await (await job(rows, { existing }))())).toBe(0);
    },
  );

  it('of an upload that was killed and resumed', async () => {
    const { job } = await open();
    const run = await job(rows);
    await run({ killAfter: 8 });
    expect(twiceIn(await run())).toBe(0);
  });

  it('of rows that the file itself repeats', async () => {
    const { job } = await open();
    expect(twiceIn(await (await job([...rows, ...rows]))())).toBe(0);
  });

  it('beside an upload for another well, and of records with other values at the same times', async () => {
    const { job, services } = await open();
    const others = [
      rows.map((row) => ({ ...row, well: 5002 })),
      rows.map((row) => ({ ...row, value: row.value + 0.5 })),
    ];
    const computers = atTheSameTime(services, 3);
    const ends = await Promise.all(
      [rows, ...others].map(async (own, at) => (await job(own))({ services: computers[at] ?? services })),
    );
    expect(ends.map(twiceIn)).toEqual([0, 0, 0]);
  });
});

describe('the command line', () => {
  const folders = useFolders();
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ records: 100, wells: 2 });
  });
  afterAll(() => demo.close());

  it('says that rows are stored twice, and how to look at them', async () => {
    const file = join(await folders(), 'wits.csv');
    const from = Date.UTC(2020, 0, 1);
    const lines = Array.from({ length: 4000 }, (_, row) => `1,5001,${from + row * 1000},${row}.5`);
    writeFileSync(file, ['version,asset_id,timestamp,rop', ...lines, ''].join('\n'));
    const whole = `{ asset_id: 5001, timestamp: { $gte: ${from}, $lt: ${from + 4_000_000} } }`;
    const [mine, theirs] = [await folders(), await folders()];
    const run = (data: string, args: readonly string[], signal?: AbortSignal) =>
      runInProcess([...args, '--data-dir', data, '--json'], connectionEnv(demo), signal);
    const upload = ['upload', 'demo/uploads.time', file, '--concurrency', '1'];
    const count = async (query: string) => {
      const { summary } = await run(mine, ['count', 'demo/uploads.time', '--query', query]);
      return z.object({ count: z.int() }).parse(summary()).count;
    };
    // Mine stops after its first rows, and the other computer stores the rest meanwhile.
    demo.faults.latency_ms = 200;
    const stop = new AbortController();
    const stopping = run(mine, upload, stop.signal);
    while ((await count(whole)) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    const stopped = z.object({ job: z.string(), accepted: z.int() }).parse((await stopping).summary());
    Object.assign(demo.faults, noFaults);
    const other = (await run(theirs, upload)).summary();
    expect(other).toMatchObject({ accepted: 4000, skipped: stopped.accepted });
    expect(other).not.toHaveProperty('storedTwice');

    const resumed = await run(mine, ['jobs', 'resume', stopped.job]);
    expect(resumed.code).toBe(0);
    expect(resumed.summary()).toMatchObject({ accepted: 4000, storedTwice: expect.any(Number) });
    // The filter in the warning finds one of the rows, and its second record.
    const [filter = ''] = /\{[^{}]*\}/.exec(resumed.stderr) ?? [];
    expect(await count(filter)).toBe(2);
    const twice = 4000 - stopped.accepted;
    const check = await run(mine, ['quality', 'demo/uploads.time', '--query', whole]);
    expect(check.summary()).toMatchObject({ duplicates: twice });
    expect(await count(whole)).toBe(4000 + twice);
  });
});

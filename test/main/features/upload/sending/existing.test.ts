import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { Services } from '../../../../../src/main/core/wire/services/services.ts';
import {
  fieldsOf,
  firstPageSize,
  nextPageSize,
} from '../../../../../src/main/features/upload/sending/existing.ts';
import { inProcessThread } from '../support/uploads.ts';
import { openDemoJobs, type DemoJobs } from '../support/demo-jobs.ts';

const fold = { by: null, into: ['data', 'stations'], rows: 1, end: 1 };

describe('pages of existing records', () => {
  it('are large, except when a record can have megabytes', () => {
    expect(firstPageSize({})).toBe(10_000);
    expect(firstPageSize({ fold })).toBeLessThan(10);
  });

  it('follow the record size of the previous page', () => {
    expect(nextPageSize(4 * 300, 4)).toBe(10_000);
    expect(nextPageSize(10_000 * 440, 10_000)).toBe(10_000);
    expect(nextPageSize(4 * 3_000_000, 4)).toBe(2);
    expect(nextPageSize(50_000_000, 1)).toBe(1);
    expect(nextPageSize(2, 0)).toBe(1);
  });
});

it('all fields of existing records are requested if a name can’t be in a list with commas', () => {
  const comparison = { key: [['asset_id']], index: null };
  expect(fieldsOf({ ...comparison, paths: [['data', 'a']] })).toEqual(['data.a', 'asset_id']);
  expect(fieldsOf({ ...comparison, paths: [['data', 'a,b']] })).toEqual([]);
});

describe('an upload that looks for existing records', () => {
  let jobs: DemoJobs | null = null;
  afterEach(async () => {
    await jobs?.close();
    jobs = null;
  });
  const rows = Array.from({ length: 20 }, (_, at) => ({ at, value: at }));

  /** Runs it with a data service that differs from that of the sample workspace. */
  async function runWith(
    change: (data: Services['data']) => Partial<Services['data']>,
    openThread = (): ReturnType<typeof inProcessThread> => inProcessThread(),
    type: 'time' | 'reference' = 'time',
  ) {
    jobs = await openDemoJobs(1, {}, { type });
    const { services } = jobs;
    await jobs.insert(rows.slice(0, 10));
    const data = { ...services.data, ...change(services.data) };
    const run = await jobs.job(rows, {}, { services: { ...services, data } });
    const { error, lastResult, result } = await run({ engine: { openThread } });
    return { code: error?.code, ledger: (result ?? lastResult)?.ledger };
  }

  it('skips those that exist, however many records do', async () => {
    jobs = await openDemoJobs(1, {}, { type: 'time' });
    await jobs.insert(rows.slice(0, 10));
    const run = await jobs.job(rows, {}, {});
    const { error, result, progress } = await run({ engine: { manyRecords: 3 } });
    expect(error).toBeNull();
    expect(result?.ledger).toMatchObject({ accepted: 20, skipped: 10 });
    expect(progress.map(({ existing }) => existing)).toContainEqual({ read: 0, total: 10 });
  });

  it('sends nothing where more come than the service counts, again and again', async () => {
    const openThread = () => {
      const thread = inProcessThread();
      const existingPage: typeof thread.calls.existingPage = async (...call) => ({
        ...(await thread.calls.existingPage(...call)),
        newRecords: 2_000_001,
      });
      const calls = new Proxy(thread.calls, {
        get(target, name: keyof typeof thread.calls) {
          return name === 'existingPage' ? existingPage : target[name];
        },
      });
      return { ...thread, calls };
    };
    expect(await runWith(() => ({}), openThread)).toMatchObject({
      code: 'bad_answer',
      ledger: { pending: 20 },
    });
  });

  it('sends nothing where fewer come than the service counts', async () => {
    expect(await runWith(() => ({ count: async () => 11 }))).toMatchObject({
      code: 'bad_answer',
      ledger: { pending: 20 },
    });
  });

  it('doesn’t need access to wells between those of the file', async () => {
    let counts = 0;
    const refuseOnce = ({ count }: Services['data']): Partial<Services['data']> => ({
      count: async (...call) => {
        counts += 1;
        if (counts === 1) throw new AppError('forbidden', { service: 'data', status: 403 });
        return count(...call);
      },
    });
    expect(await runWith(refuseOnce)).toMatchObject({ ledger: { accepted: 20, skipped: 10 } });
  });

  it('isn’t kept by a service that sends the same records, without ids, for ever', async () => {
    const text = '[{"asset_id":5001,"data":{"at":1,"n":1}}]';
    const find = async () => ({ text, bytes: Buffer.from(text), count: 1, total: null });
    const end = await runWith(() => ({ find }), undefined, 'reference');
    expect(end).toMatchObject({ code: 'bad_answer', ledger: { pending: 20 } });
  });
});

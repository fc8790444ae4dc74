import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { openDemoJobs, type DemoJobs } from '../support/demo-jobs.ts';

const opened: DemoJobs[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
});

/**
 * The numbers of records of the inserts of a file with this many rows, one after another, in batches of up to 100.
 * @param lost the inserts that fail, counted from 0, before they store anything
 */
async function insertsOf(rows: number, lost: readonly number[] = []): Promise<number[]> {
  const jobs = await openDemoJobs();
  opened.push(jobs);
  const inserts: number[] = [];
  const data: typeof jobs.services.data = {
    ...jobs.services.data,
    async insert(address, body, records, options) {
      const isLost = lost.includes(inserts.push(records) - 1);
      if (!isLost) return jobs.services.data.insert(address, body, records, options);
      return {
        kind: 'unknown',
        status: 503,
        error: new AppError('service_failed', { service: 'data', status: 503 }),
      };
    },
  };
  const file = Array.from({ length: rows }, (_, at) => ({ at, value: at }));
  const run = await jobs.job(
    file,
    { concurrency: 1, settleSeconds: 10 },
    { services: { ...jobs.services, data }, engine: { batch: { rows: 100, bytes: 1 << 20 } } },
  );
  const { result } = await run();
  expect(result?.ledger).toMatchObject({ accepted: rows, unknown: 0 });
  expect(new Set(await jobs.stored()).size).toBe(rows);
  return inserts;
}

describe('the order of sending', () => {
  it.each([
    [1, [1]],
    [2, [1, 1]],
    [3, [1, 1, 1]],
    [30, [10, 10, 5, 3, 1, 1]],
  ])('of %i rows begins with a few, and ends with fewer and fewer', async (rows, sizes) => {
    expect(await insertsOf(rows)).toEqual(sizes);
  });

  it('spares rows of the first batch for the end', async () => {
    expect(await insertsOf(300)).toEqual([10, 78, 100, 100, 6, 3, 2, 1]);
  });

  it('sends a spared row to prove that a lost batch is missing, and then the batch again', async () => {
    expect(await insertsOf(300, [3])).toEqual([10, 78, 100, 100, 1, 100, 6, 3, 1, 1]);
  });

  it('sends another spared row if that is lost, too', async () => {
    expect(await insertsOf(300, [3, 4])).toEqual([10, 78, 100, 100, 1, 1, 100, 1, 5, 3, 1, 1]);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import {
  createInstances,
  type Instance,
  createInterrupts,
  createJobInstance,
} from '../../../../src/main/core/duckdb/engine.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();
const opened: Instance[] = [];
afterEach(() => {
  for (const instance of opened.splice(0)) instance.close();
});

async function setUp(memoryMb: number) {
  const instances = createInstances();
  const limits = { spillFolder: await newFolder(), memoryMb };
  return {
    instances,
    limits,
    async openForStatements() {
      const instance = await instances.openForStatements(limits);
      opened.push(instance);
      return instance;
    },
  };
}

const sum = (instances: readonly Instance[]): number =>
  instances.reduce((total, { memoryMb }) => total + memoryMb, 0);

describe('the memory of the instances of a process', () => {
  it('stays within its limit, with jobs and three sets of tables at once', async () => {
    const { instances, limits, openForStatements } = await setUp(2048);
    for (let number = 0; number < 3; number += 1) await openForStatements();
    for (const kind of ['files', 'places'] as const) opened.push(await instances.openForJobs(limits, kind));
    expect(sum(opened)).toBeLessThanOrEqual(2048);
    expect(opened.map(({ memoryMb }) => memoryMb)).toEqual([1130, 377, 126, 256, 96]);
    const limitsOfEngine = await Promise.all(
      opened.map(async ({ duckdb }) => {
        const connection = await duckdb.connect();
        const reader = await connection.runAndReadAll(`SELECT current_setting('memory_limit')`);
        connection.closeSync();
        return reader.getRows()[0]?.[0];
      }),
    );
    expect(limitsOfEngine).toEqual(['1.0 GiB', '359.5 MiB', '120.1 MiB', '244.1 MiB', '91.5 MiB']);
  });

  it('is free again when one closes', async () => {
    const { instances, limits, openForStatements } = await setUp(1024);
    const first = await openForStatements();
    await openForStatements();
    expect(instances.nextShare(limits)).toBeLessThan(first.memoryMb / 2);
    for (const instance of opened.splice(0)) instance.close();
    expect(instances.nextShare(limits)).toBe(first.memoryMb);
  });
});

describe('jobs', () => {
  it('share an instance, fail and are canceled alone, and free its memory after the last', async () => {
    const { instances, limits } = await setUp(256);
    const jobs = createJobInstance(instances, createInterrupts(), 'files');
    const stop = new AbortController();
    const { signal } = new AbortController();
    const query = async (sql: string, until = signal) =>
      jobs.run(limits, until, async (connection) =>
        String((await connection.runAndReadAll(sql)).getRows()[0]),
      );
    const endless = query('SELECT count(*) FROM range(1000000000000)', stop.signal);
    const failures = [
      `SELECT 'x'::INTEGER`,
      `SELECT * FROM '/nowhere.parquet'`,
      `SELECT list(range) FROM range(100000000)`,
    ].map(async (sql) =>
      query(sql).catch((error: unknown) => (error instanceof AppError ? error.code : error)),
    );
    expect(await Promise.all(failures)).toEqual(failures.map(() => 'internal'));
    expect(await query(`SELECT current_setting('memory_limit') || current_setting('TimeZone')`)).toBe(
      '122.0 MiBUTC',
    );
    stop.abort();
    await expect(endless).rejects.toMatchObject({ code: 'cancelled' });
    expect(await query('SELECT 1')).toBe('1');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { createInstances, type Instance } from '../../../../src/main/core/duckdb/engine.ts';
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
    async openOne() {
      const instance = await instances.open(limits);
      opened.push(instance);
      return instance;
    },
  };
}

const sum = (instances: readonly Instance[]): number =>
  instances.reduce((total, { memoryMb }) => total + memoryMb, 0);

describe('the memory of the instances of a process', () => {
  it('stays within its limit, with three sets of tables at once', async () => {
    const { openOne } = await setUp(2048);
    for (let number = 0; number < 3; number += 1) await openOne();
    expect(sum(opened)).toBeLessThanOrEqual(2048);
    expect(opened.map(({ memoryMb }) => memoryMb)).toEqual([1365, 455, 152]);
    const limitsOfEngine = await Promise.all(
      opened.map(async ({ duckdb }) => {
        const connection = await duckdb.connect();
        const reader = await connection.runAndReadAll(`SELECT current_setting('memory_limit')`);
        connection.closeSync();
        return reader.getRows()[0]?.[0];
      }),
    );
    expect(limitsOfEngine).toEqual(['1.2 GiB', '433.9 MiB', '144.9 MiB']);
  });

  it('is free again when one closes', async () => {
    const { instances, limits, openOne } = await setUp(1024);
    const first = await openOne();
    await openOne();
    expect(instances.nextShare(limits)).toBeLessThan(first.memoryMb / 2);
    for (const instance of opened.splice(0)) instance.close();
    expect(instances.nextShare(limits)).toBe(first.memoryMb);
  });
});

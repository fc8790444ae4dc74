import { describe, expect, it } from 'vitest';
import { startDemo } from '../../../../src/demo/index.ts';
import { createApp } from '../../../../src/main/app.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import { waitingServices } from '../../../../src/main/core/jobs/waits.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const address = { provider: 'demo', dataset: 'wits' };

/** Reads of a rate-limited service, as a job makes them, and the retries reported to the job. */
async function reads() {
  const demo = await startDemo({ records: 20, wells: 1 });
  const app = await createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder: await folders(),
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });
  const { id } = await app.client.connections.add({
    name: 'North Ridge',
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.read },
  });
  const retries: (number | null)[] = [];
  const waits = {
    waitForRecovery: async () => false,
    waitWhilePaused: async () => undefined,
    isDeferred: () => false,
  };
  const { data } = waitingServices(
    () => app.connections.services(id),
    waits,
    (ms) => retries.push(ms),
  );
  return {
    demo,
    retries,
    data,
    async [Symbol.asyncDispose]() {
      await app.close();
      await demo.close();
    },
  };
}

describe('a read of a job that the service delays', () => {
  it('reports the next retry to every caller, and that nothing is waiting once the response arrived', async () => {
    await using here = await reads();
    Object.assign(here.demo.faults, { rate_429: 1, retry_after: 1 });
    const counted = here.data.count(address, {});
    await expect.poll(() => here.retries.length).toBeGreaterThan(0);
    here.demo.faults.rate_429 = 0;
    expect(await counted).toBeGreaterThan(0);
    expect(here.retries[0]).toBeGreaterThanOrEqual(1000);
    expect(here.retries.at(-1)).toBeNull();
  });

  it('reports nothing when its response arrives immediately', async () => {
    await using here = await reads();
    expect(await here.data.count(address, {})).toBeGreaterThan(0);
    expect(here.retries).toEqual([]);
  });
});

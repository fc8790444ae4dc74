import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import { planHead, JobRunner, JobStore, type Engine } from '../../../../src/main/core/jobs/jobs.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { exportResult } from '../../../../src/shared/export/export.ts';
import type { Job } from '../../../../src/shared/jobs/jobs.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();

it('a running job is published several times a second without accessing its files each time', async () => {
  const folder = await folders();
  const path = join(folder, 'out.csv');
  await writeFile(path, 'rows');
  const files = createFiles();
  let accesses = 0;
  const ending = Promise.withResolvers<void>();
  const engine: Engine = {
    kind: 'export',
    format: 1,
    plan: planHead,
    entry: exportResult,
    result: exportResult,
    async *run() {
      yield { kind: 'artifact', artifact: { kind: 'result', path } };
      await ending.promise;
      return null;
    },
  };
  const runner = new JobRunner({
    store: new JobStore(folder, '1'),
    engine: async () => engine,
    services: () => ({}) as Services,
    files: {
      grantSource(source) {
        accesses += 1;
        return files.grantSource(source);
      },
    },
    isAttended: true,
    retention: async () => ({ jobs: 500, days: 90 }),
  });
  const { id } = await runner.start(
    'export',
    {
      connection: { id: 'c', name: 'North Ridge', dataUrl: 'http://127.0.0.1:1' },
      address: { provider: 'demo', dataset: 'wits' },
      fileName: 'out.csv',
      concurrency: 1,
    },
    undefined,
  );
  const published: Job[] = [];
  for await (const job of runner.watchJob(id, AbortSignal.timeout(20_000)))
    if (published.push(job) === 8) break;
  expect(published.at(-1)?.artifacts).toMatchObject([{ name: 'out.csv', bytes: 4 }]);
  expect(accesses).toBe(1);
  ending.resolve();
  await runner.close();
});

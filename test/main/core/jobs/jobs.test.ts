import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import type { StoredSummary } from '../../../../src/main/core/jobs/job-files.ts';
import { createJobs } from '../../../../src/main/core/jobs/jobs.ts';
import { noProgress } from '../../../../src/main/core/jobs/progress.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();

it('a running job is published several times a second without accessing its files each time', async () => {
  const path = join(await folders(), 'out.csv');
  const files = createFiles();
  let accesses = 0;
  const { toJob } = createJobs({
    files: {
      ...files,
      grantSource: (source) => {
        accesses += 1;
        return files.grantSource(source);
      },
    },
  });
  const time = '2026-11-22T00:00:00Z';
  const summary: StoredSummary = {
    state: 'running',
    address: { provider: 'demo', dataset: 'wits' },
    connection: 'North Ridge',
    file: 'out.csv',
    started: time,
    updated: time,
    progress: noProgress,
    error: null,
    waitsFor: null,
    artifacts: [{ kind: 'result', path }],
    result: null,
  };
  const publish = (rows: number) =>
    toJob('20261122-000000000-abcdef', 'export', { ...summary, progress: { ...noProgress, rows } });
  // Not there yet.
  expect((await publish(1)).artifacts).toEqual([]);
  await writeFile(path, 'rows');
  for (let rows = 2; rows < 12; rows += 1)
    expect((await publish(rows)).artifacts).toMatchObject([{ name: 'out.csv', bytes: 4 }]);
  expect(accesses).toBe(2);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchEntry } from '../../../../src/main/features/upload/ledger.ts';
import { UploadLedger } from '../../../../src/main/features/upload/ledger.ts';
import { makeRejects, resultOf } from '../../../../src/main/features/upload/run.ts';
import { csvOf, openDemoJobs, type DemoJobs } from './support/demo-jobs.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { inProcessThread, planOf } from './support/uploads.ts';

let jobs: DemoJobs;
beforeAll(async () => {
  jobs = await openDemoJobs();
});
afterAll(() => jobs.close());

const batch: Omit<BatchEntry, 'rows' | 'records' | 'ambiguousTimes'> = {
  kind: 'batch',
  batch: 0,
  row: 0,
  from: 0,
  to: 100,
  line: 2,
  nextLine: 5,
  sha256: '',
  problems: [],
  skipped: [],
  differs: 0,
};

async function planOfThree() {
  const rows = [0, 1, 2].map((at) => ({ at, value: at }));
  return planOf(await fileWith(csvOf(rows)), jobs.services, { provider: 'demo', dataset: 'uploads.time' });
}

describe('the result of an upload', () => {
  it('says how many local times were read as the first of two', async () => {
    const ledger = new UploadLedger(3, { byte: 0, line: 2 });
    ledger.apply({ ...batch, rows: 3, records: 3, ambiguousTimes: 2 });
    const notes = { stoppedByRejects: false, isExistingUnread: false, storedTwice: null };
    const { warnings } = resultOf(await planOfThree(), ledger, notes);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'time_twice', count: 2 }));
  });

  it('has no file of rejected rows that lacks one of them', async () => {
    const ledger = new UploadLedger(3, { byte: 0, line: 2 });
    ledger.apply({ ...batch, rows: 3, records: 1, ambiguousTimes: 0 });
    const thread = inProcessThread();
    const calls = { ...thread.calls, rejects: async () => 1 };
    const made = makeRejects({ ...thread, calls }, await planOfThree(), ledger, await temporaryFolder());
    await expect(made).rejects.toMatchObject({ code: 'internal' });
    thread.close();
  });
});

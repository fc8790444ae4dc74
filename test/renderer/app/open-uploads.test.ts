import { describe, expect, it } from 'vitest';
import { createUploads } from '../../../src/renderer/app/open-uploads.ts';
import { createTabs } from '../../../src/renderer/app/tabs.ts';
import { createUploadQueue } from '../../../src/renderer/features/upload/queue/upload-queue.ts';
import type { UploadTab } from '../../../src/renderer/features/upload/upload-tab.ts';
import type { Dataset } from '../../../src/shared/datasets/datasets.ts';
import { job as jobSchema, type Job } from '../../../src/shared/jobs/jobs.ts';
import { fileWith } from '../../main/features/upload/support/files.ts';
import { datasetOf, uploadTab } from '../features/upload/window.ts';

const time = datasetOf('time');

/** The uploads of a window: each tab really reads its files. */
function uploadsOf({ elsewhere = false } = {}) {
  const tabs = createTabs({ store: () => null, selectedWells: () => [] });
  const made: { tab: ReturnType<typeof uploadTab>; job: Job | undefined }[] = [];
  const forwardedJobs: string[] = [];
  const uploads = createUploads({
    tabs,
    make(dataset: Dataset | null, job?: Job): UploadTab {
      const tab = uploadTab({ dataset });
      made.push({ tab, job });
      if (job) tab.store.setState({ send: { status: 'started', job: job.id } as never });
      return tab;
    },
    openRecords: () => undefined,
    queue: createUploadQueue(),
    waitForJob: async () => 'done',
    openElsewhere: () => (elsewhere ? { openJob: ({ id }) => void forwardedJobs.push(id) } : null),
  });
  const datasets = () => made.map(({ tab }) => tab.state().dataset?.dataset ?? null);
  const active = () => {
    const { tabs: open, active: id } = tabs.store.getState();
    return open.findIndex((tab) => tab.id === id);
  };
  return { uploads, tabs, made, datasets, active, forwardedJobs };
}

const job = (id: string): Job =>
  jobSchema.parse({
    kind: 'upload',
    id,
    state: 'done',
    address: { provider: 'demo', dataset: time.dataset },
    connection: 'c',
    file: 'rig.csv',
    started: '2026-11-21T06:00:00Z',
    updated: '2026-11-21T06:00:00Z',
    progress: { rows: 0, totalRows: null, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
    error: null,
    artifacts: [],
    result: null,
  });

describe('uploads of a window', () => {
  it('use the dataset in view unless another is named', () => {
    const { uploads, tabs, datasets } = uploadsOf();
    uploads.open();
    uploads.open(time);
    uploads.open();
    expect(datasets()).toEqual([null, time.dataset, time.dataset]);
    tabs.actions.closeAll();
    uploads.open();
    expect(datasets().at(-1)).toBeNull();
  });

  it('call back when another is opened, read, or closed, until nobody watches', async () => {
    const { uploads, tabs, made } = uploadsOf();
    uploads.open(time);
    let changes = 0;
    const stop = uploads.watch(() => (changes += 1));
    const after = (act: () => void) => {
      changes = 0;
      act();
      return changes > 0;
    };
    expect(after(() => uploads.open(time))).toBe(true);
    expect(after(() => made[1]?.tab.actions.togglePreview())).toBe(true);
    const [, other] = tabs.store.getState().tabs;
    expect(after(() => tabs.actions.close(other?.id ?? ''))).toBe(true);
    stop();
    expect(after(() => uploads.open(time))).toBe(false);
  });

  it('open for each dropped file, the first of them in a tab without a file', async () => {
    const { uploads, tabs, made } = uploadsOf();
    uploads.open(time);
    uploads.addFiles([new File(['a'], 'first.csv'), new File(['b'], 'second.csv')]);
    expect(tabs.store.getState().tabs).toHaveLength(2);
    // The next dropped file finds no tab without a file.
    uploads.addFiles([new File(['c'], 'third.csv')]);
    expect(tabs.store.getState().tabs).toHaveLength(3);
    await Promise.all(made.map(({ tab }) => tab.settled()));
    const files = made.map(({ tab }) => {
      const { file } = tab.state();
      return file.status === 'failed' ? file.error.details : file.status;
    });
    expect(files).toMatchObject(['first.csv', 'second.csv', 'third.csv'].map((file) => ({ file })));
  });

  it('open for each file beyond the first when several were selected at once', async () => {
    const { uploads, made, datasets } = uploadsOf();
    const files = ['b.csv', 'c.csv'].map((name) => ({ token: name.padEnd(24, 'x'), name, bytes: 1 }));
    uploads.accept(files, time);
    expect(datasets()).toEqual([time.dataset, time.dataset]);
    await Promise.all(made.map(({ tab }) => tab.settled()));
    expect(made.map(({ tab }) => tab.state().file)).toMatchObject(files.map((file) => ({ file })));
  });

  it('list the others whose files have the same header', async () => {
    const { uploads, made } = uploadsOf();
    const paths = await Promise.all(['t,x\n1,2\n', 't,x\n3,4\n', 'other\n1\n'].map((text) => fileWith(text)));
    for (const path of paths) {
      uploads.open(time);
      const opened = made.at(-1)?.tab;
      await opened?.actions.accept(opened.grant(path));
      await opened?.settled();
    }
    const [first, second, third] = made.map(({ tab }) => tab);
    if (!first || !third) throw new Error('the uploads are not open');
    expect(uploads.similarTo(first).map(({ store }) => store)).toEqual([second?.store]);
    expect(uploads.similarTo(third)).toEqual([]);
  });

  it('of a job open once, and are shown again after that', () => {
    const { uploads, made, active } = uploadsOf();
    uploads.openJob(job('job-00000001'));
    uploads.openJob(job('job-00000002'));
    expect(active()).toBe(1);
    uploads.openJob(job('job-00000001'));
    expect(active()).toBe(0);
    expect(made.map(({ job: of }) => of?.id)).toEqual(['job-00000001', 'job-00000002']);
  });

  it('of a job of another connection open there', () => {
    const { uploads, tabs, forwardedJobs } = uploadsOf({ elsewhere: true });
    uploads.openJob(job('job-00000003'));
    expect(forwardedJobs).toEqual(['job-00000003']);
    expect(tabs.store.getState().tabs).toEqual([]);
  });
});

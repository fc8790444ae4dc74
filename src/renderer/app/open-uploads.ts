import type { Job, JobState } from '../../shared/jobs/jobs.ts';
import { storedUpload } from '../features/upload/stored-upload.ts';
import { similarUploads, type UploadQueue } from '../features/upload/queue/upload-queue.ts';
import { activeTab, type Tab, type Tabs } from './tabs.ts';
import type { Dataset } from '../../shared/datasets/datasets.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import type { Uploads } from '../features/upload/uploads.ts';
import { words } from '../words/words.ts';

interface ResumeQueueDependencies {
  readonly tabs: Pick<Tabs, 'store'>;
  readonly queue: UploadQueue;
  /** Loads a stored tab. */
  readonly restore: (id: string) => Promise<void>;
  /** @throws AppError `job_unknown` if it was discarded */
  readonly findJob: (job: string) => Promise<Job>;
  readonly waitForJob: OpenUploadsDependencies['waitForJob'];
}

/** The job that a stored upload waits for; null: none. */
function queuedAfter(tab: Tab): string | null {
  if (tab.kind !== 'stored' || tab.model.kept.kind !== 'upload') return null;
  return storedUpload.safeParse(tab.model.kept.state).data?.draft?.queuedAfter ?? null;
}

/** Restores queued uploads from before a reload, in order. */
export async function resumeQueue({
  tabs,
  queue,
  restore,
  findJob,
  waitForJob,
}: ResumeQueueDependencies): Promise<void> {
  const lines = Map.groupBy(tabs.store.getState().tabs, queuedAfter);
  for (const [job, waiting] of lines) {
    if (job === null) continue;
    await Promise.all(waiting.map(({ id }) => restore(id)));
    const ids = new Set(waiting.map(({ id }) => id));
    const restored = tabs.store.getState().tabs.filter(({ id }) => ids.has(id));
    const uploads = restored.flatMap((tab) => (tab.kind === 'upload' ? [tab.model] : []));
    // Not sent until the previous upload's result is known.
    for (const { actions } of uploads) actions.setQueued(true, job);
    const before = await findJob(job).catch(() => null);
    if (before?.kind === 'upload') void queue.actions.resume(before, uploads, waitForJob);
    else for (const { actions } of uploads) actions.setQueued(false);
  }
}

export interface OpenUploadsDependencies {
  readonly tabs: Tabs;
  readonly make: (dataset: Dataset | null, job?: Job) => UploadTab;
  readonly openRecords: Uploads['openRecords'];
  readonly queue: UploadQueue;
  /** Resolves with the state of a job when it stops. */
  readonly waitForJob: (job: string) => Promise<JobState>;
  /** Shows the connection of this name and returns its uploads; null: it is current or unknown. */
  readonly openElsewhere: (name: string) => Pick<Uploads, 'openJob'> | null;
}

/** Opens upload tabs: an empty one, one for each file, or one for an existing job. */
export function createUploads(dependencies: OpenUploadsDependencies): Uploads {
  const { tabs, make, openRecords, queue, waitForJob, openElsewhere } = dependencies;

  const openUploads = (): UploadTab[] =>
    tabs.store.getState().tabs.flatMap((tab) => (tab.kind === 'upload' ? [tab.model] : []));

  /** The active query's dataset is the most likely target. */
  function datasetInView(): Dataset | null {
    const shown = activeTab(tabs.store.getState());
    if (shown?.kind === 'query' || shown?.kind === 'dataset') return shown.model.dataset;
    return shown?.kind === 'upload' ? shown.model.store.getState().dataset : null;
  }

  function openTab(dataset: Dataset | null, job?: Job): UploadTab {
    const model = make(dataset, job);
    tabs.actions.open({ kind: 'upload', title: words.upload.tab(null), model });
    return model;
  }

  /** The active upload if it has no file, or its file is missing. */
  function waiting(): UploadTab | null {
    const shown = activeTab(tabs.store.getState());
    if (shown?.kind !== 'upload') return null;
    const { file } = shown.model.store.getState();
    // A file that can't be looked up now may be back in a moment, with its choices.
    const isWaiting = file.status === 'none' || (file.status === 'missing' && file.error === null);
    return isWaiting ? shown.model : null;
  }

  return {
    openRecords,
    open: (dataset) => void openTab(dataset ?? datasetInView()),
    addFiles(files) {
      const dataset = datasetInView();
      const here = waiting();
      files.forEach((file, at) => {
        const model = (at === 0 ? here : null) ?? openTab(dataset);
        void model.actions.addFile(file);
      });
    },
    addSample: () => void (waiting() ?? openTab(datasetInView())).actions.addSample(),
    accept(files, dataset) {
      for (const file of files) void openTab(dataset).actions.accept(file);
    },
    similarTo(tab) {
      return similarUploads(tab, openUploads());
    },
    watch(onChange) {
      let stops: (() => void)[] = [];
      const follow = () => {
        for (const stop of stops) stop();
        stops = openUploads().map(({ store }) => store.subscribe(onChange));
      };
      follow();
      const stop = tabs.store.subscribe((now, before) => {
        if (now.tabs === before.tabs) return;
        follow();
        onChange();
      });
      return () => [stop, ...stops].forEach((stopFollowing) => stopFollowing());
    },
    sendInSequence: (tab, others) => void queue.actions.sendInSequence(tab, others, waitForJob),
    openJob(job) {
      const otherTab = openElsewhere(job.connection);
      if (otherTab) return otherTab.openJob(job);
      const known = tabs.store.getState().tabs.find((tab) => {
        if (tab.kind !== 'upload') return false;
        const { send } = tab.model.store.getState();
        return send.status === 'started' && send.job === job.id;
      });
      if (known) tabs.actions.show(known.id);
      else openTab(null, job);
    },
  };
}

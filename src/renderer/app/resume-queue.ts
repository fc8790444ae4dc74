import type { Job } from '../../shared/jobs/jobs.ts';
import { keptUpload } from '../features/upload/kept-upload.ts';
import type { UploadQueue } from '../features/upload/queue/upload-queue.ts';
import type { OpenUploadsNeeds } from './open-uploads.ts';
import type { Tab, Tabs } from './tabs.ts';

export interface ResumeQueueNeeds {
  readonly tabs: Pick<Tabs, 'store'>;
  readonly queue: UploadQueue;
  /** Brings a tab back that was kept. */
  readonly wake: (id: string) => Promise<void>;
  /** @throws AppError `job_unknown` for one that was discarded */
  readonly findJob: (job: string) => Promise<Job>;
  readonly atRest: OpenUploadsNeeds['atRest'];
}

/** The job that a kept upload waits for; null: none. */
function queuedAfter(tab: Tab): string | null {
  if (tab.kind !== 'asleep' || tab.model.kept.kind !== 'upload') return null;
  return keptUpload.safeParse(tab.model.kept.state).data?.draft?.queuedAfter ?? null;
}

/** Brings back the uploads that waited their turn when the page went, and has them go on waiting, in their order. */
export async function resumeQueue({ tabs, queue, wake, findJob, atRest }: ResumeQueueNeeds): Promise<void> {
  const lines = Map.groupBy(tabs.store.getState().tabs, queuedAfter);
  for (const [job, waiting] of lines) {
    if (job === null) continue;
    await Promise.all(waiting.map(({ id }) => wake(id)));
    const ids = new Set(waiting.map(({ id }) => id));
    const awake = tabs.store.getState().tabs.filter(({ id }) => ids.has(id));
    const uploads = awake.flatMap((tab) => (tab.kind === 'upload' ? [tab.model] : []));
    // Not sent by itself before it is known how the one before it ended.
    for (const { actions } of uploads) actions.queue(true, job);
    const before = await findJob(job).catch(() => null);
    if (before?.kind === 'upload') void queue.actions.resume(before, uploads, atRest);
    else for (const { actions } of uploads) actions.queue(false);
  }
}

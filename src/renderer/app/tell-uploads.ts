import type { StoreApi } from 'zustand/vanilla';
import type { UploadJob } from '../../shared/jobs/jobs.ts';
import { stoppable } from '../features/jobs/job-words.ts';
import { isCheck } from '../features/jobs/job-list.ts';
import type { JobsState } from '../features/jobs/jobs.ts';

/** Tells of each upload that has come to rest, and may have stored rows. */
export function tellUploads(
  jobs: Pick<StoreApi<JobsState>, 'subscribe'>,
  told: (upload: UploadJob) => void,
): void {
  jobs.subscribe((now, before) => {
    if (now.jobs === before.jobs) return;
    const underWay = new Set(before.jobs.filter(({ state }) => stoppable(state)).map(({ id }) => id));
    for (const job of now.jobs)
      if (job.kind === 'upload' && underWay.has(job.id) && !stoppable(job.state) && !isCheck(job)) told(job);
  });
}

import type { JobState } from './jobs.ts';

// Apart from the schemas: the first screen of the window has no library for those.

/** Whether a job stopped before its end, so that it can be resumed. */
export const isStopped = (state: JobState): boolean =>
  state === 'cancelled' || state === 'interrupted' || state === 'failed';

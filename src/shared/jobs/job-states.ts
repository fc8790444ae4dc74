import type { JobState } from './jobs.ts';

// Apart from the schemas: the first screen of the window has no library for those.

/** Whether a process has a job: it runs, or waits for something. */
export const isActive = (state: JobState): boolean => state === 'running' || state === 'waiting';

/** Whether a job stopped before its end, so that it can be resumed. */
export const isStopped = (state: JobState): boolean =>
  state === 'cancelled' || state === 'interrupted' || state === 'failed';

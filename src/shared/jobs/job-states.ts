import type { Job, JobState } from './jobs.ts';

// Apart from the schemas: the first screen of the window has no library for those.

/** Whether a process has a job: it runs, or waits for something. */
export const isActive = (state: JobState): boolean => state === 'running' || state === 'waiting';

/** Whether a job stopped before its end, so that it can be resumed. */
export const isStopped = (state: JobState): boolean =>
  state === 'cancelled' || state === 'interrupted' || state === 'failed';

/** Whether a stopped job could end otherwise: an export whose records don’t fit its format, such as LAS, never does. */
export const canEndOtherwise = ({ kind, error }: Pick<Job, 'kind' | 'error'>): boolean =>
  kind !== 'export' || error?.code !== 'invalid_input';

/** Whether a job counts records: those that a quality job reads, or into which an upload combines rows. */
export const countsRecords = ({ kind, result }: Pick<Job, 'kind' | 'result'>): boolean =>
  kind === 'quality' ||
  (kind === 'upload' && result !== null && 'fileRows' in result && result.fileRows !== undefined);

/** The connection of the sample workspace. Its data is new at each start, so that its interrupted jobs can't be resumed. */
export const sampleId = 'sample';

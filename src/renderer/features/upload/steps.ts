import type { JobState } from '../../../shared/jobs/jobs.ts';

/** The steps of an upload, in order. */
export const steps = ['file', 'columns', 'check', 'send', 'ledger'] as const;
export type Step = (typeof steps)[number];

/** How far an upload is. */
export interface UploadProgress {
  /** The file is at hand and has been read whole. */
  readonly read: boolean;
  /** There is a dataset, and it is known what the columns come to for it. */
  readonly matched: boolean;
  /** An upload could begin. */
  readonly ready: boolean;
  /** The state of the job that sends; null: there is none. */
  readonly job: JobState | null;
}

const atRest = (state: JobState): boolean => state !== 'running' && state !== 'waiting';

export interface StepStatus {
  readonly step: Step;
  readonly reachable: boolean;
  readonly done: boolean;
}

/** Which steps can be gone to and which are done. Once the rows are being sent there is no way back. */
export function stepStatuses({ read, matched, ready, job }: UploadProgress): StepStatus[] {
  const open = job === null;
  return [
    { step: 'file', reachable: open, done: !open || (read && matched) },
    { step: 'columns', reachable: open && read && matched, done: !open || ready },
    { step: 'check', reachable: open && ready, done: !open },
    { step: 'send', reachable: job !== null && !atRest(job), done: job !== null && atRest(job) },
    { step: 'ledger', reachable: job !== null && atRest(job), done: job === 'done' },
  ];
}

/** The step that is shown: a job that runs shows as sending, one at rest as its ledger; else the one chosen. */
export function shownStep(chosen: Step, progress: UploadProgress): Step {
  const { job } = progress;
  if (job !== null) return atRest(job) ? 'ledger' : 'send';
  const reachable = stepStatuses(progress).find(({ step }) => step === chosen)?.reachable;
  return reachable === true ? chosen : 'file';
}

/** The step after this one that a person goes to by themselves; null: the next one comes by itself. */
export function nextStep(step: Step): Step | null {
  return step === 'file' ? 'columns' : step === 'columns' ? 'check' : null;
}

/** The step before this one; null: there is no way back. */
export function stepBefore(step: Step): Step | null {
  return step === 'columns' ? 'file' : step === 'check' ? 'columns' : null;
}

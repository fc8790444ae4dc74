import type { JobState } from '../../../shared/jobs/jobs.ts';

/** The steps of an upload, in order. */
export const steps = ['file', 'columns', 'check', 'send', 'ledger'] as const;
export type Step = (typeof steps)[number];

export interface UploadProgress {
  /** Whether the file has been read completely. */
  readonly isRead: boolean;
  /** Whether there is a dataset, and the columns have been matched. */
  readonly isMatched: boolean;
  /** Whether an upload could start. */
  readonly isReady: boolean;
  /** The state of the job that sends; null: none. */
  readonly job: JobState | null;
}

const isFinal = (state: JobState): boolean => state !== 'running' && state !== 'waiting';

export interface StepStatus {
  readonly step: Step;
  readonly isReachable: boolean;
  readonly isDone: boolean;
}

/** Which steps are reachable and done. Sending can't be undone, so there is no way back from it. */
export function stepStatuses({ isRead, isMatched, isReady, job }: UploadProgress): StepStatus[] {
  const open = job === null;
  return [
    { step: 'file', isReachable: open, isDone: !open || (isRead && isMatched) },
    { step: 'columns', isReachable: open && isRead && isMatched, isDone: !open || isReady },
    { step: 'check', isReachable: open && isReady, isDone: !open },
    { step: 'send', isReachable: job !== null && !isFinal(job), isDone: job !== null && isFinal(job) },
    { step: 'ledger', isReachable: job !== null && isFinal(job), isDone: job === 'done' },
  ];
}

/**
 * The step to show: sending while a job runs, the ledger when it has stopped, otherwise the selected step.
 */
export function shownStep(selectedStep: Step, progress: UploadProgress): Step {
  const { job } = progress;
  if (job !== null) return isFinal(job) ? 'ledger' : 'send';
  const reachable = stepStatuses(progress).find(({ step }) => step === selectedStep)?.isReachable;
  return reachable === true ? selectedStep : 'file';
}

/** The next step that the user goes to; null: the next step follows automatically. */
export function nextStep(step: Step): Step | null {
  return step === 'file' ? 'columns' : step === 'columns' ? 'check' : null;
}

/** The previous step; null: none. */
export function previousStep(step: Step): Step | null {
  return step === 'columns' ? 'file' : step === 'check' ? 'columns' : null;
}

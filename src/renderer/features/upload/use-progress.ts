import { useMemo, useState } from 'react';
import type { Job, UploadJob } from '../../../shared/jobs/jobs.ts';
import { useAppState, useTabState } from '../../state/contexts.ts';
import { shownStep, stepStatuses, type UploadProgress, type Step, type StepStatus } from './steps.ts';
import { jobOf } from './upload-state.ts';
import { wellQuestion, type WellQuestion } from './wells/well-question.ts';

/** A job as it is now; one that left the list stays as it was last. Null: there is none, or nothing is known yet. */
export function useUploadJob(id: string | null): UploadJob | null {
  const found = useAppState('jobs', ({ jobs }) => jobs.find((job) => job.id === id));
  const [last, setLast] = useState<Job | undefined>(found);
  if (found && found !== last) setLast(found);
  const job = found ?? (last?.id === id ? last : undefined);
  return job?.kind === 'upload' ? job : null;
}

/** The name of the connection that a job belongs to, where the window shows another one; null: it shows this one. */
export function useOtherConnection(job: Pick<Job, 'connection'> | null): string | null {
  const current = useAppState('connections', (state) => state.current?.name);
  return job && job.connection !== current ? job.connection : null;
}

/** What is to be decided about the wells of the file; null: nothing. */
export function useWellQuestion(): WellQuestion | null {
  const choices = useTabState('upload', (state) => state.choices);
  const match = useTabState('upload', (state) => state.match);
  const wellNames = useTabState('upload', (state) => state.wellNames);
  const selectedWell = useTabState('upload', (state) => state.selectedWell);
  return useMemo(
    () => wellQuestion({ choices, match, wellNames, selectedWell }),
    [choices, match, wellNames, selectedWell],
  );
}

export interface UploadProgressNow extends UploadProgress {
  readonly shown: Step;
  readonly steps: readonly StepStatus[];
  /** The job that sends, once something is known of it. */
  readonly sending: UploadJob | null;
}

/** How far the upload of this tab is. */
export function useUploadProgress(): UploadProgressNow {
  const step = useTabState('upload', (state) => state.step);
  const read = useTabState('upload', ({ inspection }) => inspection.status === 'loaded');
  const matched = useTabState('upload', ({ match }) => match.value !== null);
  const question = useWellQuestion();
  const ready = useTabState('upload', ({ match }) => match.value?.ready === true) && question === null;
  const id = useTabState('upload', ({ send }) => jobOf(send));
  const sending = useUploadJob(id);
  const progress = { read, matched, ready, job: id === null ? null : (sending?.state ?? 'running') };
  return { ...progress, sending, shown: shownStep(step, progress), steps: stepStatuses(progress) };
}

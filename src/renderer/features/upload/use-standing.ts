import { useMemo, useState } from 'react';
import type { Job, UploadJob } from '../../../shared/jobs/jobs.ts';
import { useConnections } from '../connections/context.ts';
import { useJobs } from '../jobs/context.ts';
import { useUploadState } from './context.ts';
import { shownStep, stepStandings, type Standing, type Step, type StepStanding } from './steps.ts';
import { jobOf } from './upload-state.ts';
import { wellQuestion, type WellQuestion } from './wells/well-question.ts';

/** A job as it is now; one that left the list stays as it was last. Null: there is none, or nothing is known yet. */
export function useUploadJob(id: string | null): UploadJob | null {
  const found = useJobs(({ jobs }) => jobs.find((job) => job.id === id));
  const [last, setLast] = useState<Job | undefined>(found);
  if (found && found !== last) setLast(found);
  const job = found ?? (last?.id === id ? last : undefined);
  return job?.kind === 'upload' ? job : null;
}

/** The name of the connection that a job belongs to, where the window shows another one; null: it shows this one. */
export function useOtherConnection(job: Pick<Job, 'connection'> | null): string | null {
  const current = useConnections((state) => state.current?.name);
  return job && job.connection !== current ? job.connection : null;
}

/** What is to be decided about the wells of the file; null: nothing. */
export function useWellQuestion(): WellQuestion | null {
  const choices = useUploadState((state) => state.choices);
  const match = useUploadState((state) => state.match);
  const wellNames = useUploadState((state) => state.wellNames);
  const selectedWell = useUploadState((state) => state.selectedWell);
  return useMemo(
    () => wellQuestion({ choices, match, wellNames, selectedWell }),
    [choices, match, wellNames, selectedWell],
  );
}

export interface StandingNow extends Standing {
  readonly shown: Step;
  readonly steps: readonly StepStanding[];
  /** The job that sends, once something is known of it. */
  readonly sending: UploadJob | null;
}

/** How far the upload of this tab is. */
export function useStanding(): StandingNow {
  const step = useUploadState((state) => state.step);
  const read = useUploadState(({ inspection }) => inspection.face === 'full');
  const matched = useUploadState(({ match }) => match.value !== null);
  const question = useWellQuestion();
  const ready = useUploadState(({ match }) => match.value?.ready === true) && question === null;
  const id = useUploadState(({ send }) => jobOf(send));
  const sending = useUploadJob(id);
  const standing = { read, matched, ready, job: id === null ? null : (sending?.state ?? 'running') };
  return { ...standing, sending, shown: shownStep(step, standing), steps: stepStandings(standing) };
}

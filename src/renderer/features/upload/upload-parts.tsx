import { useShallow } from 'zustand/react/shallow';
import { useEffect, useMemo, useState, createContext, use, type ReactNode } from 'react';
import type { Job, UploadJob } from '../../../shared/jobs/jobs.ts';
import { useAppState, useTab, useTabState } from '../../contexts.ts';
import { isOfJob } from '../connections/connections.ts';
import {
  shownStep,
  stepStatuses,
  type UploadProgress,
  type Step,
  type StepStatus,
  jobOf,
  isMatchReady,
  type UploadTabState,
} from './upload-state.ts';
import { wellQuestion, type WellQuestion } from './wells/file-wells.ts';
import { createPortal } from 'react-dom';

/** The current state of a job, or its last one after it left the list. Null: no job, or not loaded yet. */
export function useUploadJob(id: string | null): UploadJob | null {
  const current = useAppState('jobs', ({ jobs }) => jobs.find((job) => job.id === id));
  const [last, setLast] = useState<Job | undefined>(current);
  if (current && current !== last) setLast(current);
  const job = current ?? (last?.id === id ? last : undefined);
  return job?.kind === 'upload' ? job : null;
}

/** Looks up a job of the tab while it isn't listed. */
export function useJobLookUp(run: 'check' | 'send'): void {
  const { lookUpJob } = useTab('upload').actions;
  const id = useTabState('upload', (state) => jobOf(state[run]));
  const isListed = useAppState('jobs', ({ jobs }) => jobs.some((job) => job.id === id));
  useEffect(() => {
    if (id !== null && !isListed) void lookUpJob(run);
  }, [lookUpJob, run, id, isListed]);
}

/** The name of a job's connection if another one is open; null: the job's is open. */
export function useOtherConnection(job: Pick<Job, 'connection' | 'connectionId'> | null): string | null {
  const current = useAppState('connections', (state) => state.current);
  return job && !(current && isOfJob(job, current)) ? job.connection : null;
}

export function useWellQuestion(): WellQuestion | null {
  const parts = useUploadParts(({ choices, match, wellNames, selectedWell }) => {
    return { choices, match, wellNames, selectedWell };
  });
  return useMemo(() => wellQuestion(parts), [parts]);
}

/** Parts of the upload's state: changes of others don't draw a component again. */
export const useUploadParts = <Parts extends Partial<UploadTabState>>(
  select: (state: UploadTabState) => Parts,
): Parts => useTabState('upload', useShallow(select));

export interface UploadView extends UploadProgress {
  readonly step: Step;
  readonly steps: readonly StepStatus[];
  /** The job that sends, once its state is known. */
  readonly sendJob: UploadJob | null;
}

export function useUploadProgress(): UploadView {
  const step = useTabState('upload', (state) => state.step);
  const isRead = useTabState('upload', ({ inspection }) => inspection.status === 'loaded');
  const isMatched = useTabState('upload', ({ match }) => match.value !== null);
  const question = useWellQuestion();
  const isReady = useTabState('upload', isMatchReady) && question === null;
  const send = useTabState('upload', (state) => state.send);
  const id = jobOf(send);
  const sendJob = useUploadJob(id);
  const unlistedState = send.status === 'started' && send.isDiscarded ? 'discarded' : 'running';
  const job = id === null ? null : (sendJob?.state ?? unlistedState);
  const progress = { isRead, isMatched, isReady, job };
  return { ...progress, sendJob, step: shownStep(step, progress), steps: stepStatuses(progress) };
}

/** The place at the top right of an upload; null: it isn't drawn yet. */
export const PrimaryPlaceContext = createContext<HTMLElement | null>(null);

/** The buttons that lead on from a step, at the top right in all steps, wherever the step scrolls. */
export function PrimaryAction({ children }: { children: ReactNode }) {
  const place = use(PrimaryPlaceContext);
  return place && createPortal(children, place);
}

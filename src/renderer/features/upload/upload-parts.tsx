import { useEffect, useMemo, useRef, useState, createContext, use, type ReactNode } from 'react';
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
  const parts = useUploadParts('choices', 'match', 'wellNames', 'selectedWell');
  return useMemo(() => wellQuestion(parts), [parts]);
}

/** Parts of the upload's state: changes of others don't draw a component again. */
export function useUploadParts<Part extends keyof UploadTabState>(
  ...parts: readonly Part[]
): Pick<UploadTabState, Part> {
  const shown = useRef<UploadTabState>(null);
  return useTabState('upload', (state) => {
    const { current } = shown;
    if (current && parts.every((part) => state[part] === current[part])) return current;
    return (shown.current = state);
  });
}

export interface UploadView extends UploadProgress {
  readonly step: Step;
  readonly steps: readonly StepStatus[];
  /** The job that sends, once its state is known. */
  readonly sendJob: UploadJob | null;
}

export function useUploadProgress(): UploadView {
  const parts = useUploadParts('step', 'inspection', 'match', 'proposals', 'send');
  const { step, send } = parts;
  const isRead = parts.inspection.status === 'loaded';
  const isMatched = parts.match.value !== null;
  const question = useWellQuestion();
  const isReady = isMatchReady(parts) && question === null;
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

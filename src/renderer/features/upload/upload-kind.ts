import { lazy, useSyncExternalStore } from 'react';
import { isAppError } from '../../../shared/errors/errors.ts';
import type { JobState } from '../../../shared/jobs/jobs.ts';
import { type Session, useSessionState } from '../../contexts.ts';
import { uploadWords } from '../../words/upload.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import {
  storedUpload,
  toStoredUpload,
  fileName,
  hasUnsavedWork,
  type UploadSubject,
  type UploadTabState,
} from './upload-state.ts';
import { createUploadTab, type UploadTab } from './upload-tab.ts';
import { activeTab } from '../tabs/tabs.ts';

/** Resolves with the state of a job when it stops, or when the connection is closed. */
export const waitForJob =
  ({ app, signal }: Session) =>
  (job: string): Promise<JobState> =>
    app.jobs.actions.waitForEnd(job, signal);

export function createUpload(session: Session, subject: UploadSubject): UploadTab {
  const { app, connection, tabs } = session;
  let model: UploadTab | null = null;
  model = createUploadTab(
    {
      api: app.api,
      connection,
      selectedWells: () => uploadKind.wellsOf(tabs.store.getState(), model),
      transferFile: app.transferFile,
      resumeJob: app.jobs.actions.resume,
      removeJob: app.jobs.actions.removeQuietly,
      findDataset: (address) => findDataset(session, address),
      waitForJob: waitForJob(session),
    },
    subject,
  );
  return model;
}

function nullIfDiscarded(error: unknown): null {
  if (isAppError(error, 'job_unknown')) return null;
  throw error;
}

export const uploadKind = defineTabKind({
  kind: 'upload',
  schema: storedUpload,
  async restore({ dataset, isDatasetAssumed, job, draft }, session): Promise<UploadTab> {
    const { api, jobs } = session.app;
    const startedJob = job && (await api.jobs.show({ job }).catch(nullIfDiscarded));
    if (startedJob) jobs.actions.add(startedJob);
    const subject = startedJob
      ? { dataset: null, job: startedJob }
      : { dataset: dataset && (await findDataset(session, dataset)), isDatasetAssumed };
    const model = createUpload(session, subject);
    if (job && !startedJob) model.store.setState({ send: { status: 'started', job, isDiscarded: true } });
    if (draft) void model.actions.restore(draft);
    return model;
  },
  serialize: ({ store }) => toStoredUpload(store.getState()),
  stores: ({ store }) => [store],
  View: lazy(() => import('./upload-tab-view.tsx')),
  helpPage: 'upload.md',
  title: ({ store }) => uploadWords.tab(fileName(store.getState())),
  dataset: ({ store }) => store.getState().dataset,
  losesWorkOnClose: ({ draft }) => draft !== null,
  hasUnsavedWork: ({ store, fixes }) => hasUnsavedWork(store.getState()) || fixes.hasEdits(),
});

/** Whether the active tab is an upload whose state passes a test. */
export function useUploadInView(test: (state: UploadTabState) => boolean): boolean {
  const store = uploadKind.of(useSessionState('tabs', activeTab))?.store;
  return useSyncExternalStore(
    (changed) => store?.subscribe(changed) ?? (() => undefined),
    () => store !== undefined && test(store.getState()),
  );
}

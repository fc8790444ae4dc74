import { lazy } from 'react';
import * as z from 'zod';
import { addressOf, datasetAddress, datasetName, type Dataset } from '../../../shared/datasets/datasets.ts';
import { jobId, type QualityJob } from '../../../shared/jobs/jobs.ts';
import { queryOfWells } from '../../../shared/language/scope.ts';
import { scopeOf } from '../../../shared/wells/wells.ts';
import type { Session } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { showSession } from '../connections/connections.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import { selectedWells } from '../tabs/tabs.ts';
import { freeTitle } from '../tabs/tab-title.ts';
import { createQualityTab, type QualitySubject, type QualityTab } from './quality-tab.ts';

function createQuality(session: Session, subject: Omit<QualitySubject, 'connection'>): QualityTab {
  const { app, connection, signal } = session;
  return createQualityTab(
    {
      api: app.api,
      waitForJob: (job) => app.jobs.actions.waitForEnd(job, signal),
      checks: () => app.settings.store.getState().values,
    },
    { connection, ...subject },
  );
}

export const qualityKind = defineTabKind({
  kind: 'quality',
  schema: z.object({ dataset: datasetAddress, query: z.string(), job: jobId.nullable() }),
  restore: async ({ dataset, ...subject }, session): Promise<QualityTab> =>
    createQuality(session, { ...subject, dataset: await findDataset(session, dataset) }),
  serialize: ({ dataset, store, run }) => ({
    dataset: addressOf(dataset),
    query: store.getState().form.query,
    job: run.store.getState().job,
  }),
  stores: ({ store, run }) => [store, run.store],
  View: lazy(() => import('./quality-tab-view.tsx')),
  helpPage: 'quality.md',
});

function open(session: Session, subject: Omit<QualitySubject, 'connection'>): void {
  const { store, actions } = session.tabs;
  const title = freeTitle(store.getState().tabs, (number) =>
    words.quality.tab.title(words.tabs.query(datasetName(subject.dataset), number, [])),
  );
  actions.open(qualityKind.open(createQuality(session, subject)), { title });
}

export function openQuality(session: Session, dataset: Dataset): void {
  const wells = scopeOf(selectedWells(session.tabs.store.getState()));
  open(session, { dataset, query: queryOfWells(dataset.type, wells) });
}

/** Opens a new tab if the check has none. @throws AppError if the dataset or the job can't be found */
export async function openReport(session: Session, job: QualityJob): Promise<void> {
  const shown = showSession(session.app, job, (other) => openReport(other, job));
  if (shown) return shown;
  const { id, address } = job;
  const { tabs, app } = session;
  const qualityTab = tabs.store.getState().tabs.find((tab) => qualityKind.formOf(tab)?.job === id);
  if (qualityTab) return tabs.actions.show(qualityTab.id);
  const [dataset, report] = await Promise.all([
    findDataset(session, address),
    app.api.quality.report({ job: id }),
  ]);
  const { query } = report.kind === 'check' ? report : { query: report.report.queries.source ?? '{}' };
  open(session, { dataset, query, job: id });
}

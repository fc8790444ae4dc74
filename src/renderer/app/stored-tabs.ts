import * as z from 'zod';
import { datasetAddress, type Dataset, type DatasetAddress } from '../../shared/datasets/datasets.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { jobId, type Job } from '../../shared/jobs/jobs.ts';
import { questionText } from '../../shared/query/question.ts';
import { liveField, livePace } from '../../shared/tabs/live.ts';
import { plotChoice } from '../../shared/tabs/plot.ts';
import { maxTitleLength, type KeptTab } from '../../shared/tabs/tabs.ts';
import type { DatasetTab } from '../features/dataset-tab/dataset-tab.ts';
import type { LiveSubject, LiveTab } from '../features/live/live-tab.ts';
import type { QualitySubject, QualityTab } from '../features/quality-tab/quality-tab.ts';
import type { QuerySubject, QueryTab } from '../features/query/query-tab.ts';
import { resultsViews } from '../features/results/results.ts';
import { timeView } from '../features/results/times/time-view.ts';
import { toStoredUpload, storedUpload } from '../features/upload/stored-upload.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import type { Browse } from '../features/wells/browse.ts';
import { entityKinds } from '../features/wells/entity-filters.ts';
import { tabTitle } from './tab-title.ts';
import type { Tab, TabContent, RestoreStatus } from './tabs.ts';

/** Creates the content of tabs, and finds what stored tabs refer to. */
export interface TabFactories {
  readonly query: (subject: Pick<QuerySubject, 'dataset' | 'text'>) => QueryTab;
  readonly dataset: (dataset: Dataset) => DatasetTab;
  readonly upload: (dataset: Dataset | null, job?: Job) => UploadTab;
  readonly live: (subject: Omit<LiveSubject, 'connection'>) => LiveTab;
  readonly quality: (subject: Omit<QualitySubject, 'connection'>) => QualityTab;
  readonly browse: () => Browse;
  /** @throws AppError `not_found` if it no longer exists */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  /** @throws AppError `job_unknown` if it was discarded */
  readonly findJob: (job: string) => Promise<Job>;
}

const storedQuery = z.object({
  dataset: datasetAddress,
  text: questionText,
  zone: timeView.catch('utc'),
  view: z.enum(resultsViews).default('table'),
  plot: plotChoice.nullable().default(null),
});
const storedLive = z.object({
  dataset: datasetAddress,
  query: z.string(),
  fields: z.array(z.string()),
  field: liveField,
  everyMs: z.int().min(livePace.shortest).max(livePace.longest),
  plot: plotChoice.nullable(),
  view: z.enum(['table', 'plot']),
  zone: timeView.catch('utc'),
});
const storedQuality = z.object({ dataset: datasetAddress, query: z.string(), job: jobId.nullable() });
const storedBrowse = z.object({ listed: z.enum(['wells', ...entityKinds]) });
const storedDataset = z.object({ dataset: datasetAddress });

const addressOf = ({ provider, dataset }: Dataset): DatasetAddress => ({ provider, dataset });

/** The stored content of a tab: plain data without records. Null: nothing to store. */
function storedContent(tab: Exclude<Tab, { kind: 'stored' }>): object | null {
  switch (tab.kind) {
    case 'query': {
      const { dataset, store, results } = tab.model;
      const { zone, view } = results.store.getState();
      const { choice: plot } = results.plot.store.getState();
      const { text } = store.getState();
      return { dataset: addressOf(dataset), text, zone, view, plot } satisfies z.input<typeof storedQuery>;
    }
    case 'live': {
      const { dataset, query, fields, field } = tab.model.subject;
      const { everyMs, view, zone } = tab.model.store.getState();
      const { choice: plot } = tab.model.plot.store.getState();
      const address = addressOf(dataset);
      const kept = { dataset: address, query, fields: [...fields], field, everyMs, view, zone, plot };
      return kept satisfies z.input<typeof storedLive>;
    }
    case 'quality': {
      const { query } = tab.model.store.getState().form;
      const { job } = tab.model.run.store.getState();
      const kept = { dataset: addressOf(tab.model.dataset), query, job };
      return kept satisfies z.input<typeof storedQuality>;
    }
    case 'dataset':
      return { dataset: addressOf(tab.model.dataset) } satisfies z.input<typeof storedDataset>;
    case 'upload':
      return toStoredUpload(tab.model.store.getState());
    case 'browse':
      return { listed: tab.model.store.getState().list } satisfies z.input<typeof storedBrowse>;
  }
}

/** A stored tab; null: nothing to store. */
export function toStoredTab(tab: Tab): KeptTab | null {
  const { id, name } = tab;
  // Its wells may have been changed since.
  if (tab.kind === 'stored') return { ...tab.model.kept, id, name, scope: [...tab.scope] };
  const state = storedContent(tab);
  // An upload's title is its file, also before it is loaded.
  const title = tabTitle({ ...tab, name: null }).slice(0, maxTitleLength);
  return state && { id, kind: tab.kind, title, name, scope: [...tab.scope], state };
}

/**
 * Calls back when {@link toStoredTab} may have changed.
 * @returns unsubscribes
 */
export function watchTab(tab: Tab, changed: () => void): () => void {
  const stores =
    tab.kind === 'query'
      ? [tab.model.store, tab.model.results.store, tab.model.results.plot.store]
      : tab.kind === 'live'
        ? [tab.model.store, tab.model.plot.store]
        : tab.kind === 'quality'
          ? [tab.model.store, tab.model.run.store]
          : [tab.model.store];
  const stops = stores.map(({ subscribe }) => subscribe(changed));
  return () => stops.forEach((stop) => stop());
}

async function contentOf({ kind, title, state }: KeptTab, make: TabFactories): Promise<TabContent | null> {
  switch (kind) {
    case 'query': {
      const { dataset, text, zone, view, plot } = storedQuery.parse(state);
      const model = make.query({ dataset: await make.findDataset(dataset), text });
      model.results.actions.show(zone);
      model.results.actions.setView(view);
      if (plot) model.results.plot.actions.choose(plot);
      return { kind, title, model };
    }
    case 'live': {
      const { dataset, view, zone, ...kept } = storedLive.parse(state);
      const model = make.live({ ...kept, dataset: await make.findDataset(dataset) });
      model.actions.setView(view);
      model.actions.show(zone);
      return { kind, title, model };
    }
    case 'quality': {
      const { dataset, ...kept } = storedQuality.parse(state);
      return { kind, title, model: make.quality({ ...kept, dataset: await make.findDataset(dataset) }) };
    }
    case 'dataset': {
      const { dataset } = storedDataset.parse(state);
      return { kind, title, model: make.dataset(await make.findDataset(dataset)) };
    }
    case 'upload': {
      const { dataset, job, draft } = storedUpload.parse(state);
      const model = job
        ? make.upload(null, await make.findJob(job))
        : make.upload(dataset && (await make.findDataset(dataset)));
      if (draft) void model.actions.restore(draft);
      return { kind, title, model };
    }
    case 'browse': {
      const model = make.browse();
      model.actions.list(storedBrowse.parse(state).listed);
      return { kind, title, model };
    }
    default:
      return null;
  }
}

/** The content of a stored tab, or why it can't be restored. */
export async function restoreTab(make: TabFactories, kept: KeptTab): Promise<TabContent | RestoreStatus> {
  try {
    return (await contentOf(kept, make)) ?? { status: 'unknown' };
  } catch (error) {
    return error instanceof AppError ? { status: 'failed', error } : { status: 'unreadable' };
  }
}

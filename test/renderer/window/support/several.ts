import { expect } from 'vitest';
import { activeTab, type Tab } from '../../../../src/renderer/features/tabs/tabs.ts';
import { openLive } from '../../../../src/renderer/features/live/live-kind.ts';
import { openQuality } from '../../../../src/renderer/features/quality-tab/quality-kind.ts';
import { openDataset } from '../../../../src/renderer/features/query/open-query.ts';
import { queryKind } from '../../../../src/renderer/features/query/query-kind.ts';
import { openUpload as openUploadTab } from '../../../../src/renderer/features/upload/open-upload.ts';
import { uploadKind } from '../../../../src/renderer/features/upload/upload-kind.ts';
import type { QueryTab } from '../../../../src/renderer/features/query/query-tab.ts';
import { hasAssetId } from '../../../../src/shared/wells/wells.ts';
import { listedWells } from '../../../../src/renderer/features/wells/wells-state.ts';
import type { Settings } from '../../../../src/shared/settings/settings.ts';
import type { Dataset } from '../../../../src/shared/datasets/datasets.ts';
import { openConnected, waitForWells, type TestWindow } from './open-window.tsx';
import { rigRows } from './upload.ts';

/** The tab in view. @throws Error if none is open */
export function shownTab({ session }: Pick<TestWindow, 'session'>): Tab {
  const tab = activeTab(session().tabs.store.getState());
  if (!tab) throw new Error('no tab is open');
  return tab;
}

/** The query of a tab. @throws Error if it is of another kind */
export function queryOf(tab: Tab): QueryTab {
  const query = queryKind.of(tab);
  if (!query) throw new Error('the tab is no query');
  return query;
}

/** Selects a well for the tab in view. */
function selectWell({ session }: TestWindow, assetId: number): void {
  const { store, actions } = session().wells;
  actions.selectWells(listedWells(store.getState()).wellsBy('assetId', [assetId]).filter(hasAssetId));
}

/** Opens a query for one well, with a limit below the number of its records, and runs it. */
async function openQuery(opened: TestWindow, dataset: Dataset, well: number): Promise<Tab> {
  void openDataset(opened.session(), dataset);
  const model = queryOf(shownTab(opened));
  selectWell(opened, well);
  model.actions.focusEditor(false);
  model.actions.type('find', { query: `{ asset_id: ${well} }`, limit: '5' });
  await run(model);
  return shownTab(opened);
}

/** Runs a query, and waits for its result. */
export async function run({ actions, results }: QueryTab): Promise<void> {
  await actions.run();
  await expect.poll(() => results.store.getState().run.status).toBe('loaded');
}

async function openUpload(opened: TestWindow, dataset: Dataset, name: string): Promise<Tab> {
  openUploadTab(opened.session(), dataset);
  const tab = shownTab(opened);
  const model = uploadKind.of(tab);
  if (!model) throw new Error('the upload isn’t in view');
  const lines = ['Time,ROP,WOB', ...rigRows(20)];
  await model.actions.addFile(new File([lines.join('\n')], name));
  // Its columns are matched with proposed fields; its times have a zone.
  await expect
    .poll(() => {
      const { match, proposals } = model.store.getState();
      return proposals.status === 'loaded' && match.value?.ready;
    })
    .toBe(true);
  return tab;
}

/** Opens a window with queries of two wells, which are selected while each is in view. */
export async function openSeveralQueries(names: Settings['names'] = 'fields') {
  const opened = await openConnected();
  if (names !== 'fields') await opened.application.client.settings.change({ set: { names } });
  await waitForWells(8);
  const { session, datasetAt } = opened;
  const wits = await datasetAt('demo/wits');
  const query = await openQuery(opened, wits, 5001);
  const otherQuery = await openQuery(opened, wits, 5002);
  return {
    ...opened,
    wits,
    tabs: { query, otherQuery },
    /** Shows a tab, and waits until it is drawn. */
    async show(tab: Tab): Promise<void> {
      if (shownTab(opened).id === tab.id) await opened.tab();
      else await opened.openTab(() => session().tabs.actions.show(tab.id));
    },
  };
}

/**
 * Opens a window with at least two of everything: queries of two wells, a statement that hasn’t run, two live views, a
 * check of quality, and uploads of two files.
 */
export async function openSeveral() {
  const opened = await openSeveralQueries();
  const { session, wits, datasetAt } = opened;
  void openDataset(session(), wits);
  const statement = shownTab(opened);
  selectWell(opened, 5003);
  const sql = queryOf(statement);
  sql.actions.focusEditor(false);
  sql.actions.switchTo('sql');
  sql.actions.type('sql', { statement: 'SELECT 4242 AS answer' });
  const openLiveTab = (well: number): Tab => {
    openLive(session(), wits, { query: `{ asset_id: ${well} }`, fields: [] });
    return shownTab(opened);
  };
  const live = openLiveTab(5001);
  const otherLive = openLiveTab(5002);
  openQuality(session(), wits);
  const quality = shownTab(opened);
  const rows = await datasetAt('demo/uploads.time');
  const upload = await openUpload(opened, rows, 'first.csv');
  const otherUpload = await openUpload(opened, rows, 'second.csv');
  return {
    ...opened,
    tabs: { ...opened.tabs, statement, live, otherLive, quality, upload, otherUpload },
  };
}

export type SeveralQueries = Omit<Awaited<ReturnType<typeof openSeveralQueries>>, 'tabs'>;
export type SeveralTabs = Awaited<ReturnType<typeof openSeveral>>;

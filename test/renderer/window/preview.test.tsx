import { createStore } from 'zustand/vanilla';
import { expect, it } from 'vitest';
import { openDataset } from '../../../src/renderer/features/query/open-query.ts';
import { queryKind } from '../../../src/renderer/features/query/query-kind.ts';
import { openWell } from '../../../src/renderer/features/sidebar/open-well.ts';
import { activeTab } from '../../../src/renderer/features/tabs/tabs.ts';
import { listedWells } from '../../../src/renderer/features/wells/wells-state.ts';
import { valueOr } from '../../../src/renderer/state/loadable.ts';
import { hasAssetId } from '../../../src/shared/wells/wells.ts';
import { openConnected, waitForWells } from './support/open-window.tsx';

/** A window with two datasets that open as previews and run, and the datasets of the runs. */
async function openSeveralPreviews() {
  const { session: current, application } = await openConnected();
  await waitForWells(8);
  await application.client.settings.change({ set: { runOnOpen: true } });
  const session = current();
  await expect.poll(() => session.app.settings.store.getState().values.runOnOpen).toBe(true);
  const listed = () => valueOr(session.datasets.store.getState().list, []);
  await expect.poll(() => listed().some(({ dataset }) => dataset === 'wits')).toBe(true);
  const datasetOf = (name: string) => {
    const dataset = listed().find((one) => one.provider === 'demo' && one.dataset === name);
    if (!dataset) throw new Error(`no dataset ${name}`);
    return dataset;
  };
  const { records } = session.app;
  const runs: string[] = [];
  const { open } = records;
  Object.assign(records, {
    open: (...request: Parameters<typeof open>) => {
      const [asked] = request;
      runs.push(asked.kind === 'sql' ? '' : asked.request.dataset);
      return open(...request);
    },
  });
  const shown = () => {
    const model = queryKind.of(activeTab(session.tabs.store.getState()));
    if (!model) throw new Error('no query is in view');
    return model;
  };
  const preview = (name: string) => openDataset(session, datasetOf(name), { isPreview: true });
  const titles = () => session.tabs.store.getState().tabs.map(({ content }) => content?.dataset()?.dataset);
  return { session, runs, shown, preview, titles };
}

/** The answer to whether records belong to wells in another way, until it is given. */
function delayScope(session: Awaited<ReturnType<typeof openSeveralPreviews>>['session']) {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  Object.assign(session.datasets.actions, { learnScope: () => promise });
  return () => resolve(false);
}

it('a preview that is replaced before its first run doesn’t run', async () => {
  const { session, runs, preview, titles } = await openSeveralPreviews();
  const answer = delayScope(session);
  const [first, second] = [preview('wits'), preview('data.formations')];
  answer();
  await Promise.all([first, second]);
  expect(titles()).toEqual(['data.formations']);
  expect(runs).toEqual(['data.formations']);
});

it('a preview that the user runs before its first run stays', async () => {
  const { session, shown, preview, titles } = await openSeveralPreviews();
  const answer = delayScope(session);
  const opening = preview('wits');
  await shown().actions.run();
  answer();
  await opening;
  await preview('data.formations');
  expect(titles()).toEqual(['wits', 'data.formations']);
});

it('a preview whose plot the user sets up stays', async () => {
  const { shown, preview, titles } = await openSeveralPreviews();
  await preview('wits');
  shown().results.actions.setView('plot');
  await preview('data.formations');
  expect(titles()).toEqual(['data.formations']);
  shown().results.plot.actions.choose({
    kind: 'lines',
    x: 'timestamp',
    y: ['data.rop'],
    align: 'recorded',
  });
  await preview('wits');
  expect(titles()).toEqual(['data.formations', 'wits']);
});

it('of two wells that are opened one after the other, the last one stays in view', async () => {
  const { session } = await openSeveralPreviews();
  const [one, other] = listedWells(session.wells.store.getState()).wells.filter(hasAssetId);
  if (!one || !other) throw new Error('there are no two wells');
  const { store } = session.datasets;
  const slow = createStore(() => ({
    ...store.getState(),
    freshness: { ...store.getState().freshness, isLoading: true },
  }));
  const first = openWell({ ...session, datasets: { ...session.datasets, store: slow } }, one);
  await openWell(session, other);
  slow.setState(store.getState());
  await first;
  const { tabs } = session.tabs.store.getState();
  expect(tabs.map(({ wells }) => wells.map(({ assetId }) => assetId))).toEqual([[other.assetId]]);
});

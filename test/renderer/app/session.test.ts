import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../src/renderer/contexts.ts';
import {
  openAnother,
  openDataset,
  openStoredQuery,
} from '../../../src/renderer/features/query/open-query.ts';
import { queryKind } from '../../../src/renderer/features/query/query-kind.ts';
import { activeTab, selectedWells } from '../../../src/renderer/features/tabs/tabs.ts';
import { openBrowse } from '../../../src/renderer/features/wells/browse-kind.ts';
import { valueOr } from '../../../src/renderer/state/loadable.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { questionText } from '../../../src/shared/query/question.ts';
import { listedWells } from '../../../src/renderer/features/wells/wells-state.ts';
import { useApplication } from './support/application.ts';
import { sessionApp, rememberedSet, sessionsOf } from './support/session.ts';

/** How long a loaded machine may take, in milliseconds. */
const timeoutMs = 20_000;

const startApplication = useApplication();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) {
    await session.close();
  }
});

/** Sessions of one window on one connection, one after the other. */
async function windowOn(windowMemory = rememberedSet()) {
  const { application, connection } = await startApplication();
  const start = sessionsOf(sessionApp(application), connection, undefined, windowMemory);
  return () => {
    const session = start();
    open.push(session);
    return session;
  };
}

const datasetsOf = ({ datasets }: Session) => valueOr(datasets.store.getState().list, []);
const titlesOf = ({ tabs }: Session) => tabs.store.getState().tabs.map(({ name, title }) => name ?? title);
const shownIn = ({ tabs }: Session) => activeTab(tabs.store.getState());
const queryIn = (session: Session) => {
  const shown = queryKind.of(shownIn(session));
  if (!shown) throw new Error('no query is in view');
  return shown.store.getState().text.find.query;
};

/** A session with loaded lists and a selected well. */
async function loaded(session: Session) {
  session.load();
  await vi.waitFor(() => {
    expect(datasetsOf(session).length).toBeGreaterThan(0);
    expect(session.wells.store.getState().found?.length).toBe(4);
  }, timeoutMs);
  const wits = datasetsOf(session).find(({ dataset }) => dataset === 'wits');
  if (!wits) throw new Error('there is no dataset wits');
  const well = listedWells(session.wells.store.getState()).well('assetId', 5001);
  if (!well) throw new Error('there is no well 5001');
  session.wells.actions.changeSelection([well]);
  return { wits, well };
}

describe('the session of a connection', () => {
  it('opens queries for the selected wells, numbered by dataset', async () => {
    const session = (await windowOn())();
    const { wits } = await loaded(session);
    void openDataset(session, wits);
    expect(queryIn(session)).toContain('{{wells}}');
    openAnother(session);
    expect(titlesOf(session)).toEqual([words.tabs.query('WITS', 1, []), words.tabs.query('WITS', 2, [])]);
    const [first] = session.tabs.store.getState().tabs;
    session.tabs.actions.close(first?.id ?? '');
    openAnother(session);
    // The first free number.
    expect(titlesOf(session)).toEqual([words.tabs.query('WITS', 2, []), words.tabs.query('WITS', 1, [])]);
  });

  it('reads fields and definitions again after its lists are loaded again: they can be of another service', async () => {
    const session = (await windowOn())();
    const { wits } = await loaded(session);
    const key = { connection: session.connection, address: wits };
    const definition = { connection: session.connection, ...wits };
    await Promise.all([session.app.fields.load(key), session.datasets.definitions.load(definition)]);
    const statuses = () =>
      [session.app.fields.get(key), session.datasets.definitions.get(definition)].map(({ status }) => status);
    expect(statuses()).toEqual(['loaded', 'loaded']);
    session.load();
    expect(statuses()).toEqual(['idle', 'idle']);
  });

  it('selects the wells of the tab in view', async () => {
    const session = (await windowOn())();
    const { wits } = await loaded(session);
    const chosen = () => selectedWells(session.tabs.store.getState()).map(({ assetId }) => assetId);
    void openDataset(session, wits);
    openBrowse(session);
    session.wells.actions.deselectAll();
    expect(chosen()).toEqual([]);
    session.tabs.actions.showNext(1);
    expect(chosen()).toEqual([5001]);
  });

  it('shows times of its queries in the zone of the settings until it is closed', async () => {
    const session = (await windowOn())();
    const { wits } = await loaded(session);
    void openDataset(session, wits);
    void openDataset(session, wits);
    const zones = () =>
      session.tabs.store.getState().tabs.map((tab) => queryKind.of(tab)?.results.store.getState().zone);
    const { settings } = session.app;
    settings.actions.set({ times: 'local' });
    expect(zones()).toEqual(['local', 'local']);
    settings.actions.set({ times: 'well' });
    expect(zones()).toEqual(['well', 'well']);
  });

  it('has one tab that lists wells, and opens no other query without one in view', async () => {
    const session = (await windowOn())();
    openBrowse(session);
    openBrowse(session);
    expect(titlesOf(session)).toEqual([words.wells.browse.tab]);
    openAnother(session);
    expect(titlesOf(session)).toEqual([words.wells.browse.tab]);
  });

  it('opens an earlier query with its name and wells, and reports a dataset that no longer exists', async () => {
    const session = (await windowOn())();
    await loaded(session);
    const text = questionText.parse({ find: { query: '{ asset_id: 5002 }' } });
    const address = { provider: 'demo', dataset: 'wits' };
    await openStoredQuery(session, { address, text, name: 'Night', assetIds: [5002 as never], run: false });
    expect(titlesOf(session)).toEqual(['Night']);
    expect(queryIn(session)).toBe('{ asset_id: 5002 }');
    expect(shownIn(session)?.wells.map(({ assetId }) => assetId)).toEqual([5002]);
    const missing = openStoredQuery(session, {
      address: { ...address, dataset: 'missing' },
      text,
      run: false,
    });
    await expect(missing).rejects.toMatchObject({ code: 'not_found' });
    expect(titlesOf(session)).toEqual(['Night']);

    // Wells that aren't listed can't be selected.
    const selected = questionText.parse({ find: { query: '{ asset_id: {{wells}} }' } });
    const both = [5002 as never, 9999 as never];
    await openStoredQuery(session, { address, text: selected, assetIds: both, run: false });
    expect(queryIn(session)).toBe('{ asset_id: {"$in":[5002,9999]} }');
    await openStoredQuery(session, { address, text: selected, assetIds: [5002 as never], run: false });
    expect(queryIn(session)).toBe('{ asset_id: {{wells}} }');
  });

  it('ends its tabs and requests at once while the link is lost', async () => {
    const { application, connection } = await startApplication();
    const app = sessionApp(application);
    const lost = { ...app.api.tabs, keep: () => new Promise<never>(() => undefined) };
    const api = new Proxy(app.api, {
      get: (target, name) => (name === 'tabs' ? lost : Reflect.get(target, name)),
    });
    const session = sessionsOf({ ...app, api }, connection)();
    const { wits } = await loaded(session);
    void openDataset(session, wits);
    void session.close();
    expect([session.tabs.store.getState().tabs, session.signal.aborted]).toEqual([[], true]);
  });

  it('stores its tabs on closing, and restores them the next time', async () => {
    const windowMemory = rememberedSet();
    const start = await windowOn(windowMemory);
    const first = start();
    const { wits } = await loaded(first);
    void openDataset(first, wits);
    // Before that, nothing could be stored.
    await vi.waitFor(() => expect(windowMemory.recall()).not.toBeNull(), timeoutMs);
    const stored = first.close();
    expect(first.tabs.store.getState().tabs).toEqual([]);
    await stored;
    const second = start();
    await vi.waitFor(
      () => expect(titlesOf(second)).toEqual([words.tabs.query('WITS', 1, [{ name: 'Ridge A-101H' }])]),
      timeoutMs,
    );
  });
});

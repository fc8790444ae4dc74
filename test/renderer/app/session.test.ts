import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSession, createTour, type Session } from '../../../src/renderer/app/session.ts';
import { createFieldCatalogue } from '../../../src/renderer/features/datasets/field-catalogue.ts';
import { createSettings } from '../../../src/renderer/features/settings/settings.ts';
import { createUploadQueue } from '../../../src/renderer/features/upload/queue/upload-queue.ts';
import { valueOr } from '../../../src/renderer/state/loadable.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { questionText } from '../../../src/shared/query/question.ts';
import { listedWells } from '../../../src/renderer/features/wells/wells-state.ts';
import { useApplication } from './support/application.ts';

/** How long a loaded machine may take, in milliseconds. */
const timeoutMs = 20_000;

const startApplication = useApplication();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) {
    session.close();
    // Closed once everything is stored.
    await vi.waitFor(() => expect(session.tabs.store.getState().tabs).toEqual([]), timeoutMs);
  }
});

/** Sessions of one window on one connection, one after the other. */
async function windowOn() {
  const { application, connection } = await startApplication();
  const api = application.client;
  const look = { theme: 'system', motion: 'system' } as const;
  const settings = createSettings({ api, memory: { recall: () => look, remember: () => undefined } });
  let remembered: string | null = null;
  return () => {
    const session = createSession(
      {
        api,
        records: {
          open: () => Promise.reject(new Error('nothing is run in this test')),
          live: async () => undefined,
          warm: () => undefined,
        },
        fields: createFieldCatalogue(api, settings.store),
        settings: settings.store,
        tour: () => createTour(settings.actions.places.tour, Date.now),
        showDatasets: () => undefined,
        transferFile: () => Promise.reject(new Error('no file is handed over in this test')),
        removeJob: async () => undefined,
        waitForJob: async () => 'done',
        queue: createUploadQueue(),
        memory: () => ({ recall: () => remembered, remember: (set) => void (remembered = set) }),
        schedule(ms, act) {
          const timer = setTimeout(act, ms);
          return () => clearTimeout(timer);
        },
        openElsewhere: () => null,
      },
      connection,
    );
    open.push(session);
    return session;
  };
}

const datasetsOf = ({ datasets }: Session) => valueOr(datasets.store.getState().list, []);
const titlesOf = ({ tabs }: Session) => tabs.store.getState().tabs.map(({ name, title }) => name ?? title);
const shownIn = ({ tabs }: Session) => {
  const { tabs: all, active } = tabs.store.getState();
  return all.find(({ id }) => id === active);
};
const queryIn = (session: Session) => {
  const shown = shownIn(session);
  if (shown?.kind !== 'query') throw new Error('no query is in view');
  return shown.model.store.getState().text.find.query;
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
    session.openDataset(wits);
    expect(queryIn(session)).toContain('{{wells}}');
    session.openAnother();
    expect(titlesOf(session)).toEqual([words.tabs.query('wits', 1), words.tabs.query('wits', 2)]);
    const [first] = session.tabs.store.getState().tabs;
    session.tabs.actions.close(first?.id ?? '');
    session.openAnother();
    // The first free number.
    expect(titlesOf(session)).toEqual([words.tabs.query('wits', 2), words.tabs.query('wits', 1)]);
  });

  it('selects the wells of the tab in view', async () => {
    const session = (await windowOn())();
    const { wits } = await loaded(session);
    const chosen = () => session.wells.store.getState().selected.map(({ assetId }) => assetId);
    session.openDataset(wits);
    session.openBrowse();
    session.wells.actions.restoreSelection([]);
    expect(chosen()).toEqual([]);
    session.tabs.actions.showNext(1);
    expect(chosen()).toEqual([5001]);
  });

  it('has one tab that lists wells, and opens no other query without one in view', async () => {
    const session = (await windowOn())();
    session.openBrowse();
    session.openBrowse();
    expect(titlesOf(session)).toEqual([words.wells.browse.tab]);
    session.openAnother();
    expect(titlesOf(session)).toEqual([words.wells.browse.tab]);
  });

  it('opens an earlier query with its name and wells, and reports a dataset that no longer exists', async () => {
    const session = (await windowOn())();
    await loaded(session);
    const text = questionText.parse({ find: { query: '{ asset_id: 5002 }' } });
    const address = { provider: 'demo', dataset: 'wits' };
    await session.openQuestion({ address, text, name: 'Night', assetIds: [5002 as never], run: false });
    expect(titlesOf(session)).toEqual(['Night']);
    expect(queryIn(session)).toBe('{ asset_id: 5002 }');
    expect(shownIn(session)?.scope.map(({ assetId }) => assetId)).toEqual([5002]);
    const missing = session.openQuestion({ address: { ...address, dataset: 'missing' }, text, run: false });
    await expect(missing).rejects.toMatchObject({ code: 'not_found' });
    expect(titlesOf(session)).toEqual(['Night']);

    // Wells that aren't listed can't be selected.
    const selected = questionText.parse({ find: { query: '{ asset_id: {{wells}} }' } });
    const both = [5002 as never, 9999 as never];
    await session.openQuestion({ address, text: selected, assetIds: both, run: false });
    expect(queryIn(session)).toBe('{ asset_id: {"$in":[5002,9999]} }');
    await session.openQuestion({ address, text: selected, assetIds: [5002 as never], run: false });
    expect(queryIn(session)).toBe('{ asset_id: {{wells}} }');
  });

  it('stores its tabs on closing, and restores them the next time', async () => {
    const start = await windowOn();
    const first = start();
    const { wits } = await loaded(first);
    first.openDataset(wits);
    first.close();
    await vi.waitFor(() => expect(first.tabs.store.getState().tabs).toEqual([]), timeoutMs);
    const second = start();
    await vi.waitFor(() => expect(titlesOf(second)).toEqual([words.tabs.query('wits', 1)]), timeoutMs);
  });
});

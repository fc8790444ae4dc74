import { afterEach, describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Dataset, DatasetAddress } from '../../../src/shared/datasets/datasets.ts';
import { AppError } from '../../../src/shared/errors/errors.ts';
import type { HeldTabs, KeptTab, TabsChange } from '../../../src/shared/tabs/tabs.ts';
import { createTabStorage } from '../../../src/renderer/app/tab-storage.ts';
import { createOutbox } from '../../../src/renderer/app/outbox.ts';
import { toStoredTab } from '../../../src/renderer/app/stored-tabs.ts';
import { createTabs } from '../../../src/renderer/app/tabs.ts';
import { prefill } from '../../../src/renderer/features/query/prefill.ts';
import { createPlot } from '../../../src/renderer/features/plot/plot.ts';
import type { QueryTab } from '../../../src/renderer/features/query/query-tab.ts';
import { made } from '../features/datasets/made.ts';

const wits = made('wits', { friendlyName: 'WITS' });

const opened: AbortController[] = [];
afterEach(() => {
  for (const window of opened.splice(0)) window.abort();
});

/** A window of one connection whose main process has `held` for it, and handles changes with `onKeep`. */
function windowOn(held: HeldTabs, onKeep: (change: TabsChange) => Promise<void> = async () => undefined) {
  const sentChanges: TabsChange[] = [];
  const reads: (string | null)[] = [];
  const timers = new Map<number, () => void>();
  let count = 0;
  let remembered: string | null = null;
  const makeQuery = ({
    dataset,
    text,
  }: {
    dataset: Dataset;
    text?: ReturnType<typeof prefill> | undefined;
  }) => {
    const store = createStore(() => ({ text: text ?? prefill('time', []) }));
    const results = createStore(() => ({ zone: 'utc', view: 'table' }));
    const plot = createPlot();
    return {
      dataset,
      store,
      results: {
        store: results,
        plot,
        actions: {
          show: (zone: string) => results.setState({ zone }),
          setView: (view: string) => results.setState({ view }),
        },
      },
      actions: {
        close: () => undefined,
        type: (query: string) =>
          store.setState((state) => ({ text: { ...state.text, find: { ...state.text.find, query } } })),
      },
    };
  };
  const none = () => {
    throw new Error('no such tab is kept here');
  };
  const make = {
    query: (subject: Parameters<typeof makeQuery>[0]) => makeQuery(subject) as unknown as QueryTab,
    async findDataset({ dataset }: DatasetAddress) {
      if (dataset === 'wits') return wits;
      throw new AppError('not_found', { service: 'data', what: dataset });
    },
    live: none,
    quality: none,
    upload: none,
    browse: none,
    dataset: none,
    findJob: none,
  };
  const tabs = createTabs({ store: toStoredTab, selectedWells: () => [] });
  const keeping = createTabStorage({
    api: {
      tabs: {
        async keep(change) {
          sentChanges.push(change as TabsChange);
          await onKeep(change as TabsChange);
          return {};
        },
      },
      events: {
        async tabs({ set }, options) {
          reads.push(set);
          return (async function* stream() {
            yield held;
            await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve));
          })() as never;
        },
      },
    },
    connection: 'c',
    tabs,
    make,
    windowMemory: { recall: () => remembered, remember: (set) => void (remembered = set) },
    onRestored: () => undefined,
    schedule(_ms, act) {
      const id = (count += 1);
      timers.set(id, act);
      return () => void timers.delete(id);
    },
  });
  const window = new AbortController();
  opened.push(window);
  keeping.start(window.signal);
  return {
    tabs,
    keeping,
    sentChanges,
    reads,
    remembered: () => remembered,
    started: () => new Promise((resolve) => setTimeout(resolve, 5)),
    /** Advances the time by the delay of a change. */
    async pass() {
      const due = [...timers.values()];
      timers.clear();
      for (const act of due) act();
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    openQuery() {
      const model = makeQuery({ dataset: wits });
      tabs.actions.open({ kind: 'query', title: 'wits · query 1', model: model as unknown as QueryTab });
      return model;
    },
  };
}
const none: HeldTabs = {
  set: 's1',
  kept: { open: [], closed: [], active: null, neighbor: null },
  problem: null,
};
const queryOf = (tab: KeptTab) => (tab.state as { text: { find: { query: string } } }).text.find.query;
const keptQuery = (id: string, query: string, dataset = 'wits'): KeptTab => ({
  id,
  kind: 'query',
  title: `${dataset} · query 1`,
  name: null,
  scope: [],
  state: { dataset: { provider: 'demo', dataset }, text: { find: { query } }, zone: 'local' },
});

describe('storing tabs', () => {
  it('sends all tabs to the main process, and then only changes', async () => {
    const window = windowOn(none);
    await window.started();
    const [one, other] = [window.openQuery(), window.openQuery()];
    await window.pass();
    expect(window.sentChanges).toHaveLength(1);
    expect(window.sentChanges[0]?.changed).toHaveLength(2);
    one.actions.type('{ a: 1');
    one.actions.type('{ a: 12');
    await window.pass();
    expect(window.sentChanges).toHaveLength(2);
    expect(window.sentChanges[1]?.changed.map(queryOf)).toEqual(['{ a: 12']);
    await window.pass();
    expect(window.sentChanges).toHaveLength(2);
    other.actions.close();
  });

  it('is immediate when the page is about to close', async () => {
    const window = windowOn(none);
    await window.started();
    window.openQuery().actions.type('{ half');
    void window.keeping.flush();
    expect(window.sentChanges.flatMap(({ changed }) => changed.map(queryOf))).toEqual(['{ half']);
  });

  it('is immediate when the page is about to close while the main process is still writing', async () => {
    const window = windowOn(none, () => new Promise(() => undefined));
    await window.started();
    const tab = window.openQuery();
    await window.pass();
    tab.actions.type('{ half');
    void window.keeping.flush();
    expect(window.sentChanges.at(-1)?.changed.map(queryOf)).toEqual(['{ half']);
  });

  it('restores tabs, inactive until they are shown, with text and time zone', async () => {
    const window = windowOn({
      ...none,
      kept: {
        open: [keptQuery('a', '{ x: 1'), keptQuery('b', '{ y: 2')],
        closed: [],
        active: 'b',
        neighbor: null,
      },
    });
    await window.started();
    expect(window.remembered()).toBe('s1');
    expect(window.tabs.store.getState().tabs.map(({ kind }) => kind)).toEqual(['stored', 'stored']);
    await window.keeping.actions.restore('b');
    const [a, b] = window.tabs.store.getState().tabs;
    expect(a?.kind).toBe('stored');
    expect(b?.kind === 'query' && b.model.store.getState().text.find.query).toBe('{ y: 2');
    expect(b?.kind === 'query' && b.model.results.store.getState().zone).toBe('local');
  });

  it('loses nothing of a tab whose dataset no longer exists, whose type is unknown, or whose state can’t be read', async () => {
    const open = [
      keptQuery('missing', '{ long: "typed" }', 'removed'),
      { ...keptQuery('later', ''), kind: 'orrery' },
      { ...keptQuery('odd', ''), state: { dataset: 7 } },
    ];
    const window = windowOn({ ...none, kept: { open, closed: [], active: null, neighbor: null } });
    await window.started();
    for (const { id } of open) await window.keeping.actions.restore(id);
    const faces = window.tabs.store
      .getState()
      .tabs.map((tab) => tab.kind === 'stored' && tab.model.store.getState().restoration.status);
    expect(faces).toEqual(['failed', 'unknown', 'unreadable']);
    await window.pass();
    expect(window.sentChanges.at(-1)?.changed).toEqual(open);
  });

  it('reports when nothing can be stored, retries, and sends everything again', async () => {
    let full = true;
    const error = new AppError('disk_full', { file: 'tabs', writtenBytes: 0 });
    const window = windowOn(none, async () => {
      if (full) throw error;
    });
    await window.started();
    window.openQuery();
    await window.pass();
    expect(window.keeping.store.getState().problem).toContain(error.message);
    full = false;
    await window.pass();
    expect(window.keeping.store.getState().problem).toBeNull();
    expect(window.sentChanges.at(-1)?.changed).toHaveLength(1);
  });

  it('reports which earlier tabs were lost', async () => {
    const window = windowOn({ ...none, problem: 'They are now x.damaged-1.' });
    await window.started();
    await window.pass();
    expect(window.keeping.store.getState().problem).toBe('They are now x.damaged-1.');
    window.keeping.actions.dismiss();
    expect(window.keeping.store.getState().problem).toBeNull();
  });

  it('reopens a closed tab with its latest text', async () => {
    const window = windowOn(none);
    await window.started();
    window.openQuery().actions.type('{ nearly: lost');
    const id = window.tabs.store.getState().active ?? '';
    window.tabs.actions.close(id);
    await window.pass();
    expect(window.sentChanges.at(-1)).toMatchObject({ open: [], closed: [id] });
    window.tabs.actions.reopen();
    await window.keeping.actions.restore(id);
    const [tab] = window.tabs.store.getState().tabs;
    expect(tab?.kind === 'query' && tab.model.store.getState().text.find.query).toBe('{ nearly: lost');
  });
});

describe('changes sent to the main process', () => {
  const ids = (...open: string[]) => ({ open, closed: [], active: null, neighbor: null });
  it('fit into calls, whatever their size', () => {
    const outbox = createOutbox(2000);
    const all = ['a', 'b', 'c', 'd'].map((id) => keptQuery(id, 'x'.repeat(id === 'c' ? 5000 : 900)));
    const parts = outbox.changesToSend(ids('a', 'b', 'c', 'd'), all);
    expect(parts?.map(({ changed }) => changed.map(({ id }) => id))).toEqual([['a'], ['b'], ['c'], ['d']]);
    expect(outbox.changesToSend(ids('a', 'b', 'c', 'd'), all)).toBeNull();
  });

  it('are sent again after they were dropped, and include a new order', () => {
    const outbox = createOutbox(2000);
    const all = [keptQuery('a', ''), keptQuery('b', '')];
    outbox.changesToSend(ids('a', 'b'), all);
    expect(outbox.changesToSend(ids('b', 'a'), all)).toMatchObject([{ open: ['b', 'a'], changed: [] }]);
    outbox.forget();
    expect(outbox.changesToSend(ids('b', 'a'), all)?.[0]?.changed).toHaveLength(2);
  });
});

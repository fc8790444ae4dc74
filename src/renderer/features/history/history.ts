import { createStore } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { HistoryPage, Run, RunNote } from '../../../shared/contract/query.ts';
import type { Api } from '../../api/api.ts';
import type { Session } from '../../contexts.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, idle, loading, type Loadable } from '../../state/loadable.ts';
import { openStoredQuery } from '../query/open-query.ts';

export interface HistoryState {
  readonly page: Loadable<HistoryPage>;
  readonly search: string;
  /** The last removed runs, which can be restored. */
  readonly removedRuns: readonly string[];
  /** The error of the last action. */
  readonly problem: string | null;
}

const defaults: HistoryState = { page: idle, search: '', removedRuns: [], problem: null };

/** The history of a connection's queries. */
export function createHistory(api: Pick<Api, 'history'>, connection: string) {
  const store = createStore<HistoryState>()(() => defaults);
  const listing = createLatestTask();

  /** Runs an action. Its error appears above the list. */
  async function act(work: () => Promise<void>): Promise<void> {
    store.setState({ problem: null });
    try {
      await work();
    } catch (error) {
      store.setState({ problem: toAppError(error).message });
    }
  }

  async function list(): Promise<void> {
    const { search } = store.getState();
    await listing.run((signal) => api.history.list({ connection, search }, { signal }), {
      onDone: (page) => store.setState({ page: loaded(page) }),
      onFailed: (error) => store.setState({ page: failed(error) }),
      onCanceled: () => undefined,
    });
  }

  const actions = {
    async load() {
      if (store.getState().page.status !== 'loaded') store.setState({ page: loading });
      await list();
    },
    async search(search: string) {
      store.setState({ search });
      await list();
    },
    note: (note: Omit<RunNote, 'connection'>) =>
      act(async () => {
        await api.history.note({ connection, ...note });
        // Not loaded yet: it loads when opened.
        if (store.getState().page.status !== 'idle') await list();
      }),
    /** Opens a run's query in a tab. */
    open: (session: Session, { id, provider, dataset, wells }: Run, how: { readonly run: boolean }) =>
      act(async () => {
        const { question: text } = await api.history.get({ connection, id });
        const assetIds = wells.map(({ assetId }) => assetId);
        await openStoredQuery(session, { address: { provider, dataset }, text, assetIds, ...how });
      }),
    /** Null: all of them. */
    remove: (run: Run | null) =>
      act(async () => {
        const { ids } = await api.history.remove({ connection, ...(run ? { ids: [run.id] } : {}) });
        store.setState({ removedRuns: ids });
        await list();
      }),
    undo: () =>
      act(async () => {
        await api.history.restore({ connection, ids: [...store.getState().removedRuns] });
        store.setState({ removedRuns: [] });
        await list();
      }),
    dismiss: () => store.setState({ removedRuns: [], problem: null }),
  };
  return { store, actions };
}

export type History = ReturnType<typeof createHistory>;

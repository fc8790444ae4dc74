import { createStore } from 'zustand/vanilla';
import type { HistoryPage, Run, RunNote } from '../../../shared/contract/query.ts';
import type { Api } from '../../api/api.ts';
import type { Session } from '../../contexts.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import { perform, Resource, valueOrFailure } from '../../state/resource.ts';
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

export function createHistory(api: Pick<Api, 'history'>, connection: string) {
  const store = createStore<HistoryState>()(() => defaults);
  const { getState, setState } = store;
  const pages = new Resource(
    (_: null, signal) => api.history.list({ connection, search: getState().search }, { signal }),
    { onChange: (page) => setState({ page: valueOrFailure(page) }) },
  );
  const act = (work: () => Promise<void>): Promise<void> =>
    perform(work, (error) => setState({ problem: error && error.message }));

  const actions = {
    load: () => pages.refresh(null),
    async search(search: string) {
      setState({ search });
      await pages.refresh(null);
    },
    note: (note: Omit<RunNote, 'connection'>) =>
      act(async () => {
        await api.history.note({ connection, ...note });
        // Not loaded yet: it loads when opened.
        await pages.update(null);
      }),
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
        setState({ removedRuns: ids });
        await pages.refresh(null);
      }),
    undo: () =>
      act(async () => {
        await api.history.restore({ connection, ids: [...getState().removedRuns] });
        setState({ removedRuns: [] });
        await pages.refresh(null);
      }),
    dismiss: () => setState({ removedRuns: [], problem: null }),
  };
  return { store, actions };
}

export type History = ReturnType<typeof createHistory>;

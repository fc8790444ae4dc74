import { createStore } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { HistoryPage, Run, RunNote } from '../../../shared/history/history.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, idle, loading, type Loadable } from '../../state/loadable.ts';

export interface HistoryState {
  readonly page: Loadable<HistoryPage>;
  readonly search: string;
  /** What was removed last, and can be brought back. */
  readonly removed: readonly string[];
  /** What went wrong with the last thing that was done. */
  readonly problem: string | null;
}

export interface HistoryNeeds {
  readonly api: { readonly history: Api['history'] };
  readonly connection: string;
  readonly openQuestion: (run: Run, question: QuestionText, how: { readonly run: boolean }) => Promise<void>;
}

const defaults: HistoryState = { page: idle, search: '', removed: [], problem: null };

/** What was asked over a connection. */
export function createHistory({ api, connection, openQuestion }: HistoryNeeds) {
  const store = createStore<HistoryState>()(() => defaults);
  const listing = createLatestTask();

  /** Does something and lists anew; what goes wrong is said above the list, which stays. */
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
        // Nobody has looked yet: the list is fetched when somebody does.
        if (store.getState().page.status !== 'idle') await list();
      }),
    /** Opens the question of a run in a tab, and runs it if that is wanted. */
    open: (run: Run, how: { readonly run: boolean }) =>
      act(async () => {
        const { question } = await api.history.get({ connection, id: run.id });
        await openQuestion(run, question, how);
      }),
    /** Null: all of them. */
    remove: (run: Run | null) =>
      act(async () => {
        const { ids } = await api.history.remove({ connection, ...(run ? { ids: [run.id] } : {}) });
        store.setState({ removed: ids });
        await list();
      }),
    undo: () =>
      act(async () => {
        await api.history.restore({ connection, ids: [...store.getState().removed] });
        store.setState({ removed: [] });
        await list();
      }),
    dismiss: () => store.setState({ removed: [], problem: null }),
  };
  return { store, actions };
}

export type History = ReturnType<typeof createHistory>;

declare module '../../state/contexts.ts' {
  interface Session {
    readonly history: History;
  }
}

import { createStore } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { SharedQueries } from '../../../shared/saved/saved-file.ts';
import {
  liesIn,
  movedPath,
  compareSaved,
  decided,
  type Compared,
  type SavedContent,
  type SavedList,
  type SavedQuery,
  type SharedQuery,
} from '../../../shared/saved/saved.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, idle, loading, valueOr, type Loadable } from '../../state/loadable.ts';

/** What there is to say or to decide after something was done. */
export type Afterwards =
  | { readonly what: 'removed'; readonly count: number; readonly content: SavedContent }
  | { readonly what: 'saved' | 'exported' | 'linked'; readonly name: string }
  | { readonly what: 'imported'; readonly count: number }
  | { readonly what: 'conflicts'; readonly compared: Compared; readonly folders: readonly string[] }
  | { readonly what: 'problem'; readonly message: string };

export interface SavedState {
  readonly list: Loadable<SavedList>;
  readonly search: string;
  /** Folders whose content is not shown. */
  readonly folded: ReadonlySet<string>;
  readonly afterwards: Afterwards | null;
}

export interface SavedNeeds {
  readonly api: { readonly saved: Api['saved'] };
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly open: (query: SavedQuery) => Promise<void>;
  /** Gives a text to the person as a file. False: they thought better of it. @throws AppError */
  readonly saveText: (name: string, text: string) => Promise<boolean>;
  readonly fileName: string;
  /** Puts a text on the clipboard; false: it could not be. */
  readonly copy: (text: string) => Promise<boolean>;
  readonly words: { readonly linkTooLong: string; readonly linkNotCopied: string };
}

const defaults: SavedState = { list: idle, search: '', folded: new Set(), afterwards: null };

/** The queries that the person has saved, over whichever connection. */
export function createSaved(needs: SavedNeeds) {
  const { api, newId, now } = needs;
  const store = createStore<SavedState>()(() => defaults);
  const listing = createLatestTask();
  const known = () => valueOr(store.getState().list, { queries: [], folders: [], problem: null });
  const take = (list: SavedList) => {
    store.setState({ list: loaded(list) });
    if (list.problem !== null) store.setState({ afterwards: { what: 'problem', message: list.problem } });
  };

  /** Does something; what goes wrong is said above the list, which stays. */
  async function act(work: () => Promise<Afterwards | undefined>): Promise<void> {
    store.setState({ afterwards: null });
    try {
      const afterwards = await work();
      if (afterwards) store.setState({ afterwards });
    } catch (error) {
      store.setState({ afterwards: { what: 'problem', message: toAppError(error).message } });
    }
  }
  const put = async (queries: SavedQuery[], folders: string[] = []) =>
    take(await api.saved.put({ queries, folders }));

  async function settled(compared: Compared, folders: readonly string[], choice: 'both' | 'replace') {
    const queries = decided(compared, choice, known().queries, { newId, now: now() });
    await put(queries, [...folders]);
    return { what: 'imported', count: queries.length } as const;
  }

  async function taken({ queries, folders }: SharedQueries): Promise<Afterwards> {
    const compared = compareSaved(queries, known().queries);
    if (compared.conflicts.length > 0) return { what: 'conflicts', compared, folders };
    return settled(compared, folders, 'both');
  }

  const actions = {
    async load() {
      if (store.getState().list.status !== 'loaded') store.setState({ list: loading });
      await listing.run((signal) => api.saved.list({}, { signal }), {
        onDone: take,
        onFailed: (error) => store.setState({ list: failed(error) }),
        onCanceled: () => undefined,
      });
    },
    search: (search: string) => store.setState({ search }),
    fold: (folder: string) =>
      store.setState(({ folded }) => ({
        folded: folded.has(folder) ? folded.difference(new Set([folder])) : new Set([...folded, folder]),
      })),
    /**
     * Saves a query; one of the same name for the same dataset in the same folder is replaced. Resolves to what went
     * wrong, null if nothing did.
     */
    async save(query: SharedQuery) {
      await act(async () => {
        // Another window may have saved one of the same name since.
        take(await api.saved.list({}));
        const same = sameIn(known().queries, query);
        await put([{ ...query, id: same?.id ?? newId(), changedAt: now() }]);
        return { what: 'saved', name: query.name };
      });
      const { afterwards } = store.getState();
      return afterwards?.what === 'problem' ? afterwards.message : null;
    },
    change: (query: SavedQuery, to: Pick<SavedQuery, 'name' | 'folder'>) =>
      act(async () => {
        const moved = { ...query, ...to, changedAt: now() };
        const other = sameIn(known().queries, moved);
        const replaced = other && other.id !== query.id ? [other.id] : [];
        take(await api.saved.put({ queries: [moved], folders: [], replaced }));
      }),
    renameFolder: (from: string, to: string) =>
      act(async () => {
        take(await api.saved.renameFolder({ from, to }));
        store.setState(({ folded }) => ({
          folded: new Set([...folded].map((path) => movedPath(path, from, to))),
        }));
      }),
    remove: (what: SavedQuery | string) =>
      act(async () => {
        const { list, removed } = await api.saved.remove(
          typeof what === 'string' ? { folders: [what] } : { queries: [what.id] },
        );
        take(list);
        return { what: 'removed', count: removed.queries.length, content: removed };
      }),
    async undo() {
      const { afterwards } = store.getState();
      if (afterwards?.what !== 'removed') return;
      await act(async () => {
        await put(afterwards.content.queries, afterwards.content.folders);
      });
    },
    open: (query: SavedQuery) =>
      act(async () => {
        await needs.open(query);
      }),
    /** Writes one query, a folder, or all to a file. */
    exportThese: (what: SavedQuery | string | null) =>
      act(async () => {
        const { savedExtension, savedToText } = await import('../../../shared/saved/saved-file.ts');
        const { queries, folders } = chosen(known(), what);
        const name =
          typeof what === 'object' && what !== null
            ? `${plain(what.name)}.${savedExtension}`
            : needs.fileName;
        const done = await needs.saveText(name, savedToText(queries, folders));
        return done ? { what: 'exported', name } : undefined;
      }),
    importFile: (file: File) =>
      act(async () => {
        const { refuseLargeFile, savedFromText } = await import('../../../shared/saved/saved-file.ts');
        refuseLargeFile(file.size, file.name);
        return taken(savedFromText(await file.text(), file.name));
      }),
    /** Adds the queries of others to ours. */
    takeOver: (theirs: SharedQueries) =>
      act(async () => {
        // The list may not have been opened yet.
        take(await api.saved.list({}));
        return taken(theirs);
      }),
    /** Puts a link to a query on the clipboard. */
    copyLink: (query: SavedQuery) =>
      act(async () => {
        const { linkTo } = await import('../../../shared/query/query-link.ts');
        const link = linkTo(query);
        if (link === null) return { what: 'problem', message: needs.words.linkTooLong };
        return (await needs.copy(link))
          ? { what: 'linked', name: query.name }
          : { what: 'problem', message: needs.words.linkNotCopied };
      }),
    async settle(choice: 'both' | 'replace') {
      const { afterwards } = store.getState();
      if (afterwards?.what === 'conflicts')
        await act(() => settled(afterwards.compared, afterwards.folders, choice));
    },
    dismiss: () => store.setState({ afterwards: null }),
  };
  return { store, actions };
}

export type Saved = ReturnType<typeof createSaved>;

/** The query that another of the same name, folder and dataset takes the place of. */
export const sameIn = (
  queries: readonly SavedQuery[],
  { name, folder, provider, dataset }: Omit<SharedQuery, 'question'>,
): SavedQuery | undefined =>
  queries.find(
    (one) =>
      one.name === name && one.folder === folder && one.provider === provider && one.dataset === dataset,
  );

/** One query, what lies in a folder, or all. */
function chosen({ queries, folders }: SavedContent, what: SavedQuery | string | null): SavedContent {
  if (what === null) return { queries, folders };
  if (typeof what !== 'string') return { queries: [what], folders: [] };
  const inside = (path: string) => liesIn(path, what);
  return { queries: queries.filter(({ folder }) => inside(folder)), folders: folders.filter(inside) };
}

const plain = (name: string): string => name.replaceAll(/[\\/:*?"<>|#%\p{Cc}]+/gu, '-').slice(0, 120);

declare module '../../state/contexts.ts' {
  interface App {
    readonly saved: Saved;
  }
}

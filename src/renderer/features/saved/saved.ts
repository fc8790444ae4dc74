import { createStore } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { SharedQueries } from '../../../shared/saved/sharing.ts';
import {
  isInFolder,
  movedPath,
  compareSaved,
  resolveConflicts,
  type SavedComparison,
  type SavedContent,
  type SavedQuery,
  isSameQuery,
  type SharedQuery,
} from '../../../shared/saved/saved.ts';
import type { SavedList } from '../../../shared/contract/query.ts';
import type { Api } from '../../api/api.ts';
import { suitable } from '../../format/file-name.ts';
import { words } from '../../words/words.ts';
import { idle, valueOr, type Loadable } from '../../state/loadable.ts';
import { perform, Resource, valueOrFailure } from '../../state/resource.ts';

export type Notice =
  /** `problem`: why they couldn't be restored, which can be tried again; null: not tried. */
  | {
      readonly what: 'removed';
      readonly count: number;
      readonly content: SavedContent;
      readonly problem: string | null;
    }
  | { readonly what: 'saved' | 'exported' | 'linked'; readonly name: string }
  | { readonly what: 'imported'; readonly count: number }
  | { readonly what: 'conflicts'; readonly compared: SavedComparison; readonly folders: readonly string[] }
  | { readonly what: 'problem'; readonly message: string };

interface SavedState {
  readonly list: Loadable<SavedList>;
  readonly search: string;
  readonly collapsed: ReadonlySet<string>;
  readonly notice: Notice | null;
}

export interface SavedDependencies {
  readonly api: { readonly saved: Api['saved'] };
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly open: (query: SavedQuery) => Promise<void>;
  /**
   * Saves a text as a file.
   * @returns false: canceled
   * @throws AppError
   */
  readonly saveText: (name: string, text: string) => Promise<boolean>;
  /** @returns false: failed */
  readonly copy: (text: string) => Promise<boolean>;
}

const defaults: SavedState = { list: idle, search: '', collapsed: new Set(), notice: null };

/** The user's saved queries for all connections. */
export function createSaved(dependencies: SavedDependencies) {
  const { api, newId, now } = dependencies;
  const store = createStore<SavedState>()(() => defaults);
  const lists = new Resource((_: null, signal) => api.saved.list({}, { signal }), {
    onChange(list) {
      store.setState({ list: valueOrFailure(list) });
      const problem = valueOr(list, null)?.problem ?? null;
      if (problem !== null && !list.freshness.isLoading) setProblem(problem);
    },
  });
  const listOrEmpty = () => valueOr(store.getState().list, { queries: [], folders: [], problem: null });
  const show = (list: SavedList) => lists.set(null, list);
  const setProblem = (message: string) => store.setState({ notice: { what: 'problem', message } });

  /** Runs an action. Its error appears above the list. */
  async function act(work: () => Promise<Notice | undefined>): Promise<void> {
    await perform(
      async () => {
        const notice = await work();
        if (notice) store.setState({ notice });
      },
      (error) => (error ? setProblem(error.message) : store.setState({ notice: null })),
    );
  }
  const put = async (queries: SavedQuery[], folders: string[] = []) =>
    show(await api.saved.put({ queries, folders }));

  async function putResolved(
    compared: SavedComparison,
    folders: readonly string[],
    choice: 'both' | 'replace',
  ) {
    const queries = resolveConflicts(compared, choice, listOrEmpty().queries, { newId, now: now() });
    await put(queries, [...folders]);
    return { what: 'imported', count: queries.length } as const;
  }

  async function importShared({ queries, folders }: SharedQueries): Promise<Notice> {
    // The list may not be loaded yet, and another window may have changed it.
    show(await api.saved.list({}));
    const compared = compareSaved(queries, listOrEmpty().queries);
    if (compared.conflicts.length > 0) return { what: 'conflicts', compared, folders };
    return putResolved(compared, folders, 'both');
  }

  const actions = {
    load: () => lists.refresh(null),
    search: (search: string) => store.setState({ search }),
    toggleFolder: (folder: string) =>
      store.setState(({ collapsed }) => ({
        collapsed: collapsed.has(folder)
          ? collapsed.difference(new Set([folder]))
          : new Set([...collapsed, folder]),
      })),
    /** Saves a query, replacing one with the same name, dataset, and folder. @returns the error, or null */
    async save(query: SharedQuery) {
      await act(async () => {
        // Another window may have saved one with this name.
        show(await api.saved.list({}));
        const same = findExisting(listOrEmpty().queries, query);
        await put([{ ...query, id: same?.id ?? newId(), changedAt: now() }]);
        return { what: 'saved', name: query.name };
      });
      const { notice } = store.getState();
      return notice?.what === 'problem' ? notice.message : null;
    },
    change: ({ id }: SavedQuery, to: Pick<SavedQuery, 'name' | 'folder'>) =>
      act(async () => {
        // Another window may have changed or removed it.
        show(await api.saved.list({}));
        const query = listOrEmpty().queries.find((saved) => saved.id === id);
        if (!query) return { what: 'problem', message: words.saved.wasRemoved };
        const moved = { ...query, ...to, changedAt: now() };
        const other = findExisting(listOrEmpty().queries, moved);
        const replaced = other && other.id !== id ? [other.id] : [];
        show(await api.saved.put({ queries: [moved], folders: [], replaced }));
        return undefined;
      }),
    renameFolder: (from: string, to: string) =>
      act(async () => {
        show(await api.saved.renameFolder({ from, to }));
        store.setState(({ collapsed }) => ({
          collapsed: new Set([...collapsed].map((path) => movedPath(path, from, to))),
        }));
      }),
    remove: (what: SavedQuery | string) =>
      act(async () => {
        const { list, removed } = await api.saved.remove(
          typeof what === 'string' ? { folders: [what] } : { queries: [what.id] },
        );
        show(list);
        return { what: 'removed', count: removed.queries.length, content: removed, problem: null };
      }),
    async undo() {
      const { notice } = store.getState();
      if (notice?.what !== 'removed') return;
      await act(async () => {
        try {
          await put(notice.content.queries, notice.content.folders);
          return undefined;
        } catch (error) {
          return { ...notice, problem: toAppError(error).message };
        }
      });
    },
    open: (query: SavedQuery) =>
      act(async () => {
        await dependencies.open(query);
      }),
    /** Writes a query, a folder, or all queries to a file. */
    exportThese: (what: SavedQuery | string | null) =>
      act(async () => {
        const { savedExtension, savedToText } = await import('../../../shared/saved/sharing.ts');
        const { queries, folders } = queriesOf(listOrEmpty(), what);
        const name =
          typeof what === 'object' && what !== null
            ? `${suitable(what.name)}.${savedExtension}`
            : words.saved.fileName;
        const isSaved = await dependencies.saveText(name, savedToText(queries, folders));
        return isSaved ? { what: 'exported', name } : undefined;
      }),
    importFile: (file: File) =>
      act(async () => {
        const { refuseLargeFile, savedFromText } = await import('../../../shared/saved/sharing.ts');
        refuseLargeFile(file.size, file.name);
        return importShared(savedFromText(await file.text(), file.name));
      }),
    /** @returns whether they are saved; else the notice says why not */
    async importQueries(theirs: SharedQueries): Promise<boolean> {
      await act(() => importShared(theirs));
      return store.getState().notice?.what !== 'problem';
    },
    copyLink: (query: SavedQuery) =>
      act(async () => {
        const { linkTo } = await import('../../../shared/saved/sharing.ts');
        const link = linkTo(query);
        if (link === null) return { what: 'problem', message: words.saved.linkTooLong };
        return (await dependencies.copy(link))
          ? { what: 'linked', name: query.name }
          : { what: 'problem', message: words.saved.linkNotCopied };
      }),
    async settle(choice: 'both' | 'replace') {
      const { notice } = store.getState();
      if (notice?.what === 'conflicts') await act(() => putResolved(notice.compared, notice.folders, choice));
    },
    dismiss: () => store.setState({ notice: null }),
  };
  return { store, actions };
}

export type Saved = ReturnType<typeof createSaved>;

/** The existing query with the same name, folder, and dataset. */
export const findExisting = (
  queries: readonly SavedQuery[],
  place: Omit<SharedQuery, 'question'>,
): SavedQuery | undefined => queries.find((query) => isSameQuery(query, place));

function queriesOf({ queries, folders }: SavedContent, what: SavedQuery | string | null): SavedContent {
  if (what === null) return { queries, folders };
  if (typeof what !== 'string') return { queries: [what], folders: [] };
  const inside = (path: string) => isInFolder(path, what);
  return { queries: queries.filter(({ folder }) => inside(folder)), folders: folders.filter(inside) };
}

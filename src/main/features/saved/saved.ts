import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import {
  isInFolder,
  isSameQuery,
  movedPath,
  folderPath,
  maxSaved,
  savedQuery,
  type SavedContent,
  type SavedQuery,
} from '../../../shared/saved/saved.ts';
import { listReader, openSharedFile } from '../../core/files/shared-file.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';

const format = 1;
const nothing: SavedContent = { queries: [], folders: [] };

const readQueries = listReader('queries', savedQuery);
const readFolders = listReader('folders', folderPath);

/** What of the file can be read; of queries with one id the last counts. */
function readContent(content: unknown): { value: SavedContent; partly: boolean } | null {
  const queries = readQueries(content);
  const folders = readFolders(content);
  if (!queries || !folders) return null;
  const byId = new Map(queries.value.map((query) => [query.id, query]));
  const value = { queries: [...byId.values()], folders: folders.value };
  return { value, partly: queries.partly || folders.partly };
}

/** Every folder that there is: those named, those of queries, and those above them. */
function allFolders({ queries, folders }: SavedContent): string[] {
  const all = new Set<string>();
  for (const path of [...folders, ...queries.map(({ folder }) => folder)]) {
    const names = path === '' ? [] : path.split('/');
    for (let depth = 1; depth <= names.length; depth += 1) all.add(names.slice(0, depth).join('/'));
  }
  return [...all].toSorted();
}

/** A path that can be read again. @throws AppError `invalid_input` if it is too deep or too long */
function checkedPath(path: string): string {
  const [issue] = folderPath.safeParse(path).error?.issues ?? [];
  if (issue) throw invalidInput(`“${path}” can’t be a folder. ${issue.message}`);
  return path;
}

/** The saved queries: `<data>/saved.json`. */
export function createSaved(
  dataFolder: string,
  warn: (sentence: string) => void,
): ModuleHandlers<(typeof calls)['saved']> {
  const { locked, write, takeProblem } = openSharedFile({
    dataFolder,
    name: 'saved',
    format,
    nothing,
    read: readContent,
    what: 'saved queries',
    warn,
  });
  const answer = (now: SavedContent) => ({ ...now, folders: allFolders(now), problem: takeProblem() });
  const change = (edit: (now: SavedContent) => SavedContent) =>
    locked(async (now) => {
      const edited = edit(now);
      if (edited.queries.length > maxSaved)
        throw invalidInput(`No more than ${maxSaved} queries can be saved. Remove some first.`);
      await write(edited);
      return answer(edited);
    });

  return {
    list: () => locked(async (now) => answer(now)),
    put: ({ queries, folders, replaced = [] }) =>
      change((now) => {
        const all = new Map(now.queries.map((query) => [query.id, query]));
        for (const id of replaced) all.delete(id);
        for (const query of queries) all.set(query.id, query);
        return { queries: [...all.values()], folders: [...new Set([...now.folders, ...folders])] };
      }),
    renameFolder: ({ from, to }) =>
      change(({ queries, folders }) => {
        const move = (path: string) => checkedPath(movedPath(path, from, to));
        const moved = queries.map((query) => ({ ...query, folder: move(query.folder) }));
        const otherQueries = queries.filter(({ folder }) => !isInFolder(folder, from));
        const twin = moved.find(
          (query, at) =>
            query.folder !== queries[at]?.folder && otherQueries.some((other) => isSameQuery(other, query)),
        );
        if (twin)
          throw invalidInput(
            `The folder “${twin.folder}” already has a query “${twin.name}”. Rename one of them.`,
          );
        return { queries: moved, folders: [...new Set(folders.map(move))] };
      }),
    async remove({ queries: ids, folders }) {
      let removed = nothing;
      const list = await change((now) => {
        const isRemoved = (path: string) => folders.some((folder) => isInFolder(path, folder));
        const isGone = ({ id, folder }: SavedQuery) => ids.includes(id) || isRemoved(folder);
        removed = { queries: now.queries.filter(isGone), folders: allFolders(now).filter(isRemoved) };
        return {
          queries: now.queries.filter((query) => !isGone(query)),
          // A folder remains when its last query is removed.
          folders: allFolders(now).filter((path) => !isRemoved(path)),
        };
      });
      return { list, removed };
    },
  };
}

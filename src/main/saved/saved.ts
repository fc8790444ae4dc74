import * as z from 'zod';
import type { calls } from '../../shared/contract/contract.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import {
  liesIn,
  movedPath,
  folderPath,
  mostSaved,
  savedQuery,
  type SavedContent,
  type SavedQuery,
} from '../../shared/saved/saved.ts';
import { openSharedFile } from '../files/shared-file.ts';
import type { RoomHandlers } from '../handlers.ts';

/** The format of the file. */
const format = 1;
const nothing: SavedContent = { queries: [], folders: [] };

const whole = z.object({ format: z.int(), queries: z.array(z.unknown()), folders: z.array(z.unknown()) });

/** What of the file can be read; a query that is damaged does not take the others with it. */
function contentIn(content: unknown): { value: SavedContent; partly: boolean } | null {
  const { success, data } = whole.safeParse(content);
  if (!success) return null;
  const queries = new Map<string, SavedQuery>();
  for (const item of data.queries) {
    const one = savedQuery.safeParse(item);
    if (one.success) queries.set(one.data.id, one.data);
  }
  const folders = data.folders.flatMap((item) => folderPath.safeParse(item).data ?? []);
  const partly = queries.size < data.queries.length || folders.length < data.folders.length;
  return { value: { queries: [...queries.values()], folders }, partly };
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

/**
 * The queries that a person has saved: `<data>/saved.json`, written whole under `saved.lock`, beneath which it is read
 * again first, so that several windows and hosts change it side by side.
 * @param warn told of what was damaged, and where it was put
 */
export function createSaved(
  dataFolder: string,
  warn: (sentence: string) => void,
): RoomHandlers<(typeof calls)['saved']> {
  // What was set aside is said until the window has heard it once.
  let problem: string | null = null;
  const { locked, write } = openSharedFile({
    dataFolder,
    name: 'saved',
    format,
    nothing: nothing,
    read: contentIn,
    onDamage(aside, all) {
      const lost = all ? 'The saved queries' : 'Some of the saved queries';
      problem = `${lost} could not be read. What was kept of them is now ${aside}.`;
      warn(`${problem} It lies in ${dataFolder}.`);
    },
  });

  const answer = (now: SavedContent) => {
    const said = { ...now, folders: allFolders(now), problem };
    problem = null;
    return said;
  };
  const change = (edit: (now: SavedContent) => SavedContent) =>
    locked(async (now) => {
      const edited = edit(now);
      if (edited.queries.length > mostSaved)
        throw invalidInput(`No more than ${mostSaved} queries can be saved. Remove some first.`);
      await write(edited);
      return answer(edited);
    });

  return {
    list: () => locked(async (now) => answer(now)),
    put: ({ queries, folders, replaced = [] }) =>
      change((now) => {
        const all = new Map(now.queries.map((one) => [one.id, one]));
        for (const id of replaced) all.delete(id);
        for (const one of queries) all.set(one.id, one);
        return { queries: [...all.values()], folders: [...new Set([...now.folders, ...folders])] };
      }),
    renameFolder: ({ from, to }) =>
      change(({ queries, folders }) => ({
        queries: queries.map((one) => ({ ...one, folder: movedPath(one.folder, from, to) })),
        folders: [...new Set(folders.map((path) => movedPath(path, from, to)))],
      })),
    async remove({ queries: ids, folders }) {
      let removed = nothing;
      const list = await change((now) => {
        const gone = (path: string) => folders.some((folder) => liesIn(path, folder));
        const isGone = ({ id, folder }: SavedQuery) => ids.includes(id) || gone(folder);
        removed = { queries: now.queries.filter(isGone), folders: allFolders(now).filter(gone) };
        return {
          queries: now.queries.filter((one) => !isGone(one)),
          // A folder stays although its last query goes.
          folders: allFolders(now).filter((path) => !gone(path)),
        };
      });
      return { list, removed };
    },
  };
}

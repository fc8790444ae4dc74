import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';
import { plainId } from '../files/files.ts';
import { resultsLook } from '../tabs/plot.ts';
import { questionText } from '../query/question.ts';

export const maxSaved = 5000;
const maxDepth = 8;

/** The folder of a query: names separated by `/`; empty: none. */
export const folderPath = z
  .string()
  .max(800, 'The names of a folder and those above it have at most 800 characters.')
  .refine(
    (path) =>
      path === '' ||
      path.split('/').every((name) => name.trim() === name && name !== '' && name.length <= 100),
    'Enter a folder name of up to 100 characters without leading or trailing spaces.',
  )
  .refine(
    (path) => path.split('/').length <= maxDepth,
    `Folders can be nested up to ${maxDepth} levels deep.`,
  );

/** A saved query as it is handed on: it belongs to a dataset by its address, to no connection. Never a secret. */
export const sharedQuery = datasetAddress.extend({
  name: z.string().trim().min(1, 'Enter a name for the query.').max(200),
  folder: folderPath,
  question: questionText,
  /** How its result was shown; absent: as a table. */
  look: resultsLook.optional(),
});
export type SharedQuery = z.infer<typeof sharedQuery>;

export const savedQuery = sharedQuery.extend({
  id: plainId,
  /** Unix milliseconds. */
  changedAt: z.int(),
});
export type SavedQuery = z.infer<typeof savedQuery>;

export const savedContent = z.object({
  queries: z.array(savedQuery).max(maxSaved),
  /** Includes empty folders. */
  folders: z.array(folderPath).max(maxSaved),
});
export type SavedContent = z.infer<typeof savedContent>;

/** Whether a folder is or is inside another. */
export const isInFolder = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The path after the folder `from` has become `to`. */
export const movedPath = (path: string, from: string, to: string): string =>
  isInFolder(path, from) ? `${to}${path.slice(from.length)}` : path;

type QueryPlace = Omit<SharedQuery, 'question' | 'look'>;

/** Whether two queries have the same name, folder, and dataset. */
export const isSameQuery = (a: QueryPlace, b: QueryPlace): boolean =>
  a.folder === b.folder && a.name === b.name && a.provider === b.provider && a.dataset === b.dataset;
/** The question and the look as text. Answers aren't shared, so they don't count. */
const contentOf = ({ question, look = resultsLook.parse({}) }: SharedQuery): string =>
  JSON.stringify([{ ...question, answers: {} }, look]);

/** How the queries of an import compare with those that are saved. */
export interface SavedComparison {
  readonly added: SharedQuery[];
  /** Queries with the same name and folder, but another question or look. */
  readonly conflicts: { readonly theirs: SharedQuery; readonly ours: SavedQuery }[];
  /** Saved already. */
  readonly known: SharedQuery[];
}

/** Compares queries of a file with those that are saved. */
export function compareSaved(theirs: readonly SharedQuery[], ours: readonly SavedQuery[]): SavedComparison {
  const compared: SavedComparison = { added: [], conflicts: [], known: [] };
  for (const query of theirs) {
    const ourQuery = ours.find((item) => isSameQuery(item, query));
    if (!ourQuery) compared.added.push(query);
    else if (contentOf(ourQuery) === contentOf(query)) compared.known.push(query);
    else compared.conflicts.push({ theirs: query, ours: ourQuery });
  }
  return compared;
}

interface Stamp {
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * The queries to save for an import, with conflicts resolved: both are kept under two names, or the imported
 * one replaces the existing one.
 */
export function resolveConflicts(
  { added, conflicts }: SavedComparison,
  choice: 'both' | 'replace',
  ours: readonly SavedQuery[],
  { newId, now }: Stamp,
): SavedQuery[] {
  const toNewQuery = (query: SharedQuery): SavedQuery => ({ ...query, id: newId(), changedAt: now });
  const queries: SavedQuery[] = added.map(toNewQuery);
  for (const { theirs, ours: ourQuery } of conflicts) {
    if (choice === 'replace') queries.push({ ...theirs, id: ourQuery.id, changedAt: now });
    else queries.push(toNewQuery({ ...theirs, name: freeName(theirs, [...ours, ...queries]) }));
  }
  return queries;
}

/** The name with the first unused number: `Rate of penetration (2)`. */
function freeName(one: SharedQuery, others: readonly SharedQuery[]): string {
  for (let number = 2; ; number += 1) {
    const name = `${one.name.slice(0, 190)} (${number})`;
    if (!others.some((other) => other.folder === one.folder && other.name === name)) return name;
  }
}

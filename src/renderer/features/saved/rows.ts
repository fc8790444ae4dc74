import { channelsOf, noSynonyms } from '../../../shared/channels/channels.ts';
import { isInFolder, type SavedContent, type SavedQuery } from '../../../shared/saved/saved.ts';
import { compareNames } from '../../format/order.ts';
import { wordSearch } from '../../format/word-search.ts';

/** A row of the list: a folder or a query. `depth` counts from 0. */
export type SavedRow =
  | {
      readonly kind: 'folder';
      readonly key: string;
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      readonly count: number;
      readonly open: boolean;
    }
  | { readonly kind: 'query'; readonly key: string; readonly query: SavedQuery; readonly depth: number };

const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/**
 * Folders and their queries, folders first, by name. A search shows all queries whose name, folder, dataset,
 * or text contains every word, or the standard name of the channel that the words name, ignoring collapsed folders.
 */
export function savedRows(
  { queries, folders }: SavedContent,
  folded: ReadonlySet<string>,
  search: string,
): SavedRow[] {
  const isSearching = search.trim() !== '';
  const matches = wordSearch(search);
  const meanings = channelsOf(search, { synonyms: noSynonyms });
  const matching = queries.filter((query) => {
    const text = searchableText(query);
    return matches(text) || meanings.some(({ channel }) => text.includes(channel.name));
  });
  const rows: SavedRow[] = [];
  const add = (parent: string, depth: number): void => {
    const here = folders.filter((path) => parentOf(path) === parent).toSorted(compareNames);
    for (const path of here) {
      const count = matching.filter(({ folder }) => isInFolder(folder, path)).length;
      if (isSearching && count === 0) continue;
      const open = isSearching || !folded.has(path);
      const name = path.split('/').at(-1) ?? path;
      rows.push({ kind: 'folder', key: `folder ${path}`, path, name, depth, count, open });
      if (open) add(path, depth + 1);
    }
    const children = matching.filter(({ folder }) => folder === parent);
    for (const query of children.toSorted((a, b) => compareNames(a.name, b.name)))
      rows.push({ kind: 'query', key: query.id, query, depth });
  };
  add('', 0);
  return rows;
}

function searchableText({ name, folder, provider, dataset, question }: SavedQuery): string {
  const { find, aggregate, pipeline, sql } = question;
  const queryText = [find.query, aggregate.match, aggregate.group, pipeline.stages, sql.statement].join('\n');
  return `${name}\n${folder}\n${provider}/${dataset}\n${queryText}`;
}

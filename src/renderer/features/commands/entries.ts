export interface Entry {
  readonly id: string;
  readonly group: EntryGroup;
  readonly text: string;
  /** Distinguishes it from others of the same name. */
  readonly note?: string;
  /** Other words that find it, which aren’t shown. */
  readonly also?: string | undefined;
  readonly shortcuts?: readonly string[];
  readonly act: () => void;
}

/** In the order of the list. */
export const entryGroups = [
  'query',
  'result',
  'tab',
  'place',
  'connection',
  'window',
  'setting',
  'openTab',
  'dataset',
  'connectTo',
  'well',
  'savedQuery',
  'page',
] as const;
export type EntryGroup = (typeof entryGroups)[number];

/** The entries for a trimmed text, which may be empty. An asynchronous source filters itself. */
export type EntrySource = (text: string) => readonly Entry[] | Promise<readonly Entry[]>;

const maxEntries = 80;

/** The rank of a match, 0 is best; null: no match. Within a word, a few letters are rarely meant: “las” in “formulas”. */
function matchRank(word: string, { text, note = '', also = '' }: Entry): number | null {
  const low = text.toLocaleLowerCase();
  if (low.startsWith(word)) return 0;
  const at = low.indexOf(word);
  if (at > 0 && !/[\p{L}\p{N}]/u.test(low.charAt(at - 1))) return 1;
  if (` ${also}`.includes(` ${word}`)) return 2;
  if (at > 0) return 3;
  if (note.toLocaleLowerCase().includes(word)) return 4;
  return also.includes(word) ? 5 : null;
}

/** The entries that contain every word, those whose names start with them first. */
export function searchEntries(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .flatMap((entry) => {
      const ranks = words.flatMap((word) => matchRank(word, entry) ?? []);
      return ranks.length < words.length ? [] : [{ entry, rank: ranks.reduce((sum, rank) => sum + rank, 0) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxEntries)
    .map(({ entry }) => entry);
}

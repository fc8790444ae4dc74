/** What can be chosen in the palette. */
export interface Entry {
  readonly id: string;
  readonly group: EntryGroup;
  readonly text: string;
  /** What tells it from others of its name. */
  readonly note?: string;
  readonly shortcuts?: readonly string[];
  readonly act: () => void;
}

/** In the order in which they are listed. */
export const entryGroups = [
  'query',
  'tab',
  'place',
  'connection',
  'window',
  'openTab',
  'dataset',
  'connectTo',
  'well',
  'savedQuery',
  'page',
] as const;
export type EntryGroup = (typeof entryGroups)[number];

/**
 * The entries that match a text; the text is without blanks at its ends, and empty at first. A source that answers later
 * filters by itself.
 */
export type EntrySource = (text: string) => readonly Entry[] | Promise<readonly Entry[]>;

/** So many are listed: whoever does not see it among them types one letter more. */
const most = 80;

/** How well a word fits: 0 is best; null: not at all. */
function fit(word: string, { text, note = '' }: Entry): number | null {
  const low = text.toLocaleLowerCase();
  if (low.startsWith(word)) return 0;
  const at = low.indexOf(word);
  if (at > 0) return /[\p{L}\p{N}]/u.test(low.charAt(at - 1)) ? 2 : 1;
  return note.toLocaleLowerCase().includes(word) ? 3 : null;
}

/** The entries that hold every word that is sought, those whose names begin with them first; all in their order otherwise. */
export function found(entries: readonly Entry[], sought: string): Entry[] {
  const words = sought.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .flatMap((entry) => {
      const fits = words.map((word) => fit(word, entry));
      return fits.includes(null)
        ? []
        : [{ entry, rank: fits.reduce<number>((sum, one) => sum + (one ?? 0), 0) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}

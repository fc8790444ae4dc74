/** The target row of a key in a list with `page` visible rows; null: not a navigation key. */
export function targetRow(key: string, from: number, rows: number, page: number): number | null {
  const last = rows - 1;
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    Home: 0,
    End: last,
    PageDown: from + Math.max(page - 1, 1),
    PageUp: from - Math.max(page - 1, 1),
  }[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), last);
}

/** The maximum time between letters of one word, in milliseconds. */
const typeAheadMs = 700;

/** Type-ahead, letter by letter. */
export function createTypeAhead(now: () => number) {
  let typed = '';
  let last = -Infinity;
  return {
    /** Whether typing is in progress, so that a space belongs to it. */
    isTyping: (): boolean => now() - last < typeAheadMs && typed !== '',
    /**
     * Adds a letter.
     * @returns the text to find, and the first row to check
     */
    type(letter: string, row: number): { readonly text: string; readonly from: number } {
      typed = now() - last < typeAheadMs ? typed + letter : letter;
      last = now();
      // A single letter moves to the next row; a longer text may still match the current one.
      return { text: typed, from: typed.length === 1 ? row + 1 : row };
    },
  };
}

/** The next row, wrapping around, whose name starts with a text; null: none. */
export function findRowByName<T>(
  text: string,
  from: number,
  items: readonly T[],
  nameOf: (item: T) => string,
): number | null {
  const wanted = text.toLocaleLowerCase();
  const isNamed = (item: T) => nameOf(item).toLocaleLowerCase().startsWith(wanted);
  const next = items.findIndex((item, row) => row >= from && isNamed(item));
  const row = next === -1 ? items.findIndex(isNamed) : next;
  return row === -1 ? null : row;
}

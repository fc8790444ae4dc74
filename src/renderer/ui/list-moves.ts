/** Where a key leads in a list of so many rows, of which `page` are seen at once; null: it is no key that moves. */
export function moveTo(key: string, from: number, rows: number, page: number): number | null {
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

/** How long letters that are typed in a row count as one word, in milliseconds. */
const pauseMs = 700;

/** What is typed in a row, letter by letter. */
export function createTypeAhead(now: () => number) {
  let typed = '';
  let last = -Infinity;
  return {
    /** Whether letters were typed just now, so that a space belongs to them. */
    going: (): boolean => now() - last < pauseMs && typed !== '',
    /** One more letter: the text that is looked for now, and the row to look from. */
    type(letter: string, row: number): { readonly text: string; readonly from: number } {
      typed = now() - last < pauseMs ? typed + letter : letter;
      last = now();
      // A first letter goes on to the next row; a longer word may still be that of this one.
      return { text: typed, from: typed.length === 1 ? row + 1 : row };
    },
  };
}

/** The first row from one on, round the end, whose name begins with a text; null: there is none. */
export function rowByName<T>(
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

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

/** Finds the row that begins with what is typed, from the row in focus on. */
export function createTypeAhead(now: () => number) {
  let typed = '';
  let last = -Infinity;
  return {
    /** Whether letters were typed just now, so that a space belongs to them. */
    going: (): boolean => now() - last < pauseMs && typed !== '',
    find(letter: string, from: number, rows: number, nameOf: (row: number) => string): number | null {
      typed = now() - last < pauseMs ? typed + letter : letter;
      last = now();
      const wanted = typed.toLocaleLowerCase();
      // A first letter goes on to the next row; a longer word may still be that of this one.
      const start = wanted.length === 1 ? from + 1 : from;
      for (let step = 0; step < rows; step += 1) {
        const row = (start + step) % rows;
        if (nameOf(row).toLocaleLowerCase().startsWith(wanted)) return row;
      }
      return null;
    },
  };
}

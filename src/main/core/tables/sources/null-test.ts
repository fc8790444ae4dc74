/** Recognizes blank cells and the null value of a header, if it has one. */
export const nullTest = (nullText: string | null): ((cell: string) => boolean) =>
  nullTexts(nullText === null ? [''] : ['', nullText]);

/** First characters, other than its own, with which an equal number can begin. */
const otherFirsts = '+.0';

/**
 * Returns a function that tells whether a cell is null. Numbers are compared by value, so that -999.2500 equals
 * -999.25.
 * @param texts null values of a table
 */
export function nullTexts(texts: readonly string[]): (cell: string) => boolean {
  const words = new Set(texts);
  const lengths = new Set(texts.map(({ length }) => length));
  const numbers = new Set(
    texts
      .filter((text) => text.trim() !== '')
      .map(Number)
      .filter(Number.isFinite),
  );
  const firsts = [...numbers].map((number) => String(number)[0] ?? '').join('') + otherFirsts;
  // The length or first character decides nearly all cells, without hashing a text or parsing a number.
  return (cell) =>
    (lengths.has(cell.length) && words.has(cell)) ||
    (numbers.size > 0 && cell.length > 0 && firsts.includes(cell.charAt(0)) && numbers.has(Number(cell)));
}

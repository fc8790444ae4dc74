/** Characters that a number equal to another one can begin with, beside that one's own first. */
const otherFirsts = '+.0';

/**
 * Tells whether a cell stands for no value: numbers by their value, so that -999.2500 is -999.25 too.
 * @param texts that a table has for that
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
  // Nearly all cells are told by their length or first character: neither is a text hashed nor a number parsed.
  return (cell) =>
    (lengths.has(cell.length) && words.has(cell)) ||
    (numbers.size > 0 && cell.length > 0 && firsts.includes(cell.charAt(0)) && numbers.has(Number(cell)));
}

const numberLike = /^\s*[-+.\d]/;

/**
 * Tells whether a cell stands for no value: numbers by their value, so that -999.2500 is -999.25 too.
 * @param texts that a table has for that
 */
export function nullTexts(texts: readonly string[]): (cell: string) => boolean {
  const words = new Set(texts);
  const numbers = new Set(
    texts
      .filter((text) => text.trim() !== '')
      .map(Number)
      .filter(Number.isFinite),
  );
  return (cell) =>
    words.has(cell) || (numbers.size > 0 && numberLike.test(cell) && numbers.has(Number(cell)));
}

/** How the values of a data line are separated. */
export type Separator = 'blank' | ',' | '\t';

const QUOTE = 0x22;

/** Values between blanks; quotes hold blanks together. */
function splitBlanks(line: string): string[] {
  const text = line.trim();
  if (text === '') return [];
  if (!text.includes('"')) return text.split(/\s+/);
  return (text.match(/"[^"]*"|\S+/g) ?? []).map((cell) => cell.replace(/^"([^"]*)"$/, '$1'));
}

/** Values between commas or tabs, without the blanks around them; quotes hold a delimiter. */
function splitDelimited(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    while (line[at] === ' ') at++;
    const close = line.charCodeAt(at) === QUOTE ? closingQuote(line, at, delimiter) : -1;
    if (close > 0)
      cells.push(
        line
          .slice(at + 1, close)
          .replaceAll('""', '"')
          .trim(),
      );
    const next = line.indexOf(delimiter, close > 0 ? close : at);
    if (close < 0) cells.push(line.slice(at, next < 0 ? undefined : next).trim());
    if (next < 0) return cells;
    at = next + 1;
  }
}

/** The quote that ends a value: the first one that a delimiter or the line's end follows; -1: there is none. */
function closingQuote(line: string, open: number, delimiter: string): number {
  for (let at = line.indexOf('"', open + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    const behind = line.slice(at + 1).trimStart();
    if (behind === '' || behind.startsWith(delimiter) || /^[ \t]*$/.test(behind)) return at;
  }
  return -1;
}

/** The values of a data line. */
export const splitLine = (line: string, separator: Separator): string[] =>
  separator === 'blank' ? splitBlanks(line) : splitDelimited(line, separator);

const decimalsOf = (cell: string): number => {
  const point = cell.indexOf('.');
  return point < 0 || !/^-?\d*\.\d+$/.test(cell) ? -1 : cell.length - point - 1;
};

/** The parts of a cell in which numbers follow each other without a blank, cut before a minus sign. */
const cutAtSigns = (cell: string): string[] => cell.split(/(?<=\d\.\d*)(?=-\d)/);

/** Cuts a cell such as `7.020101130.188` behind as many decimals as the column has. */
function cutAtDecimals(cell: string, decimals: number): string[] {
  const point = cell.indexOf('.');
  if (decimals < 0 || point < 0 || cell.indexOf('.', point + 1) < 0) return [cell];
  const end = point + 1 + decimals;
  const rest = cell.slice(end);
  return rest === '' ? [cell] : [cell.slice(0, end), ...cutAtDecimals(rest, decimals)];
}

/**
 * Separates numbers of fixed columns that run into each other, such as `7.330-19508.961`.
 * @param width how many values the row should have
 * @param model a row of that width, whose decimals hold for this one
 * @returns null when that doesn't give `width` values
 */
export function separateRunOn(
  cells: readonly string[],
  width: number,
  model: readonly string[] | null,
): string[] | null {
  const found: string[] = [];
  for (const cell of cells)
    for (const part of cutAtSigns(cell)) {
      const decimals = decimalsOf(model?.[found.length] ?? found.at(-1) ?? '');
      found.push(...cutAtDecimals(part, decimals));
    }
  return found.length === width ? found : null;
}

/** Tells the null value of a header in its spellings: -999.25 is -999.2500 and -9.9925E2. */
export function nullTest(nullText: string | null): (cell: string) => boolean {
  if (nullText === null) return (cell) => cell === '';
  const value = Number(nullText);
  if (Number.isNaN(value)) return (cell) => cell === '' || cell === nullText;
  const first = nullText.charCodeAt(0);
  return (cell) =>
    cell === '' ||
    cell === nullText ||
    (cell.charCodeAt(0) === first && cell.length < 24 && Number(cell) === value);
}

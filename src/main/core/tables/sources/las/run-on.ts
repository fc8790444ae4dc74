import { append } from '../../../../../shared/lists.ts';

const decimalsOf = (cell: string): number => {
  const point = cell.indexOf('.');
  return point < 0 || !/^-?\d*\.\d+$/.test(cell) ? -1 : cell.length - point - 1;
};

/** The parts of a cell in which numbers follow each other without a blank, split before minus signs. */
const cutAtSigns = (cell: string): string[] => cell.split(/(?=-\d)(?<=\d\.\d*)/);

/** Splits a cell such as `7.020101130.188` after the number of decimals of the column. */
function cutAtDecimals(cell: string, decimals: number): string[] {
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const point = cell.indexOf('.', start);
    const end = point + 1 + decimals;
    if (decimals < 0 || point < 0 || end >= cell.length || !cell.includes('.', point + 1))
      return [...parts, cell.slice(start)];
    parts.push(cell.slice(start, end));
    start = end;
  }
}

/**
 * Separates numbers of fixed-width columns without blanks between them, such as `7.330-19508.961`.
 * @param width expected number of values
 * @param model a row of that width with the same decimals
 * @returns null if the result doesn't have `width` values
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
      append(found, cutAtDecimals(part, decimals));
    }
  return found.length === width ? found : null;
}

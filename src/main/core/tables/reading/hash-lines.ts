import type { SampleRow } from './dialect.ts';
import { Columns, isUnitRow, typedRow } from '../layout/model.ts';
import { isTyped } from './typed-columns.ts';

/** What can be before units in a line with a number sign. */
export const unitLabel = /^units?\s*[:=]\s*/i;
const otherDelimiters = /[,;\t|]/;
const maxNameLength = 40;
const maxNameWords = 4;

function cellsAfterHash({ cells }: SampleRow): string[] {
  const [first = '', ...others] = cells;
  return [first.replace(/^#+/, ''), ...others].map((cell) => cell.trim());
}

/** The texts of a line with a number sign that can be units, as in `# m, ft/h` or `# units: m, ft/h`. */
export function unitTextsOf(line: SampleRow): string[] {
  const [first = '', ...others] = cellsAfterHash(line);
  const rest = first.replace(unitLabel, '');
  // After the word, commas separate units in files with other delimiters, too.
  if (rest !== first && others.length === 0) return rest.split(otherDelimiters).map((text) => text.trim());
  return [rest, ...others];
}

/** Whether a line with a number sign has a unit for each column of the rows. */
export function hasUnitsOf(line: SampleRow, rows: readonly (readonly string[])[], width: number): boolean {
  const texts = unitTextsOf(line);
  return texts.length === width && isUnitRow(texts, new Columns(rows.map(typedRow)));
}

/** Whether a text can be the name of a column rather than a sentence. */
const canBeName = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  !isTyped(text) &&
  text.length <= maxNameLength &&
  text.split(/\s+/).length <= maxNameWords;

/**
 * The line with a number sign that names the columns of rows without a header: the last one above them, except a line of
 * units; null: none.
 */
export function headerInHashLines(
  { cells: { length: width }, line: firstLine }: SampleRow,
  rows: readonly SampleRow[],
  comments: readonly SampleRow[],
): SampleRow | null {
  const values = rows.map(({ cells }) => cells);
  const above = comments.filter(({ line }) => line < firstLine).slice(-2);
  const isUnits = (row: SampleRow): boolean => hasUnitsOf(row, values, width);
  const header = above.findLast((row) => !isUnits(row));
  if (!header || above.some((row) => row.line > header.line && !isUnits(row))) return null;
  const names = cellsAfterHash(header);
  const areNames = names.length === width && width > 1 && names.every(canBeName);
  return areNames && new Set(names).size === width ? header : null;
}

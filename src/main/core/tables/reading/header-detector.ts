import { isPageNumber } from './block-values.ts';
import { cellKind, isDecimalNumber } from './cells.ts';
import { areSteps, isNumericText, repetition } from './header-rows.ts';

/** A value of a row, and its kind: as a workbook stores it, or as its text looks. */
export interface TypedCell {
  readonly text: string;
  readonly kind: 'text' | 'number' | 'time' | 'boolean' | 'error';
}

/** The cells of a row by column, from 0; null: no value. */
interface TypedRow {
  readonly cells: readonly (TypedCell | null)[];
}

/** The cells of a row of text. */
export const typedRow = (texts: readonly string[]): TypedRow => ({
  cells: texts.map((cell): TypedCell | null => {
    const text = cell.trim();
    const kind = cellKind(text);
    if (kind === 'empty' || kind === 'null_word') return null;
    if (isNumericText(text)) return { text, kind: 'number' };
    if (kind === 'time' || kind === 'date') return { text, kind: 'time' };
    return { text, kind: kind === 'boolean' ? 'boolean' : 'text' };
  }),
});

/** The values of a row. */
export const valuesOf = ({ cells }: TypedRow): TypedCell[] => cells.flatMap((cell) => cell ?? []);

const isWord = ({ kind, text }: TypedCell): boolean => kind === 'text' && !isDecimalNumber(text.trim());

/**
 * Whether a text that looks like a number is above numbers, for example a code such as `001` as the name of a column.
 */
const isCodeAbove = (row: TypedRow, cell: TypedCell, below: readonly TypedRow[]): boolean =>
  cell.kind === 'text' && below.every(({ cells }) => cells[row.cells.indexOf(cell)]?.kind !== 'text');

/** Numbers that are valid names beside words: years or steps across the sheet. */
const canBeNames = (numbers: readonly number[]): boolean =>
  areSteps(numbers) || numbers.every((value) => Number.isInteger(value) && value >= 1800 && value <= 2200);

/** Whether a row can be names: words that aren't repeated below, beside numbers only if these are consecutive. */
export function canBeHeader(row: TypedRow, below: readonly TypedRow[]): boolean {
  const values = valuesOf(row);
  const words = values.filter(isWord);
  if (words.length === 0 || isPageNumber(values.at(-1)?.text.trim() ?? '')) return false;
  const otherCells = values.filter((cell) => !isWord(cell) && !isCodeAbove(row, cell, below));
  if (otherCells.length > 0)
    return (
      otherCells.every(({ kind }) => kind === 'number') &&
      canBeNames(otherCells.map(({ text }) => Number(text)))
    );
  // Values are repeated in their columns, names aren't.
  const textsOf = ({ cells }: TypedRow): (string | undefined)[] => cells.map((cell) => cell?.text);
  const { again, isWhole } = repetition(textsOf(row), below.map(textsOf));
  if (again * 2 < words.length || words.length === 1) return true;
  // A row above numbers that is repeated as a whole is the header of each page.
  return isWhole && isAboveOthers(row, below);
}

/** Whether a row has a text above a column of mostly other values. */
export const isAboveOthers = (row: TypedRow, below: readonly TypedRow[]): boolean =>
  row.cells.some((cell, column) => {
    const values = below.flatMap(({ cells }) => cells[column] ?? []);
    return cell !== null && values.filter(({ kind }) => kind !== 'text').length * 2 > values.length;
  });

/** Number of first rows that are remarks with #; a single one can be a header whose first name is #. */
function remarkRows(rows: readonly TypedRow[]): number {
  const end = rows.findIndex((row) => !valuesOf(row)[0]?.text.startsWith('#'));
  return end > 1 ? end : 0;
}

/** Rows at the start of a table among which its header is. */
const maxHeaderRows = 50;

/**
 * The index of the first row that names most columns, else of the first that names half of them; -1: none, because rows
 * of values come before.
 * @param widthFrom number of columns of the table from a row on
 */
export function findHeader(rows: readonly TypedRow[], widthFrom: (at: number) => number): number {
  const remarks = remarkRows(rows);
  let end = maxHeaderRows;
  for (const share of [0.7, 0.5])
    for (const [at, row] of rows.slice(0, end).entries()) {
      if (at < remarks || valuesOf(row).length < widthFrom(at) * share) continue;
      if (canBeHeader(row, rows.slice(at + 1))) return at;
      // A full row that can't be names is data: a later row can't be its header.
      end = at;
      break;
    }
  return -1;
}

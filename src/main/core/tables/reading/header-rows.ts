import { IANAZone } from 'luxon';
import { areUnits, looksLikeUnit } from '../../../../shared/channels/unit-text.ts';
import { unitOf } from '../../../../shared/channels/units.ts';
import { cellKind, isNumberKind, type CellKind } from './cells.ts';
import { isTyped as isTypedCell } from './typed-columns.ts';

/** Maximum length of a unit that isn't known. */
const maxUnitLength = 15;

/** Whether a trimmed text is a number in any notation. */
export const isNumericText = (text: string): boolean => isNumberKind(cellKind(text));

/** Whether numbers have equal steps, such as 1, 2, 3: they can be names of columns. */
export function areSteps(numbers: readonly number[]): boolean {
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return (
    numbers.length >= 3 &&
    step !== 0 &&
    numbers.every((value, index) => index === 0 || value - (numbers[index - 1] ?? 0) === step)
  );
}

type Cells = readonly (string | null | undefined)[];

/** How many cells of a row are repeated in their columns, and whether one row below repeats all of them. */
export function repetition(cells: Cells, below: readonly Cells[]): { again: number; isWhole: boolean } {
  const filled = cells.flatMap((cell, column) => (cell ? [{ cell, column }] : []));
  const repeats = (row: Cells, { cell, column }: (typeof filled)[number]): boolean =>
    row[column]?.trim() === cell;
  return {
    again: filled.filter((cell) => below.some((row) => repeats(row, cell))).length,
    isWhole: below.some((row) => filled.every((cell) => repeats(row, cell))),
  };
}

/** For each column, whether most of its nonblank cells are numbers. */
function numericColumns(rows: readonly (readonly string[])[], width: number): boolean[] {
  return Array.from({ length: width }, (_, column) => {
    let numbers = 0;
    let otherCount = 0;
    for (const cells of rows) {
      const cell = cells[column]?.trim() ?? '';
      const kind = cellKind(cell);
      if (kind === 'empty' || kind === 'null_word') continue;
      if (isNumericText(cell)) numbers++;
      else otherCount++;
    }
    return numbers > 0 && numbers >= otherCount * 4;
  });
}

/** Kinds of cells that distinguish a column of values from its name. */
const valueKinds: readonly (readonly CellKind[])[] = [['time', 'date'], ['boolean']];

/** The most common kind of each column; null: its cells aren't numbers, times, or Boolean values. */
export function typedColumns(
  rows: readonly (readonly string[])[],
  width: number,
): (((cell: string) => boolean) | null)[] {
  const numeric = numericColumns(rows, width);
  return numeric.map((isNumbers, column) => {
    if (isNumbers) return (cell) => isNumericText(cell.trim());
    const kinds = rows.flatMap((cells) => {
      const kind = cellKind(cells[column]?.trim() ?? '');
      return kind === 'empty' || kind === 'null_word' ? [] : [kind];
    });
    const typed = valueKinds.find(
      (fitting) =>
        kinds.length > 0 && kinds.filter((kind) => fitting.includes(kind)).length * 5 >= kinds.length * 4,
    );
    return typed ? (cell) => typed.includes(cellKind(cell.trim())) : null;
  });
}

/** Whether most of these words are units. */
export function areMostlyUnits(words: readonly string[], isUnit = looksLikeUnit): boolean {
  const filled = words.filter((word) => word !== '');
  return filled.length > 0 && filled.filter((word) => isUnit(word)).length * 5 >= filled.length * 3;
}

/** What the columns below a row have. */
interface ColumnsBelow {
  /** Number of columns with values. */
  readonly count: number;
  readonly isNumbers: (column: number) => boolean;
  /** Whether a column has numbers, times, or Boolean values. */
  readonly isTyped: (column: number) => boolean;
}

/** What columns of texts have. */
export function columnsOf(rows: readonly (readonly string[])[], width: number): ColumnsBelow {
  const numeric = numericColumns(rows, width);
  const typed = typedColumns(rows, width);
  return {
    count: width,
    isNumbers: (column) => numeric[column] === true,
    isTyped: (column) => (typed[column] ?? null) !== null,
  };
}

/**
 * Whether the row after a header has units: short words, most of them units or the time zones of times, most of them
 * above numbers or times; or known units above most columns of numbers; or nothing but known units
 * and time zones above some of their columns.
 * @param texts trimmed; blank: no unit
 */
export function isUnitRow(texts: readonly string[], { count, isNumbers, isTyped }: ColumnsBelow): boolean {
  const words = texts.flatMap((text, column) => (text === '' ? [] : [{ text, column }]));
  const isUnit = (text: string): boolean => looksLikeUnit(text) || IANAZone.isValidZone(text);
  if (words.length === 0) return false;
  if (words.some(({ text }) => isTypedCell(text) || (text.length > maxUnitLength && !isUnit(text))))
    return false;
  if (areUnits(texts.filter((_, column) => isNumbers(column)))) return true;
  const isAbove = ({ text, column }: (typeof words)[number]): boolean =>
    isNumbers(column) ? unitOf(text) !== undefined : isTyped(column) && IANAZone.isValidZone(text);
  if (words.every(isAbove)) return true;
  return (
    words.length * 2 >= count &&
    words.filter(({ column }) => isTyped(column)).length * 2 >= words.length &&
    areMostlyUnits(
      words.map(({ text }) => text),
      isUnit,
    )
  );
}

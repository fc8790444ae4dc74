import { withoutBrackets } from '../../../../shared/channels/brackets.ts';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import { isDecimalNumber } from '../../reading/cells.ts';
import { areSteps, isUnitRow as areUnitsAbove, repetition } from '../../reading/header-rows.ts';
import type { SourceColumn } from '../source.ts';
import type { GridCell, GridRow } from './grid.ts';
import { maxOf, minOf } from '../../../../shared/lists.ts';

/** The position of the table in a worksheet. */
export interface GridLayout {
  /** The row of the names; 0: none. */
  readonly headerPlace: number;
  /** The row of the units; 0: none. */
  readonly unitPlace: number;
  /** The last row before the data. */
  readonly lastHeaderPlace: number;
  /** The first column of the table in the sheet, from 0. */
  readonly firstColumn: number;
  readonly columns: readonly SourceColumn[];
}

const valuesOf = ({ cells }: GridRow): GridCell[] => cells.flatMap((cell) => cell ?? []);
const isNumericText = (text: string): boolean => isDecimalNumber(text.trim());

/** Number of columns with a value in at least one of the rows. */
function usedColumns(rows: readonly GridRow[]): Set<number> {
  const used = new Set<number>();
  for (const { cells } of rows) for (const [column, cell] of cells.entries()) if (cell) used.add(column);
  return used;
}

/**
 * Whether a text that looks like a number is above numbers, for example a code such as `001` as the name of a column.
 */
const isCodeAbove = (row: GridRow, cell: GridCell, below: readonly GridRow[]): boolean =>
  cell.kind === 'text' && below.every(({ cells }) => cells[row.cells.indexOf(cell)]?.kind !== 'text');

/** Whether a row can be names: texts that aren't repeated below, beside numbers only if these are consecutive. */
function canBeHeader(row: GridRow, below: readonly GridRow[]): boolean {
  const values = valuesOf(row);
  const texts = values.filter(({ kind, text }) => kind === 'text' && !isNumericText(text));
  if (texts.length === 0) return false;
  const others = values.filter((cell) => !texts.includes(cell) && !isCodeAbove(row, cell, below));
  if (others.length > 0)
    return others.every(({ kind }) => kind === 'number') && areSteps(others.map(({ text }) => Number(text)));
  // Values are repeated in their columns, names aren't.
  const textsOf = ({ cells }: GridRow): (string | undefined)[] => cells.map((cell) => cell?.text);
  const { again, isWhole } = repetition(textsOf(row), below.map(textsOf));
  if (again * 2 < texts.length || texts.length === 1) return true;
  // A row above numbers that is repeated as a whole is the header of each page.
  return isWhole && isAboveOthers(row, below);
}

/** Number of first rows that are remarks with #; a single one can be a header whose first name is #. */
function remarkRows(rows: readonly GridRow[]): number {
  const end = rows.findIndex((row) => !valuesOf(row)[0]?.text.startsWith('#'));
  return end > 1 ? end : 0;
}

/** The first row that names most columns, else the first that names half of them; -1: none. */
function findHeader(rows: readonly GridRow[]): number {
  const remarks = remarkRows(rows);
  let end = 50;
  for (const share of [0.7, 0.5]) {
    for (const [at, row] of rows.slice(0, end).entries()) {
      if (at < remarks) continue;
      const below = rows.slice(at + 1);
      const width = usedColumns(below.length > 0 ? [row, ...below] : [row]).size;
      if (valuesOf(row).length < width * share) continue;
      // A full row that can't be names is data: a later row can't be its header.
      if (!canBeHeader(row, below)) {
        end = at;
        break;
      }
      let header = at;
      while (isAboveHeader(rows[header], rows[header + 1], rows.slice(header + 2), width)) header++;
      return header;
    }
  }
  return -1;
}

/**
 * Whether the next row is the header rather than this one: groups with gaps are above the names of columns, and lines
 * such as `Field: Volve` above a table of two columns.
 */
function isAboveHeader(
  row: GridRow | undefined,
  next: GridRow | undefined,
  below: readonly GridRow[],
  width: number,
): boolean {
  if (!row || !next) return false;
  const names = valuesOf(next);
  const count = valuesOf(row).length;
  if (names.length < count || (names.length === count && width > 2)) return false;
  if (!names.every(({ kind, text }) => kind === 'text' && !isNumericText(text))) return false;
  return canBeHeader(next, below) && isAboveOthers(next, below) && !isUnitRow(next, below);
}

/** Whether a row has a text above a column of mostly other values. */
const isAboveOthers = (row: GridRow, below: readonly GridRow[]): boolean =>
  row.cells.some((cell, column) => {
    const values = below.flatMap(({ cells }) => cells[column] ?? []);
    return cell !== null && values.filter(({ kind }) => kind !== 'text').length * 2 > values.length;
  });

/** Whether the row after the header has units. */
function isUnitRow(row: GridRow | undefined, below: readonly GridRow[]): boolean {
  if (!row || below.length === 0 || valuesOf(row).some(({ kind }) => kind !== 'text')) return false;
  const hasKind = (column: number, isWanted: (kind: GridCell['kind']) => boolean): boolean =>
    below.some(({ cells }) => cells[column] && isWanted(cells[column].kind));
  return areUnitsAbove(
    row.cells.map((cell) => cell?.text.trim() ?? ''),
    {
      count: usedColumns(below).size,
      isNumbers: (column) => hasKind(column, (kind) => kind === 'number'),
      isTyped: (column) => hasKind(column, (kind) => kind !== 'text' && kind !== 'error'),
    },
  );
}

/** The type of a column from its values: texts that look like numbers stay texts. */
function typeOf(rows: readonly GridRow[], column: number): SourceColumn['type'] {
  const values = rows.flatMap(({ cells }) => cells[column] ?? []).filter(({ kind }) => kind !== 'error');
  if (values.length === 0) return null;
  if (values.every(({ kind }) => kind === 'time')) return 'time';
  return values.every(({ kind }) => kind === 'text') && values.some(({ text }) => isNumericText(text))
    ? 'text'
    : null;
}

/** Whether the numbers of a column are shown as percentages, but stored as fractions. */
function isPercent(rows: readonly GridRow[], column: number): boolean {
  const numbers = rows.flatMap(({ cells }) => cells[column] ?? []).filter(({ kind }) => kind === 'number');
  return numbers.length > 0 && numbers.every((cell) => cell.isPercent);
}

/**
 * Detects the header and unit rows among the first rows of a sheet, or uses those that the user set.
 * @param rows the first rows with values
 * @param chosen rows from 1; 0: none; absent: detected
 */
export function findGridLayout(
  rows: readonly GridRow[],
  chosen: { readonly headerRow?: number | undefined; readonly unitRow?: number | undefined },
): GridLayout {
  const headerAt =
    chosen.headerRow === undefined
      ? findHeader(rows)
      : rows.findIndex(({ place }) => place === chosen.headerRow);
  const header = rows[headerAt];
  const unitAt =
    chosen.unitRow === undefined ? headerAt + 1 : rows.findIndex(({ place }) => place === chosen.unitRow);
  const hasUnits =
    chosen.unitRow === undefined ? header && isUnitRow(rows[unitAt], rows.slice(unitAt + 1)) : true;
  const units = hasUnits ? rows[unitAt] : undefined;
  const data = rows.slice(Math.max(headerAt, units ? unitAt : -1) + 1);
  const used = [...usedColumns(header ? [header, ...data] : data)];
  const firstColumn = used.length === 0 ? 0 : minOf(used);
  const width = used.length === 0 ? 0 : maxOf(used) - firstColumn + 1;
  return {
    headerPlace: header?.place ?? 0,
    unitPlace: units?.place ?? 0,
    lastHeaderPlace: Math.max(header?.place ?? 0, units?.place ?? 0),
    firstColumn,
    columns: Array.from({ length: width }, (_, at): SourceColumn => {
      const column = firstColumn + at;
      const name = header?.cells[column]?.text.trim() ?? '';
      const unitCell = units?.cells[column];
      const unitText = unitCell ? withoutBrackets(unitCell.text) : undefined;
      const unit = isPercent(data, column) ? 'fraction' : (unitText ?? unitInName(name));
      return { name, unit, description: null, type: typeOf(data, column) };
    }),
  };
}

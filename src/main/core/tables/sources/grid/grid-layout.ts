import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { unitInName } from '../../../../../shared/channels/unit-text.ts';
import { isDecimalNumber } from '../../reading/cells.ts';
import { canBeHeader, findHeader, isAboveOthers, valuesOf } from '../../reading/header-detector.ts';
import { isUnitRow as areUnitsAbove } from '../../reading/header-rows.ts';
import { chosenRow } from '../../reading/layout.ts';
import type { OpenOptions, SourceColumn } from '../source.ts';
import type { GridCell, GridRow } from './grid.ts';
import { maxOf, minOf } from '../../../../../shared/lists.ts';

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

const isDecimalText = (text: string): boolean => isDecimalNumber(text.trim());

/** Number of columns with a value in at least one of the rows. */
function usedColumns(rows: readonly GridRow[]): Set<number> {
  const used = new Set<number>();
  for (const { cells } of rows) for (const [column, cell] of cells.entries()) if (cell) used.add(column);
  return used;
}

/** The row of the names; -1: none. */
function headerOf(rows: readonly GridRow[]): number {
  const widthFrom = (at: number): number => usedColumns(rows.slice(at)).size;
  let header = findHeader(rows, widthFrom);
  const width = header < 0 ? 0 : widthFrom(header);
  while (isAboveHeader(rows[header], rows[header + 1], rows.slice(header + 2), width)) header++;
  return header;
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
  if (!names.every(({ kind, text }) => kind === 'text' && !isDecimalText(text))) return false;
  return canBeHeader(next, below) && isAboveOthers(next, below) && !isUnitRow(next, below);
}

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
  return values.every(({ kind }) => kind === 'text') && values.some(({ text }) => isDecimalText(text))
    ? 'text'
    : null;
}

/** Whether the numbers of a column are shown as percentages, but stored as fractions. */
function isPercent(rows: readonly GridRow[], column: number): boolean {
  const numbers = rows.flatMap(({ cells }) => cells[column] ?? []).filter(({ kind }) => kind === 'number');
  return numbers.length > 0 && numbers.every((cell) => cell.isPercent);
}

/** The index of a row that the user set; -1: they set none. @throws AppError invalid_input */
function indexAt(rows: readonly GridRow[], place: number, what: 'header' | 'unit'): number {
  const at = rows.findIndex((row) => row.place === place);
  if (place > 0) chosenRow(rows[at], what, `in row ${place}`);
  return at;
}

/**
 * Detects the header and unit rows among the first rows of a sheet, or uses those that the user set.
 * @param rows the first rows with values
 * @param chosen rows from 1; 0: none; absent: detected
 * @throws AppError invalid_input for a row without values
 */
export function findGridLayout(
  rows: readonly GridRow[],
  chosen: Pick<OpenOptions, 'headerRow' | 'unitRow'>,
): GridLayout {
  const headerAt =
    chosen.headerRow === undefined ? headerOf(rows) : indexAt(rows, chosen.headerRow, 'header');
  const header = rows[headerAt];
  const unitAt = chosen.unitRow === undefined ? headerAt + 1 : indexAt(rows, chosen.unitRow, 'unit');
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

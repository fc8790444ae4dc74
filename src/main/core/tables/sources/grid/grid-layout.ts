import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { unitInName } from '../../../../../shared/channels/unit-text.ts';
import { isDecimalNumber } from '../../reading/cells.ts';
import { explainHead, findHead } from '../../layout/head.ts';
import { chosenRow } from '../../reading/layout.ts';
import type { Explanation } from '../../../../../shared/upload/upload.ts';
import type { OpenOptions, SourceColumn } from '../source.ts';
import type { GridRow } from './grid.ts';
import { maxOf, minOf } from '../../../../../shared/lists.ts';

/** The position of the table in a worksheet. */
export interface GridLayout {
  /** The row of the names; 0: none. */
  readonly headerPlace: number;
  /** The first row of the header: that of groups above the names, if there is one. */
  readonly topPlace: number;
  /** The row of the units; 0: none. */
  readonly unitPlace: number;
  /** The last row before the data. */
  readonly lastHeaderPlace: number;
  /** The first column of the table in the sheet, from 0. */
  readonly firstColumn: number;
  readonly columns: readonly SourceColumn[];
  readonly explanation: Explanation;
}

const isDecimalText = (text: string): boolean => isDecimalNumber(text.trim());

/** The columns with a value in at least one of the rows. */
function usedColumns(rows: readonly GridRow[]): Set<number> {
  const used = new Set<number>();
  for (const { cells } of rows) for (const [column, cell] of cells.entries()) if (cell) used.add(column);
  return used;
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
  const head = findHead(
    rows,
    chosen.headerRow === undefined ? undefined : indexAt(rows, chosen.headerRow, 'header'),
  );
  const header = rows[head.header];
  const unitAt = chosen.unitRow === undefined ? head.units : indexAt(rows, chosen.unitRow, 'unit');
  const units = rows[unitAt];
  const data = rows.slice(Math.max(head.header, unitAt) + 1);
  const used = [...usedColumns(header ? [header, ...data] : data)];
  const firstColumn = used.length === 0 ? 0 : minOf(used);
  const width = used.length === 0 ? 0 : maxOf(used) - firstColumn + 1;
  return {
    headerPlace: header?.place ?? 0,
    topPlace: (rows[head.group] ?? header)?.place ?? 0,
    unitPlace: units?.place ?? 0,
    lastHeaderPlace: Math.max(header?.place ?? 0, units?.place ?? 0),
    firstColumn,
    explanation: explainHead(head, rows, (row) => rows[row]?.place ?? 0),
    columns: Array.from({ length: width }, (_, at): SourceColumn => {
      const column = firstColumn + at;
      const name = head.names[column] ?? '';
      const unitCell = units?.cells[column];
      const unitText = unitCell ? withoutBrackets(unitCell.text) : undefined;
      const unit = isPercent(data, column) ? 'fraction' : (unitText ?? unitInName(name));
      return { name, unit, description: null, type: typeOf(data, column) };
    }),
  };
}

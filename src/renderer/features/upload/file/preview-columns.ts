import type { FilePreview, UploadMatch } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import type { DataColumn, DataColumnGroup } from '../../../ui/grid/index.ts';

export interface PreviewWords {
  readonly line: string;
  readonly lineTip: string;
  readonly leftOut: string;
  /** Of a column whose text goes along with another one's. */
  readonly joinedTo: (column: string) => string;
  readonly noValue: (cell: string) => string;
}

const character = 7.4;
const padding = 28;
const narrowest = 72;
const widest = 240;

const widthFor = (texts: readonly string[]): number => {
  const longest = Math.max(...texts.map((text) => text.length), 0);
  return Math.round(Math.min(Math.max(longest * character + padding, narrowest), widest));
};

// What unit rows say where there is none.
const noUnit = /^(?:unitless|none|dimensionless|-+|n\/?a)$/i;

/** A name with its unit, unless there is none or the name has it already. */
export const nameWithUnit = (name: string, unit: string | null): string =>
  unit === null || noUnit.test(unit) || name.includes(unit) ? name : `${name} [${unit}]`;

/** A cell of the preview: the number of its row, and the id of its column. */
export interface MarkedCell {
  readonly row: number;
  readonly column: string;
}

const columnId = (index: number): string => `column ${index}`;

/** Where a place of the file stands in the rows shown; without a column it is the line's own. Null: it does not. */
export function markedCell(
  { columns, rows }: FilePreview,
  at: { readonly line: number; readonly column: string | null },
): MarkedCell | null {
  const row = rows.findIndex(({ line }) => line === at.line);
  if (row < 0) return null;
  const index = columns.findIndex(({ key }) => key === at.column);
  return { row, column: index < 0 ? 'line' : columnId(index) };
}

type CellType = Inspection['columns'][number]['type'];

/** Tells the cells that were named as standing for no value; among numbers, those that are the same number too, with a comma as well. */
function nullTest(nulls: readonly string[]): (cell: string, type: CellType | undefined) => boolean {
  const texts = new Set(nulls);
  // A blank is no number, though it converts to 0.
  const numbers = nulls.filter((token) => token.trim() !== '').map(Number);
  const values = new Set(numbers.filter((value) => !Number.isNaN(value)));
  return (cell, type) => {
    const text = cell.trim();
    if (text === '') return false;
    return (
      texts.has(text) ||
      ((type === 'number' || type === 'integer') && values.has(Number(text.replace(',', '.'))))
    );
  };
}

/**
 * The columns of the preview: cells as they stand in the file, numbers at the right; where it is known what goes
 * where, each stands under the place that it goes to.
 */
export function previewColumns(
  { columns, rows }: FilePreview,
  inspection: Inspection | null,
  match: UploadMatch | null,
  words: PreviewWords,
  marked: MarkedCell | null = null,
  nulls: readonly string[] = [],
): (DataColumn | DataColumnGroup)[] {
  const isNull = nullTest(nulls);
  const isMarked = (row: number, column: string) => marked?.row === row && marked.column === column;
  const line: DataColumn = {
    id: 'line',
    header: words.line,
    width: 64,
    align: 'end',
    pinned: true,
    tip: words.lineTip,
    text: (row) => String(rows[row]?.line ?? ''),
    tone: (row) => (isMarked(row, 'line') ? 'marked' : 'null'),
    cellTip: (row) => rows[row]?.problem ?? '',
  };
  const leaves = columns.map(({ key, unit }, index): DataColumn | DataColumnGroup => {
    const type = inspection?.columns[index]?.type;
    const cell = (row: number) => rows[row]?.cells[index] ?? '';
    const header = nameWithUnit(key, unit);
    const target = match?.columns[index];
    const nowhere = target?.joinedTo ? words.joinedTo(target.joinedTo) : words.leftOut;
    const above = target ? (target.to ?? nowhere) : '';
    const leaf: DataColumn = {
      id: columnId(index),
      header,
      width: widthFor([header, above, ...rows.map((_, row) => cell(row))]),
      align: type === 'integer' || type === 'number' ? 'end' : 'start',
      tip: header,
      text: cell,
      tone(row) {
        if (isMarked(row, columnId(index))) return 'marked';
        if (target && target.to === null && target.joinedTo === null) return 'absent';
        return rows[row]?.problem || isNull(cell(row), type) ? 'null' : 'plain';
      },
      cellTip: (row) => (isNull(cell(row), type) ? words.noValue(cell(row)) : cell(row)),
    };
    return target ? { id: `target ${index}`, header: above, children: [leaf] } : leaf;
  });
  return [line, ...leaves];
}

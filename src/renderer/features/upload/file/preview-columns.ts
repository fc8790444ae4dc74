import { numericNulls } from '../../../../shared/upload/null-tokens.ts';
import type { FilePreview, UploadMatch } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import type { DataColumn, DataColumnGroup } from '../../../ui/grid/index.ts';
import { maxOf } from '../../../../shared/lists.ts';
import { namesUnit } from '../../../../shared/upload/units.ts';
import { uploadWords } from '../../../words/upload.ts';
import { fieldName } from '../columns/fields.ts';

const w = uploadWords.preview;

const character = 8;
const padding = 28;
const minWidth = 72;
const maxWidth = 240;

const widthFor = (texts: readonly string[]): number => {
  const maxLength = Math.max(maxOf(texts.map((text) => text.length)), 0);
  return Math.round(Math.min(Math.max(maxLength * character + padding, minWidth), maxWidth));
};

/** A unit for display; empty: none. */
export const unitText = (unit: string | null): string => (unit !== null && namesUnit(unit) ? unit : '');

/** A name with its unit, unless there is none or the name includes it. */
export function nameWithUnit(name: string, unit: string | null): string {
  const text = unitText(unit);
  return text === '' || name.includes(text) ? name : `${name} [${text}]`;
}

/** A cell of the preview: the index of its row, and the id of its column. */
export interface MarkedCell {
  readonly row: number;
  readonly column: string;
}

const columnId = (index: number): string => `column ${index}`;

/** The position of a line in the rows shown; without a column, of its line number. Null: not shown. */
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

/** Tests cells for null values. In numeric columns, equal numbers match too, also with a decimal comma. */
function nullTest(nulls: readonly string[]): (cell: string, type: CellType | undefined) => boolean {
  const texts = new Set(nulls);
  const values = numericNulls(nulls);
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
 * The columns of the preview: cells as in the file, numbers right-aligned, grouped by their targets once matched.
 * @param marked the cell that is marked; null: none
 * @param nulls all texts that mean null
 */
export function previewColumns(
  { columns, rows, places }: FilePreview,
  inspection: Inspection | null,
  match: UploadMatch | null,
  marked: MarkedCell | null,
  nulls: readonly string[],
): (DataColumn | DataColumnGroup)[] {
  const isNull = nullTest(nulls);
  const isMarked = (row: number, column: string) => marked?.row === row && marked.column === column;
  const line: DataColumn = {
    id: 'line',
    header: uploadWords.source.placeTitle(places.kind),
    width: 64,
    align: 'end',
    pinned: true,
    tip: uploadWords.source.placeTip(places.kind),
    text: (row) => String(rows[row]?.line ?? ''),
    tone: (row) => (isMarked(row, 'line') ? 'marked' : 'null'),
    cellTip: (row) => rows[row]?.problem ?? '',
  };
  const leaves = columns.map(({ key, unit }, index): DataColumn | DataColumnGroup => {
    const type = inspection?.columns[index]?.type;
    const cell = (row: number) => rows[row]?.cells[index] ?? '';
    const target = match?.columns[index];
    const header = nameWithUnit(key, target?.unit ?? unit);
    const nowhere = target?.joinedTo ? w.joinedTo(target.joinedTo) : w.skipped;
    const to = target?.to ?? null;
    const above = target ? (to === null ? nowhere : fieldName(to)) : '';
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
      cellTip: (row) => (isNull(cell(row), type) ? w.noValue(cell(row)) : cell(row)),
    };
    return target ? { id: `target ${index}`, header: above, children: [leaf] } : leaf;
  });
  return [line, ...leaves];
}

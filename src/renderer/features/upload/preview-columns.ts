import type { FilePreview, UploadMatch } from '../../../shared/upload-preview.ts';
import type { Inspection } from '../../../shared/upload.ts';
import type { DataColumn, DataColumnGroup } from '../../ui/grid/index.ts';

export interface PreviewWords {
  readonly line: string;
  readonly lineTip: string;
  readonly leftOut: string;
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

/**
 * The columns of the preview: cells as they stand in the file, numbers at the right; where it is known what goes
 * where, each stands under the place that it goes to.
 */
export function previewColumns(
  { columns, rows }: FilePreview,
  inspection: Inspection | null,
  match: UploadMatch | null,
  words: PreviewWords,
): (DataColumn | DataColumnGroup)[] {
  const line: DataColumn = {
    id: 'line',
    header: words.line,
    width: 64,
    align: 'end',
    pinned: true,
    tip: words.lineTip,
    text: (row) => String(rows[row]?.line ?? ''),
    tone: () => 'null',
    cellTip: (row) => rows[row]?.problem ?? '',
  };
  const leaves = columns.map(({ key, unit }, index): DataColumn | DataColumnGroup => {
    const type = inspection?.columns[index]?.type;
    const cell = (row: number) => rows[row]?.cells[index] ?? '';
    const header = nameWithUnit(key, unit);
    const target = match?.columns[index];
    const above = target ? (target.to ?? words.leftOut) : '';
    const leaf: DataColumn = {
      id: `column ${index}`,
      header,
      width: widthFor([header, above, ...rows.map((_, row) => cell(row))]),
      align: type === 'integer' || type === 'number' ? 'end' : 'start',
      tip: header,
      text: cell,
      tone: (row) => (target && target.to === null ? 'absent' : rows[row]?.problem ? 'null' : 'plain'),
      cellTip: cell,
    };
    return target ? { id: `target ${index}`, header: above, children: [leaf] } : leaf;
  });
  return [line, ...leaves];
}

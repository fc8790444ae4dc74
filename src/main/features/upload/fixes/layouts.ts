import { csvCell } from '../../../../shared/csv.ts';
import { rejectColumns, rejectedTable } from '../../../../shared/upload/rejects-header.ts';
import type { UploadPlan, Rules } from '../../../core/tables/model/plan.ts';
import { encodeText } from '../../../core/tables/reading/encoding.ts';
import type { Layout } from '../../../core/tables/reading/layout.ts';

/** The columns that an upload adds to its file of rejected rows. */
export const addedColumns = ({ conversion }: UploadPlan): readonly string[] =>
  conversion?.places.table == null ? rejectColumns : [rejectedTable, ...rejectColumns];

/** Where the rows of a file begin, and its line; both follow from how Wellbench wrote it. */
type Start = Pick<Layout, 'header' | 'headerLine' | 'dataStart' | 'dataLine'>;

/** @param headerLines with those of a group above the names */
function startAfter(bom: number, headerBytes: number | null, headerLines = 1): Start {
  if (headerBytes === null) return { header: null, headerLine: 0, dataStart: bom, dataLine: 1 };
  return {
    header: { start: bom, end: bom + headerBytes },
    headerLine: headerLines,
    dataStart: bom + headerBytes,
    dataLine: headerLines + 1,
  };
}

/** How an upload's file of rejected rows is read: as the original, with further columns. */
export function rejectsLayout(plan: UploadPlan): Layout {
  const { layout, newline } = plan;
  const { encoding, delimiter, header, headerLine, groupLine = headerLine } = layout;
  const added = addedColumns(plan);
  const addedText = `${['', ...added].join(delimiter)}${newline}`;
  const headerBytes = header && header.end - header.start + encodeText(addedText, encoding).length;
  return {
    ...layout,
    ...startAfter(encoding.bom, headerBytes, headerLine - groupLine + 1),
    ...(groupLine < headerLine ? { groupLine: 1 } : {}),
    unitLine: null,
    columns: [...layout.columns, ...added.map((name) => ({ name, key: name, unit: null }))],
  };
}

/** The text of a file of fixed rows: plain CSV with the columns of the original. */
export const fixedText = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');

/** How a file of fixed rows of an upload is read. */
export function fixedLayout({ layout: { columns, isExact } }: UploadPlan): Layout {
  const headerBytes = Buffer.byteLength(
    fixedText(
      columns.map(({ name }) => name),
      [],
    ),
  );
  return {
    ...startAfter(0, headerBytes),
    jsonLines: false,
    delimiter: ',',
    crEnds: false,
    comments: false,
    encoding: { name: 'UTF-8', bom: 0 },
    unitLine: null,
    columns,
    isExact,
  };
}

/**
 * The rules of an upload for another file with some of its rows. Times that occur twice have the default of the two,
 * because the rows around them are missing.
 * @param rows number of data rows of the other file
 * @param bytes its size
 */
export function rulesFor(rules: Rules, rows: number, bytes: number): Rules {
  return {
    ...rules,
    columns: rules.columns.map((rule) => {
      const { conversion } = rule;
      if (conversion.kind !== 'time' || !conversion.repeated) return rule;
      return { ...rule, conversion: { ...conversion, repeated: { ...conversion.repeated, hours: [] } } };
    }),
    ...(rules.fold ? { fold: { ...rules.fold, rows, end: bytes } } : {}),
  };
}

import { createHash } from 'node:crypto';
import { columnTexts } from '../../../shared/column-paths.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { CsvLayout } from '../../../shared/export/csv-layout.ts';
import type { NullValues } from '../../../shared/export/export.ts';
import { Columns } from '../records/columns.ts';
import { createPathTree } from '../records/path-tree.ts';
import { createZoneWriter, type TimeColumns } from '../records/zone.ts';
import type { About } from '../records/about.ts';
import { SheetRows } from './sheet-rows.ts';
import type { FinishSteps } from './sink.ts';
import type { SpooledFiles } from './spooled-sink.ts';
import { maxCellLength, maxSheetColumns, WorkbookWriter } from './workbook.ts';

interface XlsxOptions {
  readonly fields: readonly string[];
  readonly about: About;
  readonly layout: CsvLayout;
  readonly timeColumns: TimeColumns;
  readonly nullValues: NullValues;
}

/**
 * Writes spooled records as an Excel workbook: the records, and a sheet about them.
 * @throws AppError file_unwritable, before anything is written, for more columns than a sheet has; disk_full
 */
export function* writeXlsx(
  { file, spool }: SpooledFiles,
  { fields, about, layout, timeColumns, nullValues }: XlsxOptions,
): FinishSteps {
  const tree = createPathTree();
  const columns = new Columns(tree, fields, { isTimeAndWellFirst: layout.timeAndWellFirst });
  const digest = createHash('sha256');
  for (const page of spool.pages(tree)) {
    digest.update(page.bytes);
    for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
    yield;
  }
  const paths = columns.inOrder().map(({ path }) => path);
  if (paths.length > maxSheetColumns)
    throw new AppError('file_unwritable', {
      file: file.name,
      reason: `its records have ${paths.length.toLocaleString('en')} columns, and a sheet of Excel has up to ${maxSheetColumns.toLocaleString('en')} (select fewer fields, or export as CSV or Parquet)`,
    });
  const names = columnTexts(paths);
  const zone = createZoneWriter(about.timeZone, { columns: timeColumns });
  const sheetRows = new SheetRows(columns, paths, { zone, nullValues });
  const workbook = new WorkbookWriter(file);
  let rows = 0;
  const begin = (widths: readonly number[]): void =>
    workbook.beginTable({
      name: about.dataset.split('/').at(-1) ?? '',
      header: headerOf({ paths, names, timeColumns }, about),
      widths: paths.map((path, at) => columnWidth(path, widths[at] ?? 0, timeColumns)),
    });
  for (const page of spool.pages(tree)) {
    if (rows === 0) begin(sheetRows.measure(page));
    for (let record = 0; record < page.count; record += 1)
      sheetRows.add(workbook.nextRow(), page, record, (row) => workbook.add(row));
    rows += page.count;
    yield;
  }
  if (rows === 0) begin([]);
  workbook.endTable();
  const warnings = sheetRows.shortened === 0 ? [] : [shortenedWarning(sheetRows.shortened)];
  const content = { nullValues, rows, paths, names, digest: digest.digest('hex'), warnings, timeColumns };
  addAbout(workbook, about, content);
  workbook.finish();
  return { columns: names, warnings };
}

const shortenedWarning = (cells: number): string =>
  `${cells} ${cells === 1 ? 'text is' : 'texts are'} cut to ${maxCellLength.toLocaleString('en')} characters, the limit of Excel. For whole texts, export as CSV or Parquet.`;

/** The unit of a column; an instant has the time zone that it is written in. */
const unitOf = (path: string, { columns, timeZone }: About, times: TimeColumns): string =>
  times.get(path) === 'instant' ? timeZone : (columns[path]?.unit ?? '');

interface SheetColumns {
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly timeColumns: TimeColumns;
}

/** Names, and below them units. */
function headerOf({ paths, names, timeColumns }: SheetColumns, about: About): string[][] {
  const units = paths.map((path) => unitOf(path, about, timeColumns));
  return units.every((unit) => unit === '') ? [[...names]] : [[...names], units];
}

function columnWidth(path: string, longestText: number, times: TimeColumns): number {
  if (times.has(path)) return 23;
  return Math.min(40, Math.max(8, path.length + 2, longestText + 2));
}

function addAbout(
  workbook: WorkbookWriter,
  about: About,
  content: SheetColumns & {
    nullValues: NullValues;
    rows: number;
    digest: string;
    warnings: readonly string[];
  },
): void {
  const { sheets } = workbook;
  const { nullValues, rows, paths, names, digest, warnings, timeColumns } = content;
  const lines = [
    ['Exported by', `Wellbench ${about.version}`],
    ['Export started', about.started],
    ['Service', about.dataUrl],
    ['Dataset', about.dataset],
    ['Request', about.request],
    ['Time zone of times', about.timeZone],
    ['Null values such as -999.25', nullValues === 'blank' ? 'blank' : 'as stored'],
    ['Records', String(rows)],
    ['Sheets with records', sheets.join(', ')],
    ['SHA-256 of the records as NDJSON', digest],
    ...warnings.map((warning) => ['Warning', warning]),
    [],
    ['Column', 'Unit', 'Description'],
    ...paths.map((path, at) => {
      const { description = '' } = about.columns[path] ?? {};
      return [names[at] ?? path, unitOf(path, about, timeColumns), description];
    }),
  ];
  workbook.beginTable({ name: 'About', header: [], widths: [34, 70, 70] });
  for (const line of lines) workbook.addTexts(line);
  workbook.endTable();
}

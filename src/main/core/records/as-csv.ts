import { csvLayout, type CsvLayout } from '../../../shared/csv.ts';
import type { NullValues } from '../../../shared/export/export.ts';
import { Columns } from './columns.ts';
import { csvHeadings, plainRow, standardCsv, csvHeader, CsvRows, type CsvForm } from './csv.ts';
import { TextBuffer } from './text-buffer.ts';
import { createPathTree, RecordScanner } from './scan.ts';
import { createZoneWriter } from './zone.ts';

const storedLayout = csvLayout.parse({});

export interface AsCsvOptions {
  /** Columns; default: all. */
  readonly fields?: readonly string[];
  /** An IANA name; default: unchanged times. */
  readonly timeZone?: string | null | undefined;
  /** Default: RFC 4180. */
  readonly form?: CsvForm;
  /** Default: they stay numbers. */
  readonly nullValues?: NullValues;
  /** Default: as stored. */
  readonly layout?: CsvLayout;
  /** Whether they are rows of a workbook, which can have plain names above the header; default: false. */
  readonly isSheet?: boolean;
}

/**
 * Formats records as an export does: RFC 4180 with a header, the envelope's fields and `data.*` as dotted
 * columns, numbers unchanged.
 * @param pages JSON text of arrays of records, read twice: for the columns of all, and for the rows
 * @returns the header with the rows of the first page, then the rows of the next pages
 * @throws AppError `bad_answer` when one isn't an array of objects; `invalid_input` for an unknown time zone
 */
export function* pagesAsCsv(
  pages: readonly string[],
  {
    fields = [],
    timeZone = null,
    form = standardCsv,
    layout = storedLayout,
    nullValues = 'keep',
    isSheet = false,
  }: AsCsvOptions = {},
): Generator<string> {
  const tree = createPathTree();
  const scanner = new RecordScanner({ tree, keyField: null });
  const columns = new Columns(tree, fields, { isTimeAndWellFirst: layout.timeAndWellFirst });
  for (const records of pages) {
    const page = scanner.scanArray(records);
    for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
  }
  const paths = columns.inOrder().map(({ path }) => path);
  const rows = new CsvRows(columns, paths, {
    zone: timeZone === null ? null : createZoneWriter(timeZone, { style: layout.times }),
    form,
    nullValues,
  });
  const lines = new TextBuffer();
  for (const row of [...(isSheet ? plainRow(layout, paths) : []), csvHeadings(layout, timeZone)(paths)])
    lines.text(csvHeader(row, form));
  for (const records of pages) {
    const page = scanner.scanArray(records);
    for (let record = 0; record < page.count; record += 1) rows.add(lines, page, record);
    yield Buffer.from(lines.take()).toString();
  }
  if (pages.length === 0) yield Buffer.from(lines.take()).toString();
}

/**
 * Like {@link pagesAsCsv}, for one page.
 * @param records JSON text of an array of records
 * @throws AppError `bad_answer`, `invalid_input`
 */
export const recordsAsCsv = (records: string, options: AsCsvOptions = {}): string =>
  [...pagesAsCsv([records], options)].join('');

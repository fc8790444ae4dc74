import { csvLayout, type CsvLayout } from '../../../shared/export/csv-layout.ts';
import { Columns } from './columns.ts';
import { csvHeadings } from './csv-headings.ts';
import { standardCsv, csvHeader, CsvRows, type CsvForm } from './csv.ts';
import { Lines } from './lines.ts';
import { createPathTree } from './path-tree.ts';
import { RecordScanner } from './scan.ts';
import { createZoneWriter } from './zone.ts';

const storedLayout = csvLayout.parse({});

export interface AsCsvOptions {
  /** Columns; default: all. */
  readonly fields?: readonly string[];
  /** An IANA name; default: unchanged times. */
  readonly timeZone?: string | null | undefined;
  /** Default: RFC 4180. */
  readonly form?: CsvForm;
  /** Default: as stored. */
  readonly layout?: CsvLayout;
}

/**
 * Formats records as an export does: RFC 4180 with a header, the envelope's fields and `data.*` as dotted
 * columns, numbers unchanged.
 * @param records JSON text of an array of records
 * @throws AppError `bad_answer` when it isn't an array of objects; `invalid_input` for an unknown time zone
 */
export function recordsAsCsv(
  records: string,
  { fields = [], timeZone = null, form = standardCsv, layout = storedLayout }: AsCsvOptions = {},
): string {
  const tree = createPathTree();
  const page = new RecordScanner({ tree, keyField: null }).scanArray(records);
  const columns = new Columns(tree, fields, { isTimeAndWellFirst: layout.timeAndWellFirst });
  for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
  const paths = columns.inOrder().map(({ path }) => path);
  const rows = new CsvRows(columns, paths, {
    zone: timeZone === null ? null : createZoneWriter(timeZone, layout.times),
    form,
  });
  const lines = new Lines();
  lines.text(csvHeader(csvHeadings(layout, timeZone)(paths), form));
  for (let record = 0; record < page.count; record += 1) rows.add(lines, page, record);
  return Buffer.from(lines.take()).toString();
}

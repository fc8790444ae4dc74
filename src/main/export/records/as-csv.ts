import { Columns } from './columns.ts';
import { standardCsv, csvHeader, CsvRows } from './csv.ts';
import { Lines } from './lines.ts';
import { createPathTree, RecordScanner } from './scan.ts';
import { createZoneWriter } from './zone.ts';

/**
 * Formats records as an export does: RFC 4180 with a header, the envelope's fields and `data.*` as dotted
 * columns, numbers unchanged.
 * @param records JSON text of an array of records
 * @param options `fields`: columns, default all; `timeZone`: IANA name, default unchanged times
 * @throws AppError `bad_answer` when it isn't an array of objects; `invalid_input` for an unknown time zone
 */
export function recordsAsCsv(
  records: string,
  { fields = [], timeZone = null }: { fields?: readonly string[]; timeZone?: string | null } = {},
): string {
  const tree = createPathTree();
  const page = new RecordScanner({ tree, keyField: null }).scanArray(records);
  const columns = new Columns(tree, fields);
  for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
  const paths = columns.inOrder().map(({ path }) => path);
  const rows = new CsvRows(columns, paths, {
    zone: timeZone === null ? null : createZoneWriter(timeZone),
    form: standardCsv,
  });
  const lines = new Lines();
  lines.text(csvHeader(paths, standardCsv));
  for (let record = 0; record < page.count; record += 1) rows.add(lines, page, record);
  return Buffer.from(lines.take()).toString();
}

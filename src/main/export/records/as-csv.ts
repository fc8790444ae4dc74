import { Columns } from './columns.ts';
import { plainCsv, csvHeader, CsvRows } from './csv.ts';
import { Lines } from './lines.ts';
import { createPathTree, RecordScanner } from './scan.ts';
import { createZoneWriter } from './zone.ts';

/**
 * The CSV of one answer's records, as an export writes it: RFC 4180 with a header, the envelope's fields and `data.*`
 * as dotted columns, numbers as they came.
 * @param records JSON text of an array of records
 * @throws AppError bad_answer when it is not one
 */
export function recordsAsCsv(
  records: string,
  { fields = [], timeZone = null }: { fields?: readonly string[]; timeZone?: string | null } = {},
): string {
  const tree = createPathTree();
  const page = new RecordScanner({ tree, keyField: null }).scanArray(records);
  const columns = new Columns(tree, fields);
  for (let record = 0; record < page.count; record += 1) columns.see(page, record);
  const paths = columns.inOrder().map(({ path }) => path);
  const rows = new CsvRows(columns, paths, {
    zone: timeZone === null ? null : createZoneWriter(timeZone),
    form: plainCsv,
  });
  const lines = new Lines();
  lines.text(csvHeader(paths, plainCsv));
  for (let record = 0; record < page.count; record += 1) rows.add(lines, page, record);
  return Buffer.from(lines.take()).toString();
}

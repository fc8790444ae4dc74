import { createPathTree } from '../../core/records/path-tree.ts';
import { onOneLine, RecordScanner, recordText } from '../../core/records/scan.ts';
import type { Output } from './output.ts';

export const recordFormats = ['ndjson', 'csv', 'json'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** Records one per line, as the service wrote them: no number loses a digit. */
function* recordLines(records: string): Generator<string> {
  const scanner = new RecordScanner({ tree: createPathTree(), keyField: null });
  scanner.withLeaves = false;
  const page = scanner.scanArray(records);
  for (let record = 0; record < page.count; record++) yield onOneLine(recordText(page, record));
}

/**
 * Writes records.
 * @param page JSON of an array of objects, as text or in UTF-8
 * @param fields for CSV: the columns, if specified
 * @throws AppError bad_answer if it isn't such an array
 */
export async function writeRecords(
  out: Output,
  page: string | Uint8Array,
  format: RecordFormat,
  fields: readonly string[] = [],
): Promise<void> {
  const records = typeof page === 'string' ? page : new TextDecoder().decode(page);
  switch (format) {
    case 'ndjson':
      return out.lines(recordLines(records));
    case 'json':
      return out.lines([onOneLine(records)]);
    case 'csv': {
      const { recordsAsCsv } = await import('../../core/records/as-csv.ts');
      return out.write(recordsAsCsv(records, { fields }));
    }
  }
}

import type { RecordPage } from '../../shared/query.ts';
import { createPathTree } from '../export/records/paths.ts';
import { RecordScanner, recordText } from '../export/records/scan.ts';
import { onOneLine } from '../export/records/tokens.ts';
import type { Cli } from './context.ts';

export const recordFormats = ['ndjson', 'csv', 'json'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** Records one to a line, each as the service wrote it: no number loses a digit. */
function* ndjsonLines(text: string): Generator<string> {
  const page = new RecordScanner({ tree: createPathTree(), keyField: null, leaves: false }).scanArray(text);
  for (let record = 0; record < page.count; record++) yield onOneLine(recordText(page, record));
}

/**
 * Writes a page of records.
 * @throws AppError bad_answer when the page is not an array of objects
 */
export async function writeRecords(
  { out }: Pick<Cli, 'out'>,
  { records }: Pick<RecordPage, 'records'>,
  format: RecordFormat,
): Promise<void> {
  switch (format) {
    case 'ndjson':
      return out.lines(ndjsonLines(records));
    case 'csv':
      return out.lines(ndjsonLines(records));
    case 'json':
      return out.lines([onOneLine(records)]);
  }
}

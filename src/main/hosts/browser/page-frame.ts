import { pageDelimiter } from '../../../shared/query/page-frame.ts';

/** A message with a page as one binary frame: the JSON of all but the records, the delimiter, the records as they are. */
export function encodePage(message: unknown): Buffer {
  const records: Uint8Array[] = [];
  const head = JSON.stringify(message, (_key, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    records.push(value);
    return undefined;
  });
  return Buffer.concat([Buffer.from(head), Buffer.of(pageDelimiter), ...records]);
}

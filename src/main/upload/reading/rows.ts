import { readerOptions } from './dialect.ts';
import { createFieldReader } from './fields.ts';
import type { Row } from './fields.ts';
import { createJsonReader, jsonReaderOptions } from './json-lines.ts';
import type { Layout } from './layout.ts';
import { RecordReader } from './records.ts';
import type { RawRecord, ReadAt } from './records.ts';

/** A row of the file: its cells and its bytes. */
export interface FileRow extends Row {
  readonly record: RawRecord;
}

export interface RowReader {
  /** The next row; blank lines and comments are passed over. Null at the end. @throws AppError file_unsuitable */
  next(): FileRow | null;
  readonly blankLines: number;
  readonly commentLines: number;
  readonly firstComment: number | null;
}

/** Reads rows from a byte position on that begins a record, for example where the data starts or a batch ended. */
export function readRows(
  fileName: string,
  read: ReadAt,
  layout: Layout,
  from: { readonly byte: number; readonly line: number; readonly stop?: number | undefined },
): RowReader {
  const options = {
    ...(layout.jsonLines
      ? jsonReaderOptions(fileName, layout.encoding)
      : readerOptions(fileName, layout.encoding, layout)),
    start: from.byte,
    line: from.line,
    stop: from.stop,
  };
  const reader = new RecordReader(read, options);
  const fields = layout.jsonLines
    ? createJsonReader(layout)
    : createFieldReader(layout.encoding, layout.delimiter);
  let blankLines = 0;
  let commentLines = 0;
  let firstComment: number | null = null;
  return {
    get blankLines() {
      return blankLines;
    },
    get commentLines() {
      return commentLines;
    },
    get firstComment() {
      return firstComment;
    },
    next() {
      for (let record = reader.next(); record; record = reader.next()) {
        const row = fields.row(reader, record);
        const [first] = row.cells;
        if (
          row.cells.length === 1 &&
          first?.trim() === '' &&
          (!layout.jsonLines || record.start === record.end)
        ) {
          blankLines++;
          continue;
        }
        if (
          layout.comments &&
          first?.startsWith('#') === true &&
          !(record.hasQuotes && row.problem === null && startsQuoted(reader, record))
        ) {
          commentLines++;
          firstComment ??= record.line;
          continue;
        }
        return { ...row, record };
      }
      return null;
    },
  };
}

/** A # inside quotes is no comment. */
const startsQuoted = (reader: RecordReader, record: RawRecord): boolean =>
  reader.buffer[record.start - reader.base] === 0x22;

import type { RawLine } from '../../../shared/upload/preview.ts';
import { readerOptions } from './dialect.ts';
import { createFieldReader } from './fields.ts';
import { jsonReaderOptions } from './json-lines.ts';
import type { Layout } from './layout.ts';
import { RecordReader } from './records.ts';
import type { RawRecord } from './records.ts';
import type { ReadAt } from './unit-window.ts';

/** Lines that one row of the file takes: more than one where line ends stand inside quotes. */
export interface RowLines {
  readonly line: number;
  readonly nextLine: number;
  /** It stands at the end of the file, where a person said that there is no data any more. */
  readonly foot: boolean;
}

export interface RawLinesFrom {
  readonly byte: number;
  readonly line: number;
  /** How many lines are wanted at most. */
  readonly lines: number;
  /** Whether the file goes on behind the rows: lines behind them are not shown then, for nobody knows what they are. */
  readonly goesOn: boolean;
}

/** More characters of one line than this show nothing more. */
const longestLine = 2000;

/**
 * Lines of a file as they stand in it, whatever its quotes say, each with what it was taken for.
 * @param rows the rows that were read among these lines
 * @throws AppError file_unsuitable
 */
export function readRawLines(
  fileName: string,
  read: ReadAt,
  layout: Layout,
  rows: readonly RowLines[],
  from: RawLinesFrom,
): RawLine[] {
  const options = layout.jsonLines
    ? jsonReaderOptions(fileName, layout.encoding)
    : readerOptions(fileName, layout.encoding, layout);
  const reader = new RecordReader(read, { ...options, quotes: false, start: from.byte, line: from.line });
  const { text: textOf } = createFieldReader(layout.encoding, layout.delimiter);
  const end = from.goesOn ? (rows.at(-1)?.nextLine ?? from.line) : Infinity;
  const lines: RawLine[] = [];
  for (
    let record = reader.next();
    record && record.line < end && lines.length < from.lines;
    record = reader.next()
  ) {
    const text = textOf(reader, record);
    lines.push({
      line: record.line,
      text: text.slice(0, longestLine),
      cut: text.length > longestLine,
      ending: record.ending,
      kind: kindOf(record, text, layout, rows),
    });
  }
  return lines;
}

function kindOf(
  { line, start }: RawRecord,
  text: string,
  { header, unitLine, dataStart, jsonLines, comments }: Layout,
  rows: readonly RowLines[],
): RawLine['kind'] {
  if (header && start >= header.start && start < Math.max(header.end, header.start + 1)) return 'header';
  if (unitLine !== null && line >= unitLine && start < dataStart) return 'units';
  const row = rows.find((each) => line >= each.line && line < each.nextLine);
  if (row) return row.foot ? 'foot' : 'row';
  if (text.trim() === '') return 'blank';
  if (comments && !jsonLines && text.startsWith('#')) return 'comment';
  return 'left_out';
}

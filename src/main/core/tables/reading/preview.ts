import { nullsOf } from '../../../../shared/upload/null-tokens.ts';
import { problem } from '../model/targets.ts';
import { recognize } from './recognize.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import type { ReadingOptions } from '../../../../shared/upload/upload.ts';
import type { Layout } from './layout.ts';
import { readRows, type FileRow } from './rows.ts';
import { scan } from './scan.ts';
import { openSource, sampleBytes, type NamedFile } from './source.ts';
import { readerOptions } from './dialect.ts';
import { decoderOf } from './encoding.ts';
import { recordText, RecordReader, type RawRecord, type ReadAt } from './records.ts';

export interface PreviewRequest extends NamedFile {
  /** How the file is read, if already known. */
  readonly layout: Layout | null;
  readonly reading: ReadingOptions;
  /** The first line to show; absent: that of the first row. */
  readonly from?: number | undefined;
  /** Number of rows to show. */
  readonly rows: number;
}

export interface PreviewRow {
  readonly line: number;
  /** Its position in the file. */
  readonly start: number;
  readonly cells: readonly string[];
  readonly problem: string | null;
}

export interface Preview {
  readonly layout: Layout;
  readonly rows: readonly PreviewRow[];
  readonly lines: readonly RawLine[];
}

/** Maximum number of characters shown of one cell. */
const maxCellLength = 500;
/** Maximum number of lines beyond those of the rows: a preamble, blank lines, cells with line breaks. */
const furtherLines = 50;

interface ShownRow {
  readonly shown: PreviewRow;
  /** The line after it: a row has several lines if quoted cells have line breaks. */
  readonly nextLine: number;
}

/** The line after a record, even if the file ends without a line end. */
const lineAfter = ({ nextLine, ending }: FileRow['record']): number =>
  ending === 'none' ? nextLine + 1 : nextLine;

/** Whether a row ends after the start of a line, or in a converted table is at or after that place. */
const endsBehind = ({ record }: FileRow, line: number, isConverted: boolean): boolean =>
  isConverted ? record.line >= line : lineAfter(record) > line;

const rowOf = (row: FileRow): ShownRow => ({
  nextLine: lineAfter(row.record),
  shown: {
    line: row.record.line,
    start: row.record.start,
    cells: row
      .texts()
      .map((cell) => (cell.length > maxCellLength ? `${cell.slice(0, maxCellLength)}…` : cell)),
    problem: row.problem === null ? null : problem(row.problem, null).message,
  },
});

/** The rows of a footer that appear among the first rows. */
function footerOfSmall({ path, fileName, places, layout, reading }: PreviewRequest, bytes: number): number {
  if (bytes > sampleBytes) return 0;
  const request = { path, fileName, places, layout, reading, nulls: nullsOf({}), distinct: [] };
  return scan(request).footer?.count ?? 0;
}

/**
 * Rows of a file, the first ones or those from a line on, and their lines. Nothing after them is read, so that the
 * start of the largest file appears at once.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input
 */
export function previewFile(request: PreviewRequest): Preview {
  const { path, fileName, places, layout: givenLayout, reading, from, rows: wanted } = request;
  const source = openSource(path, fileName, places);
  try {
    const layout = givenLayout ?? recognize(fileName, source, reading);
    const { footerRows = footerOfSmall(request, source.bytes) } = reading;
    const reader = readRows(fileName, source, layout, { byte: layout.dataStart, line: layout.dataLine });
    // With as many extra rows as a footer can have, all rows before them are certainly data.
    const read: ShownRow[] = [];
    let row = reader.next();
    for (; row && read.length < wanted + footerRows; row = reader.next())
      if (from === undefined || endsBehind(row, from, source.placeOf !== null)) read.push(rowOf(row));
    const data = Math.max(read.length - footerRows, 0);
    const rows = read.slice(0, data).map(({ shown }) => shown);
    // Places of the original aren't shown in the form of the converted table.
    if (source.placeOf) return { layout, rows, lines: [] };
    const first = from === undefined ? undefined : read[0]?.shown;
    const lines = readRawLines(fileName, source.read, layout, {
      rows: read.slice(0, row ? data : read.length),
      data,
      byte: first?.start ?? layout.encoding.bom,
      line: first?.line ?? 1,
      count: wanted + furtherLines,
      continues: row !== null,
    });
    return { layout, rows, lines };
  } finally {
    source.close();
  }
}

interface RawLinesFrom {
  /** The rows that were read from these lines; those from `data` on are the footer that the user set. */
  readonly rows: readonly ShownRow[];
  readonly data: number;
  readonly byte: number;
  readonly line: number;
  /** Maximum number of lines. */
  readonly count: number;
  /** Whether the file continues after the rows: later lines aren't shown then, because they are not classified. */
  readonly continues: boolean;
}

/** Maximum number of characters shown of one line. */
const maxLineLength = 2000;

/** Lines of a file as they are, regardless of quotes, each with its classification. @throws AppError file_unsuitable */
function readRawLines(
  fileName: string,
  read: ReadAt,
  layout: Layout,
  { rows, data, byte, line, count, continues }: RawLinesFrom,
): RawLine[] {
  const { header, unitLine, dataStart, jsonLines, comments } = layout;
  const options = { ...readerOptions(fileName, layout.encoding, layout), quotes: false, start: byte, line };
  const reader = new RecordReader(read, options);
  const decode = decoderOf(layout.encoding);
  const end = continues ? (rows.at(-1)?.nextLine ?? line) : Infinity;
  const kindOf = (record: RawRecord, text: string): RawLine['kind'] => {
    const { start, line: at } = record;
    if (header && start >= header.start && start < Math.max(header.end, header.start + 1)) return 'header';
    if (unitLine !== null && (at === unitLine || (at >= unitLine && start < dataStart))) return 'units';
    const row = rows.findIndex(({ shown, nextLine }) => at >= shown.line && at < nextLine);
    if (row >= 0) return row >= data ? 'foot' : 'row';
    if (text.trim() === '') return 'blank';
    return comments && !jsonLines && text.startsWith('#') ? 'comment' : 'left_out';
  };
  const lines: RawLine[] = [];
  for (
    let record = reader.next();
    record && record.line < end && lines.length < count;
    record = reader.next()
  ) {
    const text = recordText(decode, reader, record);
    lines.push({
      line: record.line,
      text: text.slice(0, maxLineLength),
      cut: text.length > maxLineLength,
      ending: record.ending,
      kind: kindOf(record, text),
    });
  }
  return lines;
}

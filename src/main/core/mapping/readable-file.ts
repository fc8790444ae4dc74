import { resolve } from 'node:path';
import { isDirectFormat, type FileFacts, type FileHeaderEntry } from '../../../shared/upload/formats.ts';
import type { RawLine } from '../../../shared/upload/preview.ts';
import type { FileWarning, ReadingOptions } from '../../../shared/upload/upload.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { SourcePlace } from '../files/files.ts';
import {
  type Layout,
  type Conversion,
  type Conversions,
  directFacts,
  tableNamed,
  type DetectedFile,
  type Scan,
  type ScanRequest,
  type NamedFile,
} from '../tables/tables.ts';
import type { CsvThread } from './thread/csv-thread.ts';

/** A file for the text reader: itself, or its converted table. */
export interface ReadableFile extends NamedFile {
  readonly original: SourcePlace;
  /** Null: the file is read directly. */
  readonly conversion: Conversion | null;
  readonly layout: Layout | null;
  readonly reading: ReadingOptions;
  readonly facts: FileFacts;
  readonly warnings: readonly FileWarning[];
}

/**
 * Makes a file readable: CSV and NDJSON are read directly, other formats are converted once.
 * @param thread reads the content
 * @param hasTables whether a CSV file has several tables or repeated headers; by default, whether the user selects a table
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
 */
export async function readableFile(
  source: SourcePlace,
  reading: ReadingOptions,
  conversions: Conversions,
  thread: CsvThread,
  signal: AbortSignal | undefined,
  hasTables = reading.table !== undefined && reading.headerRow === undefined,
): Promise<ReadableFile> {
  const file = { path: resolve(source.path), fileName: source.name };
  const original = { ...source, path: file.path };
  const detected = asText(await thread.calls.detect(file), reading);
  const { format, compression } = detected;
  const isDirect = isDirectFormat(format) && !(format === 'csv' && hasTables);
  const facts = isDirect ? directFacts(format, detected.name) : null;
  if (facts && reading.table !== undefined) tableNamed(facts.tables, reading.table);
  if (facts && compression === null)
    return { ...file, places: null, original, conversion: null, layout: null, reading, facts, warnings: [] };
  const { table, encoding, delimiter, hashLines, apostrophes, headerRow, unitRow, columnEdges } = reading;
  const tables = format === 'csv' ? { delimiter, hashLines, apostrophes } : {};
  const choice = isDirect ? {} : { table, encoding, headerRow, unitRow, columnEdges, ...tables };
  const wanted = isDirect || format !== 'csv' ? detected : { ...detected, hasTables: true };
  const conversion = await conversions.get({ ...file, detected: wanted, choice }, signal);
  const { converted, places, table: path } = conversion;
  return {
    path,
    fileName: source.name,
    places,
    original,
    conversion,
    layout: layoutOf(conversion),
    reading: isDirect ? reading : readingOf(reading, converted.canHaveFooter),
    facts: converted.facts,
    warnings: converted.warnings,
  };
}

/**
 * A file and the result of reading it whole. A CSV file in which this finds further tables or repeated headers is
 * converted, and its selected table is read.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
 */
export async function scannedFile(
  source: SourcePlace,
  reading: ReadingOptions,
  conversions: Conversions,
  thread: CsvThread,
  signal: AbortSignal | undefined,
  choices: Pick<ScanRequest, 'nulls' | 'distinct'>,
): Promise<{ readonly file: ReadableFile; readonly scan: Scan }> {
  const read = async (hasTables?: true) => {
    const file = await readableFile(source, reading, conversions, thread, signal, hasTables);
    const { path, fileName, places, layout } = file;
    const request = { path, fileName, places, layout, reading: file.reading, ...choices };
    return { file, scan: await thread.calls.scan(request) };
  };
  const direct = await read();
  return direct.scan.hasTables ? read(true) : direct;
}

/** A file with column edges is text in columns. @throws AppError invalid_input for other formats */
function asText(detected: DetectedFile, { columnEdges }: ReadingOptions): DetectedFile {
  if (columnEdges === undefined) return detected;
  if (detected.format === 'csv' || detected.format === 'text') return { ...detected, format: 'text' };
  throw invalidInput('Column edges are for text in columns, which this file isn’t. Omit the column edges.', {
    field: 'columnEdges',
  });
}

function layoutOf({ converted: { layout, textColumns } }: Conversion): Layout | null {
  if (!layout) return null;
  const columns = layout.columns.map((column, index) =>
    textColumns.includes(index) ? { ...column, isText: true } : column,
  );
  return { ...layout, columns };
}

/** The options that apply to a converted table: the others were used by the conversion. */
const readingOf = ({ footerRows, shortRows }: ReadingOptions, canHaveFooter: boolean): ReadingOptions => ({
  ...(footerRows === undefined && canHaveFooter ? {} : { footerRows: footerRows ?? 0 }),
  ...(shortRows === undefined ? {} : { shortRows }),
});

/** Names of a well in headers, and in lines of text. */
const wellEntries: Readonly<Record<string, string>> = {
  well: 'Well',
  namewell: 'Well',
  'well name': 'Well',
  uwi: 'UWI',
  api: 'API',
  numapi: 'API',
  // Of LAS files that Wellbench exported.
  asst: 'Asset ID',
};

/** The entries of a header that name a well, as lines before a table. */
export const wellLines = (header: readonly FileHeaderEntry[]): RawLine[] =>
  header.flatMap(({ name, value }): RawLine[] => {
    const key = wellEntries[name.toLowerCase()];
    if (key === undefined || value.trim() === '') return [];
    return [{ line: 1, text: `${key}: ${value}`, cut: false, ending: 'LF', kind: 'comment' }];
  });

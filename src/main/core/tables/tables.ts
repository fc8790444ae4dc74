// Files of every format → tables → rows. Other modules import this file alone.
//
// `TableReader` makes a file readable: it detects it, and converts it once if its format isn't read directly. Its `scanned`
// reads the table whole, too, for the layout and the facts of its columns; `inspectFile` says what was found. Later passes
// read its rows with that layout (`openTableFile`).

import { resolve } from 'node:path';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { ThreadCalls } from '../../../shared/threads.ts';
import { isDirectFormat, type FileFacts } from '../../../shared/upload/formats.ts';
import type { FileWarning, ReadingOptions } from '../../../shared/upload/upload.ts';
import type { SourcePlace } from '../files/files.ts';
import { createConversions, type Conversion } from './conversion/conversions.ts';
import { directFacts, tableNamed } from './conversion/converted-table.ts';
import { detectFile, type DetectedFile } from './conversion/detect.ts';
import type { Layout } from './reading/layout.ts';
import { previewFile, scan, type Scan, type ScanRequest } from './reading/scan.ts';
import { hashFile, statFile, type NamedFile } from './reading/source.ts';

export { entriesIn, withoutMark } from './layout/head.ts';
export { asTexts, columnType, type ColumnFacts, type JudgedType } from './reading/columns.ts';
export { storedLayout, type Layout } from './reading/layout.ts';
export { openTableFile, type FileRow, type OpenTableFile } from './reading/rows.ts';
export type { Scan } from './reading/scan.ts';
export { encodeText, type NamedFile } from './reading/source.ts';
export { inspectFile, nullNumbersOf, scanWarnings } from './reading/warnings.ts';

/** What a thread does with files that are named in each call. Its calls block. */
export const fileCalls = {
  /** The format of a file, by its content. */
  detect: detectFile,
  /** Reads a whole file once. */
  scan,
  /** Reads the first rows only. */
  preview: previewFile,
  /** Size and modification time. */
  stat: statFile,
  /** The SHA-256 of a whole file. */
  hash: hashFile,
};

interface FileThread {
  readonly calls: Pick<ThreadCalls<typeof fileCalls>, 'detect' | 'scan'>;
}

/** A file for the text reader: itself, or its converted table. */
interface ReadableFile extends NamedFile {
  readonly original: SourcePlace;
  /** Null: the file is read directly. */
  readonly conversion: Conversion | null;
  readonly layout: Layout | null;
  readonly reading: ReadingOptions;
  readonly facts: FileFacts;
  readonly warnings: readonly FileWarning[];
}

/** Makes files readable, and reads their tables. */
export class TableReader {
  readonly #conversions: ReturnType<typeof createConversions>;

  /** @param options where files that aren't read directly are converted, and how */
  constructor(options: Parameters<typeof createConversions>[0]) {
    this.#conversions = createConversions(options);
  }

  /**
   * Makes a file readable: CSV and NDJSON are read directly, other formats are converted once.
   * @param thread reads the content
   * @param hasTables whether a CSV file has several tables or repeated headers; by default, whether the user selects a table
   * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
   */
  async readable(
    source: SourcePlace,
    reading: ReadingOptions,
    thread: FileThread,
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
      return {
        ...file,
        places: null,
        original,
        conversion: null,
        layout: null,
        reading,
        facts,
        warnings: [],
      };
    const { footerRows: _, shortRows, delimiter, hashLines, apostrophes, ...choices } = reading;
    const fills = shortRows === 'fill' ? { shortRows } : {};
    const ofText = format === 'csv' ? { delimiter, hashLines, apostrophes, ...fills } : {};
    const choice = isDirect ? {} : { ...choices, ...ofText };
    const wanted = isDirect || format !== 'csv' ? detected : { ...detected, hasTables: true };
    const conversion = await this.#conversions.get({ ...file, detected: wanted, choice }, signal);
    const { converted, places, table: path } = conversion;
    return {
      path,
      fileName: source.name,
      places,
      original,
      conversion,
      layout: converted.layout,
      reading: isDirect ? reading : readingOf(reading, converted.layout),
      facts: converted.facts,
      warnings: converted.warnings,
    };
  }

  /**
   * A file and the result of reading it whole. A CSV file in which this finds further tables or repeated headers is
   * converted, and its selected table is read.
   * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
   */
  async scanned(
    source: SourcePlace,
    reading: ReadingOptions,
    thread: FileThread,
    signal: AbortSignal | undefined,
    choices: Pick<ScanRequest, 'nulls' | 'distinct'>,
  ): Promise<{ readonly file: ReadableFile; readonly scan: Scan }> {
    const read = async (hasTables?: true) => {
      const file = await this.readable(source, reading, thread, signal, hasTables);
      const { path, fileName, places, layout } = file;
      const request = { path, fileName, places, layout, reading: file.reading, ...choices };
      return { file, scan: await thread.calls.scan(request) };
    };
    const direct = await read();
    return direct.scan.hasTables ? read(true) : direct;
  }
}

/** A file with column edges is text in columns. @throws AppError invalid_input for other formats */
function asText(detected: DetectedFile, { columnEdges }: ReadingOptions): DetectedFile {
  if (columnEdges === undefined) return detected;
  if (detected.format === 'csv' || detected.format === 'text') return { ...detected, format: 'text' };
  throw invalidInput('Column edges are for text in columns, which this file isn’t. Omit the column edges.', {
    field: 'columnEdges',
  });
}

/** The options that apply to a converted table: the others were used by the conversion. */
const readingOf = ({ footerRows, shortRows }: ReadingOptions, layout: Layout | null): ReadingOptions => ({
  ...(footerRows === undefined && layout?.isExact !== true ? {} : { footerRows: footerRows ?? 0 }),
  ...(shortRows === undefined ? {} : { shortRows }),
});

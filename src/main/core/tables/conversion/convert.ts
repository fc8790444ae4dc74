import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import { csvCell } from '../../../../shared/csv.ts';
import type { CallContext } from '../../../../shared/threads.ts';
import {
  type FileFormat,
  type Compression,
  isDirectFormat,
  type DirectFormat,
  type FileTable,
} from '../../../../shared/upload/formats.ts';
import type { FileWarning, ReadingOptions } from '../../../../shared/upload/upload.ts';
import { createWriteStream, rm } from '../../../world/files.ts';
import { AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { serveUses } from '../../../world/threads.ts';
import { elapsedMs } from '../../../world/time.ts';
import { writeError, appErrorFrom } from '../../files/file-errors.ts';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';
import { openRegular } from '../../files/regular-file.ts';
import type { RecordProblem } from '../reading/fields.ts';
import { uniqueKeys, maxColumns, type Layout } from '../reading/layout.ts';
import { placeNumber } from '../reading/places.ts';
import { openSource, type NamedFile, hashFile } from '../reading/source.ts';
import { isOneTable } from '../reading/table-finder.ts';
import { openDelimitedTables } from '../sources/delimited/delimited-tables.ts';
import { adapters } from '../sources/readers.ts';
import { SplitFile, WatchedFile } from '../sources/several-tables.ts';
import {
  type SourceTable,
  nullTexts,
  type SourceFile,
  type SourceRow,
  type OpenOptions,
  type SourceWarning,
} from '../sources/source.ts';
import { dataStartOf, zipEntries, onlyEntry } from '../sources/zip.ts';
import {
  conversionFiles,
  type ConvertedTable,
  directFacts,
  checkGrowth,
  indexNamed,
  tableNamed,
} from './converted-table.ts';
import type { DetectedFile } from './detect.ts';

/** The tables with different names: a repeated name gets a number, as in `Ascii (2)`, an empty one `Table 3`. */
function nameTablesApart(tables: readonly SourceTable[]): readonly SourceTable[] {
  const names = uniqueKeys(tables.map(({ name }, index) => name.trim() || `Table ${index + 1}`));
  return tables.map((table, index) => ({ ...table, name: names[index] ?? table.name }));
}

/** Whether a table has this name or number, or none is named. */
const hasTable = (tables: readonly Pick<SourceTable, 'name'>[], wanted: string | undefined): boolean =>
  wanted === undefined || indexNamed(tables, wanted) >= 0;

/** The log among the sections of a LAS file. */
const logName = /^~?(?:a|ascii|log)\b/i;

/** The most likely table: a log if the format has one, else the first visible one with rows. */
function likelyTable(tables: readonly SourceTable[], format: FileFormat): number {
  const isShown = (table: SourceTable): boolean =>
    !table.isHidden && table.columns.length > 0 && table.rows !== 0;
  const log = format === 'las' ? tables.findIndex((table) => isShown(table) && logName.test(table.name)) : -1;
  return Math.max(0, log >= 0 ? log : tables.findIndex(isShown));
}

/**
 * The index of the selected table.
 * @param wanted absent: the most likely one
 * @throws AppError invalid_input
 */
export const selectTable = (
  tables: readonly SourceTable[],
  format: FileFormat,
  wanted: string | undefined,
): number => (wanted === undefined ? likelyTable(tables, format) : tableNamed(tables, wanted));

/** Warnings about the tables of a file. @param isChosen whether the user named the table that is read */
function tableWarnings(
  tables: readonly SourceTable[],
  selected: SourceTable,
  isChosen: boolean,
): FileWarning[] {
  const shown = tables.filter(({ isHidden, columns }) => !isHidden && columns.length > 0);
  const warnings: FileWarning[] = [];
  if (!isChosen && shown.length > 1) {
    const message = `The file has ${shown.length} tables; “${selected.name}” is read. Select another one if that is not the one you want.`;
    warnings.push({ code: 'several_tables', message, line: null, count: shown.length });
  }
  const hidden = tables.filter(({ isHidden }) => isHidden);
  if (hidden.length > 0) {
    const message = `The file has hidden sheets: ${hidden.map(({ name }) => `“${name}”`).join(', ')}.`;
    warnings.push({ code: 'hidden_table', message, line: null, count: hidden.length });
  }
  return warnings;
}

const flushBytes = 1 << 20;

/** Line feeds in a cell: each starts another line of the table. */
function lineFeedsIn(cells: readonly (string | null)[]): number {
  let count = 0;
  for (const cell of cells)
    if (cell !== null) for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Writes a table as CSV (UTF-8, LF) that parses to the same cells, and a map from its lines to places in the original,
 * with 32 bits for each line. Blocks: for worker threads.
 */
export class TableWriter {
  readonly #table: GrowingFile;
  readonly #places: GrowingFile;
  #text: string[] = [];
  #textLength = 0;
  #numbers: number[] = [];
  #lines = 0;

  /** @throws AppError file_unwritable, disk_full */
  constructor(paths: { readonly table: string; readonly places: string }, file: string) {
    const open = (path: string): GrowingFile => new GrowingFile({ disk: realDisk, path, name: file }, 0);
    this.#table = open(paths.table);
    this.#places = open(paths.places);
  }

  /** Bytes flushed so far. */
  get bytes(): number {
    return this.#table.length;
  }

  /** Lines written, including line breaks in cells. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Adds a row.
   * @param place of the row in the original
   * @param problem why its cells are unreliable; null: they are reliable
   * @throws AppError disk_full, file_unwritable
   */
  add(cells: readonly (string | null)[], place: number, problem: RecordProblem | null = null): void {
    let line = '';
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] ?? null;
      if (index > 0) line += ',';
      if (cell !== null) line += csvCell(cell);
    }
    this.#text.push(line);
    this.#textLength += line.length + 1;
    const lines = 1 + (line.includes('\n') ? lineFeedsIn(cells) : 0);
    for (let count = 0; count < lines; count++) this.#numbers.push(placeNumber(place, problem));
    this.#lines += lines;
    if (this.#textLength > flushBytes) this.flush();
  }

  /** Writes the buffered rows. @throws AppError disk_full, file_unwritable */
  flush(): void {
    if (this.#text.length === 0) return;
    const bytes = Buffer.from(`${this.#text.join('\n')}\n`);
    this.#table.append(bytes);
    this.#places.append(Buffer.from(Uint32Array.from(this.#numbers).buffer));
    this.#text = [];
    this.#textLength = 0;
    this.#numbers = [];
  }

  /** Writes the remaining rows. @throws AppError disk_full, file_unwritable */
  close(): void {
    try {
      this.flush();
      this.#table.sync();
      this.#places.sync();
    } finally {
      this.#table.close();
      this.#places.close();
    }
  }
}

/** A conversion that is running. */
interface ConversionContext {
  readonly signal: AbortSignal;
  /** Called while the file is read, so that it isn't taken for stuck. */
  readonly onRead: () => void;
}

interface Target {
  readonly table: string;
  readonly places: string;
  /** The name of the file, for messages. */
  readonly fileName: string;
  readonly fileBytes: number;
}

/**
 * Whether people make tables in a format: a spreadsheet or a person may have changed values, and totals or remarks can
 * follow the rows.
 */
const isMadeByPeople = (format: FileFormat): boolean => ['csv', 'xlsx', 'xls', 'text'].includes(format);

/** A table in a file of its own. */
interface WrittenTable {
  readonly layout: Layout;
  readonly rows: number;
  /** Size of the file with the table, in bytes. */
  readonly bytes: number;
}

function layoutOf(
  table: SourceTable,
  { placeKind, format }: SourceFile,
  headerBytes: number,
  dataLine: number,
): Layout {
  const names = table.columns.map(({ name }) => name.trim());
  const keys = uniqueKeys(names);
  return {
    jsonLines: false,
    delimiter: ',',
    crEnds: false,
    comments: false,
    encoding: { name: 'UTF-8', bom: 0 },
    headerLine: table.headerRow ?? 1,
    unitLine: table.unitRow ?? null,
    header: { start: 0, end: headerBytes },
    columns: table.columns.map(({ unit, path }, index) => {
      const name = names[index] ?? '';
      return {
        name,
        key: keys[index] ?? name,
        unit: unit?.trim() || unitInName(name),
        ...(path && { path }),
      };
    }),
    dataStart: headerBytes + 1,
    dataLine,
    isExact: !isMadeByPeople(format),
    placeKind,
  };
}

/**
 * Writes the rows of a table to separate files.
 * @throws AppError file_unsuitable, disk_full, file_unwritable, cancelled
 */
async function writeTable(
  file: SourceFile,
  index: number,
  target: Target,
  { signal, onRead }: ConversionContext,
): Promise<WrittenTable> {
  const table = file.tables[index];
  if (!table) throw new AppError('internal', { problem: `the file has no table ${index}` });
  const width = table.columns.length;
  if (width > maxColumns)
    throw unsuitable(target.fileName, `it has ${width} columns; Wellbench reads up to ${maxColumns}`);
  const nulls = nullTexts(table.nulls);
  // A sheet doesn't store the empty cells at the end of a row.
  const fills = file.placeKind === 'row';
  const cellsOf = ({ cells }: SourceRow): (string | null)[] => {
    const values = cells.map((cell) => (cell !== null && nulls(cell) ? null : cell));
    return fills && values.length < width
      ? [...values, ...Array.from({ length: width - values.length }, () => null)]
      : values;
  };
  const spool = new TableWriter(target, target.fileName);
  let rows = 0;
  try {
    const names = table.columns.map(({ name }) => name);
    spool.add(names, table.headerRow ?? 0);
    const dataLine = spool.lines + 1;
    spool.flush();
    const headerBytes = spool.bytes - 1;
    for await (const batch of file.readRows(index, signal)) {
      if (signal.aborted) throw new AppError('cancelled', {});
      for (const row of batch) {
        if (row.isHeader === true) continue;
        spool.add(cellsOf(row), row.place, row.problem);
        rows++;
      }
      checkGrowth(target.fileName, 'converted', spool.bytes, target.fileBytes);
      onRead();
    }
    spool.flush();
    return { layout: layoutOf(table, file, headerBytes, dataLine), rows, bytes: spool.bytes };
  } finally {
    spool.close();
  }
}

interface Packed {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly how: 'gzip' | 'deflate' | 'stored';
  /** Checksum of the unpacked content; null: the format checks it itself. */
  readonly crc: number | null;
}

function packedPart({ path, fileName }: NamedFile, compression: Compression): Packed {
  const source = openSource(path, fileName);
  try {
    if (compression === 'gzip') return { start: 0, end: source.bytes, how: 'gzip', crc: null };
    const entry = onlyEntry(zipEntries(source, fileName), fileName);
    // A stream can't read a range of no bytes.
    if (entry.packedBytes === 0) throw unsuitable(fileName, 'it is empty');
    const start = dataStartOf(source, fileName, entry);
    const how = entry.method === 0 ? 'stored' : 'deflate';
    return { start, end: start + entry.packedBytes, how, crc: entry.crc };
  } finally {
    source.close();
  }
}

const unpackers = { gzip: createGunzip, deflate: createInflateRaw } as const;

/**
 * Unpacks the table of a compressed file.
 * @param onRead called for each piece of the content
 * @returns its size in bytes
 * @throws AppError file_unsuitable if it is damaged, truncated, or far larger than the file; disk_full; file_unwritable
 */
export async function unpack(
  file: NamedFile,
  compression: Compression,
  to: string,
  onRead: () => void,
): Promise<number> {
  const { fileName } = file;
  const packed = packedPart(file, compression);
  let bytes = 0;
  let crc = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (packed.crc !== null) crc = crc32(chunk, crc);
      onRead();
      try {
        checkGrowth(fileName, 'unpacked', bytes, packed.end - packed.start);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  const source = (await openRegular(file.path, fileName)).createReadStream({
    start: packed.start,
    end: packed.end - 1,
  });
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
  try {
    if (packed.how === 'stored') await pipeline(source, counted, target);
    else await pipeline(source, unpackers[packed.how](), counted, target);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_'))
      throw damaged(fileName, cause.code === 'Z_BUF_ERROR', cause);
    throw writeError(cause, fileName, bytes);
  }
  if (packed.crc !== null && crc !== packed.crc) throw damaged(fileName, false);
  return bytes;
}

const damaged = (file: string, isCut: boolean, cause?: unknown): AppError =>
  new AppError(
    'file_unsuitable',
    { file, reason: isCut ? 'its compressed data is cut short' : 'its compressed data is damaged' },
    { cause },
  );

/** What determines the result of a conversion, beside the file itself. */
export type ConversionChoice = Pick<
  ReadingOptions,
  'table' | 'encoding' | 'delimiter' | 'hashLines' | 'apostrophes' | 'headerRow' | 'unitRow' | 'columnEdges'
>;

interface ConversionRequest extends NamedFile {
  readonly detected: DetectedFile;
  readonly choice: ConversionChoice;
  /** The empty folder for its files. */
  readonly folder: string;
  readonly original: ConvertedTable['original'];
}

/** Formats in which tables can follow each other below one header. */
const withTables: readonly FileFormat[] = ['xlsx', 'xls', 'text'];
const unpackedName = 'unpacked';

/**
 * Converts a table of a file into CSV, with a map of its lines to places in the original, or unpacks a file whose text
 * is read directly. Blocks: for worker threads.
 * @throws AppError file_unsuitable, file_unreadable, invalid_input for a table that doesn't exist, disk_full,
 * file_unwritable, cancelled
 */
export async function convert(
  request: ConversionRequest,
  context: ConversionContext,
): Promise<ConvertedTable> {
  const { detected, folder, path, fileName, original } = request;
  const { format, compression, hasTables = false } = detected;
  let [from, bytes] = [path, original.bytes];
  if (compression) {
    from = join(folder, isDirectFormat(format) && !hasTables ? conversionFiles.table : unpackedName);
    bytes = await unpack({ path, fileName }, compression, from, context.onRead);
  }
  if (isDirectFormat(format) && !hasTables) return unpackedText(request, format, bytes);
  const converted = await convertFrom(request, format, from, context);
  await rm(join(folder, unpackedName), { force: true });
  return converted;
}

/** Text that is read directly once it is unpacked. */
function unpackedText(
  { detected: { compression, name }, original }: ConversionRequest,
  format: DirectFormat,
  tableBytes: number,
): ConvertedTable {
  return {
    facts: { ...directFacts(format, name), compression },
    lines: [],
    layout: null,
    textColumns: [],
    canHaveFooter: true,
    warnings: [],
    tableBytes,
    original,
  };
}

async function convertFrom(
  { detected, choice, folder, fileName, original }: ConversionRequest,
  format: FileFormat,
  from: string,
  context: ConversionContext,
): Promise<ConvertedTable> {
  const open =
    format === 'csv' ? openDelimitedTables : adapters.find((adapter) => adapter.format === format)?.open;
  if (!open) throw new AppError('internal', { problem: `no reader of ${format}` });
  const { table: tableName, ...reading } = choice;
  const { headerRow, unitRow } = reading;
  const options: OpenOptions = { ...context, fileName, ...reading };
  let file = await open(from, options);
  try {
    if (headerRow !== undefined || unitRow !== undefined) {
      const table = selectTable(nameTablesApart(file.tables), format, tableName);
      await file.close();
      file = await open(from, { ...options, table });
    }
    const target = {
      table: join(folder, conversionFiles.table),
      places: join(folder, conversionFiles.places),
      fileName,
      fileBytes: original.bytes,
    };
    const write = async (content: SourceFile) => {
      const namedTables = nameTablesApart(content.tables);
      const table = selectTable(namedTables, format, tableName);
      const selected = namedTables[table];
      if (!selected) throw unsuitable(fileName, 'it has no table');
      const written = await writeTable(content, table, target, context);
      const tables = await countTables(content, namedTables, table, written.rows, context);
      return { namedTables, table, selected, written, tables };
    };
    const canSplit = withTables.includes(format) && headerRow === undefined && unitRow === undefined;
    const watched = canSplit ? new WatchedFile(file) : null;
    // A name that the file doesn't have can be that of a table below another one.
    const isNamed = hasTable(nameTablesApart(file.tables), tableName);
    let content = watched && !isNamed ? null : await write(watched ?? file);
    const contents = (await watched?.contents(context.signal)) ?? [];
    if (!content || !contents.every(isOneTable)) {
      await file.close();
      file = new SplitFile(await open(from, options), contents);
      content = await write(file);
    }
    const { namedTables, table, selected, written, tables } = content;
    const warnings = file.warnings.filter((warning) => warning.table === null || warning.table === table);
    return {
      facts: {
        format,
        compression: detected.compression,
        tables,
        table: selected.name,
        tableNumber: table + 1,
        index: selected.index,
        header: file.header.map((entry) => ({ ...entry })),
        places: { kind: file.placeKind, table: tables.length > 1 ? selected.name : null },
        columnEdges: file.columnEdges ? [...file.columnEdges] : null,
      },
      lines: [...(file.lines ?? [])],
      layout: { ...written.layout, columns: [...written.layout.columns] },
      textColumns: selected.columns.flatMap(({ type }, index) => (type === 'text' ? [index] : [])),
      canHaveFooter: isMadeByPeople(format),
      warnings: [
        ...tableWarnings(namedTables, selected, tableName !== undefined),
        ...warnings.map((warning) => asFileWarning(warning, written)),
      ],
      tableBytes: written.bytes,
      original,
    };
  } finally {
    await file.close();
  }
}

function asFileWarning(
  { code, message, place, column, cell, choices, count }: SourceWarning,
  { layout }: WrittenTable,
): FileWarning {
  const key = column === undefined ? undefined : layout.columns.find(({ name }) => name === column)?.key;
  return {
    code,
    message,
    line: place,
    count,
    ...(key === undefined ? {} : { column: key }),
    ...(cell === undefined ? {} : { cell }),
    ...(choices === undefined ? {} : { choices: [...choices] }),
  };
}

const eventEveryMs = 250;

export type ConversionCalls = ReturnType<typeof createConversionService>;

/** The calls of the worker thread that converts files. */
export function createConversionService() {
  return {
    /** The SHA-256 of a whole file. */
    hash: hashFile,
    /** Converts a file. Its events show that it isn't stuck. */
    convert(request: ConversionRequest, { signal, emit }: CallContext<'reading'>) {
      let last = 0;
      const onRead = (): void => {
        const now = elapsedMs();
        if (now - last < eventEveryMs) return;
        last = now;
        emit('reading');
      };
      return convert(request, { signal, onRead });
    },
  };
}

serveUses(createConversionService, appErrorFrom);

/**
 * The tables with their row counts. Rows are counted if the format doesn't store their number; null if counting fails.
 * @param namedTables its tables, with the names that they get
 * @param selected index of the table whose count is known
 * @throws AppError cancelled
 */
async function countTables(
  file: SourceFile,
  namedTables: readonly SourceTable[],
  selected: number,
  rows: number,
  context: ConversionContext,
): Promise<FileTable[]> {
  const tables: FileTable[] = [];
  for (const [index, table] of namedTables.entries()) {
    const counted = index === selected ? rows : (table.rows ?? (await countRows(file, index, context)));
    const { name, columns, isHidden } = table;
    tables.push({ name, rows: counted, columns: columns.length, isHidden });
  }
  return tables;
}

async function countRows(
  file: SourceFile,
  table: number,
  { signal, onRead }: ConversionContext,
): Promise<number | null> {
  let rows = 0;
  try {
    for await (const batch of file.readRows(table, signal)) {
      onRead();
      rows += batch.filter(({ isHeader = false }) => !isHeader).length;
    }
    return rows;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

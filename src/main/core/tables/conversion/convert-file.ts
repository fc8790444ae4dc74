import { join } from 'node:path';
import { unitInName } from '../../../../shared/channels/header.ts';
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
import { rm } from '../../../world/files.ts';
import { AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { serveUses } from '../../../world/threads.ts';
import { elapsedMs } from '../../../world/time.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';
import {
  type RecordProblem,
  openSource,
  type NamedFile,
  hashFile,
  placeNumber,
  type Source,
} from '../reading/source.ts';
import { explanationOf, headQuestion } from '../layout/head.ts';
import { uniqueKeys, maxColumns, type Layout } from '../reading/layout.ts';
import { isOneTable } from '../layout/below.ts';
import { openDelimitedTables, splitFile, watchTables } from '../sources/several-tables.ts';
import { adapters } from '../sources/readers.ts';
import {
  type SourceTable,
  nullsRemover,
  type SourceFile,
  type SourceRow,
  type SourceWarning,
} from '../sources/source.ts';
import { packedFile } from '../sources/zip.ts';
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

/** The log among the sections of a LAS file. */
const logName = /^~?(?:a|ascii|log)\b/i;

/**
 * The index of the selected table: without a choice the most likely one, which is a log if the format has one, else the
 * first visible table with rows.
 * @throws AppError invalid_input
 */
export function selectTable(
  tables: readonly SourceTable[],
  format: FileFormat,
  wanted: string | undefined,
): number {
  if (wanted !== undefined) return tableNamed(tables, wanted);
  const isShown = (table: SourceTable): boolean =>
    !table.isHidden && table.columns.length > 0 && table.rows !== 0;
  const log = format === 'las' ? tables.findIndex((table) => isShown(table) && logName.test(table.name)) : -1;
  return Math.max(0, log >= 0 ? log : tables.findIndex(isShown));
}

/** @param isChosen whether the user named the table that is read */
function tableWarnings(
  tables: readonly SourceTable[],
  selected: SourceTable,
  isChosen: boolean,
): FileWarning[] {
  // A workbook that Wellbench exported describes its records on the sheet About, behind them.
  const shown = tables.filter(
    ({ isHidden, columns, name }, at) => !isHidden && columns.length > 0 && (at === 0 || name !== 'About'),
  );
  const warnings: FileWarning[] = [];
  if (!isChosen && shown.length > 1) {
    const message = `The file has ${shown.length} tables; “${selected.name}” is read. To read another one, select it.`;
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

/**
 * Writes a table as CSV (UTF-8, LF) that parses to the same cells, and a map from its lines to places in the original,
 * with 32 bits for each line. Blocks: for worker threads.
 */
export class TableWriter {
  readonly #table: GrowingFile;
  readonly #places: GrowingFile;
  #text = '';
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

  get lines(): number {
    return this.#lines;
  }

  /**
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
    this.#text += `${line}\n`;
    // Each line feed in a cell starts another line of the table.
    for (let at = 0; at >= 0; at = line.indexOf('\n', at) + 1 || -1) {
      this.#numbers.push(placeNumber(place, problem));
      this.#lines += 1;
    }
    if (this.#text.length > flushBytes) this.flush();
  }

  /** Writes the buffered rows. @throws AppError disk_full, file_unwritable */
  flush(): void {
    this.#table.append(this.#text);
    this.#places.append(Buffer.from(Uint32Array.from(this.#numbers).buffer));
    this.#text = '';
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

interface ConversionContext {
  readonly signal: AbortSignal;
  /** Called while the file is read, so that it isn't taken for stuck. */
  readonly onRead: () => void;
}

/** Opens a file of which each read tells that the conversion isn't stuck, and ends one that is cancelled. */
function openWatched(path: string, fileName: string, { signal, onRead }: ConversionContext): Source {
  const source = openSource(path, fileName);
  return {
    ...source,
    read(...range) {
      if (signal.aborted) throw new AppError('cancelled', {});
      onRead();
      return source.read(...range);
    },
  };
}

/**
 * Whether people make tables in a format: a spreadsheet or a person may have changed values, and totals or remarks can
 * follow the rows.
 */
const isMadeByPeople = (format: FileFormat): boolean => ['csv', 'xlsx', 'xls', 'text'].includes(format);

function layoutOf(
  table: SourceTable,
  format: FileFormat,
  { placeKind, delimiter = ',' }: SourceFile,
  headerBytes: number,
  dataLine: number,
): Layout {
  const names = table.columns.map(({ name }) => name.trim());
  const keys = uniqueKeys(names);
  return {
    jsonLines: false,
    delimiter: ',',
    ...(delimiter === ',' ? {} : { notationDelimiter: delimiter }),
    crEnds: false,
    comments: false,
    encoding: { name: 'UTF-8', bom: 0 },
    headerLine: table.headerRow ?? 1,
    unitLine: table.unitRow ?? null,
    header: { start: 0, end: headerBytes },
    columns: table.columns.map(({ unit, path, type }, index) => ({
      name: names[index] ?? '',
      key: keys[index] ?? '',
      unit: unit?.trim() || unitInName(names[index] ?? ''),
      ...(path && { path }),
      ...((type === 'text' || type === 'number') && { type }),
    })),
    dataStart: headerBytes + 1,
    dataLine,
    isExact: !isMadeByPeople(format),
    placeKind,
  };
}

/**
 * Writes the rows of the selected table to separate files.
 * @returns also all tables of the file, with different names, and the size of the written one in bytes
 * @throws AppError file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
 */
async function writeTable(
  file: SourceFile,
  wanted: string | undefined,
  { detected, folder, fileName, original }: ConversionRequest,
  context: ConversionContext,
) {
  const { signal, onRead } = context;
  const tables = nameTablesApart(file.tables);
  const table = selectTable(tables, detected.format, wanted);
  const selected = tables[table];
  if (!selected) throw unsuitable(fileName, 'it has no table');
  const { columns, headerRow = 0 } = selected;
  const width = columns.length;
  if (width > maxColumns)
    throw unsuitable(fileName, `it has ${width} columns; Wellbench reads up to ${maxColumns}`);
  const withoutNulls = nullsRemover(selected);
  // A sheet doesn't store the empty cells at the end of a row.
  const least = file.placeKind === 'row' ? width : 0;
  const cellsOf = ({ cells }: SourceRow): (string | null)[] => {
    const values = [...withoutNulls(cells)];
    while (values.length < least) values.push(null);
    return values;
  };
  const paths = { table: join(folder, conversionFiles.table), places: join(folder, conversionFiles.places) };
  const spool = new TableWriter(paths, fileName);
  let rows = 0;
  try {
    spool.add(
      columns.map(({ name }) => name),
      headerRow,
    );
    const dataLine = spool.lines + 1;
    spool.flush();
    const headerBytes = spool.bytes - 1;
    for await (const batch of file.readRows(table)) {
      if (signal.aborted) throw new AppError('cancelled', {});
      for (const row of batch) {
        if (row.isHeader === true) continue;
        spool.add(cellsOf(row), row.place, row.problem);
        rows++;
      }
      checkGrowth(fileName, 'converted', spool.bytes, original.bytes);
      onRead();
    }
    spool.flush();
    const typed = { ...selected, columns: file.columnsOf?.(table) ?? columns };
    const layout = layoutOf(typed, detected.format, file, headerBytes, dataLine);
    const counted = await countTables(file, tables, { table, rows }, context);
    return { tables, table, selected, counted, layout, bytes: spool.bytes };
  } finally {
    spool.close();
  }
}

/**
 * The tables with their row counts. Rows are counted if the format doesn't store their number; null if counting fails.
 * @param known the table whose count is known
 * @throws AppError cancelled
 */
async function countTables(
  file: SourceFile,
  tables: readonly SourceTable[],
  known: { readonly table: number; readonly rows: number },
  { signal, onRead }: ConversionContext,
): Promise<FileTable[]> {
  const counted: FileTable[] = [];
  for (const [index, { name, columns, rows: stored, isHidden = false }] of tables.entries()) {
    let rows = index === known.table ? known.rows : stored;
    if (rows === null)
      try {
        for await (const batch of file.readRows(index)) {
          onRead();
          rows = (rows ?? 0) + batch.filter(({ isHeader = false }) => !isHeader).length;
        }
        rows ??= 0;
      } catch (error) {
        if (signal.aborted) throw error;
        rows = null;
      }
    counted.push({ name, rows, columns: columns.length, isHidden });
  }
  return counted;
}

/**
 * Unpacks the table of a compressed file.
 * @returns its size in bytes
 * @throws AppError file_unsuitable if it is damaged, truncated, or far larger than the file; disk_full; file_unwritable
 */
export async function unpack(
  { path, fileName }: NamedFile,
  compression: Compression,
  to: string,
  context: ConversionContext,
): Promise<number> {
  using source = openWatched(path, fileName, context);
  const unpacked = new GrowingFile({ disk: realDisk, path: to, name: fileName }, 0);
  try {
    const { packedBytes, read } = packedFile(source, compression);
    for await (const chunk of read()) {
      unpacked.append(chunk);
      checkGrowth(fileName, 'unpacked', unpacked.length, packedBytes);
    }
    return unpacked.length;
  } finally {
    unpacked.close();
  }
}

/** What determines the result of a conversion, beside the file itself. */
export type ConversionChoice = Omit<ReadingOptions, 'footerRows'>;

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
    bytes = await unpack({ path, fileName }, compression, from, context);
  }
  if (isDirectFormat(format) && !hasTables) return unpackedText(request, format, bytes);
  const converted = await convertFrom(request, from, context);
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
    warnings: [],
    explanation: explanationOf([], []),
    tableBytes,
    original,
  };
}

/**
 * The sheet to which the chosen rows apply, and the header row of a table below another one, which it keeps unless the user
 * set it.
 * @param wanted the table that the user named
 * @throws AppError as {@link selectTable}, and as reading rows
 */
async function sheetOf(
  file: SourceFile,
  format: FileFormat,
  wanted: string | undefined,
): Promise<{ readonly table: number; readonly headerRow?: number | undefined }> {
  // Numbers count the tables of all sheets.
  const isSheet = (name: string): boolean =>
    !/^\d+$/.test(name) && indexNamed(nameTablesApart(file.tables), name) >= 0;
  const isSplit = wanted !== undefined && withTables.includes(format) && !isSheet(wanted);
  const { tables } = isSplit ? splitFile(file, await watchTables(file).contents()) : file;
  const at = selectTable(nameTablesApart(tables), format, wanted);
  const { sheet: table = at, headerRow } = tables[at] ?? {};
  return headerRow === file.tables[table]?.headerRow ? { table } : { table, headerRow };
}

async function convertFrom(
  request: ConversionRequest,
  from: string,
  context: ConversionContext,
): Promise<ConvertedTable> {
  const { format } = request.detected;
  const open =
    format === 'csv' ? openDelimitedTables : adapters.find((adapter) => adapter.format === format)?.open;
  if (!open) throw new AppError('internal', { problem: `no reader of ${format}` });
  const { table, headerRow, unitRow, ...options } = request.choice;
  let wanted = table;
  const hasChosenRows = headerRow !== undefined || unitRow !== undefined;
  using source = openWatched(from, request.fileName, context);
  // A named table has the name that it gets when no rows are chosen.
  let file = await open(source, wanted === undefined ? { ...options, headerRow, unitRow } : options);
  try {
    if (hasChosenRows) {
      const sheet = await sheetOf(file, format, wanted);
      file.close?.();
      file = await open(source, { ...options, ...sheet, headerRow: headerRow ?? sheet.headerRow, unitRow });
      wanted = nameTablesApart(file.tables)[sheet.table]?.name;
    }
    const watched = withTables.includes(format) && !hasChosenRows ? watchTables(file) : null;
    // A name that the file doesn't have can be that of a table below another one.
    const canWrite =
      !watched || wanted === undefined || indexNamed(nameTablesApart(file.tables), wanted) >= 0;
    let written = canWrite ? await writeTable(watched?.file ?? file, wanted, request, context) : null;
    const contents = (await watched?.contents()) ?? [];
    let shown = watched?.file ?? file;
    if (!written || !contents.every(isOneTable)) {
      file.close?.();
      file = splitFile(await open(source, options), contents);
      shown = file;
      written = await writeTable(file, wanted, request, context);
    }
    return convertedTableOf(shown, written, request);
  } finally {
    file.close?.();
  }
}

function convertedTableOf(
  file: SourceFile,
  written: Awaited<ReturnType<typeof writeTable>>,
  { detected, choice, original }: ConversionRequest,
): ConvertedTable {
  const { tables, table, selected, counted, layout, bytes } = written;
  const question = selected.explanation && headQuestion(selected.explanation, file.placeKind);
  const warnings = file.warnings.filter((warning) => warning.table === null || warning.table === table);
  return {
    facts: {
      format: detected.format,
      compression: detected.compression,
      tables: [...counted],
      table: selected.name,
      tableNumber: table + 1,
      index: selected.index && { ...selected.index, name: selected.index.name.trim() },
      header: (selected.header ?? file.header).map((entry) => ({ ...entry })),
      places: { kind: file.placeKind, table: tables.length > 1 ? selected.name : null },
      columnEdges: file.columnEdges ? [...file.columnEdges] : null,
    },
    lines: [...(file.lines ?? [])],
    layout,
    warnings: [
      ...tableWarnings(tables, selected, choice.table !== undefined),
      ...warnings.map((warning) => asFileWarning(warning, layout)),
      ...(question ? [{ code: 'header_unclear' as const, ...question, count: 1 }] : []),
    ],
    explanation: file.explain?.(table) ?? explanationOf([], []),
    tableBytes: bytes,
    original,
  };
}

function asFileWarning(source: SourceWarning, layout: Layout): FileWarning {
  const { place: line, table: _, column = -1, ...warning } = source;
  const key = layout.columns[column]?.key;
  return { ...warning, line, ...(key === undefined ? {} : { column: key }) };
}

const eventEveryMs = 250;

export type ConversionCalls = ReturnType<typeof createConversionService>;

/** The calls of the worker thread that converts files. */
export function createConversionService() {
  return {
    hash: hashFile,
    /** Its events show that it isn't stuck. */
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

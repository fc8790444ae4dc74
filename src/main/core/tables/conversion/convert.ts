import { join } from 'node:path';
import { AppError } from '../../../../shared/errors/errors.ts';
import {
  isDirectFormat,
  type DirectFormat,
  type FileFormat,
  type FileTable,
} from '../../../../shared/upload/formats.ts';
import type { FileWarning, ReadingOptions } from '../../../../shared/upload/upload.ts';
import { serveUses } from '../../../world/threads.ts';
import { type NamedFile, hashFile } from '../reading/source.ts';
import { isOneTable } from '../layout/below.ts';
import { adapters } from '../sources/adapters.ts';
import { openDelimitedTables } from '../sources/delimited/delimited-tables.ts';
import type { OpenOptions, SourceFile, SourceWarning, SourceTable } from '../sources/source.ts';
import { SplitFile, WatchedFile } from '../sources/split-file.ts';
import { conversionFiles, type ConvertedTable, directFacts } from './converted-table.ts';
import type { DetectedFile } from './detect.ts';
import { hasTable, nameTablesApart, selectTable, tableWarnings } from './select-table.ts';
import { explanationOf, headQuestion } from '../layout/head.ts';
import { unpack } from './unpack.ts';
import { isMadeByPeople, writeTable, type ConversionContext, type WrittenTable } from './write-table.ts';
import { unsuitable } from '../model/unsuitable.ts';
import type { CallContext } from '../../../../shared/threads.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import { rm } from '../../../world/files.ts';
import { elapsedMs } from '../../../world/time.ts';

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
    explanation: explanationOf([], []),
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
    let shown: SourceFile = watched ?? file;
    let content = watched && !isNamed ? null : await write(watched ?? file);
    const contents = (await watched?.contents(context.signal)) ?? [];
    if (!content || !contents.every(isOneTable)) {
      await file.close();
      file = new SplitFile(await open(from, options), contents);
      shown = file;
      content = await write(file);
    }
    const { namedTables, table, selected, written, tables } = content;
    const question = selected.explanation && headQuestion(selected.explanation, file.placeKind);
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
        ...(question ? [{ code: 'header_unclear' as const, ...question, count: 1 }] : []),
      ],
      explanation: shown.explain?.(table) ?? explanationOf([], []),
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

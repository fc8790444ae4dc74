import { isUtf8 } from 'node:buffer';
import {
  type DuckDBDataChunk,
  DuckDBBlobValue,
  DuckDBFloatType,
  type DuckDBValue,
  type DuckDBVector,
} from '@duckdb/node-api';
import * as z from 'zod';
import { append } from '../../../../shared/lists.ts';
import { columnTexts, pathId, pathNames } from '../../../../shared/column-paths.ts';
import { AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../../shared/json.ts';
import {
  fileMessage,
  isNested,
  isOutOfMemory,
  isUnmarkedInstant,
  jsonOf,
  losesNanoseconds,
  maxDecimalDigits,
  openParquetFile,
  pandasUnits,
  type ParquetFile,
  type ParquetLeaf,
  type SchemaElement,
  timeText,
  unreadableDecimals,
} from '../../duckdb/parquet-file.ts';
import { floatText } from '../../records/float-text.ts';
import { engineMb } from '../conversion/converted-table.ts';
import type { Source } from '../reading/source.ts';
import {
  indexOfFirst,
  type SourceFile,
  type SourceRow,
  type SourceWarning,
  type SourceColumn,
  orClose,
  Tally,
} from './source.ts';

function columnsOfFile(
  leaves: readonly ParquetLeaf[],
  metadata: ReadonlyMap<string, string>,
): SourceColumn[] {
  const stored = describedColumns.parse(jsonOrNull(metadata.get('wellbench.columns') ?? ''));
  const described = new Map(stored.map((column) => [column.name, column]));
  const units = pandasUnits(metadata.get('pandas') ?? '');
  const columns = leaves.map(({ path, element }) => {
    const name = path.join('.');
    const { path: id, unit: ownUnit } = described.get(name) ?? {};
    const unit = ownUnit || units.get(name) || null;
    return { path: id === undefined ? path : pathNames(id), unit, type: typeOf(element) };
  });
  const names = columnTexts(columns.map(({ path }) => pathId(path)));
  return columns.map((column, at) => ({ ...column, name: names[at] ?? '' }));
}

function typeOf({ logical, converted, type, children }: ParquetLeaf['element']): SourceColumn['type'] {
  if (children !== null) return null;
  if (
    /^(?:String|Enum|UUID|Time)Type/.test(logical ?? '') ||
    /^(?:UTF8|ENUM|TIME_|INTERVAL)/.test(converted ?? '')
  )
    return 'text';
  if (
    /^(?:Timestamp|Date)Type/.test(logical ?? '') ||
    /^(?:TIMESTAMP|DATE)/.test(converted ?? '') ||
    type === 'INT96'
  )
    return 'time';
  return null;
}

/** What an export of ours wrote about its columns. */
const describedColumns = z
  .array(
    z.object({
      name: z.string(),
      path: z.string().min(1),
      unit: z.string().optional(),
    }),
  )
  .catch([]);

/** Even a column of one value takes a byte for a few thousand rows. */
const maxRowsPerByte = 100_000;

/** Opens a Parquet file as a source of rows. @throws AppError file_unsuitable */
export async function openParquet({ path, fileName, bytes }: Source): Promise<SourceFile> {
  const failure = (error: unknown): AppError => {
    if (error instanceof AppError) return error;
    const reason = isOutOfMemory(error)
      ? `reading it takes more than ${engineMb} MB of memory`
      : reasonOf(fileMessage(error, path, fileName));
    return new AppError('file_unsuitable', { file: fileName, reason }, { cause: error });
  };
  const file = await openParquetFile(path, engineMb).catch((error: unknown) => {
    throw failure(error);
  });
  return orClose(file, () => {
    checkFile(file, bytes, fileName);
    return parquetTable(file, fileName, failure);
  });
}

const reasonOf = (message: string): string =>
  /at least one non-root column/.test(message)
    ? 'it has no columns'
    : `it is damaged or not complete (${message})`;

/** @throws AppError file_unsuitable for values that would be read wrongly, and implausible numbers of rows */
function checkFile({ elements, rows }: ParquetFile, bytes: number, fileName: string): void {
  const [decimal] = unreadableDecimals(elements);
  if (decimal)
    throw unsuitable(
      fileName,
      `its column “${decimal.name}” has decimals of ${decimal.precision} digits; Wellbench reads up to ${maxDecimalDigits}. Write it with fewer digits, or as text`,
    );
  if (rows > bytes * maxRowsPerByte)
    throw unsuitable(fileName, `it claims ${rows} rows in ${bytes} bytes, as in a file made to fill memory`);
}

function parquetTable(
  file: ParquetFile,
  fileName: string,
  failure: (error: unknown) => AppError,
): SourceFile {
  const { leaves, rows } = file;
  const columns = columnsOfFile(leaves, file.metadata);
  const warnings: SourceWarning[] = [];
  return {
    placeKind: 'row',
    header: [],
    warnings,
    tables: [{ name: 'Table', columns, rows, index: indexOfFirst(columns, false) }],
    async *readRows() {
      const cut = leaves.map(({ element }) => ({
        isPossible: losesNanoseconds(element),
        times: new Tally(),
      }));
      let read = 0;
      try {
        for await (const chunk of file.readChunks()) {
          const cells = leaves.map(({ element }, at) => cellTexts(chunk.getColumnVector(at), element));
          for (const [at, { isPossible, times }] of cut.entries())
            // Times with microseconds may have nanoseconds too; those in whole milliseconds have none.
            if (isPossible)
              for (const [row, cell] of (cells[at] ?? []).entries())
                if (cell !== null && /\.\d{4,}/.test(cell)) times.add(read + row + 1);
          yield rowsOf(chunk, cells, read);
          read += chunk.rowCount;
        }
      } catch (error) {
        throw failure(error);
      }
      if (read !== rows) throw unsuitable(fileName, 'it is damaged: rows are missing');
      for (const [at, { times }] of cut.entries()) {
        const message = `“${columns[at]?.name ?? ''}” has times in nanoseconds, which are cut to microseconds.`;
        append(
          warnings,
          times.warnings('digits_cut', 0, () => message).map((warning) => ({ ...warning, column: at })),
        );
      }
    },
    close: () => file.close(),
  };
}

const rowsOf = (
  { rowCount }: DuckDBDataChunk,
  cells: readonly (readonly (string | null)[])[],
  before: number,
): SourceRow[] =>
  Array.from({ length: rowCount }, (_, row) => ({
    cells: cells.map((column) => column[row] ?? null),
    place: before + row + 1,
  }));

/** Bytes as text; those that aren't text, and those of a fixed length, as Base64. */
function bytesText({ bytes }: DuckDBBlobValue, { type }: SchemaElement): string {
  const content = Buffer.from(bytes);
  return content.toString(type === 'BYTE_ARRAY' && isUtf8(content) ? 'utf8' : 'base64');
}

/**
 * The values of a column as the texts of cells; null: no value.
 * @param element the column in the file's schema
 */
function cellTexts(vector: DuckDBVector, element: SchemaElement): (string | null)[] {
  const { type } = vector;
  const isFloat = type instanceof DuckDBFloatType;
  const suffix = isUnmarkedInstant(element) ? 'Z' : '';
  const textOf = (value: DuckDBValue): string | null => {
    if (value === null || value === '') return null;
    if (typeof value === 'number') {
      if (Number.isNaN(value)) return null;
      return isFloat ? floatText(value) : String(value);
    }
    if (typeof value !== 'object') return String(value);
    const time = timeText(value);
    if (time !== null) return time + suffix;
    if (value instanceof DuckDBBlobValue) return bytesText(value, element) || null;
    return isNested(type) ? jsonOf(value, type, 'record') : String(value);
  };
  return Array.from({ length: vector.itemCount }, (_, row) => textOf(vector.getItem(row)));
}

import * as z from 'zod';
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { AppError } from '../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { openLocked } from './locked.ts';
import { literal } from '../../../shared/sql/names.ts';
import { allowedPaths, patternOf, list } from './sql-text.ts';

// The door of this folder for the reader of Parquet files, which runs in a process that has loaded the library.

export { isNested, jsonOf, timeText } from './values.ts';

/** An element of a file's schema: a column, a structure, or a part of a list. */
const element = z.object({
  name: z.string(),
  type: z.string().nullable(),
  repetition: z.string().nullable(),
  children: z.bigint().nullable(),
  converted: z.string().nullable(),
  logical: z.string().nullable(),
  precision: z.bigint().nullable(),
});
export type SchemaElement = z.infer<typeof element>;

/** Decimals with more digits are read wrongly. */
export const maxDecimalDigits = 38;

/** The columns of a file with decimals that the engine can't read; it would return other numbers. */
export const unreadableDecimals = (elements: readonly SchemaElement[]): readonly SchemaElement[] =>
  elements.filter(({ precision }) => precision !== null && precision > BigInt(maxDecimalDigits));

const columns =
  'name, type, repetition_type AS repetition, num_children AS children, converted_type AS converted, logical_type AS logical, precision';

async function schemaElements(connection: DuckDBConnection, file: string): Promise<SchemaElement[]> {
  const reader = await connection.runAndReadAll(
    `SELECT ${columns} FROM parquet_schema(${list([patternOf(file)])})`,
  );
  return z.array(element).parse(reader.getRowObjects());
}

/** The elements of many files that {@link isUnmarkedInstant} or {@link unreadableDecimals} may concern, each once. */
export async function unusualElements(
  connection: DuckDBConnection,
  files: readonly string[],
): Promise<SchemaElement[]> {
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT ${columns} FROM parquet_schema(${list(files.map(patternOf))})
     WHERE type = 'INT96' OR precision > ${maxDecimalDigits} OR (logical_type IS NULL AND converted_type LIKE 'TIMESTAMP%')`,
  );
  return z.array(element).parse(reader.getRowObjects());
}

/**
 * Whether times of an element are instants that the engine reads as times without a zone: those of 96 bits, and those of
 * writers that know no such difference.
 */
export const isUnmarkedInstant = ({ type, converted, logical }: SchemaElement): boolean =>
  type === 'INT96' || (logical === null && converted?.startsWith('TIMESTAMP_') === true);

/** Whether times of an element have nanoseconds of which the engine reads microseconds only. */
export const losesNanoseconds = ({ type, logical }: SchemaElement): boolean =>
  type === 'INT96' ||
  (/NANOS=NanoSeconds/.test(logical ?? '') &&
    (logical?.startsWith('TimeType') === true || /isAdjustedToUTC=1/.test(logical ?? '')));

/** A column of the table that a file is: a value of a row, or one within a structure. */
export interface ParquetLeaf {
  /** The names that lead to it. */
  readonly path: readonly string[];
  /** Its value in SQL, where the columns of the file are `c0`, `c1`, and so on: names can be equal. */
  readonly expression: string;
  readonly element: SchemaElement;
}

/** A structure becomes columns; lists and maps are values. */
const isStructure = ({ children, repetition, logical, converted }: SchemaElement): boolean =>
  children !== null &&
  children > 0n &&
  repetition !== 'REPEATED' &&
  logical === null &&
  (converted === null || converted === 'UTF8');

/** The columns of a file. @param elements its schema, with the root first and each element before its children */
function leavesOf([root, ...elements]: readonly SchemaElement[]): {
  readonly leaves: readonly ParquetLeaf[];
  /** The number of columns, of which structures are one each. */
  readonly width: number;
} {
  const leaves: ParquetLeaf[] = [];
  let at = 0;
  const skip = (count: bigint | null): void => {
    for (let child = 0n; child < (count ?? 0n); child++) skip(elements[at++]?.children ?? null);
  };
  const visit = (path: readonly string[], expression: string): void => {
    const node = elements[at++];
    if (!node) return;
    const named = [...path, node.name];
    if (!isStructure(node)) {
      skip(node.children);
      leaves.push({ path: named, expression, element: node });
      return;
    }
    for (let child = 1; child <= Number(node.children); child++)
      visit(named, `struct_extract_at(${expression}, ${child})`);
  };
  const width = Number(root?.children ?? 0n);
  for (let column = 0; column < width; column++) visit([], `c${column}`);
  return { leaves, width };
}

/** What pandas writes: the attributes of a table, which can have its units. */
const pandasMetadata = z.object({ attributes: z.object({ units: z.record(z.string(), z.string()) }) });

/** The units of columns in the metadata that pandas writes. @param text empty: there is none */
export const pandasUnits = (text: string): ReadonlyMap<string, string> =>
  new Map(Object.entries(pandasMetadata.safeParse(jsonOrNull(text)).data?.attributes.units ?? {}));

const keyValues = z.array(z.object({ key: z.string(), value: z.string() }));

/** Reads entries of the file's metadata; those that aren't text are left out. */
async function metadataOf(connection: DuckDBConnection, file: string): Promise<ReadonlyMap<string, string>> {
  const reader = await connection.runAndReadAll(
    `SELECT key, value FROM (SELECT TRY(decode(key)) AS key, TRY(decode(value)) AS value FROM parquet_kv_metadata(${file})) WHERE key IS NOT NULL AND value IS NOT NULL`,
  );
  return new Map(keyValues.parse(reader.getRowObjects()).map(({ key, value }) => [key, value]));
}

/** A Parquet file, open in an engine that can read this file and nothing else. */
export type ParquetFile = Awaited<ReturnType<typeof openParquetFile>>;

/**
 * Opens a Parquet file.
 * @param path of a regular file
 * @param memoryMb what the engine may take for it, in megabytes
 * @throws errors of the engine, whose messages have the path
 */
export async function openParquetFile(path: string, memoryMb: number) {
  const file = literal(patternOf(path));
  const settings = {
    enable_external_file_cache: 'false',
    memory_limit: `${memoryMb}MB`,
    temp_directory: '',
    threads: '1',
  };
  // Geometry stays bytes: its type needs an extension.
  const connectionSettings = ['enable_geoparquet_conversion = false'];
  const { connection, close } = await openLocked(
    settings,
    { files: [path], folders: [] },
    connectionSettings,
  );
  try {
    const elements = await schemaElements(connection, path);
    const { leaves, width } = leavesOf(elements);
    const counted = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata(${file})`);
    const names = Array.from({ length: width }, (_, index) => `c${index}`).join(', ');
    const values = leaves.map(({ expression }) => expression).join(', ');
    return {
      elements,
      leaves,
      /** According to the file. */
      rows: Number(counted.getRows()[0]?.[0] ?? 0),
      metadata: await metadataOf(connection, file),
      /** The values of `leaves`, in the file's order. */
      async *readChunks(): AsyncGenerator<DuckDBDataChunk> {
        const result = await connection.stream(
          `SELECT ${values} FROM read_parquet(${file}, hive_partitioning = false) AS file(${names})`,
        );
        for (;;) {
          const chunk = await result.fetchChunk();
          if (!chunk || chunk.rowCount === 0) return;
          yield chunk;
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The engine's message about a file, with the file's name in place of its path. */
export function fileMessage(error: unknown, path: string, fileName: string): string {
  if (error instanceof AppError) return error.message;
  const [text = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const named = allowedPaths([path]).reduce((words, form) => words.replaceAll(form, fileName), text);
  return named
    .replace(/^(?:[A-Z]\w+ )+Error: /, '')
    .replace(/[.!]$/, '')
    .slice(0, 200);
}

/** Whether the engine needs more memory for a file than it may take. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && /^Out of Memory Error|failed to allocate|could not allocate/i.test(error.message);

import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { leavesOf, schemaElements } from './parquet-schema.ts';
import { lockSettings, openInstance, restrict } from './locked.ts';
import { literal } from '../../../shared/sql/sql-name.ts';
import { allowedPaths, patternOf } from './sql-text.ts';

const keyValues = z.array(z.object({ key: z.string(), value: z.string() }));

/** Reads entries of the file's metadata; those that aren't text are left out. */
async function metadataOf(connection: DuckDBConnection, file: string): Promise<ReadonlyMap<string, string>> {
  const reader = await connection.runAndReadAll(
    `SELECT key, value FROM (SELECT TRY(decode(key)) AS key, TRY(decode(value)) AS value FROM parquet_kv_metadata(${file})) WHERE key IS NOT NULL AND value IS NOT NULL`,
  );
  return new Map(keyValues.parse(reader.getRowObjects()).map(({ key, value }) => [key, value]));
}

async function lockedConnection(
  path: string,
  memoryMb: number,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  const instance = await openInstance({
    enable_external_file_cache: 'false',
    memory_limit: `${memoryMb}MB`,
    temp_directory: '',
    threads: '1',
  });
  const connection = await instance.connect();
  // Geometry stays bytes: its type needs an extension.
  await connection.run('SET enable_geoparquet_conversion = false');
  await restrict(connection, { files: [path], folders: [] });
  await lockSettings(connection);
  return { instance, connection };
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
  const { instance, connection } = await lockedConnection(path, memoryMb);
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
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

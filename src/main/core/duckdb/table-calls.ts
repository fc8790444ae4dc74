import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import type { DuckDBValue } from '@duckdb/node-api';
import { AppError } from '../../../shared/errors/errors.ts';
import { isDiskFull, isFatal } from './statement.ts';
import { openLocked, type LockedEngine } from './locked.ts';
import { patternOf } from './sql-text.ts';

/** What the engine of a job may reach. */
export interface TableFiles {
  /** The only folder into which it writes: files, and what doesn't fit into its memory. */
  readonly folder: string;
  /** The files outside of it that it reads, with their names in errors. */
  readonly reads: readonly { readonly path: string; readonly name: string }[];
  /** The name of the result, for errors. */
  readonly name: string;
  readonly memoryMb: number;
  /** Absent: 1. */
  readonly threads?: number;
}

/** A value of a result: text, or a number that a double holds. */
export type TableValue = string | number | null;

/** By default one thread: it needs half of the memory and of the processor's time of two. */
async function openEngine({ folder, reads, memoryMb, threads = 1 }: TableFiles): Promise<LockedEngine> {
  const settings = {
    // It takes a file for an earlier one with the same number, size, and second, and Wellbench writes several in a second.
    enable_external_file_cache: 'false',
    memory_limit: `${memoryMb}MB`,
    temp_directory: `${folder}/spill`,
    threads: String(Math.min(threads, availableParallelism())),
  };
  return openLocked(settings, { files: reads.map(({ path }) => path), folders: [folder] });
}

/** The error of a statement, without paths. */
function tableError(cause: unknown, { reads, folder, name }: TableFiles): AppError {
  if (cause instanceof AppError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isDiskFull(message)) return new AppError('disk_full', { file: name, writtenBytes: 0 }, { cause });
  const read = reads.find(({ path }) => message.includes(path) || message.includes(patternOf(path)));
  if (read) {
    const isMissing = /No files found|does not exist|No such file/i.test(message);
    const reason = isMissing ? 'it is missing' : 'it is damaged';
    return new AppError('file_unreadable', { file: read.name, reason }, { cause });
  }
  if (isFatal(message) || /^Out of Memory Error/i.test(message))
    return new AppError('sql_unavailable', { reason: 'stopped' }, { cause });
  if (/^(?:IO|Permission) Error/.test(message))
    return new AppError('file_unwritable', { file: name, reason: 'the system refuses it' }, { cause });
  const problem = message.replaceAll(folder, basename(folder));
  return new AppError('internal', { problem }, { cause });
}

/**
 * The calls of the process that reads and writes the tables of a job.
 * @param start opens an engine for some files; absent: one of its own
 */
export function tableCalls(start: (files: TableFiles) => Promise<LockedEngine> = openEngine) {
  let current: (LockedEngine & { readonly files: TableFiles }) | null = null;
  function close(): void {
    current?.close();
    current = null;
  }
  return {
    /** Does nothing: responds when the engine's library is loaded. @throws AppError `sql_unavailable` */
    load: async (): Promise<void> => undefined,

    /** Opens an engine that reaches nothing but these files, in place of the one before. */
    async openFiles(files: TableFiles): Promise<void> {
      close();
      current = { ...(await start(files)), files };
    },

    /** Closes the engine, and so its files. */
    closeFiles: async (): Promise<void> => close(),

    /**
     * Runs a statement of Wellbench itself.
     * @returns the rows of its result
     * @throws AppError `disk_full`, `file_unreadable`, `file_unwritable`, `sql_unavailable`
     */
    async run({ sql }: { readonly sql: string }): Promise<TableValue[][]> {
      if (!current) throw new AppError('sql_unavailable', { reason: 'stopped' });
      const { connection, files } = current;
      try {
        return (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(valueOf));
      } catch (error) {
        throw tableError(error, files);
      }
    },
  };
}

/** Statements of Wellbench select no other values. */
function valueOf(value: DuckDBValue): TableValue {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' || typeof value === 'string' || value === null) return value;
  throw new Error('a statement returned a value that isn’t a text or a number');
}

export type TableCalls = ReturnType<typeof tableCalls>;

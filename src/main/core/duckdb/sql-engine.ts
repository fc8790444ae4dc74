import { join } from 'node:path';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import {
  type SqlAnswer,
  maxFileValueLength,
  maxPageLength,
  maxSqlValueLength,
} from '../../../shared/sql/sql.ts';
import type { CallOptions, Thread } from '../../../shared/threads.ts';
import { openIdleProcess } from '../processes/idle-process.ts';
import { startProcess, systemVariables, type StartProcess } from '../../world/threads.ts';
import { type SqlCalls, type SqlPage, type EngineLimits, valuesTooLong, type StuckCall } from './engine.ts';
import type { EngineTable } from './open-tables.ts';
import type { ParquetCopy } from './convert.ts';
import { type ReadCheckpoint, readSnapshot } from '../write/delta/snapshot.ts';
import { rm, readdir } from '../../world/files.ts';
import { clearTimeout, setTimeout } from '../../world/time.ts';
import { totalmem } from 'node:os';
import type { Settings } from '../../../shared/settings/settings.ts';
import { createMemoryBudget, type ReserveMemory } from '../processes/memory-budget.ts';
import { checkpointReader } from '../write/delta/checkpoint.ts';
import { tableEngines, type StartTableEngine } from './table-engine.ts';
import { randomBytes } from '../../world/random.ts';
import type { JsonStyle } from './values.ts';

/** The engine of statements doesn't start with less than two thirds of this. */
const minMemoryMb = 384;

function memoryMbOf(limit: Settings['sqlMemory']): number {
  const all = totalmem() / 2 ** 20;
  if (limit !== 'quarter' && limit !== 'half') return Number(limit) * 1024;
  return Math.max(minMemoryMb, Math.floor(limit === 'half' ? all / 2 : all / 4));
}

interface EngineOptions {
  readonly dataFolder: string;
  readonly memory: () => Promise<Settings['sqlMemory']>;
  readonly startProcess?: StartProcess | undefined;
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** The folder that has a folder for each running process of Wellbench that uses the engine. */
export const enginesFolder = (dataFolder: string): string => join(dataFolder, 'sql');

/** The engines of this process, whose memory has one limit. */
export interface OpenedEngines {
  /** That of statements. */
  readonly engine: SqlEngine;
  /** The folder of its files. */
  readonly folder: string;
  /** Those of exports and mirrors. */
  readonly startTables: StartTableEngine;
  readonly readCheckpoint: ReadCheckpoint;
  /** Takes memory for reading a Parquet file. */
  readonly reserve: ReserveMemory;
}

/** Opens the engines of this process. */
export function openEngines({ dataFolder, memory, startProcess, warn }: EngineOptions): OpenedEngines {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const folder = join(enginesFolder(dataFolder), name);
  const { statementMb, reserve } = createMemoryBudget(async () => memoryMbOf(await memory()));
  const startTables = tableEngines({ start: startProcess, reserve });
  const readCheckpoint = checkpointReader({ startTables, folder: join(folder, 'logs') });
  return {
    folder,
    engine: openSqlEngine({ folder, memoryMb: statementMb, start: startProcess, warn, readCheckpoint }),
    startTables,
    readCheckpoint,
    reserve,
  };
}

/**
 * The Parquet files of a folder and its folders, in order; no links. Of a table of Delta, those of its last version.
 * @returns their paths; empty if the folder can't be read
 * @throws AppError `file_unreadable`, `table_unsupported`, `file_too_new` for the log of a table
 */
export async function parquetFilesOf(folder: string, readCheckpoint: ReadCheckpoint): Promise<string[]> {
  const table = await readSnapshot(folder, readCheckpoint);
  if (table) return [...table.files.keys()].map((path) => join(folder, path)).toSorted();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** How much of the rows of a statement is read at once. */
export interface RowLimits {
  readonly rows: number;
  /** A page ends with the row that reaches this number of characters of JSON. */
  readonly pageLength: number;
  /** The maximum length of a value, in characters of JSON. */
  readonly valueLength: number;
  /** The maximum number of items of a list. */
  readonly listLength: number;
  /** Whether the rows are for a window: it cuts longer values, which otherwise end the statement, and reads numbers as doubles. */
  readonly isForWindow: boolean;
  /** How values without a form of their own in JSON are written. */
  readonly style: JsonStyle;
}

/** A page for a writer: enough to keep it busy, few enough to keep memory flat. Its values are complete. */
export const filePage: RowLimits = {
  rows: 5000,
  pageLength: 16 << 20,
  valueLength: maxFileValueLength,
  listLength: 1_000_000,
  isForWindow: false,
  style: 'result',
};

/** A page for a writer of a format that has only numbers: NaN is null. */
export const numbersPage: RowLimits = { ...filePage, style: 'record' };

/** The page for a window. @param rows the maximum number of rows */
export const windowPage = (rows: number): RowLimits => ({
  rows,
  pageLength: maxPageLength,
  valueLength: maxSqlValueLength,
  listLength: 10_000,
  isForWindow: true,
  style: 'result',
});

/** An open table, and where its rows come from. */
export interface TableSource {
  readonly table: EngineTable;
  /** The folder whose Parquet files it has; null: its files stay the same. */
  readonly folder: string | null;
}

export interface SqlEngineOptions {
  /** A folder of its own, for what doesn't fit into memory, and for output. */
  readonly folder: string;
  /** The memory limit of all that the engine's process does. */
  readonly memoryMb: () => Promise<number>;
  readonly start?: StartProcess | undefined;
  readonly readCheckpoint: ReadCheckpoint;
  readonly warn?: ((sentence: string) => void) | undefined;
  /** How long the idle process stays, in milliseconds. */
  readonly idleMs?: number;
  /** How long a canceled statement may go on before its process is ended, in milliseconds. */
  readonly cancelMs?: number;
}

/** A running statement takes a thread of Node's pool, of which there are four by default: other windows would wait for the fifth. */
const threadPool = { UV_THREADPOOL_SIZE: '32' };

/** A table with the files that its folder has now. Without any, it keeps its files: only statements that read it fail. */
async function listAgain(source: TableSource, readCheckpoint: ReadCheckpoint): Promise<TableSource> {
  const { table, folder } = source;
  if (folder === null) return source;
  const files = await parquetFilesOf(folder, readCheckpoint).catch(() => []);
  const isSame = files.length === table.files.length && files.every((file, at) => file === table.files[at]);
  return isSame || files.length === 0 ? source : { folder, table: { ...table, files } };
}

/** A process that only jobs use needs memory, and starts fast. */
const idleWithoutTablesMs = 2000;

export type SqlEngine = ReturnType<typeof openSqlEngine>;

/**
 * The SQL engine, in a process that starts with the first call and ends when it is idle. A call that fails ends no other; when
 * the process ends, its calls fail, and the next one starts another process with the same tables.
 */
export function openSqlEngine({
  folder,
  memoryMb,
  readCheckpoint,
  start = startProcess,
  warn = () => undefined,
  idleMs = 5 * 60_000,
  cancelMs = 2000,
}: SqlEngineOptions) {
  const outFolder = join(folder, 'out');
  let sources: readonly TableSource[] = [];
  /** The tables that the running process has open. */
  let opened: Promise<Awaited<ReturnType<SqlCalls['open']>>> | null = null;

  const spillFolder = (number: number): string => join(folder, `spill-${number}`);

  const engine = openIdleProcess<SqlCalls>({
    start(number) {
      const started = start('sql', { ...systemVariables(process.env), ...threadPool });
      // A process that was killed leaves its files.
      started.onEnd(
        () => void rm(spillFolder(number), { recursive: true, force: true }).catch(() => undefined),
      );
      return started;
    },
    idleMs: () => (sources.length === 0 ? idleWithoutTablesMs : idleMs),
    onEnd(problem) {
      opened = null;
      if (problem !== null) warn(`${problem}, while it ran ${engine.users()} statements.`);
    },
  });

  type Call<T> = (calls: Thread<SqlCalls>['calls'], limits: EngineLimits) => Promise<T>;

  /** Calls the process. A call that fails ends no other; a process that ends fails all of its calls. */
  async function callEngine<T>(call: Call<T>): Promise<T> {
    const release = engine.hold();
    try {
      const memory = await memoryMb();
      return await engine.call(async (calls) =>
        call(calls, { memoryMb: memory, spillFolder: spillFolder(engine.number()) }),
      );
    } catch (error) {
      if (isAppError(error, 'sql_unavailable')) opened = null;
      throw error;
    } finally {
      release();
    }
  }

  /**
   * Ends the process if a call can't be interrupted: it was canceled, and a disk doesn't respond, or one value takes all of
   * the memory.
   */
  async function endIfStuck<T>(
    signal: AbortSignal | undefined,
    call: (options: CallOptions<StuckCall>) => Promise<T>,
  ): Promise<T> {
    let stuck: NodeJS.Timeout | undefined;
    let isTooLarge = false;
    const onEvent = (): void => {
      isTooLarge = true;
      warn('The values of a SQL statement were too long for the memory. Its process was ended.');
      engine.end();
    };
    const wait = (): void => {
      stuck = setTimeout(() => {
        warn(`A canceled SQL statement ran for another ${cancelMs / 1000} s. Its process was ended.`);
        engine.end();
      }, cancelMs);
    };
    signal?.addEventListener('abort', wait, { once: true });
    try {
      return await call({ signal, onEvent });
    } catch (error) {
      if (signal?.aborted) throw new AppError('cancelled', {});
      throw isTooLarge ? valuesTooLong() : error;
    } finally {
      clearTimeout(stuck);
      signal?.removeEventListener('abort', wait);
    }
  }

  async function openTables(): Promise<Awaited<ReturnType<SqlCalls['open']>>> {
    opened ??= callEngine(async (calls, limits) =>
      calls.open({ ...limits, outFolder, tables: sources.map(({ table }) => table) }),
    );
    const attempt = opened;
    attempt.catch(() => {
      if (opened === attempt) opened = null;
    });
    return attempt;
  }

  /** Opens the tables again if the files of a folder changed: the engine reads the files that it was given. */
  async function openChangedTables(): Promise<void> {
    const current = sources;
    const listed = await Promise.all(current.map(async (source) => listAgain(source, readCheckpoint)));
    // Meanwhile, somebody may have opened other tables.
    if (sources === current && listed.some((source, index) => source !== current[index])) {
      sources = listed;
      opened = null;
    }
    await openTables();
  }

  return {
    /**
     * Replaces the tables.
     * @returns columns and number of rows, by table
     * @throws AppError `sql_unavailable`, `invalid_input` if a file can't be read
     */
    async open(tables: readonly TableSource[]): Promise<Awaited<ReturnType<SqlCalls['open']>>> {
      const listed = await Promise.all(tables.map(async (source) => listAgain(source, readCheckpoint)));
      const before = sources;
      sources = listed;
      opened = null;
      try {
        return await openTables();
      } catch (error) {
        sources = before;
        opened = null;
        throw error;
      }
    },

    /**
     * Runs a statement, and yields its rows in pages.
     * @param limits of each page
     * @throws AppError `invalid_input` with line and column, `sql_unavailable`, `disk_full`, `cancelled`
     */
    async *run(
      sql: string,
      limits: RowLimits,
      signal: AbortSignal | undefined,
    ): AsyncGenerator<SqlPage & { readonly columns: SqlAnswer['columns'] }> {
      const readPage = (cursor: string, options: CallOptions<StuckCall>) =>
        callEngine(async (calls) => calls.next({ cursor, limits }, options));
      const first = await endIfStuck(signal, async (options) => {
        await openChangedTables();
        const started = await callEngine(async (calls) => calls.start({ sql }, options));
        return { ...started, page: await readPage(started.cursor, options) };
      });
      const { cursor, columns } = first;
      let { page } = first;
      const release = engine.hold();
      try {
        for (;;) {
          // Arrays from another process may not be instances of this realm's Uint8Array.
          const { buffer, byteOffset, byteLength } = page.records;
          yield { ...page, records: new Uint8Array(buffer, byteOffset, byteLength), columns };
          if (page.isLast) return;
          page = await endIfStuck(signal, async (options) => readPage(cursor, options));
        }
      } finally {
        if (!page.isLast) await callEngine(async (calls) => calls.end({ cursor })).catch(() => undefined);
        release();
      }
    },

    /**
     * Writes the rows of a statement as a Parquet file in the folder for output, with their types.
     * @returns the number of rows
     * @throws AppError `invalid_input` with line and column, `sql_unavailable`, `disk_full`, `cancelled`
     */
    async copy(sql: string, copy: ParquetCopy, signal: AbortSignal | undefined): Promise<number> {
      return endIfStuck(signal, async (options) => {
        await openChangedTables();
        return callEngine(async (calls) => calls.copy({ sql, ...copy }, options));
      });
    },

    /**
     * Runs a call of a job.
     * @throws AppError `sql_unavailable`, `cancelled`, those of the call
     */
    runJob: async <T>(signal: AbortSignal | undefined, call: Call<T>): Promise<T> =>
      endIfStuck(signal, async () => callEngine(call)),

    /** The only folder into which statements are written. */
    outFolder,

    close(): void {
      engine.end();
    },
  };
}

import { join } from 'node:path';
import {
  AppError,
  type ErrorCode,
  invalidInput,
  isAppError,
  toAppError,
} from '../../../shared/errors/errors.ts';
import {
  type SqlAnswer,
  maxFileValueLength,
  maxPageLength,
  maxSqlItems,
  maxSqlValueLength,
} from '../../../shared/sql/sql.ts';
import { onAbort } from '../../../shared/abort.ts';
import type { CallOptions, Thread } from '../../../shared/threads.ts';
import { canPass, isMissing } from '../files/file-errors.ts';
import { openIdleProcess } from '../processes/idle-process.ts';
import { startProcess, type StartProcess } from '../../world/threads.ts';
import type { SqlCalls, SqlPage, EngineLimits, StuckCall } from './engine.ts';
import { valuesTooLong } from './statement.ts';
import type { EngineCalls } from './engine-process.ts';
import type { EngineTable } from './open-tables.ts';
import type { ParquetCopy } from './to-parquet.ts';
import { rm, stat } from '../../world/files.ts';
import { clearTimeout, setTimeout } from '../../world/time.ts';
import { engineVariables } from './table-engine.ts';
import type { JsonStyle } from './values.ts';

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
  listLength: maxSqlItems,
  isForWindow: true,
  style: 'result',
});

/** An open table, and where its rows come from. */
export interface TableSource {
  readonly table: EngineTable;
  /** The folder whose Parquet files it has; null: it has no others than its own. */
  readonly folder: string | null;
}

export interface SqlEngineOptions {
  /** A folder of its own, for what doesn't fit into memory, and for output. */
  readonly folder: string;
  /** The memory limit of all that the engine's process does. */
  readonly memoryMb: () => Promise<number>;
  readonly start?: StartProcess | undefined;
  /** The Parquet files that a folder has now. */
  readonly filesOf: (folder: string) => Promise<readonly string[]>;
  readonly warn?: ((sentence: string) => void) | undefined;
  /** How long the idle process stays, in milliseconds. */
  readonly idleMs?: number;
  /** How long a canceled statement may go on before its process is ended, in milliseconds. */
  readonly cancelMs?: number;
}

interface ListedSource extends TableSource {
  /** The sizes and times of its files, which differ if one was replaced; empty: it is missing. */
  readonly facts: ReadonlyMap<string, string>;
}

/** Errors caused by the content of a folder, which reading again doesn't resolve. */
const lasting: readonly ErrorCode[] = ['file_unreadable', 'file_too_new', 'table_unsupported', 'internal'];

/** The files that the folder of a table has now; if its drive fails, the files as they were. */
async function filesNow(
  { table, folder }: TableSource,
  filesOf: SqlEngineOptions['filesOf'],
): Promise<Pick<EngineTable, 'files' | 'problem'>> {
  if (folder === null) return table;
  try {
    const files = await filesOf(folder);
    if (files.length > 0) return { files, problem: undefined };
    // A drive that isn't connected has no folder.
    await stat(folder);
    const empty = invalidInput(
      `Table ${table.name} has no rows: its folder contains no Parquet files now. Update the mirror, or remove the table.`,
    );
    return { files, problem: empty.toBody() };
  } catch (cause) {
    const error = toAppError(cause);
    return isMissing(cause) || canPass(error.cause) || !lasting.includes(error.code)
      ? table
      : { files: [], problem: error.toBody() };
  }
}

/**
 * A table with the files that its folder has now. Without any, only statements that read it fail.
 * @param before a file that can't be looked at, as on a share that doesn't respond, counts as it was
 */
async function listAgain(
  { table, folder }: TableSource,
  filesOf: SqlEngineOptions['filesOf'],
  before?: ListedSource['facts'],
): Promise<ListedSource> {
  const { files, problem } = await filesNow({ table, folder }, filesOf);
  const facts = files.map(async (file) => {
    const factsOf = async () => stat(file).then(({ size, mtimeMs }) => `${size} ${mtimeMs}`);
    return [
      file,
      await factsOf().catch((error: unknown) => (isMissing(error) ? '' : (before?.get(file) ?? ''))),
    ] as const;
  });
  return { folder, table: { ...table, files, problem }, facts: new Map(await Promise.all(facts)) };
}

const haveSameFiles = ({ facts, table }: ListedSource, before: ListedSource | undefined): boolean =>
  table.problem?.message === before?.table.problem?.message &&
  facts.size === before?.facts.size &&
  [...facts].every(([file, fact]) => before.facts.get(file) === fact);

export type SqlEngine = ReturnType<typeof openSqlEngine>;

/**
 * The SQL engine, in a process that starts with the first call and ends when it is idle. A call that fails ends no other; when
 * the process ends, its calls fail, and the next one starts another process with the same tables.
 */
export function openSqlEngine({
  folder,
  memoryMb,
  filesOf,
  start = startProcess,
  warn = () => undefined,
  idleMs = 5 * 60_000,
  cancelMs = 2000,
}: SqlEngineOptions) {
  const outFolder = join(folder, 'out');
  let sources: readonly ListedSource[] = [];
  let described: Awaited<ReturnType<SqlCalls['open']>> = {};
  /** The tables that the running process has open. */
  let opened: Promise<Awaited<ReturnType<SqlCalls['open']>>> | null = null;

  const spillFolder = (number: number): string => join(folder, `spill-${number}`);

  const engine = openIdleProcess<EngineCalls>({
    start(number) {
      const started = start('engine', engineVariables(process.env));
      // A process that was killed leaves its files.
      started.onEnd(
        () => void rm(spillFolder(number), { recursive: true, force: true }).catch(() => undefined),
      );
      // No job uses it again: it has tables open.
      return { ...started, close: () => started.close() };
    },
    idleMs,
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
    if (signal?.aborted) throw new AppError('cancelled', {});
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
    const stop = onAbort(signal, wait);
    try {
      return await call({ signal, onEvent });
    } catch (error) {
      if (signal?.aborted) throw new AppError('cancelled', {});
      throw isTooLarge ? valuesTooLong() : error;
    } finally {
      clearTimeout(stuck);
      stop();
    }
  }

  /** Ends a statement, unless its process ended: another one would be started for nothing. */
  async function endStatement(cursor: string, number: number): Promise<void> {
    if (engine.number() !== number) return;
    await callEngine(async (calls) => calls.end({ cursor })).catch(() => undefined);
  }

  async function openTables(): Promise<Awaited<ReturnType<SqlCalls['open']>>> {
    opened ??= callEngine(async (calls, limits) =>
      calls.open({ ...limits, outFolder, tables: sources.map(({ table }) => table) }),
    );
    const attempt = opened;
    try {
      const tables = await attempt;
      if (opened === attempt) described = tables;
      return tables;
    } catch (error) {
      if (opened === attempt) opened = null;
      throw error;
    }
  }

  /** Lists the files again. @returns whether some changed, so that the tables have to be opened again */
  async function isChanged(): Promise<boolean> {
    const current = sources;
    const listed = await Promise.all(current.map(async (source) => listAgain(source, filesOf, source.facts)));
    // Meanwhile, somebody may have opened other tables.
    if (sources !== current || listed.every((source, index) => haveSameFiles(source, current[index])))
      return false;
    sources = listed;
    opened = null;
    return true;
  }

  /** Opens the tables again if their files changed: the engine reads the files that it was given, as they were. */
  async function openChangedTables(): Promise<void> {
    await isChanged();
    await openTables();
  }

  return {
    /**
     * Replaces the tables.
     * @returns columns and number of rows, by table
     * @throws AppError `sql_unavailable`, `invalid_input` if a file can't be read
     */
    async open(tables: readonly TableSource[]): Promise<Awaited<ReturnType<SqlCalls['open']>>> {
      const listed = await Promise.all(tables.map(async (source) => listAgain(source, filesOf)));
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
     * The tables as their files are now. Starts no process unless one changed.
     * @returns as {@link open}
     * @throws AppError `sql_unavailable`
     */
    async describe(): Promise<Awaited<ReturnType<SqlCalls['open']>>> {
      return (await isChanged()) ? openTables() : described;
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
        const number = engine.number();
        try {
          return { ...started, number, page: await readPage(started.cursor, options) };
        } catch (error) {
          // One that was canceled before it was sent leaves the statement open.
          if (signal?.aborted) await endStatement(started.cursor, number);
          throw error;
        }
      });
      const { cursor, columns, number } = first;
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
        if (!page.isLast) await endStatement(cursor, number);
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

    /** The only folder into which statements are written. */
    outFolder,

    close(): void {
      engine.end();
    },
  };
}

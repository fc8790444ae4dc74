import { StatementType, type DuckDBConnection, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { AppError, fromBody, isAppError } from '../../../shared/errors/errors.ts';
import { type JsonValue, parseJson } from '../../../shared/json.ts';
import type { SqlAnswer } from '../../../shared/sql/sql.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { createInterrupts, type StuckCall } from './interrupts.ts';
import { convertToParquet, type Conversion } from './convert.ts';
import { copyTextTable, type TextTable } from './text-table.ts';
import { checkFiles, openTables, type EngineTable, type OpenedTable } from './open-tables.ts';
import { resultColumns } from './result-columns.ts';
import { openRows, type ResultRows } from './result-rows.ts';
import type { RowLimits } from './row-limits.ts';
import { createInstances, type EngineLimits, type Instance } from './instances.ts';
import { createJobInstance } from './job-instance.ts';
import { copyToParquet, type ParquetCopy } from './parquet-copy.ts';
import { engineError, pathNames, type PathNames } from './engine-error.ts';
import { countRepeats, sortPlaces, type PlacesToSort } from './places.ts';
import { checkStatement, type ReadableNames } from './statement.ts';
import { randomUUID } from '../../world/random.ts';

/** What is open. */
export interface EngineSetup extends EngineLimits {
  readonly tables: readonly EngineTable[];
  /** The only folder into which statements are written; null: none. */
  readonly outFolder: string | null;
}

/** A part of the rows of a statement. */
export interface SqlPage {
  /** JSON of an array of records in UTF-8. */
  readonly records: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** The number of values that are only a part of themselves. */
  readonly cut: number;
  /** Whether these are the last rows. */
  readonly isLast: boolean;
}

/** An engine with its tables. After it was replaced, it stays until its last statement has ended. */
interface OpenEngine {
  readonly instance: Instance;
  readonly setup: EngineSetup;
  readonly opened: Readonly<Record<string, OpenedTable>>;
  readonly names: ReadableNames;
  readonly paths: PathNames;
  statements: number;
  isReplaced: boolean;
}

interface TextTableCopy {
  readonly table: TextTable;
  /** The Parquet file to write. */
  readonly parquet: string;
}

interface Cursor {
  readonly engine: OpenEngine;
  readonly connection: DuckDBConnection;
  readonly rows: ResultRows;
}

/**
 * The calls of the SQL process. Statements are checked against the open tables, and run in an engine that is locked: it
 * loads no extension, reaches no file but those of the tables, and can't be reconfigured. Each statement has a connection
 * of its own: its failure and its cancel concern no other.
 */
export function sqlCalls() {
  let current: OpenEngine | null = null;
  const cursors = new Map<string, Cursor>();
  const interrupts = createInterrupts();
  const instances = createInstances();
  const fileJobs = createJobInstance(instances, interrupts, 'files');
  const placeJobs = createJobInstance(instances, interrupts, 'places');

  /** Closing an engine while a statement runs crashes the process. */
  function release(engine: OpenEngine, statements: number): void {
    engine.statements -= statements;
    if (engine.isReplaced && engine.statements === 0) engine.instance.close();
  }

  /** The engine isn't used for other statements; it closes with its last one. */
  function replace(engine: OpenEngine | null): void {
    if (!engine || engine.isReplaced) return;
    if (current === engine) current = null;
    engine.isReplaced = true;
    release(engine, 0);
  }

  /** The error of a statement. After a fault of the engine itself, the next statement gets another engine. */
  function errorOf(cause: unknown, engine: OpenEngine): AppError {
    const error = engineError(cause, engine.paths);
    if (isAppError(error, 'sql_unavailable')) replace(engine);
    return error;
  }

  function end(id: string): void {
    const cursor = cursors.get(id);
    if (!cursor) return;
    cursors.delete(id);
    cursor.connection.closeSync();
    release(cursor.engine, 1);
  }

  async function prepare(
    sql: string,
    engine: OpenEngine,
    connection: DuckDBConnection,
  ): Promise<{ readonly statement: DuckDBPreparedStatement; readonly tree: JsonValue }> {
    const reader = await connection.runAndReadAll(
      'SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)',
      [sql],
    );
    const tree = parseJson(String(reader.getRows()[0]?.[0] ?? 'null'));
    const read = checkStatement(sql, tree, engine.names);
    for (const name of read) {
      const problem = engine.opened[name]?.problem;
      if (problem) throw fromBody(problem);
    }
    await checkFiles(engine.setup.tables.filter(({ name }) => read.has(name)));
    const prepared = await connection.prepare(sql);
    // The engine's own view of what the check has let through.
    if (prepared.statementType !== StatementType.SELECT)
      throw new AppError('internal', { problem: 'the check let a statement through that isn’t a SELECT' });
    return { statement: prepared, tree };
  }

  /** Runs a call with a connection of its own. @param keeps whether the connection stays open, for a cursor */
  async function withConnection<T>(
    { signal, emit }: CallContext<StuckCall>,
    keeps: boolean,
    call: (engine: OpenEngine, connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    const engine = await takeEngine();
    let connection: DuckDBConnection | null = null;
    let isKept = false;
    try {
      const running = await engine.instance.duckdb.connect();
      connection = running;
      const watched = { connection, memoryMb: engine.setup.memoryMb, signal, onStuck: () => emit('stuck') };
      const value = await interrupts.during(watched, async () => call(engine, running));
      isKept = keeps;
      return value;
    } catch (error) {
      throw errorOf(error, engine);
    } finally {
      if (!isKept) {
        connection?.closeSync();
        release(engine, 1);
      }
    }
  }

  /** Opens tables, in place of those before. @returns what the engine says of them */
  async function openEngine(setup: EngineSetup): Promise<OpenEngine['opened']> {
    replace(current);
    const instance = await instances.openForStatements(setup);
    const connection = await instance.duckdb.connect();
    try {
      const { tables } = setup;
      const { tables: opened, catalog } = await openTables(connection, tables, setup.outFolder);
      connection.closeSync();
      const names = { tables: tables.map(({ name }) => name), catalog };
      const paths = pathNames(tables, setup.spillFolder);
      // Meanwhile, another call may have opened tables.
      replace(current);
      current = { instance, setup, opened, names, paths, statements: 0, isReplaced: false };
      return opened;
    } catch (error) {
      connection.closeSync();
      instance.close();
      throw error;
    }
  }

  /** The engine, for a statement. One that was opened beside others opens again when their memory is free. */
  async function takeEngine(): Promise<OpenEngine> {
    if (current?.statements === 0 && instances.nextShare(current.setup) > current.instance.memoryMb)
      await openEngine(current.setup);
    if (!current) throw new AppError('sql_unavailable', { reason: 'stopped' });
    current.statements += 1;
    return current;
  }

  return {
    open: async (setup: EngineSetup) => openEngine(setup),

    /**
     * Starts a statement; its rows are read by `next`, until `isLast` or `end`.
     * @throws AppError `invalid_input` with line and column, `sql_unavailable`, `disk_full`, `cancelled`
     */
    async start({ sql }: { readonly sql: string }, context: CallContext<StuckCall>) {
      return withConnection(context, true, async (engine, connection) => {
        const { statement, tree } = await prepare(sql, engine, connection);
        const rows = openRows(await statement.stream());
        const cursor = randomUUID();
        cursors.set(cursor, { engine, connection, rows });
        const certain = resultColumns(tree, engine.opened);
        const columns = rows.columns.map((column): SqlAnswer['columns'][number] => ({
          ...column,
          unit: certain.get(column.name)?.unit ?? null,
          isComputed: certain.get(column.name)?.isComputed ?? false,
        }));
        return { cursor, columns };
      });
    },

    /**
     * Writes the rows of a statement as Parquet, with their types.
     * @returns the number of rows
     * @throws AppError `invalid_input` with line and column, `sql_unavailable`, `disk_full`, `cancelled`
     */
    async copy(
      { sql, ...copy }: ParquetCopy & { readonly sql: string },
      context: CallContext<StuckCall>,
    ): Promise<number> {
      return withConnection(context, false, async (engine, connection) =>
        copyToParquet(connection, { sql, ...(await prepare(sql, engine, connection)) }, copy),
      );
    },

    /** The next rows of a statement. @throws AppError `invalid_input`, `sql_unavailable`, `disk_full`, `cancelled` */
    async next(
      { cursor: id, limits }: { readonly cursor: string; readonly limits: RowLimits },
      { signal, emit }: CallContext<StuckCall>,
    ): Promise<SqlPage> {
      const cursor = cursors.get(id);
      // A cursor of a process that has ended.
      if (!cursor) throw new AppError('sql_unavailable', { reason: 'stopped' });
      try {
        const { connection, engine } = cursor;
        const watched = { connection, memoryMb: engine.setup.memoryMb, signal, onStuck: () => emit('stuck') };
        const { rows, isLast } = await interrupts.during(watched, async () => cursor.rows.next(limits));
        const records = new Uint8Array(Buffer.from(`[${rows.map(({ json }) => json).join(',')}]`, 'utf8'));
        if (isLast) end(id);
        return { records, count: rows.length, cut: rows.reduce((sum, { cut }) => sum + cut, 0), isLast };
      } catch (error) {
        const failure = errorOf(error, cursor.engine);
        end(id);
        throw failure;
      }
    },

    /** Ends a statement before its last row. */
    end: async ({ cursor }: { readonly cursor: string }) => end(cursor),

    /** Writes a JSON file as Parquet. @throws AppError `disk_full`, `internal`, `cancelled` */
    convert: async (
      { json, parquet, columns, ...limits }: Conversion & EngineLimits,
      { signal }: CallContext,
    ) =>
      fileJobs.run(limits, signal, async (connection) =>
        convertToParquet(connection, { json, parquet, columns }),
      ),

    /**
     * Writes a file of text as Parquet.
     * @throws AppError `disk_full`, `cancelled`; `internal` if the file isn't as expected
     */
    convertText: async (
      { table, parquet, ...limits }: TextTableCopy & EngineLimits,
      { signal }: CallContext,
    ) => fileJobs.run(limits, signal, async (connection) => copyTextTable(connection, { table, parquet })),

    /** Sorts places of records by their index. @throws AppError `disk_full`, `internal`, `cancelled` */
    sortPlaces: async ({ from, to, ...limits }: PlacesToSort & EngineLimits, { signal }: CallContext) =>
      placeJobs.run(limits, signal, async (connection) => sortPlaces(connection, { from, to })),

    /** Counts repeated places by well. @throws AppError `disk_full`, `internal`, `cancelled` */
    countRepeats: async (
      { from, ...limits }: { readonly from: string } & EngineLimits,
      { signal }: CallContext,
    ) => placeJobs.run(limits, signal, async (connection) => countRepeats(connection, from)),
  };
}

export type SqlCalls = ReturnType<typeof sqlCalls>;

import { DuckDBInstance, type DuckDBConnection, type DuckDBResult } from '@duckdb/node-api';
import { AppError, isAppError } from '../../shared/errors/errors.ts';
import { parseJson } from '../../shared/json.ts';
import type { SqlColumn } from '../../shared/sql/sql.ts';
import type { CallContext } from '../../shared/threads.ts';
import { jsonOf } from './json-rows.ts';
import { literal, openTables, quoted, type EngineTable } from './open-tables.ts';
import { checkStatement, statementError, type ReadableNames } from './statement.ts';

export interface EngineLimits {
  /** Where the engine puts what doesn't fit into its memory. */
  readonly spillFolder: string;
  readonly memoryMb: number;
}

/** The types of a converted column. `time`: Unix milliseconds in the file, a timestamp in the table. */
export type ConvertedType = 'BIGINT' | 'DECIMAL(38,0)' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN' | 'time';

export interface Conversion {
  /** A file with a JSON array of objects. */
  readonly json: string;
  /** The Parquet file to write. */
  readonly parquet: string;
  /** `key`: the column's name in the JSON file, where names that differ only in case are not told apart. */
  readonly columns: readonly { readonly key: string; readonly name: string; readonly type: ConvertedType }[];
}

/** A part of the rows of a statement. */
export interface SqlPage {
  /** JSON of an array of records in UTF-8. */
  readonly records: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** Whether these are the last rows. */
  readonly isLast: boolean;
}

/** An engine with its tables. After it was replaced, it stays until its last statement has ended. */
interface OpenEngine {
  readonly instance: DuckDBInstance;
  readonly names: ReadableNames;
  statements: number;
  isReplaced: boolean;
}

interface Cursor {
  readonly engine: OpenEngine;
  readonly connection: DuckDBConnection;
  readonly result: DuckDBResult;
  readonly names: readonly string[];
  /** Rows that were read from the result, but not returned yet, as JSON. */
  rows: string[];
  hasEnded: boolean;
}

const interruptEveryMs = 50;

/** A record's size is limited only to find files that are no records. */
const maxRecordBytes = 64 << 20;

/**
 * The calls of the SQL process. Statements are checked against the open tables, and run in an engine that is locked: it
 * loads no extension, reaches no file but those of the tables, and can't be reconfigured.
 */
export function sqlCalls() {
  let current: OpenEngine | null = null;
  let lastCursor = 0;
  const cursors = new Map<number, Cursor>();

  const open = async ({ memoryMb, spillFolder }: EngineLimits): Promise<DuckDBInstance> =>
    DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      memory_limit: `${memoryMb}MB`,
      temp_directory: spillFolder,
    });

  /** Closing an engine while a statement runs crashes the process. */
  function release(engine: OpenEngine, statements: number): void {
    engine.statements -= statements;
    if (engine.isReplaced && engine.statements === 0) engine.instance.closeSync();
  }

  /** Runs work that a cancel interrupts. */
  async function interruptible<T>(
    connection: DuckDBConnection,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) throw new AppError('cancelled', {});
    let timer: NodeJS.Timeout | undefined;
    // An interrupt that comes before the engine has begun is lost.
    const interrupt = (): void => {
      connection.interrupt();
      timer = setTimeout(interrupt, interruptEveryMs);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw new AppError('cancelled', {});
      if (isAppError(error, 'invalid_input')) throw error;
      throw statementError(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
    }
  }

  async function fill(cursor: Cursor, rows: number): Promise<void> {
    while (cursor.rows.length < rows && !cursor.hasEnded) {
      const chunk = await cursor.result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) {
        cursor.hasEnded = true;
        break;
      }
      const keys = cursor.names.map((name) => JSON.stringify(name));
      for (const row of chunk.getRows())
        cursor.rows.push(`{${row.map((value, index) => `${keys[index]}:${jsonOf(value)}`).join(',')}}`);
    }
  }

  function end(id: number): void {
    const cursor = cursors.get(id);
    if (!cursor) return;
    cursors.delete(id);
    cursor.connection.closeSync();
    release(cursor.engine, 1);
  }

  return {
    /** Opens the tables, in place of those before. */
    async open({ tables, ...setup }: EngineLimits & { readonly tables: readonly EngineTable[] }) {
      const before = current;
      current = null;
      if (before) {
        before.isReplaced = true;
        release(before, 0);
      }
      const opened = await open(setup);
      const connection = await opened.connect();
      try {
        const { tables: described, catalog } = await openTables(connection, tables);
        connection.closeSync();
        const names = { tables: tables.map(({ name }) => name), catalog };
        current = { instance: opened, names, statements: 0, isReplaced: false };
        return described;
      } catch (error) {
        connection.closeSync();
        opened.closeSync();
        throw error;
      }
    },

    /**
     * Starts a statement; its rows are read by `next`, until `isLast` or `end`.
     * @throws AppError `invalid_input` with line and column, `cancelled`
     */
    async start({ sql }: { readonly sql: string }, { signal }: CallContext) {
      const engine = current;
      if (!engine) throw new AppError('internal', { problem: 'the SQL engine has no tables yet' });
      engine.statements += 1;
      let connection: DuckDBConnection | null = null;
      try {
        connection = await engine.instance.connect();
        const tree = await connection.runAndReadAll(
          'SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)',
          [sql],
        );
        checkStatement(sql, parseJson(String(tree.getRows()[0]?.[0] ?? 'null')), engine.names);
        const running = connection;
        const result = await interruptible(running, signal, async () => running.stream(sql));
        const id = (lastCursor += 1);
        const columns = result.deduplicatedColumnNames();
        cursors.set(id, { engine, connection, result, names: columns, rows: [], hasEnded: false });
        return {
          cursor: id,
          columns: columns.map((name, index): SqlColumn => ({
            name,
            type: String(result.columnType(index)),
            unit: null,
          })),
        };
      } catch (error) {
        connection?.closeSync();
        release(engine, 1);
        throw error;
      }
    },

    /**
     * The next rows of a statement.
     * @throws AppError `invalid_input`, `cancelled`
     */
    async next(
      { cursor: id, rows }: { readonly cursor: number; readonly rows: number },
      { signal }: CallContext,
    ): Promise<SqlPage> {
      const cursor = cursors.get(id);
      if (!cursor) throw new AppError('cancelled', {});
      try {
        // One more row tells whether these are the last.
        await interruptible(cursor.connection, signal, async () => fill(cursor, rows + 1));
      } catch (error) {
        end(id);
        throw error;
      }
      const page = cursor.rows.slice(0, rows);
      cursor.rows = cursor.rows.slice(rows);
      const isLast = cursor.hasEnded && cursor.rows.length === 0;
      if (isLast) end(id);
      const records = new Uint8Array(Buffer.from(`[${page.join(',')}]`, 'utf8'));
      return { records, count: page.length, isLast };
    },

    /** Ends a statement before its last row. */
    end: async ({ cursor }: { readonly cursor: number }) => end(cursor),

    /**
     * Writes a JSON file as Parquet.
     * @throws AppError `internal`
     */
    async convert({ json, parquet, columns, ...setup }: Conversion & EngineLimits): Promise<void> {
      const converter = await open(setup);
      const connection = await converter.connect();
      const read = columns.map(
        ({ key, type }) => `${literal(key)}: ${literal(type === 'time' ? 'BIGINT' : type)}`,
      );
      const selected = columns.map(({ key, name, type }) => {
        const value = type === 'time' ? `epoch_ms(${quoted(key)})::TIMESTAMPTZ` : quoted(key);
        return `${value} AS ${quoted(name)}`;
      });
      try {
        await connection.run(`SET TimeZone = 'UTC'`);
        await connection.run(
          `COPY (SELECT ${selected.join(', ')} FROM read_json(${literal(json)}, format = 'array', columns = {${read.join(', ')}}, maximum_object_size = ${maxRecordBytes})) TO ${literal(parquet)} (FORMAT parquet)`,
        );
      } finally {
        connection.closeSync();
        converter.closeSync();
      }
    },
  };
}

export type SqlCalls = ReturnType<typeof sqlCalls>;

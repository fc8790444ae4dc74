import {
  StatementType,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  DuckDBDecimalValue,
  DuckDBArrayVector,
  DuckDBListVector,
  DuckDBStructVector,
  DuckDBVector,
  type DuckDBDataChunk,
  type DuckDBResult,
  type DuckDBInstance,
} from '@duckdb/node-api';
import { onAbort } from '../../../shared/abort.ts';
import { createQueue } from '../queue.ts';
import { AppError, fromBody, isAppError, invalidInput } from '../../../shared/errors/errors.ts';
import { type JsonValue, parseJson } from '../../../shared/json.ts';
import type { SqlAnswer } from '../../../shared/sql/sql.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { copyToParquet, type ParquetCopy } from './to-parquet.ts';
import { checkFiles, openTables, type EngineTable, type OpenedTable } from './open-tables.ts';
import { resultColumns } from './result-columns.ts';
import type { RowLimits } from './sql-engine.ts';
import {
  engineError,
  pathNames,
  type PathNames,
  checkStatement,
  valuesTooLong,
  type ReadableNames,
} from './statement.ts';
import { randomUUID } from '../../world/random.ts';
import { jsonOf } from './values.ts';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openInstance } from './locked.ts';
import { mkdir } from '../../world/files.ts';
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../world/time.ts';

export interface EngineLimits {
  /** The folder of this process for what doesn't fit into memory. */
  readonly spillFolder: string;
  /** The memory of all instances of the process together. */
  readonly memoryMb: number;
}

/** An open database of the engine, with memory and a folder of its own. */
export interface Instance {
  readonly duckdb: DuckDBInstance;
  readonly memoryMb: number;
  /** Its connections must be closed: closing it while a statement runs crashes the process. */
  close(): void;
}

/** An instance can't work with less. */
const minShareMb = 64;
/** How much of the free memory an instance gets, so that the next one can open before it closes. */
const statementShare = 2 / 3;

/** The instances of a process. Each has its part of the memory limit, which the process can't exceed together. */
export function createInstances() {
  const statementMb: number[] = [];
  let lastNumber = 0;

  function nextShare({ memoryMb }: EngineLimits): number {
    const free = memoryMb - statementMb.reduce((sum, mb) => sum + mb, 0);
    return Math.max(minShareMb, Math.floor(free * statementShare));
  }

  return {
    nextShare,
    /** Statements that still run in an earlier instance keep their part of the memory. */
    async open(limits: EngineLimits): Promise<Instance> {
      const memoryMb = nextShare(limits);
      statementMb.push(memoryMb);
      const close = (): void => void statementMb.splice(statementMb.indexOf(memoryMb), 1);
      try {
        await mkdir(limits.spillFolder, { recursive: true, mode: 0o700 });
        lastNumber += 1;
        const duckdb = await openInstance({
          memory_limit: `${memoryMb}MB`,
          threads: String(availableParallelism()),
          // Instances that share a folder write into each other's files, and crash.
          temp_directory: join(limits.spillFolder, String(lastNumber)),
        });
        return {
          duckdb,
          memoryMb,
          close() {
            duckdb.closeSync();
            close();
          },
        };
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}

const interruptEveryMs = 50;
const checkEveryMs = 100;

/** Memory that the process may take above the engine's limit: the engine doesn't count the values of the rows in hand. */
const extraMb = 1024;
/** How often the last call is interrupted before the host is asked to end the process: one long value isn't interruptible. */
const maxInterrupts = 10;

/** What a call says before it settles: it takes too much memory, and can't be interrupted, so the process must end. */
export type StuckCall = 'stuck';

interface Running extends WatchedCall {
  /** The process may take so much memory, in bytes. */
  readonly maxMemory: number;
  /** How often the call was interrupted because the process took too much memory. */
  interrupts: number;
}

interface WatchedCall {
  readonly connection: DuckDBConnection;
  readonly memoryMb: number;
  readonly signal: AbortSignal;
  readonly onStuck: () => void;
}

/**
 * Interrupts the calls of connections: those that are canceled, and the last one when the process takes too much memory.
 * @param memoryOf the memory of this process, in bytes
 */
export function createInterrupts(memoryOf = () => process.memoryUsage.rss()) {
  const running = new Set<Running>();
  let checks: NodeJS.Timeout | undefined;

  function checkMemory(): void {
    const last = [...running].at(-1);
    if (!last || memoryOf() < last.maxMemory) return;
    last.interrupts += 1;
    last.connection.interrupt();
    if (last.interrupts === maxInterrupts) last.onStuck();
  }

  return {
    /**
     * Runs a call of a connection whose rows may take too much memory.
     * @param memoryMb the limit of the engine
     * @param onStuck the call takes too much memory, and isn't interruptible
     * @throws AppError `cancelled`; `invalid_input` if its rows take too much memory; what the call throws
     */
    async during<T>(watched: WatchedCall, call: () => Promise<T>): Promise<T> {
      const { connection, memoryMb, signal } = watched;
      if (signal.aborted) throw new AppError('cancelled', {});
      let timer: NodeJS.Timeout | undefined;
      // An interrupt that comes before the engine has begun is lost.
      const interrupt = (): void => {
        connection.interrupt();
        timer = setTimeout(interrupt, interruptEveryMs);
      };
      const stop = onAbort(signal, interrupt);
      // What earlier calls left isn't the fault of this one.
      const maxMemory = Math.max(memoryMb * 2 ** 20, memoryOf()) + extraMb * 2 ** 20;
      const entry: Running = { ...watched, maxMemory, interrupts: 0 };
      running.add(entry);
      checks ??= setInterval(checkMemory, checkEveryMs);
      try {
        return await call();
      } catch (error) {
        if (signal.aborted) throw new AppError('cancelled', {});
        throw entry.interrupts > 0 ? valuesTooLong() : error;
      } finally {
        clearTimeout(timer);
        stop();
        running.delete(entry);
        if (running.size === 0) {
          clearInterval(checks);
          checks = undefined;
        }
      }
    },
  };
}

interface Row {
  readonly json: string;
  /** The number of values that were cut. */
  readonly cut: number;
}

/** Rows that are converted at once, so that few long values are in memory as text. */
const blockRows = { first: 16, max: 256, smallLength: 1 << 20 };

const inWords = (count: number): string => count.toLocaleString('en');

type Cell = { readonly json: string; readonly isCut: boolean };

function cutCell(text: string, length: number, limits: RowLimits): Cell {
  const start = text.slice(0, limits.valueLength).toWellFormed();
  return { json: JSON.stringify(`${start}… (${inWords(length)} characters)`), isCut: true };
}

/** A double has no more digits. */
const maxDoubleDigits = 17;

/** Whether a decimal has more digits than a double. Zeros at its start and its end don't count. */
const isLongerThanDouble = (decimal: string): boolean =>
  decimal.length > maxDoubleDigits &&
  decimal.replaceAll(/^-?[0.]+|(?<=\..*)0+$|\./g, '').length > maxDoubleDigits;

/** The number of items of a value, and of the lists and maps in it; counting ends above a maximum. */
function itemsIn(vector: DuckDBVector, row: number, max: number): number {
  // The library has no door to what maps, unions, and arrays consist of.
  const part = (name: string): unknown => Reflect.get(vector, name);
  const wrapped = part('listVector') ?? part('structVector');
  if (wrapped instanceof DuckDBVector) return itemsIn(wrapped, row, max);
  // An array has at most the items of its type, also if it is null; only the lists in it are counted.
  const length = vector instanceof DuckDBArrayVector ? vector.type.length : null;
  const items = vector instanceof DuckDBListVector ? vector.getItemVector(row) : part('childData');
  let count = 0;
  if (vector instanceof DuckDBStructVector) {
    for (let entry = 0; entry < vector.type.entryCount && count <= max; entry += 1)
      count += itemsIn(vector.entryVectorAt(entry), row, max - count);
  } else if (items instanceof DuckDBVector) {
    const from = row * (length ?? 0);
    if (length === null) count = items.itemCount;
    for (let item = 0; item < (length ?? items.itemCount) && count <= max; item += 1)
      count += itemsIn(items, from + item, max - count);
  }
  return count;
}

function readCell(vector: DuckDBVector, row: number, limits: RowLimits): Cell {
  // The conversion of one value can't be stopped, and what it takes isn't limited.
  if (itemsIn(vector, row, limits.listLength) > limits.listLength) {
    const length = vector instanceof DuckDBListVector ? vector.getEntryLength(row) : 0;
    const items = length > limits.listLength ? inWords(length) : `more than ${inWords(limits.listLength)}`;
    return { json: JSON.stringify(`… (${items} items)`), isCut: true };
  }
  const value = vector.getItem(row);
  if (typeof value === 'string' && value.length > limits.valueLength)
    return cutCell(value, value.length, limits);
  const json = jsonOf(value, vector.type, limits.style);
  if (limits.isForWindow && value instanceof DuckDBDecimalValue && value.scale > 0)
    return { json: isLongerThanDouble(json) ? JSON.stringify(json) : json, isCut: false };
  return json.length > limits.valueLength && typeof value !== 'number'
    ? cutCell(json, json.length, limits)
    : { json, isCut: false };
}

/** The rows of a result, as JSON. Few of them are in memory as text at a time. */
class ResultRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly #result: DuckDBResult;
  readonly #keys: readonly string[];
  #chunk: DuckDBDataChunk | null = null;
  /** The next row of the chunk, and the number of rows before the chunk. */
  #at = 0;
  #rowsBefore = 0;
  #blockSize: number = blockRows.first;
  #hasEnded = false;
  /** Rows that were read, but not returned yet. */
  #ahead: Row[] = [];

  constructor(result: DuckDBResult) {
    const names = result.deduplicatedColumnNames();
    this.#result = result;
    this.#keys = names.map((name) => JSON.stringify(name));
    this.columns = names.map((name, index) => ({ name, type: String(result.columnType(index)) }));
  }

  #readRow(vectors: readonly DuckDBVector[], row: number, rowNumber: number, limits: RowLimits): Row {
    let cut = 0;
    const cells = vectors.map((vector, column) => {
      const { json, isCut } = readCell(vector, row, limits);
      if (isCut && !limits.isForWindow)
        throw invalidInput(
          `Row ${inWords(rowNumber)} has a value in column ${this.columns[column]?.name ?? ''} that is too long for a file: up to ${inWords(limits.valueLength)} characters and ${inWords(limits.listLength)} list items can be written. Shorten it, for example with left().`,
        );
      if (isCut) cut += 1;
      return `${this.#keys[column] ?? '""'}:${json}`;
    });
    return { json: `{${cells.join(',')}}`, cut };
  }

  /** Reads a few more rows; their values are dropped with the slices of their vectors. */
  async #readBlock(limits: RowLimits): Promise<void> {
    if (!this.#chunk || this.#at >= this.#chunk.rowCount) {
      this.#rowsBefore += this.#chunk?.rowCount ?? 0;
      this.#at = 0;
      this.#chunk = await this.#result.fetchChunk();
      if (!this.#chunk || this.#chunk.rowCount === 0) {
        this.#hasEnded = true;
        return;
      }
    }
    const from = this.#chunk;
    const count = Math.min(this.#blockSize, from.rowCount - this.#at);
    const vectors = this.#keys.map((_, column) => from.getColumnVector(column).slice(this.#at, count));
    let length = 0;
    for (let row = 0; row < count; row += 1) {
      const read = this.#readRow(vectors, row, this.#rowsBefore + this.#at + row + 1, limits);
      length += read.json.length;
      this.#ahead.push(read);
    }
    this.#at += count;
    this.#blockSize = length > blockRows.smallLength ? 1 : Math.min(this.#blockSize * 2, blockRows.max);
  }

  /**
   * The next rows; none after `isLast`.
   * @throws AppError `invalid_input` if a value is too long and may not be cut; errors of the engine
   */
  async next(limits: RowLimits): Promise<{ readonly rows: readonly Row[]; readonly isLast: boolean }> {
    let count = 0;
    let length = 0;
    // One more row tells whether these are the last.
    for (;;) {
      while (count < this.#ahead.length && count < limits.rows && length < limits.pageLength) {
        length += this.#ahead[count]?.json.length ?? 0;
        count += 1;
      }
      if (this.#hasEnded || count < this.#ahead.length) break;
      await this.#readBlock(limits);
    }
    const rows = this.#ahead.slice(0, count);
    this.#ahead = this.#ahead.slice(count);
    return { rows, isLast: this.#hasEnded && this.#ahead.length === 0 };
  }
}

interface EngineSetup extends EngineLimits {
  readonly tables: readonly EngineTable[];
  /** The only folder into which statements are written; null: none. */
  readonly outFolder: string | null;
}

export interface SqlPage {
  /** JSON of an array of records in UTF-8. */
  readonly records: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** The number of values that are only a part of themselves. */
  readonly cut: number;
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

  /** One opening after another, so that the last one stays. */
  const inTurn = createQueue();

  /** Opens tables, in place of those before. @returns what the engine says of them */
  async function openEngine(setup: EngineSetup): Promise<OpenEngine['opened']> {
    replace(current);
    const instance = await instances.open(setup);
    const connection = await instance.duckdb.connect();
    try {
      const { tables } = setup;
      const { tables: opened, catalog } = await openTables(connection, tables, setup.outFolder);
      connection.closeSync();
      const names = { tables: tables.map(({ name }) => name), catalog };
      const paths = pathNames(tables, setup.spillFolder);
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
    await inTurn(async () => {
      if (current?.statements === 0 && instances.nextShare(current.setup) > current.instance.memoryMb)
        await openEngine(current.setup);
    });
    if (!current) throw new AppError('sql_unavailable', { reason: 'stopped' });
    current.statements += 1;
    return current;
  }

  return {
    open: (setup: EngineSetup) => inTurn(() => openEngine(setup)),

    /**
     * Starts a statement; its rows are read by `next`, until `isLast` or `end`.
     * @throws AppError `invalid_input` with line and column, `sql_unavailable`, `disk_full`, `cancelled`
     */
    async start({ sql }: { readonly sql: string }, context: CallContext<StuckCall>) {
      return withConnection(context, true, async (engine, connection) => {
        const { statement, tree } = await prepare(sql, engine, connection);
        const rows = new ResultRows(await statement.stream());
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
  };
}

export type SqlCalls = ReturnType<typeof sqlCalls>;

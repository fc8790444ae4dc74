import { basename, dirname, join } from 'node:path';
import { fromBody, invalidInput, isAppError, AppError } from '../../../shared/errors/errors.ts';
import type { SqlTable } from '../../../shared/sql/sql.ts';
import type { FindRequest, FindTarget } from '../../../shared/query/query.ts';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import type { SourcePlace } from '../../core/files/files.ts';
import type { TableReader } from '../../core/tables/tables.ts';
import { type ComputesPath, withoutComputed } from '../../../shared/language/text/summary.ts';
import { freeName, tableNameOf } from '../../../shared/sql/names.ts';
import {
  convertToParquet,
  copyTextTable,
  engineTypes,
  type SqlEngine,
  type StartTableEngine,
  type TableSource,
} from '../../core/duckdb/duckdb.ts';
import type { OpenedEngines } from '../../core/engines.ts';
import { mkdir, rm, open, type FileHandle } from '../../world/files.ts';
import { randomBytes } from '../../world/random.ts';
import { readingOfTable } from '../../../shared/upload/formats.ts';
import { textTable, planTable, skippedNotes, type TablePlan, type SkippedRows } from './table-plan.ts';
import { openCsvThread, withThread, type CsvThread } from '../../core/mapping/mapping.ts';
import { writeError } from '../../core/files/file-errors.ts';
import { createQueue } from '../../core/queue.ts';

interface Context {
  readonly reader: TableReader;
  readonly startTables: StartTableEngine;
  readonly signal: AbortSignal | undefined;
}

/**
 * Lets the engine read the file itself. A file that isn't as its first reading found it is read by Wellbench.
 * @returns whether it did
 * @throws AppError file_unreadable, disk_full, sql_unavailable, cancelled
 */
export async function isWrittenByEngine(
  plan: TablePlan,
  parquet: string,
  thread: CsvThread,
  { startTables, signal }: Context,
): Promise<boolean> {
  const table = await textTable(plan);
  if (!table) return false;
  try {
    await copyTextTable({ startTables, signal }, { table, parquet });
    const { bytes, mtimeMs } = await thread.calls.stat(plan.file);
    return bytes === plan.scan.bytes && mtimeMs === plan.scan.mtimeMs;
  } catch (error) {
    if (isAppError(error, 'internal') || isAppError(error, 'file_unreadable')) return false;
    if (isAppError(error, 'sql_unavailable') && error.details.reason === 'stopped') return false;
    throw error;
  }
}

/**
 * Writes the values that the reader of uploads finds.
 * @returns what can't be read as it is in the file
 * @throws AppError file_unreadable, file_changed, disk_full, file_unwritable, sql_unavailable, cancelled
 */
export async function writeByReader(
  plan: TablePlan,
  parquet: string,
  thread: CsvThread,
  { startTables, signal }: Context,
): Promise<SkippedRows> {
  const json = `${parquet}.json`;
  try {
    const skipped = await writeTableRecords(plan, json, { thread, signal });
    const columns = plan.columns.map(({ name, type, rule: { path } }) => ({
      key: path.join('.'),
      name,
      type: engineTypes[type],
    }));
    await convertToParquet({ startTables, signal }, { json, parquet, columns });
    return skipped;
  } finally {
    await rm(json, { force: true }).catch(() => undefined);
  }
}

/**
 * Writes a file of rows as Parquet, with the columns and values of an upload. The engine reads plain CSV files itself: those
 * whose cells all have forms that it reads as Wellbench does.
 * @param parquet the file to write; the caller removes it after an error
 * @throws AppError file_unreadable, file_unsuitable, file_changed, invalid_input, disk_full, file_unwritable, sql_unavailable, cancelled
 */
async function fileToParquet(
  source: SourcePlace,
  parquet: string,
  reading: ReadingOptions,
  context: Context,
): Promise<{ readonly plan: TablePlan; readonly notes: readonly string[] }> {
  const { reader, signal } = context;
  return withThread(openCsvThread, signal, async (thread) => {
    const plan = await planTable(source, reading, { reader, thread, signal });
    const notes = (await isWrittenByEngine(plan, parquet, thread, context))
      ? []
      : skippedNotes(plan, await writeByReader(plan, parquet, thread, context));
    return { plan, notes };
  });
}

const batch = { rows: 20_000, bytes: 8 << 20 };

/**
 * Writes the rows of a table to a JSON file with an array of records, read and converted as for an upload.
 * @param jsonPath created; the caller removes it
 * @returns what can't be read as it is in the file; blank rows don't count
 * @throws AppError file_unreadable, file_unsuitable, file_changed, disk_full, file_unwritable, cancelled
 */
async function writeTableRecords(
  { file, scan: { layout, rows, bytes, mtimeMs }, columns, nulls }: TablePlan,
  jsonPath: string,
  { thread, signal }: { readonly thread: CsvThread; readonly signal: AbortSignal | undefined },
): Promise<SkippedRows> {
  const rules = { columns: columns.map(({ rule }) => rule), constants: [], nulls: [...nulls], required: [] };
  await thread.calls.open({ ...file, expected: { bytes, mtimeMs }, layout, rules, rows });
  const skipped = { rows: 0, firstLine: 0, ambiguousTimes: 0 };
  let handle: FileHandle | null = null;
  try {
    handle = await open(jsonPath, 'wx', 0o600);
    let separator = '[';
    let byte = layout.dataStart;
    let line = layout.dataLine;
    for (let row = 0; row < rows;) {
      if (signal?.aborted) throw new AppError('cancelled', {});
      const prepared = await thread.calls.prepare({ byte, line, row, ...batch, body: true });
      if (prepared.body) {
        await handle.appendFile(separator);
        // Without its brackets.
        await handle.appendFile(prepared.body.subarray(1, -1));
        separator = ',\n';
      }
      for (const { code, count, lines } of prepared.problems) {
        if (code === 'empty_row') continue;
        skipped.rows += count;
        skipped.firstLine ||= lines[0] ?? 0;
      }
      skipped.ambiguousTimes += prepared.ambiguousTimes;
      ({ to: byte, nextLine: line } = prepared);
      row += prepared.rows;
    }
    await handle.appendFile(separator === '[' ? '[]' : ']');
    return skipped;
  } catch (error) {
    throw error instanceof AppError ? error : writeError(error, basename(jsonPath));
  } finally {
    await handle?.close();
  }
}

interface OpenTable extends Pick<
  SqlTable,
  'name' | 'origin' | 'label' | 'notes' | 'warnings' | 'places' | 'fileTables' | 'allOf'
> {
  readonly source: TableSource;
  /** The path of the user that the table was read from; null: none. */
  readonly input: string | null;
  /** Its file, and how it is read; absent: it isn't read as for an upload. */
  readonly read?: { readonly file: SourcePlace; readonly reading: ReadingOptions };
  /** The table's own files in the data folder, removed with it; null: it has none. */
  readonly ownFile: string | null;
  /** The query whose first records it has, and how many match; absent: all, or it isn't known. */
  readonly partOf?: AnswerPart | undefined;
  /** If it is incomplete, which part it has or is computed from, such as “at most 1,000 records”; absent: it is complete. */
  readonly part?: string | undefined;
  /** Whether a pipeline computes a path of its records, which then has no unit of the dataset. */
  readonly isComputed?: ComputesPath | undefined;
  /** The dataset whose records it has; absent: it is from a file. */
  readonly target?: FindTarget | undefined;
  /** The id of the tab whose answer it is; absent: it is of none. */
  readonly tab?: string | undefined;
}

/** The connection and the dataset of records. */
export const addressOf = ({ connection, provider, dataset }: FindTarget): string =>
  JSON.stringify([connection, provider, dataset]);

const readWith = (table: OpenTable, part: Partial<TableSource['table']>): OpenTable => ({
  ...table,
  source: { ...table.source, table: { ...table.source.table, ...part } },
});

interface AnswerPart {
  readonly find: FindRequest;
  readonly total: number;
}

interface TablesOptions {
  /** For converted tables; `clear` removes it. */
  readonly folder: string;
  readonly engine: Pick<SqlEngine, 'open' | 'describe'>;
  readonly startTables: StartTableEngine;
  readonly reader: TableReader;
  readonly filesOf: OpenedEngines['filesOf'];
}

/** The tables of SQL. Files other than Parquet are read as for an upload, and kept as Parquet while they are open. */
export class SqlTables {
  readonly #options: TablesOptions;
  #tables: readonly OpenTable[] = [];
  /** Their columns and rows, as the engine describes them. */
  #described: Awaited<ReturnType<SqlEngine['open']>> = {};
  /** Changes run one after another: each opens all tables. */
  readonly #afterOthers = createQueue();
  /** How many changes haven't ended. */
  #changes = 0;

  constructor(options: TablesOptions) {
    this.#options = options;
  }

  /** The tables as their files are now; as they are known while one is opened, which can take long. */
  async list(): Promise<SqlTable[]> {
    if (this.#changes === 0)
      await this.#afterOthers(async () => {
        this.#described = await this.#options.engine.describe().catch(() => this.#described);
      });
    return this.#tables.map((table) => this.#publicTable(table));
  }

  /** The files and folders of the user that the tables are from. */
  inputs(): string[] {
    return this.#tables.flatMap(({ input }) => input ?? []);
  }

  /**
   * Adds a file as a table. Parquet is read as it is, all else is converted first.
   * @param wanted the table's name; absent: from the file's name
   * @throws AppError file_unreadable, file_unsuitable, file_changed, invalid_input, disk_full, file_unwritable, sql_unavailable, cancelled
   */
  async addFile(
    file: SourcePlace,
    { name: wanted = tableNameOf(file.name), reading = {}, keepsNulls = false }: AddFileOptions,
    signal: AbortSignal | undefined,
  ): Promise<SqlTable> {
    const isParquet = /\.parquet$/i.test(file.name);
    if (isParquet)
      return this.#add(wanted, (name) => ({
        name,
        origin: 'file',
        label: file.name,
        input: file.path,
        notes: [],
        ownFile: null,
        source: { folder: null, table: { name, files: [file.path], keepsNulls } },
      }));
    return this.#withFile(file, reading, keepsNulls, signal, async (table) => this.#add(wanted, table));
  }

  /**
   * Reads another table of the file of a table, in its place.
   * @param number of the table in the file, from 1
   * @throws AppError as {@link addFile}
   */
  async readTable(name: string, number: number, signal: AbortSignal | undefined): Promise<SqlTable> {
    const { read, fileTables, source } = this.#named(name);
    if (!read || !fileTables?.tables[number - 1])
      throw invalidInput(`The file of table ${name} has no table ${number}. Add the file again.`);
    const other = readingOfTable(fileTables.tables, number, read.reading);
    const keepsNulls = source.table.keepsNulls ?? false;
    return this.#withFile(read.file, other, keepsNulls, signal, async (table) =>
      this.#change(name, () => table(name)),
    );
  }

  /** Reads a file as for an upload, and adds what it becomes. A failure leaves no file. */
  async #withFile<T>(
    file: SourcePlace,
    reading: ReadingOptions,
    keepsNulls: boolean,
    signal: AbortSignal | undefined,
    add: (table: (name: string) => OpenTable) => Promise<T>,
  ): Promise<T> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const parquet = join(this.#options.folder, `${randomBytes(8).toString('hex')}.parquet`);
    try {
      const context = { ...this.#options, signal };
      const { plan, notes } = await fileToParquet(file, parquet, reading, context);
      const { columns, nullNumbers, warnings, rowPlaces: places, fileTables } = plan;
      const units = Object.fromEntries(
        columns.flatMap(({ name, unit }) => (unit === null ? [] : [[name, unit]])),
      );
      return await add((name) => ({
        name,
        origin: 'file',
        label: file.name,
        input: file.path,
        read: { file, reading },
        notes: [...notes],
        warnings: [...warnings],
        places,
        fileTables,
        ownFile: parquet,
        source: { folder: null, table: { name, files: [parquet], units, keepsNulls, nullNumbers } },
      }));
    } catch (error) {
      await rm(parquet, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Adds a folder of Parquet files, such as a partitioned export or a mirror, as a table.
   * @throws AppError invalid_input if it has no Parquet files, file_unreadable, file_too_new, sql_unavailable
   */
  async addFolder(
    path: string,
    { name: newName, keepsNulls }: Omit<AddFileOptions, 'reading'> = {},
  ): Promise<SqlTable> {
    const files = await this.#options.filesOf(path);
    if (files.length === 0)
      throw invalidInput(
        `${basename(path)} contains no Parquet files. Select the folder of an export or a mirror.`,
      );
    const isPartitioned = files.some((file) => /[/\\][^/\\=]+=[^/\\]*$/.test(dirname(file)));
    // A mirror that is opened again has other files.
    const open = this.#tables.find(({ source }) => source.folder === path);
    const wanted = newName ?? open?.name ?? tableNameOf(basename(path));
    const isOpened = ({ name, source }: OpenTable): boolean => name === wanted && source.folder === path;
    const table = (name: string, earlier: OpenTable | undefined): OpenTable => ({
      name,
      origin: 'folder',
      label: basename(path),
      input: path,
      notes: [],
      ownFile: null,
      source: {
        folder: path,
        table: { name, files, isPartitioned, keepsNulls: keepsNulls ?? earlier?.source.table.keepsNulls },
      },
    });
    return this.#add(wanted, table, isOpened);
  }

  /**
   * Adds records that were written to a Parquet file of the data folder, which the table then owns. All records of a query
   * replace earlier ones of the same query. Others replace the table that has the first records of the same tab. It is read
   * as that was.
   * @throws AppError sql_unavailable
   */
  async addAnswer({
    name: wanted,
    path,
    units,
    replacedFile,
    notes = [],
    ...answer
  }: AnswerTable): Promise<SqlTable> {
    const { label, tab, allOf, isComputed } = answer;
    // A file or a whole dataset can have the name of a tab.
    const isEarlier = (open: OpenTable): boolean =>
      allOf
        ? open.allOf?.query === allOf.query && addressOf(open.allOf) === addressOf(allOf)
        : replacedFile === undefined
          ? open.origin === 'answer' && open.label === label && open.tab === tab && !open.allOf
          : open.ownFile === replacedFile;
    const table = (name: string, earlier: OpenTable | undefined): OpenTable => ({
      ...answer,
      name,
      origin: 'answer',
      input: null,
      notes: [...notes],
      ownFile: path,
      source: {
        folder: null,
        table: {
          name,
          files: [path],
          units: units && withoutComputed(units, isComputed),
          keepsNulls: earlier?.source.table.keepsNulls,
        },
      },
    });
    return this.#add(wanted, table, isEarlier);
  }

  /** The datasets whose records the tables have. */
  targets(): FindTarget[] {
    return this.#tables.flatMap(({ target }) => target ?? []);
  }

  /** Gives the tables with records of a dataset other units. @throws AppError sql_unavailable */
  async setUnits(of: FindTarget, units: Readonly<Record<string, string>>): Promise<void> {
    await this.#inTurn(async () =>
      this.#replace(
        this.#tables.map((table) =>
          table.target && addressOf(table.target) === addressOf(of)
            ? readWith(table, { units: withoutComputed(units, table.isComputed) })
            : table,
        ),
      ),
    );
  }

  /** The query whose first records a table has. @throws AppError invalid_input if it has all */
  partOf(name: string): AnswerPart & Pick<OpenTable, 'label' | 'tab'> & Pick<AnswerTable, 'replacedFile'> {
    const table = this.#tables.find((openTable) => openTable.name === name);
    if (!table?.partOf) throw invalidInput(`Table ${name} already contains all its rows.`);
    return {
      ...table.partOf,
      label: table.label,
      tab: table.tab,
      replacedFile: table.ownFile ?? undefined,
    };
  }

  /** What a statement reads of tables that have only a part of their records; undefined: nothing. */
  computedFrom(sql: string): string | undefined {
    const parts = this.#tables.flatMap(({ name, part }) =>
      part !== undefined && new RegExp(String.raw`\b${name}\b`, 'i').test(sql) ? [`${part} of ${name}`] : [],
    );
    return parts.length === 0 ? undefined : parts.join(' and ');
  }

  /** Reads numbers such as -999.25 of a table as null, or as numbers. @throws AppError invalid_input, sql_unavailable */
  async keepNulls(name: string, keepsNulls: boolean): Promise<SqlTable> {
    return this.#change(name, (table) => readWith(table, { keepsNulls }));
  }

  #named(name: string): OpenTable {
    const table = this.#tables.find((openTable) => openTable.name === name);
    if (!table) throw invalidInput(`Table ${name} is closed. Add it again.`);
    return table;
  }

  /** Replaces a table at its place. */
  async #change(name: string, change: (table: OpenTable) => OpenTable): Promise<SqlTable> {
    return this.#inTurn(async () => {
      const table = this.#named(name);
      const changed = change(table);
      await this.#replace(this.#tables.map((openTable) => (openTable === table ? changed : openTable)));
      return this.#publicTable(changed);
    });
  }

  /** Does nothing without a table of that name. */
  async remove(name: string): Promise<void> {
    await this.#inTurn(async () => this.#replace(this.#tables.filter((table) => table.name !== name)));
  }

  /** Removes all files of tables, also those that a crash left. Never fails. */
  async clear(): Promise<void> {
    this.#tables = [];
    await rm(this.#options.folder, { recursive: true, force: true }).catch(() => undefined);
  }

  #publicTable(table: OpenTable): SqlTable {
    const { name, origin, label, notes, warnings, places, fileTables, partOf, allOf, source } = table;
    const described = this.#described[name];
    return {
      name,
      origin,
      label,
      notes: [...notes, ...(described?.notes ?? [])],
      warnings,
      places,
      fileTables,
      allOf,
      keepsNulls: source.table.keepsNulls ?? false,
      columns: described?.columns ?? [],
      rows: described?.rows ?? 0,
      total: partOf?.total ?? null,
    };
  }

  async #replace(next: readonly OpenTable[]): Promise<void> {
    const { engine } = this.#options;
    const opened = await engine.open(next.map(({ source }) => source));
    // A table whose file is gone meanwhile stays, and says so; it must not stop others from being added.
    const failed = next.find((table) => !this.#tables.includes(table) && opened[table.name]?.problem);
    if (failed) {
      this.#described = await engine.open(this.#tables.map(({ source }) => source));
      throw fromBody(opened[failed.name]?.problem);
    }
    this.#described = opened;
    const kept = new Set(next.map((table) => table.ownFile));
    const removed = this.#tables.filter(({ ownFile }) => !kept.has(ownFile));
    this.#tables = next;
    for (const { ownFile } of removed)
      if (ownFile !== null) await rm(ownFile, { force: true }).catch(() => undefined);
  }

  async #inTurn<T>(change: () => Promise<T>): Promise<T> {
    this.#changes += 1;
    try {
      return await this.#afterOthers(change);
    } finally {
      this.#changes -= 1;
    }
  }

  /** Adds a table, in place of one that is to be replaced, of the same name if there are several. */
  async #add(
    wanted: string,
    make: (name: string, earlier: OpenTable | undefined) => OpenTable,
    isReplaced: (open: OpenTable) => boolean = () => false,
  ): Promise<SqlTable> {
    return this.#inTurn(async () => {
      const replaced = this.#tables.filter(isReplaced);
      const earlier = replaced.find(({ name }) => name === wanted) ?? replaced[0];
      const table = make(earlier?.name ?? freeName(wanted, this.#tables), earlier);
      await this.#replace([...this.#tables.filter(({ name }) => name !== table.name), table]);
      return this.#publicTable(table);
    });
  }
}

export interface AnswerTable extends Pick<
  OpenTable,
  'name' | 'label' | 'tab' | 'allOf' | 'partOf' | 'part' | 'isComputed'
> {
  readonly path: string;
  readonly target: FindTarget;
  /** Units by column; absent: those that the file names. */
  readonly units?: Readonly<Record<string, string>>;
  /** The file of the only table that it replaces: the tab may have another one by now. */
  readonly replacedFile?: string | undefined;
  /** What is to be known about its values. */
  readonly notes?: readonly string[] | undefined;
}

interface AddFileOptions {
  readonly name?: string | undefined;
  readonly reading?: ReadingOptions | undefined;
  /** Whether numbers such as -999.25 stay numbers; default: they are null. */
  readonly keepsNulls?: boolean | undefined;
}

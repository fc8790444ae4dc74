import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as z from 'zod';
import { AppError, invalidInput, type ErrorBody } from '../../shared/errors/errors.ts';
import type { SqlColumn } from '../../shared/sql/sql.ts';
import { nullTokens } from '../../shared/upload/null-tokens.ts';

/** A table of the engine: Parquet files. */
export interface EngineTable {
  readonly name: string;
  /** Paths of files. The engine can read these, and nothing else. */
  readonly files: readonly string[];
  /** Whether folders such as `asset_id=5003` are columns. */
  readonly isPartitioned: boolean;
  /** Units by column, where the files don't name them. */
  readonly units: Readonly<Record<string, string>>;
}

/** A name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A text in SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const list = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`;

const sourceOf = ({ files, isPartitioned }: EngineTable): string =>
  `read_parquet(${list(files)}, hive_partitioning = ${isPartitioned}, union_by_name = true)`;

/** The names of columns in SQL: a field of a record, such as `data.rop`, is usable without quotes. */
function columnNames(names: readonly string[]): (column: string) => string {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const plainNames = new Map<string, string>();
  for (const name of names) {
    const plain = name.replaceAll('.', '_');
    if (!/^[\w.]+$/.test(name) || taken.has(plain.toLowerCase())) continue;
    taken.add(plain.toLowerCase());
    plainNames.set(name, plain);
  }
  return (column) => plainNames.get(column) ?? column;
}

const storedColumns = z.array(z.object({ name: z.string(), unit: z.string().optional() }));

/** The units that a Parquet file of Wellbench names in its metadata, by column; none if it has no such entry. */
async function unitsOf(
  connection: DuckDBConnection,
  { files }: EngineTable,
): Promise<Record<string, string>> {
  const reader = await connection
    .runAndReadAll(
      `SELECT decode(value) FROM parquet_kv_metadata(${list(files.slice(0, 1))}) WHERE decode(key) = 'wellbench.columns' LIMIT 1`,
    )
    .catch(() => null);
  const text = reader?.getRows()[0]?.[0];
  const columns = typeof text === 'string' ? storedColumns.safeParse(JSON.parse(text)).data : undefined;
  return Object.fromEntries(
    (columns ?? []).flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
  );
}

/**
 * Notes about numbers that are often null values, which a sum or a mean would count. They are the lowest of their
 * column, so the statistics of the files tell.
 */
async function nullNotes(
  connection: DuckDBConnection,
  { files }: EngineTable,
  nameOf: (column: string) => string,
): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `SELECT token, list(DISTINCT path_in_schema ORDER BY path_in_schema)::JSON::VARCHAR
     FROM (SELECT path_in_schema, TRY_CAST(stats_min_value AS DOUBLE) AS token FROM parquet_metadata(${list(files)})
           WHERE type IN ('INT32', 'INT64', 'FLOAT', 'DOUBLE'))
     WHERE token IN (${nullTokens.join(', ')}) GROUP BY token ORDER BY token DESC`,
  );
  return reader.getRows().map(([token, columns]) => {
    const names = z
      .array(z.string())
      .parse(JSON.parse(String(columns)))
      .map(nameOf);
    return `${String(token)} in ${names.join(', ')} may mean null, but is a number here. To leave it out, write NULLIF(column, ${String(token)}).`;
  });
}

export interface OpenedTable {
  readonly columns: SqlColumn[];
  readonly rows: number;
  /** What a reader should know of its values. */
  readonly notes: readonly string[];
  /** Why it can't be read, so that it has no columns; null: it can. */
  readonly problem: ErrorBody | null;
}

/** Opens a table. One whose files can't be read has a problem, which concerns no other table. */
async function openTable(connection: DuckDBConnection, table: EngineTable): Promise<OpenedTable> {
  try {
    await checkFiles([table]);
    return await openReadable(connection, table);
  } catch (cause) {
    if (cause instanceof AppError && cause.is('internal')) throw cause;
    // The engine's own message has paths.
    const error =
      cause instanceof AppError
        ? cause
        : invalidInput(
            `Table ${table.name} can’t be opened: its files are missing, damaged, or not Parquet. Remove the table, or export the data again.`,
          );
    return { columns: [], rows: 0, notes: [error.message], problem: error.toBody() };
  }
}

async function openReadable(connection: DuckDBConnection, table: EngineTable): Promise<OpenedTable> {
  const source = sourceOf(table);
  const found = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
  const described = found.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const units = { ...(await unitsOf(connection, table)), ...table.units };
  const nameOf = columnNames(described.map(({ name }) => name));
  const selected = described.map(({ name }) => `${quoted(name)} AS ${quoted(nameOf(name))}`);
  await connection.run(`CREATE VIEW ${quoted(table.name)} AS SELECT ${selected.join(', ')} FROM ${source}`);
  const count = await connection.runAndReadAll(`SELECT count(*) FROM ${quoted(table.name)}`);
  return {
    columns: described.map(({ name, type }) => ({ name: nameOf(name), type, unit: units[name] ?? null })),
    rows: Number(count.getRows()[0]?.[0] ?? 0),
    notes: await nullNotes(connection, table, nameOf),
    problem: null,
  };
}

/**
 * Checks that the files of tables are regular files: the engine would wait forever for the content of a pipe.
 * @throws AppError `invalid_input`
 */
export async function checkFiles(tables: readonly EngineTable[]): Promise<void> {
  const files = tables.flatMap((table) => table.files.map((file) => ({ file, table })));
  await Promise.all(
    files.map(async ({ file, table }) => {
      if ((await stat(file).catch(() => null))?.isFile()) return;
      const one = table.files.length === 1 ? 'its file' : `its file ${basename(file)}`;
      throw invalidInput(
        `Table ${table.name} can’t be read: ${one} is missing, or isn’t a file. Remove the table, or add it again.`,
        { field: 'sql' },
      );
    }),
  );
}

export interface OpenedTables {
  readonly tables: Record<string, OpenedTable>;
  /** What the engine's own catalog has, in lower case. */
  readonly catalog: ReadonlySet<string>;
}

/** @returns names of the engine's own views and tables, in lower case */
async function catalogNames(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const reader = await connection.runAndReadAll(
    'SELECT lower(view_name) FROM duckdb_views() UNION SELECT lower(table_name) FROM duckdb_tables()',
  );
  return new Set(reader.getRows().map(([name]) => String(name)));
}

/** Opens tables, and locks the engine, which can write into one folder only. */
export async function openTables(
  connection: DuckDBConnection,
  tables: readonly EngineTable[],
  outFolder: string,
): Promise<OpenedTables> {
  const catalog = await catalogNames(connection);
  const opened: Record<string, OpenedTable> = {};
  await connection.run(`SET TimeZone = 'UTC'`);
  await connection.run(`SET allowed_paths = ${list(tables.flatMap(({ files }) => files))}`);
  await connection.run(`SET allowed_directories = ${list([outFolder])}`);
  await connection.run('SET enable_external_access = false');
  for (const table of tables) opened[table.name] = await openTable(connection, table);
  await connection.run('SET lock_configuration = true');
  return { tables: opened, catalog };
}

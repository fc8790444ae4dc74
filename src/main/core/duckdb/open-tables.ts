import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as z from 'zod';
import { AppError, invalidInput, type ErrorBody } from '../../../shared/errors/errors.ts';
import { unitOf } from '../../../shared/channels/units.ts';
import { jsonOrNull, valueUnder } from '../../../shared/json.ts';
import { countInWords, maxOf } from '../../../shared/lists.ts';
import type { SqlColumn } from '../../../shared/sql/sql.ts';
import {
  isUnmarkedInstant,
  maxDecimalDigits,
  pandasUnits,
  unusualElements,
  unreadableDecimals,
} from './parquet-file.ts';
import { lockSettings, restrict } from './locked.ts';
import { literal, quoted } from '../../../shared/sql/names.ts';
import { list, patternOf } from './sql-text.ts';
import { furtherNulls, isFarBeyond, isNullNumber, nullTokens } from '../../../shared/upload/null-tokens.ts';
import { stat } from '../../world/files.ts';

/** A table of the engine: Parquet files. */
export interface EngineTable {
  readonly name: string;
  /** Paths of files. The engine can read these, and nothing else. */
  readonly files: readonly string[];
  /** Whether folders such as `asset_id=5003` are columns; absent: they aren't. */
  readonly isPartitioned?: boolean;
  /** Units by column; absent: those that the files name. */
  readonly units?: Readonly<Record<string, string>> | undefined;
  /** Numbers that mean null in its columns, in addition to the usual ones such as -999.25. */
  readonly nullNumbers?: readonly number[] | undefined;
  /** Whether numbers such as -999.25 stay numbers; absent: they are read as null. */
  readonly keepsNulls?: boolean | undefined;
  /** Why it can't be read, and has no files; absent: it can. */
  readonly problem?: ErrorBody | undefined;
}

const patternsOf = (files: readonly string[]): string => list(files.map(patternOf));

const sourceOf = ({ files, isPartitioned = false }: EngineTable): string =>
  `read_parquet(${patternsOf(files)}, hive_partitioning = ${isPartitioned}, union_by_name = true)`;

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

const storedColumns = z.array(
  z.object({ name: z.string(), path: z.string().optional(), unit: z.string().optional() }),
);

interface StoredColumn {
  readonly name: string;
  readonly path: string | undefined;
  /** Each once. */
  readonly units: readonly string[];
}

/** The name of a column as files agree on it: the engine makes one column of those whose names differ in case only. */
const sharedName = (column: string): string => column.toLowerCase();

/** The columns that a metadata value of Wellbench or pandas names. */
const columnsIn = (text: string): z.infer<typeof storedColumns> =>
  storedColumns.safeParse(jsonOrNull(text)).data ??
  [...pandasUnits(text)].map(([name, unit]) => ({ name, unit }));

/** The columns that Parquet files name in their metadata, each once; only those of Wellbench have paths. */
async function storedColumnsOf(
  connection: DuckDBConnection,
  { files }: EngineTable,
): Promise<readonly StoredColumn[]> {
  const reader = await connection
    .runAndReadAll(
      `SELECT decode(value) AS text FROM parquet_kv_metadata(${patternsOf(files)})
       WHERE decode(key) = 'wellbench.columns' OR (decode(key) = 'pandas' AND contains(text, '"units"'))
       GROUP BY ALL ORDER BY min(file_name)`,
    )
    .catch(() => null);
  const columns = (reader?.getRows() ?? []).flatMap(([text]) => columnsIn(String(text)));
  return [...Map.groupBy(columns, ({ name }) => sharedName(name)).values()].map((same) => {
    const units = same.flatMap(({ unit }) => unit || []);
    return {
      name: same[0]?.name ?? '',
      path: same[0]?.path,
      units: [...Map.groupBy(units, (unit) => unitOf(unit)?.symbol ?? unit).values()].flatMap(
        ([unit]) => unit ?? [],
      ),
    };
  });
}

/** What files say in different units: these columns have none. */
const unitNotes = (stored: readonly StoredColumn[], nameOf: (column: string) => string): string[] =>
  stored.flatMap(({ name, units }) =>
    units.length < 2
      ? []
      : [
          `${nameOf(name)} is in different units in different files: ${units.join(', ')}. Convert them before you compare them.`,
        ],
  );

/** What is in further columns of a field, because its first one can't have it: aggregates of one column don't have these. */
async function splitNotes(
  connection: DuckDBConnection,
  { files }: EngineTable,
  stored: readonly StoredColumn[],
  nameOf: (column: string) => string,
): Promise<string[]> {
  const split = [...Map.groupBy(stored, ({ name, path = name }) => path).values()].flatMap(
    ([first, ...others]) => others.map(({ name }) => ({ first: first?.name ?? name, name })),
  );
  if (split.length === 0) return [];
  const reader = await connection.runAndReadAll(
    `SELECT path_in_schema, CAST(sum(num_values - coalesce(stats_null_count, 0)) AS DOUBLE)
     FROM parquet_metadata(${patternsOf(files)}) WHERE path_in_schema IN (${split.map(({ name }) => literal(name)).join(', ')}) GROUP BY ALL`,
  );
  const counts = new Map(reader.getRows().map(([name, count]) => [String(name), Number(count)]));
  return split.flatMap(({ first, name }) => {
    const count = counts.get(name) ?? 0;
    return count === 0
      ? []
      : [
          `${countInWords(count, 'value', 'values')} of ${nameOf(first)} with another type ${count === 1 ? 'is' : 'are'} in ${nameOf(name)}.`,
        ];
  });
}

/**
 * The columns that may have null values such as -999.25, with their lowest and highest number: null values lie outside most
 * measurements, so the statistics of the files show whether there are any. Files without statistics may have some.
 * @returns by {@link sharedName}; null: unknown in at least one of the files
 */
async function endsOfNumbers(
  connection: DuckDBConnection,
  { files, nullNumbers = [] }: EngineTable,
): Promise<ReadonlyMap<string, readonly (number | null)[]>> {
  const reader = await connection.runAndReadAll(
    `SELECT lower(path_in_schema) AS shared, bool_or(stats_min_value IS NULL AND coalesce(stats_null_count, 0) < num_values) AS isOpen,
       min(TRY_CAST(stats_min_value AS DOUBLE)) AS lowest, max(TRY_CAST(stats_max_value AS DOUBLE)) AS highest
     FROM parquet_metadata(${patternsOf(files)}) WHERE type IN ('INT32', 'INT64', 'FLOAT', 'DOUBLE') AND num_values > 0
     GROUP BY shared HAVING lowest <= ${maxOf(nullTokens)} OR highest >= ${maxOf(furtherNulls)} OR isOpen OR ${nullNumbers.length > 0}`,
  );
  return new Map(
    reader
      .getRows()
      .map(([path, isOpen, ...ends]) => [
        sharedName(String(path)),
        ends.map((end) => (typeof end === 'number' && isOpen === false ? end : null)),
      ]),
  );
}

/** Numbers as 64-bit and 32-bit columns store them. */
const inTypes = (numbers: readonly number[]): number[] => [
  ...new Set([...numbers, ...numbers.map(Math.fround)]),
];

/** The null value that a number of a column is, perhaps as 32 bits store it: 1e30. */
const tokenOf = (number: number): number =>
  furtherNulls.find((token) => inTypes([token]).includes(number)) ?? number;

/** The null values that columns have as numbers, as they store them. */
async function nullNumbersIn(
  connection: DuckDBConnection,
  source: string,
  columns: readonly string[],
  tokens: readonly number[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (columns.length === 0) return new Map();
  const numbers = inTypes(tokens);
  const selects = columns.map((column) => {
    const value = `CAST(${quoted(column)} AS DOUBLE)`;
    return `SELECT DISTINCT ${literal(column)}, ${value} FROM ${source} WHERE ${value} IN (${numbers.join(', ')})`;
  });
  const reader = await connection.runAndReadAll(selects.join(' UNION ALL '));
  const byColumn = Map.groupBy(reader.getRows(), ([column]) => String(column));
  return new Map(
    [...byColumn].map(([column, rows]) => [
      column,
      numbers.filter((number) => rows.some(([, value]) => value === number)),
    ]),
  );
}

/**
 * Which of the numbers such as 1e30 in columns of a file mean null, as the reader of uploads decides: no column that has one
 * has another number near it.
 * @param columns with the null values that they have
 */
async function furtherNullsIn(
  connection: DuckDBConnection,
  source: string,
  columns: ReadonlyMap<string, readonly number[]>,
): Promise<readonly number[]> {
  const pairs = [...columns].flatMap(([column, numbers]) =>
    furtherNulls
      .filter((token) => numbers.some((number) => tokenOf(number) === token))
      .map((token) => ({ column, token })),
  );
  if (pairs.length === 0) return [];
  const all = inTypes([...nullTokens, ...furtherNulls]).join(', ');
  const nearest = pairs.map(({ column, token }) => {
    const value = `CAST(${quoted(column)} AS DOUBLE)`;
    return `${token < 0 ? 'min' : 'max'}(${value}) FILTER (isfinite(${value}) AND ${value} NOT IN (${all}))`;
  });
  // A damaged column stops only statements that read it.
  const reader = await connection
    .runAndReadAll(`SELECT ${nearest.join(', ')} FROM ${source}`)
    .catch(() => null);
  const [row = []] = reader?.getRows() ?? [];
  return furtherNulls.filter((token) => {
    const numbers = row.filter((number, at) => typeof number === 'number' && pairs[at]?.token === token);
    return numbers.length > 0 && numbers.every((number) => isFarBeyond(token, Number(number)));
  });
}

interface TableNulls {
  /** The numbers that mean null in the table. */
  readonly tokens: readonly number[];
  /** Those of each column that may have some, as it stores them; where they are read as null, perhaps only the lowest. */
  readonly byColumn: ReadonlyMap<string, readonly number[]>;
}

async function nullsOf(
  connection: DuckDBConnection,
  table: EngineTable,
  stored: readonly StoredColumn[],
  numeric: readonly string[],
): Promise<TableNulls> {
  const { keepsNulls = false, nullNumbers } = table;
  const source = sourceOf(table);
  // Records have no further ones, and the reader of uploads says which ones its files have.
  const isForeign = nullNumbers === undefined && stored.every(({ path }) => path === undefined);
  const moreTokens = nullNumbers ?? (isForeign ? furtherNulls : []);
  const ends = await endsOfNumbers(connection, table);
  const columns = numeric.filter((name) => ends.has(sharedName(name)));
  // Where the statistics name one, a scan of all rows would only add others, which notes don't need.
  const lowestOnly = new Map(
    columns.flatMap((name) => {
      const [lowest = null, highest = null] = ends.get(sharedName(name)) ?? [];
      if (keepsNulls || lowest === null || !isNullNumber(lowest)) return [];
      const mayHaveOthers = moreTokens.some((token) => token >= lowest && token <= (highest ?? token));
      return mayHaveOthers ? [] : [[name, [lowest]] as const];
    }),
  );
  const scan = (names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> =>
    nullNumbersIn(connection, source, names, [...nullTokens, ...moreTokens]);
  const rest = columns.filter((name) => !lowestOnly.has(name));
  const scanned = await scan(rest).catch(async (error: unknown) => {
    if (keepsNulls) throw error;
    // A damaged column stops only statements that read it.
    const rescanned = new Map<string, readonly number[]>();
    for (const name of rest)
      for (const [key, numbers] of await scan([name]).catch(() => [])) rescanned.set(key, numbers);
    return rescanned;
  });
  const tokens = [
    ...nullTokens,
    ...(isForeign ? await furtherNullsIn(connection, source, scanned) : moreTokens),
  ];
  const byColumn = columns.map((name) => {
    const numbers = lowestOnly.get(name) ?? scanned.get(name) ?? [];
    return [name, numbers.filter((number) => tokens.includes(tokenOf(number)))] as const;
  });
  return { tokens, byColumn: new Map(byColumn) };
}

function withoutNulls(column: string, type: string, ofTable: readonly number[]): string {
  const isWhole = /INT$|INTEGER$/.test(type);
  const tokens = isWhole ? ofTable.filter(Number.isSafeInteger) : inTypes(ofTable);
  // Without a cast: a small decimal holds none of them, or would round them to other numbers.
  // Without IN, which the engine turns into a join: statements would read the columns that they don't name, too.
  return `CASE ${column} ${tokens.map((token) => `WHEN ${token} THEN NULL`).join(' ')} ELSE ${column} END`;
}

/** What a reader should know of the null values of columns, by their value. */
function nullNotes(columns: readonly SqlColumn[], keepsNulls: boolean): string[] {
  const names = Map.groupBy(
    columns.flatMap(({ name, nullNumbers = [] }) => nullNumbers.map((value) => ({ name, value }))),
    ({ value }) => (keepsNulls ? value : tokenOf(value)),
  );
  return [...names]
    .toSorted(([a], [b]) => b - a)
    .map(([value, ofValue]) => {
      const list = [...new Set(ofValue.map(({ name }) => name))].join(', ');
      return keepsNulls
        ? `${tokenOf(value)} in ${list} may mean null, but is a number here. To treat it as null, write NULLIF(column, ${value}).`
        : `${value} in ${list} is read as null.`;
    });
}

const isNumeric = (type: string): boolean => /INT$|INTEGER$|^(?:DOUBLE|FLOAT|DECIMAL)/.test(type);

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
  if (table.problem) return { columns: [], rows: 0, notes: [table.problem.message], problem: table.problem };
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

/**
 * The columns with instants that the engine takes for times without a zone, by {@link sharedName}.
 * @throws AppError `invalid_input` for decimals that the engine would read as other numbers
 */
async function unmarkedInstants(
  connection: DuckDBConnection,
  { name, files }: EngineTable,
): Promise<ReadonlySet<string>> {
  const elements = await unusualElements(connection, files);
  const [decimal] = unreadableDecimals(elements);
  if (decimal)
    throw invalidInput(
      `Table ${name} can’t be read: its column ${decimal.name} has decimals of ${decimal.precision} digits; Wellbench reads up to ${maxDecimalDigits}. Write the file with fewer digits.`,
    );
  return new Set(elements.filter(isUnmarkedInstant).map((element) => sharedName(element.name)));
}

async function openReadable(connection: DuckDBConnection, table: EngineTable): Promise<OpenedTable> {
  const source = sourceOf(table);
  const instants = await unmarkedInstants(connection, table);
  const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
  const described = reader.getRows().map(([name, type]) => ({
    name: String(name),
    type:
      instants.has(sharedName(String(name))) && type === 'TIMESTAMP'
        ? 'TIMESTAMP WITH TIME ZONE'
        : String(type),
  }));
  const stored = await storedColumnsOf(connection, table);
  const nameIn = new Map(described.map(({ name }) => [sharedName(name), name]));
  const storedUnits = stored.flatMap(({ name, units: [unit, ...others] }) =>
    unit === undefined || others.length > 0 ? [] : [[nameIn.get(sharedName(name)) ?? name, unit] as const],
  );
  const units = table.units ?? Object.fromEntries(storedUnits);
  const nameOf = columnNames(described.map(({ name }) => name));
  const { keepsNulls = false } = table;
  const numeric = described.filter(({ type }) => isNumeric(type)).map(({ name }) => name);
  const nulls = await nullsOf(connection, table, stored, numeric);
  const selected = described.map(({ name, type }) => {
    const hasNulls = !keepsNulls && nulls.byColumn.has(name);
    const value = instants.has(sharedName(name)) ? `${quoted(name)}::${type}` : quoted(name);
    return `${hasNulls ? withoutNulls(quoted(name), type, nulls.tokens) : value} AS ${quoted(nameOf(name))}`;
  });
  await connection.run(`CREATE VIEW ${quoted(table.name)} AS SELECT ${selected.join(', ')} FROM ${source}`);
  const count = await connection.runAndReadAll(`SELECT count(*) FROM ${source}`);
  const columns = described.map(({ name, type }) => {
    const numbers = nulls.byColumn.get(name) ?? [];
    const nullNumbers = numbers.length > 0 ? { nullNumbers: [...numbers] } : {};
    const items = Object.entries(units).flatMap(([path, unit]) =>
      path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), unit] as const] : [],
    );
    const itemUnits = items.length > 0 ? { itemUnits: Object.fromEntries(items) } : {};
    return { name: nameOf(name), type, unit: valueUnder(units, name) ?? null, ...itemUnits, ...nullNumbers };
  });
  return {
    columns: keepsNulls ? columns : columns.map(({ nullNumbers: _nullNumbers, ...column }) => column),
    rows: Number(count.getRows()[0]?.[0] ?? 0),
    notes: [
      ...(table.units ? [] : unitNotes(stored, nameOf)),
      ...nullNotes(columns, keepsNulls),
      ...(await splitNotes(connection, table, stored, nameOf)),
    ],
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
      const missingFile = table.files.length === 1 ? 'its file' : `its file ${basename(file)}`;
      throw invalidInput(
        `Table ${table.name} can’t be read: ${missingFile} is missing, or isn’t a file. Remove the table, or add it again.`,
        { field: 'sql' },
      );
    }),
  );
}

interface OpenedTables {
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
  outFolder: string | null,
): Promise<OpenedTables> {
  const catalog = await catalogNames(connection);
  const opened: Record<string, OpenedTable> = {};
  const files = tables.flatMap((table) => table.files);
  await restrict(connection, { files, folders: outFolder === null ? [] : [outFolder] });
  for (const table of tables) opened[table.name] = await openTable(connection, table);
  await lockSettings(connection);
  return { tables: opened, catalog };
}

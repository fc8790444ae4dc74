import { invalidInput, AppError, type Issue } from '../../../shared/errors/errors.ts';
import { isObject, type JsonValue } from '../../../shared/json.ts';
import { firstInWords } from '../../../shared/lists.ts';
import { basename, dirname, sep } from 'node:path';
import { allowedPaths } from './sql-text.ts';
import type { EngineTable } from './open-tables.ts';

/** What stands for paths in the engine's messages: the window must not see them. */
export type PathNames = readonly (readonly [path: string, name: string])[];

/** The names of the paths that the engine was given: of a file, its table; of one of many files, with its own name. */
export function pathNames(tables: readonly EngineTable[], spillFolder: string): PathNames {
  const files = tables.flatMap(({ name, files: paths }) =>
    paths.flatMap((path) => {
      const shown = paths.length === 1 ? name : `${name}/${basename(path)}`;
      return allowedPaths([path]).map((allowed): [string, string] => [allowed, shown]);
    }),
  );
  const folders = [...new Set(files.map(([path]) => dirname(path)))];
  const names: [string, string][] = [
    ...files,
    ...folders.map((folder): [string, string] => [folder + sep, '']),
    [spillFolder + sep, ''],
    [spillFolder, 'the folder for temporary files'],
  ];
  // A path may be the start of another.
  return names.sort(([a], [b]) => b.length - a.length);
}

const withoutPaths = (message: string, names: PathNames): string =>
  names.reduce((text, [path, name]) => text.replaceAll(path, name), message);

/** Faults of the engine itself, after which it refuses every statement. */
export const isFatal = (message: string): boolean =>
  /^(?:FATAL|INTERNAL) Error|database has been invalidated/i.test(message);

/** Whether a message of the engine says that the disk is full. */
export const isDiskFull = (message: string): boolean =>
  /No space left on device|not enough space on the disk|max_temp_directory_size/i.test(message);

/**
 * The error of a statement: what the engine says, without paths.
 * @returns AppError `invalid_input` with line and column; `disk_full`; `sql_unavailable` if the engine itself failed; an
 * AppError as it is
 */
export function engineError(cause: unknown, names: PathNames): AppError {
  if (cause instanceof AppError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isFatal(message)) return new AppError('sql_unavailable', { reason: 'stopped' }, { cause });
  if (isDiskFull(message))
    return new AppError('disk_full', { file: 'temporary data of the SQL engine', writtenBytes: 0 });
  if (/^IO Error|^Permission Error|No magic bytes|too small to be a Parquet file/i.test(message)) {
    const table = names.find(([path, name]) => name !== '' && message.includes(path));
    if (table)
      return invalidInput(
        `Table ${table[1]} can’t be read: its file is missing, damaged, or was replaced while the statement ran. Run it again, or add the table again.`,
        { field: 'sql' },
      );
  }
  return statementError(withoutPaths(message, names));
}

/**
 * A module that needs the engine's library, which is missing on some computers.
 * @throws AppError `sql_unavailable` if it can't be loaded
 */
export const loadWithLibrary = async <T>(module: Promise<T>): Promise<T> =>
  module.catch((cause: unknown) => {
    throw new AppError('sql_unavailable', { reason: 'missing' }, { cause });
  });

/** The error of a statement whose values don't fit into memory. */
export const valuesTooLong = (): AppError =>
  invalidInput(
    'The values of the rows are too long for the memory. Select fewer columns, or shorten values, for example with left().',
    { field: 'sql' },
  );

/** Table functions that make rows of their arguments; all others read files, settings, or the catalog. */
const tableFunctions: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest', 'repeat']);

/**
 * Functions that tell about the engine or this computer, look into the catalog, run or plan other statements, or only
 * wait. All others calculate with their arguments; a test lists the functions of the engine, so that a new one is seen.
 */
const refusedFunctions: ReadonlySet<string> = new Set([
  'col_description',
  'current_connection_id',
  'current_query_id',
  'current_setting',
  'current_transaction_id',
  'currval',
  'format_type',
  'get_block_size',
  'getenv',
  'getvariable',
  'in_search_path',
  'json_deserialize_sql',
  'json_execute_serialized_sql',
  'json_serialize_plan',
  'json_serialize_sql',
  'nextval',
  'obj_description',
  'query',
  'query_table',
  'shobj_description',
  'sleep_ms',
  'txid_current',
  'write_log',
]);

/** Functions of the catalog of PostgreSQL, which read the engine's own. */
const isCatalogFunction = (name: string): boolean =>
  /^(?:pg|inet|has)_/.test(name) && !['pg_size_pretty', 'pg_typeof'].includes(name);

/** The nodes of a syntax tree, other than expressions, that read nothing by themselves. */
const plainNodes =
  /^(?:(?:SELECT|SET_OPERATION|RECURSIVE_CTE|CTE)_NODE|SUBQUERY|JOIN|EXPRESSION_LIST|EMPTY|PIVOT|BASE_TABLE|TABLE_FUNCTION|SHOW_REF|(?:ORDER|LIMIT|LIMIT_PERCENT|DISTINCT)_MODIFIER|ORDER_DEFAULT|ASCENDING|DESCENDING|\w+_TYPE_INFO)$/;

export interface ReadableNames {
  readonly tables: readonly string[];
  /** What the engine's own catalog has, in lower case. */
  readonly catalog: ReadonlySet<string>;
}

/** Line and column, from 1, of a character of the statement. */
function placeAt(sql: string, character: number) {
  const before = sql.slice(0, character).split('\n');
  return { field: 'sql', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The character at a position in bytes. */
const characterAt = (sql: string, byte: number): number =>
  Buffer.from(sql, 'utf8').subarray(0, byte).toString('utf8').length;

/** A text of a syntax tree; empty: it is something else. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/**
 * Checks that a statement only reads the given tables.
 * @param tree the syntax tree that the engine makes of a statement (`json_serialize_sql`)
 * @returns the open tables that the statement names
 * @throws AppError `invalid_input` with the place of what is refused
 */
export function checkStatement(
  sql: string,
  tree: JsonValue,
  { tables, catalog }: ReadableNames,
): ReadonlySet<string> {
  const refuse = (message: string, byte?: JsonValue, lists?: Issue['lists']): AppError =>
    invalidInput(
      message,
      placeAt(sql, characterAt(sql, typeof byte === 'number' || typeof byte === 'string' ? Number(byte) : 0)),
      lists,
    );
  // The engine would ignore all that follows one.
  if (sql.includes('\0')) throw refuse('The statement has a null character. Remove it.');
  if (!isObject(tree)) throw refuse('This isn’t a SQL statement. Write a SELECT statement.');
  if (tree['error'] === true) {
    if (tree['error_type'] === 'parser')
      throw refuse(`${sentence(textOf(tree['error_message']))} Correct the statement.`, tree['position']);
    throw refuse('Only SELECT statements are run, not EXPLAIN, PIVOT, or changes. Write a SELECT statement.');
  }
  const statements = Array.isArray(tree['statements']) ? tree['statements'] : [];
  if (statements.length === 0) throw refuse('The statement is empty. Write a SELECT statement.');
  if (statements.length > 1) throw refuse('Write one statement at a time.');
  const tableOf = new Map(tables.map((name) => [name.toLowerCase(), name]));
  const commonNames = new Set(commonTables(tree).map((name) => name.toLowerCase()));
  for (const name of commonNames) {
    // A name is allowed in the whole statement, also where the table of WITH is out of scope: it must mean nothing else.
    if (/[./\\:]/.test(name))
      throw refuse(
        `A WITH table can’t be named ${JSON.stringify(name)}. Use letters, digits, and underscores.`,
      );
    if (catalog.has(name) && !tableOf.has(name))
      throw refuse(`A WITH table can’t be named ${name}, a table of the SQL engine. Use another name.`);
  }
  const read = new Set<string>();
  check(tree);
  return read;

  function check(node: JsonValue): void {
    if (Array.isArray(node)) node.forEach(check);
    if (!isObject(node)) return;
    const { type, query_location: at } = node;
    if (typeof type === 'string' && !('class' in node) && !plainNodes.test(type))
      throw refuse('Part of the statement can’t be used here. Write a plain SELECT statement.', at);
    if (type === 'BASE_TABLE') {
      const name = textOf(node['table_name']);
      const table = tableOf.get(name.toLowerCase());
      const isOurs = table !== undefined || commonNames.has(name.toLowerCase());
      if (!isOurs || node['schema_name'] || node['catalog_name'])
        throw refuse(`There is no table ${JSON.stringify(name)}. ${tablesInWords(tables)}`, at, {
          tables: [...tables],
        });
      if (table !== undefined) read.add(table);
    }
    if (type === 'SHOW_REF' && !node['query'])
      throw refuse('SQL reads only the tables that you add. Write SELECT, or DESCRIBE with a table.', at);
    if (type === 'TABLE_FUNCTION') {
      const name = isObject(node['function']) ? textOf(node['function']['function_name']) : '';
      if (!tableFunctions.has(name.toLowerCase()))
        throw refuse(`${name}() can’t be used here. SQL reads only the tables that you add.`, at);
    }
    if ('function_name' in node) {
      const name = textOf(node['function_name']).toLowerCase();
      if (refusedFunctions.has(name) || isCatalogFunction(name))
        throw refuse(`${name}() can’t be used here. Remove it.`, at);
    }
    Object.values(node).forEach(check);
  }
}

/** The names of all `WITH` tables of a statement, at any depth. */
function commonTables(node: JsonValue): string[] {
  if (Array.isArray(node)) return node.flatMap(commonTables);
  if (!isObject(node)) return [];
  const map =
    isObject(node['cte_map']) && Array.isArray(node['cte_map']['map']) ? node['cte_map']['map'] : [];
  const names = map.flatMap((entry) => (isObject(entry) ? [textOf(entry['key'])] : []));
  return [...names, ...Object.values(node).flatMap(commonTables)];
}

const tablesInWords = (tables: readonly string[]): string =>
  tables.length === 0 ? 'Add a table first.' : `Tables: ${firstInWords(tables, 20)}.`;

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/**
 * The engine's message about a statement that it can't run, as an error with its place.
 * @param message with the line of the statement and a caret below the place
 */
export function statementError(message: string): AppError<'invalid_input'> {
  const [text = '', ...rest] = message.replace(/^(?:[A-Z]\w+ )+Error: /, '').split(/\n\s*\nLINE /);
  const match = /^(\d+): (.*)\n( *)\^/s.exec(rest.join('\n\nLINE '));
  const [, line = '', excerpt = '', caret = ''] = match ?? [];
  // A long line is cut at its start; then the column isn't known.
  const indent = `LINE ${line}: `.length;
  const column = excerpt.startsWith('...') ? undefined : caret.length - indent + 1;
  const words = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => sentence(line.replace(/!$/, '.')))
    .join(' ');
  return invalidInput(words, {
    field: 'sql',
    ...(match ? { line: Number(line), ...(column === undefined || column < 1 ? {} : { column }) } : {}),
  });
}

import { invalidInput, type AppError } from '../../shared/errors/errors.ts';
import { isObject, type JsonValue } from '../../shared/json.ts';

/** Table functions that make rows of their arguments; all others read files, settings, or the catalog. */
const tableFunctions: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest', 'repeat']);
/** Functions that tell about the engine or this computer. */
const refusedFunctions: ReadonlySet<string> = new Set([
  'current_setting',
  'getenv',
  'getvariable',
  'query',
  'query_table',
  'write_log',
]);

/** Line and column, from 1, of a character of the statement. */
function placeAt(sql: string, character: number) {
  const before = sql.slice(0, character).split('\n');
  return { field: 'sql', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The character at a position in bytes. */
const characterAt = (sql: string, byte: number): number =>
  Buffer.from(sql, 'utf8').subarray(0, byte).toString('utf8').length;

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/**
 * Checks that a statement only reads the given tables.
 * @param tree the syntax tree that the engine makes of a statement (`json_serialize_sql`)
 * @param tables names of the tables that may be read
 * @throws AppError `invalid_input` with the place of what is refused
 */
export function checkStatement(sql: string, tree: JsonValue, tables: readonly string[]): void {
  const refuse = (message: string, byte?: JsonValue): AppError =>
    invalidInput(
      message,
      placeAt(sql, characterAt(sql, typeof byte === 'number' || typeof byte === 'string' ? Number(byte) : 0)),
    );
  if (!isObject(tree)) throw refuse('This isn’t a SQL statement. Write a SELECT statement.');
  if (tree['error'] === true) {
    if (tree['error_type'] === 'parser')
      throw refuse(`${sentence(textOf(tree['error_message']))} Correct the statement.`, tree['position']);
    throw refuse('SQL only reads here. Write one SELECT statement.');
  }
  const statements = Array.isArray(tree['statements']) ? tree['statements'] : [];
  if (statements.length === 0) throw refuse('The statement is empty. Write a SELECT statement.');
  if (statements.length > 1) throw refuse('Write one statement at a time.');
  const known = new Set([...tables, ...commonTables(tree)].map((name) => name.toLowerCase()));
  check(tree);

  function check(node: JsonValue): void {
    if (Array.isArray(node)) node.forEach(check);
    if (!isObject(node)) return;
    const { type, query_location: at } = node;
    if (type === 'BASE_TABLE') {
      const name = textOf(node['table_name']);
      const isOurs = known.has(name.toLowerCase()) && !node['schema_name'] && !node['catalog_name'];
      if (!isOurs) throw refuse(`There is no table ${JSON.stringify(name)}. ${tablesInWords(tables)}`, at);
    }
    if (type === 'SHOW_REF' && !node['query'])
      throw refuse('SQL only reads tables here. Write a SELECT statement, or DESCRIBE with a table.', at);
    if (type === 'TABLE_FUNCTION') {
      const name = isObject(node['function']) ? textOf(node['function']['function_name']) : '';
      if (!tableFunctions.has(name.toLowerCase()))
        throw refuse(
          `${name}() can’t be used here: SQL reads the tables that you add, and nothing else.`,
          at,
        );
    }
    if (node['class'] === 'FUNCTION') {
      const name = textOf(node['function_name']).toLowerCase();
      if (refusedFunctions.has(name)) throw refuse(`${name}() can’t be used here.`, at);
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
  const own = map.flatMap((entry) => (isObject(entry) ? [textOf(entry['key'])] : []));
  return [...own, ...Object.values(node).flatMap(commonTables)];
}

const tablesInWords = (tables: readonly string[]): string =>
  tables.length === 0 ? 'Add a table first.' : `Tables: ${tables.slice(0, 20).join(', ')}.`;

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/**
 * The engine's message about a statement that it can't run, as an error with its place.
 * @param message with the line of the statement and a caret below the place
 */
export function statementError(message: string): AppError<'invalid_input'> {
  const [text = '', ...rest] = message.replace(/^(?:[A-Z]\w+ )+Error: /, '').split(/\n\s*\nLINE /);
  const found = /^(\d+): (.*)\n( *)\^/s.exec(rest.join('\n\nLINE '));
  const [, line = '', excerpt = '', caret = ''] = found ?? [];
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
    ...(found ? { line: Number(line), ...(column === undefined || column < 1 ? {} : { column }) } : {}),
  });
}

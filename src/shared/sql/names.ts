/** A name in SQL, in quotes. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The words that SQL reads as its own: the categories `reserved` and `type_function` of `duckdb_keywords()`. */
const reservedWords: ReadonlySet<string> = new Set(
  `all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check
  collate collation column columns concurrently constraint create cross default deferrable desc describe distinct
  do else end except false fetch for foreign freeze from full generated glob group having ilike in initially inner
  intersect into is isnull join lambda lateral leading left like limit map natural not notnull null offset on only
  or order outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify references returning
  right select semi show similar some struct summarize symmetric table tablesample then to trailing true try_cast
  union unique unpack unpivot using variadic verbose when where window with`.split(/\s+/),
);

/** A name in SQL, in quotes where it needs them. */
export const sqlName = (name: string): string =>
  /^[a-z_]\w*$/i.test(name) && !reservedWords.has(name.toLowerCase()) ? name : quoted(name);

/** The name of a field's column in a table. */
export const sqlColumnName = (path: string): string => path.replaceAll(/[^\p{L}\p{N}_]/gu, '_');

/** A text in SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const maxNameLength = 40;

/** A table name made of a file's name. */
export const tableNameOf = (fileName: string): string =>
  datasetTableName(fileName.replace(/(?:\.[a-z0-9]{1,8}){1,2}$/i, ''));

/** A table name made of the name of a dataset, whose points end no extension. */
export function datasetTableName(dataset: string): string {
  const words = dataset
    .toLowerCase()
    .replaceAll(/\W+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, maxNameLength);
  return /^[a-z]/.test(words) ? words : `table_${words}`.replace(/_$/, '');
}

/** A name like the wanted one that no table has; SQL doesn't tell upper from lower case. */
export function freeName(wanted: string, tables: readonly { readonly name: string }[]): string {
  const taken = new Set(tables.map(({ name }) => name.toLowerCase()));
  if (!taken.has(wanted.toLowerCase())) return wanted;
  for (let number = 2; ; number++)
    if (!taken.has(`${wanted}_${number}`.toLowerCase())) return `${wanted}_${number}`;
}

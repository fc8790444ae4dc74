/** A name in SQL, in quotes. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A name in SQL, in quotes where it needs them. */
export const sqlName = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name));

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

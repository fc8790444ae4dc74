/** A name in SQL, in quotes. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A name in SQL, in quotes where it needs them. */
export const sqlName = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name));

/** A text in SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name in SQL, in quotes where it needs them. */
export const sqlName = (name: string): string =>
  /^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** A name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text in SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A list of texts in SQL. */
export const list = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`;

/** The path of a file as a pattern that matches this file only: the engine reads `a[1].parquet` as `a1.parquet`. */
export const patternOf = (path: string): string => path.replace(/[*?[]/g, '[$&]');

/** What the engine must be allowed to open, so that it can read files. */
export const allowedPaths = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => [path, patternOf(path)])),
];

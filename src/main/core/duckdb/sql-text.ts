import { literal } from '../../../shared/sql/names.ts';

/** A list of texts in SQL. */
export const list = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`;

interface ParquetOptions {
  readonly path: string;
  /** Absent: that of the engine. */
  readonly groupRows?: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}

/** The statement that writes the rows of another one as a Parquet file, and returns their number. */
export function parquetCopy(rows: string, { path, groupRows, metadata }: ParquetOptions): string {
  const pairs = metadata.map(({ key, value }) => `${literal(key)}: ${literal(value)}`);
  const options = [
    'FORMAT parquet',
    'COMPRESSION zstd',
    ...(groupRows === undefined ? [] : [`ROW_GROUP_SIZE ${groupRows}`]),
    ...(pairs.length === 0 ? [] : [`KV_METADATA {${pairs.join(', ')}}`]),
  ];
  return `COPY (${rows}) TO ${literal(path)} (${options.join(', ')})`;
}

/** The path of a file as a pattern that matches this file only: the engine reads `a[1].parquet` as `a1.parquet`. */
export const patternOf = (path: string): string => path.replace(/[*?[]/g, '[$&]');

/** What the engine must be allowed to open, so that it can read files. */
export const allowedPaths = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => [path, patternOf(path)])),
];

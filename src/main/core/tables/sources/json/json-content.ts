import { columnTexts, pathNames } from '../../../../../shared/column-paths.ts';
import type { JsonColumns } from '../../reading/ndjson.ts';
import type { HeaderEntry, SourceTable, SourceWarning } from '../source.ts';
import type { PieceKind } from './json-pieces.ts';
import type { JsonEntry } from './json-survey.ts';

/** A table of a file of JSON: the pieces that are its rows, and what their columns are. */
export interface JsonTable extends SourceTable {
  readonly pieces: { readonly what: PieceKind; readonly log: number; readonly path: string };
  /** The path of each column; null: rows are lists, with a value for each column. */
  readonly paths: readonly string[] | null;
}

/** What a file of JSON has for its reader. */
export interface JsonContent {
  readonly tables: readonly JsonTable[];
  readonly header: readonly HeaderEntry[];
  readonly warnings: readonly SourceWarning[];
}

/** A table whose rows are objects, with columns at their paths. */
export function tableOf(
  name: string,
  columns: JsonColumns,
  rows: number,
  pieces: JsonTable['pieces'],
): JsonTable {
  const { paths, areTexts } = columns;
  const names = columnTexts(paths);
  return {
    name,
    pieces,
    paths,
    columns: paths.map((path, at) => ({
      name: names[at] ?? path,
      unit: null,
      description: null,
      type: areTexts[at] === true ? 'text' : null,
      path: pathNames(path),
    })),
    rows,
    isHidden: false,
    index: null,
    nulls: [],
  };
}

/** The values outside of lists as entries of a header. */
export const headerOf = (entries: readonly JsonEntry[], group: string): HeaderEntry[] =>
  entries.map(({ path, value }) => ({
    group,
    name: pathNames(path).at(-1) ?? '',
    value,
    unit: null,
    description: null,
  }));

import { basename } from 'node:path';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import {
  nullsRemover,
  type HeaderEntry,
  type OpenOptions,
  type SourceAdapter,
  type SourceFile,
  type SourceRow,
  type SourceTable,
  type SourceWarning,
} from '../../../../../src/main/core/tables/sources/source.ts';
import { fileWith } from './files.ts';

/** A file that was read completely. */
export interface ReadSource {
  readonly tables: readonly (SourceTable & { readonly found: readonly SourceRow[] })[];
  readonly header: readonly HeaderEntry[];
  readonly warnings: readonly SourceWarning[];
  readonly columnEdges: SourceFile['columnEdges'];
  readonly lines: NonNullable<SourceFile['lines']>;
}

/** Reads all tables of a file. */
export async function readPath(
  adapter: SourceAdapter,
  path: string,
  options: Partial<OpenOptions> = {},
): Promise<ReadSource> {
  using source = openSource(path, basename(path));
  const file = await adapter.open(source, options);
  try {
    const tables = [];
    for (const [index, table] of file.tables.entries()) {
      const found: SourceRow[] = [];
      const withoutNulls = nullsRemover(table);
      for await (const batch of file.readRows(index))
        for (const row of batch)
          if (row.isHeader !== true) found.push({ ...row, cells: withoutNulls(row.cells) });
      tables.push({ ...table, found });
    }
    const { header, warnings, columnEdges, lines = [] } = file;
    return { tables, header, warnings, columnEdges, lines };
  } finally {
    file.close?.();
  }
}

/** Reads content like a file. */
export const readContent = async (
  adapter: SourceAdapter,
  content: string | Uint8Array,
  name: string,
  options: Partial<OpenOptions> = {},
): Promise<ReadSource> => readPath(adapter, await fileWith(content, name), options);

/** The cells of a table's rows. */
export const cellsOf = (source: ReadSource, table = 0): (readonly (string | null)[])[] =>
  (source.tables[table]?.found ?? []).map(({ cells }) => cells);

/** The locations of a table's rows. */
export const recordIndexes = (source: ReadSource, table = 0): number[] =>
  (source.tables[table]?.found ?? []).map(({ place }) => place);

/** The names of a table's columns. */
export const namesOf = (source: ReadSource, table = 0): string[] =>
  (source.tables[table]?.columns ?? []).map(({ name }) => name);

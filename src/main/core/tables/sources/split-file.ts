import type { Explanation } from '../../../../shared/upload/upload.ts';
import { explanationOf } from '../layout/head.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import { TableFinder, type FoundTables } from '../layout/below.ts';
import { indexOfFirst } from './column-index.ts';
import {
  blockNames,
  column,
  headColumns,
  rowCount,
  SpanReader,
  tableFindings,
  withBlockCells,
  withoutBlankEnd,
} from './row-spans.ts';
import type { SourceFile, SourceRow, SourceTable, SourceWarning } from './source.ts';

const textsOf = ({ cells }: SourceRow): string[] => cells.map((cell) => cell ?? '');

function finderOf({ columns, headerRow = 1, unitRow, above = [], isFixedWidth }: SourceTable): TableFinder {
  const header = { cells: columns.map(({ name }) => name), line: headerRow };
  const units =
    unitRow === undefined ? null : { cells: columns.map(({ unit }) => unit ?? ''), line: unitRow };
  return new TableFinder({ header: headerRow === 0 ? null : header, units }, above, isFixedWidth === false);
}

/** Reads a file, and finds further tables in the rows of each of its tables meanwhile. */
export class WatchedFile implements SourceFile {
  readonly #file: SourceFile;
  readonly #contents = new Map<number, FoundTables>();

  constructor(file: SourceFile) {
    this.#file = file;
  }

  get format(): SourceFile['format'] {
    return this.#file.format;
  }
  get tables(): SourceFile['tables'] {
    return this.#file.tables;
  }
  get header(): SourceFile['header'] {
    return this.#file.header;
  }
  get warnings(): SourceFile['warnings'] {
    return this.#file.warnings;
  }
  get placeKind(): SourceFile['placeKind'] {
    return this.#file.placeKind;
  }

  async *readRows(table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const described = this.#file.tables[table];
    const finder = described ? finderOf(described) : null;
    for await (const batch of this.#file.readRows(table, signal)) {
      for (const row of batch) finder?.add(textsOf(row), row.place);
      yield batch;
    }
    if (!finder) return;
    const tables = finder.end();
    const line = described?.isFixedWidth === true ? tables.tables[1]?.header?.line : undefined;
    const unclear = tables.unclear ?? (line === undefined ? null : { from: line, to: line });
    this.#contents.set(table, { ...tables, unclear });
  }

  explain(table: number): Explanation {
    return explanationOfTable(this.#file, table, this.#contents.get(table));
  }

  /** The tables below the header of each table; those that weren't read are read now. @throws as {@link readRows} */
  async contents(signal: AbortSignal): Promise<FoundTables[]> {
    const all: FoundTables[] = [];
    for (const table of this.#file.tables.keys()) {
      let tables = this.#contents.get(table);
      if (!tables) {
        for await (const _ of this.readRows(table, signal)) if (signal.aborted) break;
        tables = this.#contents.get(table);
      }
      if (tables) all.push(tables);
    }
    return all;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const explanationOfTable = (file: SourceFile, table: number, content?: FoundTables): Explanation => {
  const head = file.tables[table]?.explanation;
  return explanationOf(head?.heads ?? [], [head, content?.notes, file.notes]);
};

/** One of the tables below the header of a table of a file. */
interface Part {
  /** Index of the table of the file. */
  readonly whole: number;
  /** Index among the tables in it. */
  readonly part: number;
  readonly table: SourceTable;
  /** Names of the values above its rows. */
  readonly values: readonly string[];
}

/** A file in which tables follow each other in a sheet or a listing: each is a table of its own. */
export class SplitFile implements SourceFile {
  readonly tables: readonly SourceTable[];
  readonly #file: SourceFile;
  readonly #contents: readonly FoundTables[];
  readonly #parts: readonly Part[];

  constructor(file: SourceFile, contents: readonly FoundTables[]) {
    this.#file = file;
    this.#contents = contents;
    this.#parts = file.tables.flatMap((table, whole) => {
      const inside = contents[whole];
      return inside ? partsOf(table, whole, inside, file.placeKind) : [];
    });
    this.tables = this.#parts.map(({ table }) => table);
  }

  get format(): SourceFile['format'] {
    return this.#file.format;
  }
  get header(): SourceFile['header'] {
    return this.#file.header;
  }
  get placeKind(): SourceFile['placeKind'] {
    return this.#file.placeKind;
  }
  get columnEdges(): readonly number[] | null {
    return this.#file.columnEdges ?? null;
  }
  get lines(): readonly RawLine[] {
    return this.#file.lines ?? [];
  }
  get warnings(): readonly SourceWarning[] {
    const { warnings, placeKind } = this.#file;
    return [
      ...warnings.filter(({ table }) => table === null),
      ...this.#parts.flatMap(({ whole, values }, table) => {
        const content = this.#contents[whole];
        const all = warnings.filter((warning) => warning.table === whole);
        const kind = placeKind === 'row' ? 'row' : 'line';
        return [
          ...all.map((warning) => ({ ...warning, table })),
          ...(content ? tableFindings(content, kind, table, values) : []),
        ];
      }),
    ];
  }

  explain(table: number): Explanation {
    const whole = this.#parts[table]?.whole ?? 0;
    return explanationOfTable(this.#file, whole, this.#contents[whole]);
  }

  async *readRows(table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const part = this.#parts[table];
    const content = part && this.#contents[part.whole];
    if (!part || !content) return;
    const { values } = part;
    const width = part.table.columns.length - values.length;
    const spans = new SpanReader(content, part.part);
    const fills = this.#file.placeKind === 'row';
    for await (const batch of this.#file.readRows(part.whole, signal)) {
      const rows = batch.flatMap(({ cells, place, problem = null }): SourceRow[] => {
        const block = spans.valuesAt(place);
        if (!block) return [];
        const rowCells = withoutBlankEnd(cells, width);
        const full =
          fills && rowCells.length < width
            ? Array.from({ length: width }, (_, at) => rowCells[at] ?? null)
            : rowCells;
        return [{ cells: withBlockCells(full, width, values, block), place, problem }];
      });
      if (rows.length > 0) yield rows;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function partsOf(
  table: SourceTable,
  whole: number,
  content: FoundTables,
  kind: SourceFile['placeKind'],
): Part[] {
  return content.tables.map((head, part): Part => {
    const { header, units } = head;
    const values = blockNames(content, part);
    const columns = [
      ...(part === 0 ? table.columns : headColumns(head)),
      ...values.map((name) => column(name)),
    ];
    const rows = rowCount(content, part);
    if (part === 0) return { whole, part, values, table: { ...table, columns, rows } };
    const { unitRow: _, explanation: __, ...rest } = table;
    return {
      whole,
      part,
      values,
      table: {
        ...rest,
        name: `${table.name}, ${kind} ${header?.line ?? 1}`,
        columns,
        rows,
        headerRow: header?.line ?? 0,
        ...(units ? { unitRow: units.line } : {}),
        index: indexOfFirst(columns, false),
      },
    };
  });
}

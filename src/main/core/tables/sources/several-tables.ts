import { withoutBrackets } from '../../../../shared/channels/brackets.ts';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import type { Explanation } from '../../../../shared/upload/upload.ts';
import { explanationOf, type BlockValue, blockValueOf } from '../layout/head.ts';
import {
  type FoundTables,
  type RowSpan,
  type SkippedLines,
  TableFinder,
  TableWatch,
} from '../layout/below.ts';
import {
  type SourceColumn,
  type SourceWarning,
  indexOfFirst,
  type SourceFile,
  type SourceRow,
  type SourceTable,
  headerEntry,
  orClose,
  type OpenOptions,
} from './source.ts';
import { escapeWarnings, hashWarnings } from '../reading/warnings.ts';
import { encodingWarnings } from './text.ts';
import { recognize } from '../reading/recognize.ts';
import { readRows, type RowReader } from '../reading/rows.ts';
import { detectWholeEncoding, openSource } from '../reading/source.ts';

/** The names of values that lines above rows give, and that differ between the rows of a table. */
export function blockNames({ spans }: Pick<FoundTables, 'spans'>, table: number): string[] {
  const texts = new Map<string, Set<string>>();
  const tableSpans = spans.filter((span) => span.table === table);
  for (const { values } of tableSpans)
    for (const { name, value } of values) texts.set(name, (texts.get(name) ?? new Set()).add(value));
  return [...texts].flatMap(([name, values]) =>
    values.size > 1 || tableSpans.some((span) => !span.values.some((value) => value.name === name))
      ? [name]
      : [],
  );
}

/** The spans of one table, asked for lines in ascending order. */
export class SpanReader {
  readonly #spans: readonly RowSpan[];
  #at = 0;

  constructor({ spans }: Pick<FoundTables, 'spans'>, table: number) {
    this.#spans = spans.filter((span) => span.table === table);
  }

  /** The values of the span with this line; null: the line isn't a row of the table. */
  valuesAt(line: number): readonly BlockValue[] | null {
    while ((this.#spans[this.#at]?.to ?? Infinity) < line) this.#at++;
    const span = this.#spans[this.#at];
    return span && span.from <= line ? span.values : null;
  }
}

/** The cells of a row with those of block values behind them; a row of another width stays, and is rejected. */
export const withBlockCells = <T extends string | null>(
  cells: readonly T[],
  width: number,
  names: readonly string[],
  values: readonly BlockValue[],
): readonly (string | null)[] =>
  cells.length === width
    ? [...cells, ...names.map((name) => values.find((value) => value.name === name)?.value ?? null)]
    : cells;

/** Cells without the blank ones at the end, except the first `width`. */
export function withoutBlankEnd<T extends string | null>(cells: readonly T[], width: number): readonly T[] {
  let end = cells.length;
  while (end > width && (cells[end - 1] ?? '').trim() === '') end--;
  return end < cells.length ? cells.slice(0, end) : cells;
}

/** Number of rows of a table. */
export const rowCount = ({ spans }: Pick<FoundTables, 'spans'>, table: number): number =>
  spans.reduce((sum, span) => sum + (span.table === table ? span.rows : 0), 0);

/** A column of which the file has the name and perhaps a unit. @param unit null or empty: that in the name, if any */
export const column = (name: string, unit: string | null = null): SourceColumn => ({
  name,
  unit: unit || unitInName(name),
  type: null,
});

/** The columns that a header between rows names, with the units below it. */
export const headColumns = ({ header, units }: FoundTables['tables'][number]): SourceColumn[] =>
  withoutBlankEnd(header?.cells ?? [], 0).map((name, at) =>
    column(name, withoutBrackets(units?.cells[at] ?? '')),
  );

const plural = (count: number, singular: string, many: string): string => (count === 1 ? singular : many);

type Skipped = Pick<SkippedLines, 'count' | 'lines'>;

/** Skipped lines and their number, such as `is skipped (line 4)`. */
function skippedInWords({ count, lines }: Skipped, kind: string): string {
  const numbers = lines.toSorted((a, b) => a - b).join(', ');
  return `${plural(count, 'is', 'are')} skipped (${plural(count, kind, `${kind}s`)} ${numbers}${count > lines.length ? ' …' : ''})`;
}

/**
 * Warnings about repeated headers, about lines above headers that are skipped, and about lines that can be rows or
 * headers.
 *
 * @param values names of the values above rows that are columns: their lines aren't skipped
 */
export function tableFindings(
  { skipped, unclear }: FoundTables,
  kind: 'line' | 'row',
  table: number | null,
  values: readonly string[],
): SourceWarning[] {
  const warnings: SourceWarning[] = [];
  const skip = (what: string, all: Skipped): void => {
    const message = `${what} ${skippedInWords(all, kind)}.`;
    const place = all.lines.toSorted((a, b) => a - b)[0] ?? null;
    if (all.count > 0) warnings.push({ code: 'page_headers', message, place, table, count: all.count });
  };
  const linesOf = (kinds: readonly SkippedLines['kind'][]): Skipped => {
    const some = skipped.filter(
      (lines) => kinds.includes(lines.kind) && !(lines.name !== null && values.includes(lines.name)),
    );
    return {
      count: some.reduce((sum, { count }) => sum + count, 0),
      lines: some.flatMap(({ lines }) => lines),
    };
  };
  const repeated = linesOf(['repeated_header']);
  const titles = linesOf(['value', 'title']);
  const totals = linesOf(['total']);
  const titleCount = titles.count;
  const headers = `${repeated.count} repeated ${plural(repeated.count, 'header', 'headers')}`;
  const titleLines = `${titleCount} ${plural(titleCount, kind, `${kind}s`)} of titles above`;
  skip(
    titleCount === 0
      ? headers
      : repeated.count === 0
        ? `${titleLines} headers`
        : `${headers} and ${titleLines} ${plural(repeated.count, 'it', 'them')}`,
    {
      count: repeated.count + titleCount,
      lines: [...repeated.lines, ...titles.lines],
    },
  );
  skip(
    `${totals.count} ${plural(totals.count, 'total or remark', 'totals or remarks')} above headers`,
    totals,
  );
  if (unclear) {
    const lines =
      unclear.from === unclear.to ? `${kind} ${unclear.from}` : `${kind}s ${unclear.from} to ${unclear.to}`;
    warnings.push({
      code: 'tables_unclear',
      message: `Words are where the rows above have numbers (${lines}): another table can begin there. Remove these ${kind}s from the file, or set the header row (--header-row), which makes one table of all rows below it, and the table (--table) if there are several.`,
      place: unclear.from,
      table,
      count: unclear.to - unclear.from + 1,
    });
  }
  return warnings;
}

function finderOf({ columns, headerRow = 1, unitRow, above = [], isFixedWidth }: SourceTable): TableFinder {
  const header = { cells: columns.map(({ name }) => name), line: headerRow };
  const units =
    unitRow === undefined ? null : { cells: columns.map(({ unit }) => unit ?? ''), line: unitRow };
  return new TableFinder({ header: headerRow === 0 ? null : header, units }, above, isFixedWidth === false);
}

function explanationOfTable(file: SourceFile, table: number, content?: FoundTables): Explanation {
  const head = file.tables[table]?.explanation;
  return explanationOf(head?.heads ?? [], [head, content?.notes, file.notes]);
}

/** A file with other rows, and perhaps other tables and warnings. */
const withRows = (
  file: SourceFile,
  { readRows, explain }: Required<Pick<SourceFile, 'readRows' | 'explain'>>,
  tables = file.tables,
  warningsOf = () => file.warnings,
): SourceFile => ({
  format: file.format,
  tables,
  header: file.header,
  placeKind: file.placeKind,
  columnEdges: file.columnEdges ?? null,
  lines: file.lines ?? [],
  get warnings() {
    return warningsOf();
  },
  readRows,
  explain,
  close: () => file.close(),
});

/** A file in whose rows further tables are found while they are read. */
interface WatchedFile {
  readonly file: SourceFile;
  /** The tables below the header of each table; those that weren't read are read now. @throws as `readRows` */
  contents(signal: AbortSignal): Promise<FoundTables[]>;
}

/** Watches the rows of a file. */
export function watchTables(file: SourceFile): WatchedFile {
  const contents = new Map<number, FoundTables>();
  async function* readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const table = file.tables[index];
    const finder = table && finderOf(table);
    for await (const batch of file.readRows(index, signal)) {
      for (const { cells, place } of batch)
        finder?.add(
          cells.map((cell) => cell ?? ''),
          place,
        );
      yield batch;
    }
    if (!finder) return;
    const content = finder.end();
    const line = table.isFixedWidth === true ? content.tables[1]?.header?.line : undefined;
    const unclear = content.unclear ?? (line === undefined ? null : { from: line, to: line });
    contents.set(index, { ...content, unclear });
  }
  return {
    file: withRows(file, {
      readRows,
      explain: (table) => explanationOfTable(file, table, contents.get(table)),
    }),
    async contents(signal) {
      for (const index of file.tables.keys())
        if (!contents.has(index)) for await (const _ of readRows(index, signal)) if (signal.aborted) break;
      return [...file.tables.keys()].flatMap((index) => contents.get(index) ?? []);
    },
  };
}

/** One of the tables below the header of a table of a file. */
interface Part {
  /** Index of the table of the file. */
  readonly whole: number;
  /** What was found below its header. */
  readonly content: FoundTables;
  /** Index among the tables there. */
  readonly part: number;
  readonly table: SourceTable;
  /** Names of the values above its rows. */
  readonly values: readonly string[];
}

/**
 * A file in which tables follow each other in a sheet or a listing: each is a table of its own.
 * @param contents what was found below the header of each of its tables
 */
export function splitFile(file: SourceFile, contents: readonly FoundTables[]): SourceFile {
  const { placeKind } = file;
  const fills = placeKind === 'row';
  const parts = file.tables.flatMap((table, whole) => {
    const content = contents[whole];
    return content ? partsOf(table, whole, content, placeKind) : [];
  });
  async function* readRows(table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const part = parts[table];
    if (!part) return;
    const { values } = part;
    const width = part.table.columns.length - values.length;
    const spans = new SpanReader(part.content, part.part);
    for await (const batch of file.readRows(part.whole, signal)) {
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
  const warningsOf = (): SourceWarning[] => [
    ...file.warnings.filter(({ table }) => table === null),
    ...parts.flatMap(({ whole, content, values }, table) => [
      ...file.warnings.filter((warning) => warning.table === whole).map((warning) => ({ ...warning, table })),
      ...tableFindings(content, fills ? 'row' : 'line', table, values),
    ]),
  ];
  const tables = parts.map(({ table }) => table);
  const explain = (table: number): Explanation => {
    const whole = parts[table]?.whole ?? 0;
    return explanationOfTable(file, whole, contents[whole]);
  };
  return withRows(file, { readRows, explain }, tables, warningsOf);
}

const partsOf = (
  table: SourceTable,
  whole: number,
  content: FoundTables,
  kind: SourceFile['placeKind'],
): Part[] =>
  content.tables.map((head, part): Part => {
    const { header, units } = head;
    const values = blockNames(content, part);
    const columns = [
      ...(part === 0 ? table.columns : headColumns(head)),
      ...values.map((name) => column(name)),
    ];
    const { unitRow: _, explanation: __, ...rest } = table;
    const inner: SourceTable = {
      ...rest,
      name: `${table.name}, ${kind} ${header?.line ?? 1}`,
      columns,
      rows: rowCount(content, part),
      headerRow: header?.line ?? 0,
      ...(units ? { unitRow: units.line } : {}),
      index: indexOfFirst(columns, false),
    };
    const { rows } = inner;
    return { whole, content, part, values, table: part === 0 ? { ...table, columns, rows } : inner };
  });

const batchRows = 1000;

/**
 * Opens a delimited file in which tables follow each other, or in which pages or blocks repeat the header.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, cancelled
 */
export async function openDelimitedTables(path: string, options: OpenOptions): Promise<SourceFile> {
  const { fileName, signal, onRead } = options;
  return orClose(openSource(path, fileName), (source) => {
    // Its start can be ASCII, unlike the rest.
    const encoding = options.encoding === undefined ? detectWholeEncoding(source, onRead) : null;
    const layout = {
      ...recognize(fileName, source, encoding ? { ...options, encoding: encoding.name } : options),
      ...(encoding ? { encoding } : {}),
    };
    const rowsOf = (): RowReader =>
      readRows(fileName, source, layout, { byte: layout.encoding.bom, line: 1 });
    const watch = new TableWatch(layout);
    const reader = rowsOf();
    for (let row = reader.next(), count = 0; row; row = reader.next(), count++) {
      if (count % batchRows === 0) {
        signal.throwIfAborted();
        onRead?.();
      }
      watch.add(row);
    }
    const content = watch.end();
    const columns = layout.columns.map(({ name, unit }, at) => ({
      ...column(name, unit),
      ...(reader.escapes?.textColumns.has(at) === true && { type: 'text' as const }),
    }));
    const [first] = content.tables;
    const file: SourceFile = {
      format: 'csv',
      placeKind: 'line',
      tables: [
        {
          name: fileName,
          columns,
          rows: null,
          headerRow: first?.header?.line ?? 0,
          ...(first?.units ? { unitRow: first.units.line } : {}),
          index: indexOfFirst(columns, false),
          ...(layout.head ? { explanation: layout.head } : {}),
        },
      ],
      header: watch.above.flatMap(({ cells }) => {
        const entry = blockValueOf(cells);
        return entry ? [headerEntry('Header', entry.name, entry.value)] : [];
      }),
      notes: reader.notes,
      warnings: [
        ...encodingWarnings(source, layout.encoding),
        ...[...hashWarnings({ comments: reader.comments, hashRows: null }), ...escapeWarnings(reader)].map(
          ({ code, message, line, count }) => ({ code, message, place: line, table: null, count }),
        ),
      ],
      readRows: (_table, rowsSignal) => batchesOf(rowsOf(), rowsSignal),
      close: async () => source.close(),
    };
    return splitFile(file, [content]);
  });
}

async function* batchesOf(reader: RowReader, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
  let batch: SourceRow[] = [];
  for (let row = reader.next(); row; row = reader.next()) {
    batch.push({ cells: row.texts(), place: row.record.line, problem: row.problem });
    if (batch.length < batchRows) continue;
    signal.throwIfAborted();
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

import { withoutBrackets } from '../../../../shared/channels/units.ts';
import { countInWords } from '../../../../shared/lists.ts';
import type { Explanation } from '../../../../shared/upload/upload.ts';
import {
  type FoundTables,
  type RowSpan,
  type SkippedLines,
  TableFinder,
  TableWatch,
} from '../layout/below.ts';
import { explanationOf, isTitle, type BlockValue, type CellRow } from '../layout/head.ts';
import { recognizeWhole } from '../reading/recognize.ts';
import { RowReader } from '../reading/rows.ts';
import type { Source } from '../reading/source.ts';
import { escapeWarnings, hashWarnings } from '../reading/warnings.ts';
import {
  batched,
  batchRows,
  column,
  entriesOf,
  headerEntry,
  indexOfFirst,
  type OpenOptions,
  type SourceColumn,
  type SourceFile,
  type SourceRow,
  type SourceTable,
  type SourceWarning,
} from './source.ts';
import { TableCells } from './grid.ts';
import { encodingWarnings } from './text.ts';

/** Cells without the blank ones at the end, except the first `width`. */
function withoutBlankEnd<T extends string | null>(cells: readonly T[], width: number): T[] {
  let end = cells.length;
  while (end > width && (cells[end - 1] ?? '').trim() === '') end--;
  return cells.slice(0, end);
}

/**
 * Warnings about repeated headers, about lines above headers that are skipped, and about lines that can be rows or
 * headers.
 */
function tableFindings(
  { content: { tables, skipped, unclear }, names }: Part,
  kind: 'line' | 'row',
  table: number,
): SourceWarning[] {
  const linesOf = (...kinds: readonly SkippedLines['kind'][]): Pick<SkippedLines, 'count' | 'lines'> => {
    // Lines with values that are columns aren't skipped.
    const some = skipped.filter(
      ({ kind, name }) => kinds.includes(kind) && !(name !== null && names.includes(name)),
    );
    return {
      count: some.reduce((sum, { count }) => sum + count, 0),
      lines: some.flatMap(({ lines }) => lines).toSorted((a, b) => a - b),
    };
  };
  const warningOf = (what: string, { count, lines }: ReturnType<typeof linesOf>): SourceWarning[] => {
    const [is, noun] = count === 1 ? ['is', kind] : ['are', `${kind}s`];
    const message = `${what} ${is} skipped (${noun} ${lines.join(', ')}${count > lines.length ? ' …' : ''}).`;
    return count > 0 ? [{ code: 'page_headers', message, place: lines[0] ?? null, table, count }] : [];
  };
  const repeated = linesOf('repeated_header').count;
  const titles = linesOf('value', 'title').count;
  const totals = linesOf('total');
  const headers = countInWords(repeated, 'repeated header', 'repeated headers');
  const titleLines = `${countInWords(titles, kind, `${kind}s`)} of titles above`;
  const them = repeated === 1 ? 'it' : repeated > 1 ? 'them' : tables.length > 1 ? 'headers' : 'rows';
  const above = repeated === 0 ? `${titleLines} ${them}` : `${headers} and ${titleLines} ${them}`;
  const warnings = [
    ...warningOf(titles === 0 ? headers : above, linesOf('repeated_header', 'value', 'title')),
    ...warningOf(
      `${countInWords(totals.count, 'total or remark', 'totals or remarks')} above headers`,
      totals,
    ),
  ];
  if (!unclear) return warnings;
  const { from, to } = unclear;
  const lines = from === to ? `${kind} ${from}` : `${kind}s ${from} to ${to}`;
  const message = `Words appear where the rows above have numbers (${lines}): another table may begin there. Remove these ${kind}s from the file, or set the header row (--header-row), which makes one table of all rows below it, and the table (--table) if there are several.`;
  return [...warnings, { code: 'tables_unclear', message, place: from, table, count: to - from + 1 }];
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

/** A file in whose rows further tables are found while they are read. */
export function watchTables(file: SourceFile) {
  const contents = new Map<number, FoundTables>();
  async function* readRows(index: number): AsyncGenerator<readonly SourceRow[]> {
    const table = file.tables[index];
    const finder = table && finderOf(table);
    for await (const batch of file.readRows(index)) {
      for (const { cells, place, isHeader = false } of batch)
        finder?.add(
          cells.map((cell) => cell ?? ''),
          place,
          !isHeader,
        );
      yield batch;
    }
    if (!finder) return;
    const content = finder.end();
    const line = table.isFixedWidth === true ? content.tables[1]?.header?.line : undefined;
    const unclear = content.unclear ?? (line === undefined ? null : { from: line, to: line });
    contents.set(index, { ...content, unclear });
  }
  const explain = (table: number): Explanation => explanationOfTable(file, table, contents.get(table));
  return {
    file: { ...file, readRows, explain },
    /** The tables below the header of each table; those that weren't read are read now. @throws as `readRows` */
    async contents(): Promise<FoundTables[]> {
      for (const index of file.tables.keys())
        if (!contents.has(index)) for await (const _ of readRows(index));
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
  readonly table: SourceTable;
  readonly spans: readonly RowSpan[];
  /** Of the values above its rows, which differ between them. */
  readonly names: readonly string[];
}

/** The names of values that lines above rows give, and that differ between the rows. */
function differingNames(spans: readonly RowSpan[]): string[] {
  const names = new Set(spans.flatMap(({ values }) => values.map(({ name }) => name)));
  return [...names].filter((wanted) => {
    const texts = spans.flatMap(({ values }): (string | null)[] => {
      const those = values.filter(({ name }) => name === wanted);
      return those.length > 0 ? those.map(({ value }) => value) : [null];
    });
    return new Set(texts).size > 1;
  });
}

const partsOf = (
  table: SourceTable,
  whole: number,
  content: FoundTables,
  { placeKind: kind, header: fileHeader }: SourceFile,
): Part[] =>
  content.tables.map(({ header, units }, part): Part => {
    const spans = content.spans.filter((span) => span.table === part);
    const names = differingNames(spans);
    const cells = withoutBlankEnd(header?.cells ?? [], 0);
    const columns = [
      ...(part === 0
        ? table.columns
        : cells.map((name, at): SourceColumn => ({
            ...column(name, withoutBrackets(units?.cells[at] ?? '')),
            // Fractions are a property of the column of the sheet.
            ...(table.columns[at]?.isFraction === true && { isFraction: true }),
          }))),
      ...names.map((name) => column(name)),
    ];
    const rows = spans.reduce((sum, span) => sum + span.rows, 0);
    const { unitRow: _, explanation: __, ...rest } = table;
    // Lines above it that hold for all of its rows: the well of the first table isn't that of the others.
    const isOfAll = (value: Pick<BlockValue, 'name' | 'canBeTitle'>): boolean =>
      !names.includes(value.name) && !isTitle(value);
    const entries = (spans[0]?.values ?? [])
      .filter(isOfAll)
      .map(({ name, value }) => headerEntry('Header', name, value));
    const above = (table.header ?? fileHeader).filter(isOfAll);
    // A line below the header can give a value, too.
    const below = entries.filter(
      ({ name, value }) => !above.some((entry) => entry.name === name && entry.value === value),
    );
    const outer = { ...table, sheet: whole, columns, rows, header: [...above, ...below] };
    const inner: SourceTable = {
      ...rest,
      sheet: whole,
      ...(entries.length > 0 ? { header: entries } : {}),
      name: `${table.name}, ${kind} ${header?.line ?? 1}`,
      columns,
      rows,
      headerRow: header?.line ?? 0,
      ...(units ? { unitRow: units.line } : {}),
      index: indexOfFirst(columns, false),
    };
    return { whole, content, spans, names, table: part === 0 ? outer : inner };
  });

/**
 * A file in which tables follow each other in a sheet or a listing: each is a table of its own.
 * @param contents what was found below the header of each of its tables
 * @param fills whether short rows have blank cells at their end, before the values of their blocks
 */
export function splitFile(file: SourceFile, contents: readonly FoundTables[], fills = false): SourceFile {
  const { placeKind } = file;
  const isSheet = placeKind === 'row';
  const parts = file.tables.flatMap((table, whole) => {
    const content = contents[whole];
    return content ? partsOf(table, whole, content, file) : [];
  });
  const judged = new Map<number, readonly SourceColumn[]>();
  return {
    ...file,
    tables: parts.map(({ table }) => table),
    columnsOf: (table) => judged.get(table),
    get warnings() {
      return [
        ...file.warnings.filter(({ table }) => table === null),
        ...parts.flatMap((part, table) => [
          ...file.warnings
            .filter((warning) => warning.table === part.whole)
            .map((warning) => ({ ...warning, table })),
          ...tableFindings(part, isSheet ? 'row' : 'line', table),
        ]),
      ];
    },
    explain(table) {
      const whole = parts[table]?.whole ?? 0;
      return explanationOfTable(file, whole, contents[whole]);
    },
    async *readRows(index) {
      const part = parts[index];
      if (!part) return;
      const { table, spans, names } = part;
      const width = table.columns.length - names.length;
      const tableCells = new TableCells();
      let at = 0;
      for await (const batch of file.readRows(part.whole)) {
        const rows = batch.flatMap(({ cells, place, problem = null, typed }): SourceRow[] => {
          // Rows are in the order of the spans.
          while ((spans[at]?.to ?? Infinity) < place) at++;
          const span = spans[at];
          if (!span || span.from > place) return [];
          if (typed) tableCells.add({ place, cells: typed });
          const rowCells = withoutBlankEnd(cells, width);
          if (isSheet || (fills && names.length > 0)) while (rowCells.length < width) rowCells.push(null);
          // A row of another width stays, and is rejected.
          if (rowCells.length === width)
            for (const wanted of names)
              rowCells.push(span.values.find(({ name }) => name === wanted)?.value ?? null);
          return [{ cells: rowCells, place, problem }];
        });
        if (rows.length > 0) yield rows;
      }
      if (isSheet) judged.set(index, tableCells.judge(table.columns));
    },
  };
}

/**
 * Opens a delimited file in which tables follow each other, or in which pages or blocks repeat the header.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, cancelled
 */
export function openDelimitedTables(source: Source, options: OpenOptions): SourceFile {
  const layout = recognizeWhole(source, options);
  const start = { byte: layout.encoding.bom, line: 1 };
  const watch = new TableWatch(layout);
  const onComment = (row: CellRow): void => watch.addComment(row);
  const reader = new RowReader(source, layout, { ...start, onComment });
  for (const row of reader.all()) watch.add(row);
  const content = watch.end();
  const columns = layout.columns.map(({ name, unit }, at) => ({
    ...column(name, unit),
    ...(reader.escapes?.textColumns.has(at) === true && { type: 'text' as const }),
  }));
  const [first] = content.tables;
  const file: SourceFile = {
    placeKind: 'line',
    delimiter: layout.delimiter,
    tables: [
      {
        name: source.fileName,
        columns,
        rows: null,
        headerRow: first?.header?.line ?? 0,
        ...(first?.units ? { unitRow: first.units.line } : {}),
        index: indexOfFirst(columns, false),
        ...(layout.head ? { explanation: layout.head } : {}),
      },
    ],
    header: entriesOf(watch.above),
    notes: reader.notes,
    warnings: [
      ...encodingWarnings(source, layout.encoding),
      ...[...hashWarnings({ comments: reader.comments, hashRows: null }), ...escapeWarnings(reader)].map(
        ({ code, message, line, count }) => ({ code, message, place: line, table: null, count }),
      ),
    ],
    async *readRows() {
      const rows = new RowReader(source, layout, start).all();
      yield* batched(
        rows.map((row) => ({ cells: row.texts(), place: row.record.line, problem: row.problem })),
        batchRows,
      );
    },
  };
  return splitFile(file, [content], options.shortRows === 'fill');
}

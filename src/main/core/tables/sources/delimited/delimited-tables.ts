import type { Finding } from '../../reading/column-facts.ts';
import { blockValueOf, explanationOf, type NotedLines } from '../../layout/head.ts';
import { commentText, escapeWarnings } from '../../reading/warnings.ts';
import { encodingWarnings } from '../text/text-lines.ts';
import type { Layout } from '../../reading/layout.ts';
import { recognize } from '../../reading/recognize.ts';
import type { Explanation } from '../../../../../shared/upload/upload.ts';
import { readRows, type RowReader } from '../../reading/rows.ts';
import { detectWholeEncoding, openSource, type Source } from '../../reading/source.ts';
import { type FoundTables, TableWatch } from '../../layout/below.ts';
import { indexOfFirst } from '../column-index.ts';
import {
  blockNames,
  column,
  headColumns,
  rowCount,
  SpanReader,
  tableFindings,
  withBlockCells,
  withoutBlankEnd,
} from '../row-spans.ts';
import type {
  HeaderEntry,
  OpenOptions,
  SourceFile,
  SourceRow,
  SourceTable,
  SourceWarning,
} from '../source.ts';

const batchRows = 1000;

/**
 * Opens a delimited file in which tables follow each other, or in which pages or blocks repeat the header.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, cancelled
 */
export async function openDelimitedTables(path: string, options: OpenOptions): Promise<SourceFile> {
  const source = openSource(path, options.fileName);
  try {
    const layout = layoutOf(source, options);
    const watch = new TableWatch(layout);
    const reader = rowsOf(source, layout, options.fileName);
    for (let row = reader.next(), count = 0; row; row = reader.next(), count++) {
      if (count % batchRows === 0) {
        options.signal.throwIfAborted();
        options.onRead?.();
      }
      watch.add(row);
    }
    return new DelimitedTables(source, layout, options.fileName, watch, reader);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The layout in the encoding of the whole file, whose start can be ASCII. */
function layoutOf(source: Source, options: OpenOptions): Layout {
  const { fileName, encoding: chosen, onRead } = options;
  if (chosen !== undefined) return recognize(fileName, source, options);
  const encoding = detectWholeEncoding(source, onRead);
  return { ...recognize(fileName, source, { ...options, encoding: encoding.name }), encoding };
}

const rowsOf = (source: Source, layout: Layout, fileName: string): RowReader =>
  readRows(fileName, source, layout, { byte: layout.encoding.bom, line: 1 });

class DelimitedTables implements SourceFile {
  readonly format = 'csv';
  readonly placeKind = 'line';
  readonly tables: readonly SourceTable[];
  readonly header: readonly HeaderEntry[];
  readonly warnings: readonly SourceWarning[];
  readonly #source: Source;
  readonly #layout: Layout;
  readonly #fileName: string;
  readonly #content: FoundTables;
  readonly #notes: NotedLines;
  /** For each table, the names of the values above its blocks, which are its last columns. */
  readonly #values: readonly (readonly string[])[];

  constructor(source: Source, layout: Layout, fileName: string, watch: TableWatch, reader: RowReader) {
    this.#source = source;
    this.#layout = layout;
    this.#fileName = fileName;
    this.#content = watch.end();
    this.#notes = reader.notes;
    this.#values = this.#content.tables.map((_, index) => blockNames(this.#content, index));
    this.tables = this.#content.tables.map((head, index): SourceTable => {
      const { header, units } = head;
      const columns = [
        ...(index === 0 || !header
          ? layout.columns.map(({ name, unit }, at) => ({
              ...column(name, unit),
              ...(reader.escapes?.textColumns.has(at) === true && { type: 'text' as const }),
            }))
          : headColumns(head)),
        ...(this.#values[index] ?? []).map((name) => column(name)),
      ];
      return {
        name: index === 0 ? fileName : `${fileName}, line ${header?.line ?? 1}`,
        columns,
        rows: rowCount(this.#content, index),
        isHidden: false,
        headerRow: header?.line ?? 0,
        ...(index === 0 && layout.head ? { explanation: layout.head } : {}),
        ...(units ? { unitRow: units.line } : {}),
        index: indexOfFirst(columns, false),
        nulls: [],
      };
    });
    this.header = watch.above.flatMap(({ cells }) => {
      const entry = blockValueOf(cells);
      return entry ? [{ group: 'Header', ...entry, unit: null, description: null }] : [];
    });
    this.warnings = [
      ...encodingWarnings(source, layout.encoding),
      ...tableFindings(this.#content, 'line', null, this.#values.flat()),
      ...(reader.comments === null ? [] : [commentWarning(reader.comments)]),
      ...escapeWarnings(reader).map(({ code, message, line, count }) => ({
        code,
        message,
        place: line,
        table: null,
        count,
      })),
    ];
  }

  async *readRows(table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const values = this.#values[table] ?? [];
    const width = (this.tables[table]?.columns.length ?? 0) - values.length;
    const spans = new SpanReader(this.#content, table);
    const reader = rowsOf(this.#source, this.#layout, this.#fileName);
    let batch: SourceRow[] = [];
    for (let row = reader.next(); row; row = reader.next()) {
      const block = spans.valuesAt(row.record.line);
      if (!block) continue;
      const cells = withoutBlankEnd(row.texts(), width);
      batch.push({
        cells: withBlockCells(cells, width, values, block),
        place: row.record.line,
        problem: row.problem,
      });
      if (batch.length < batchRows) continue;
      signal.throwIfAborted();
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  explain(): Explanation {
    const { head } = this.#layout;
    return explanationOf(head?.heads ?? [], [head, this.#content.notes, this.#notes]);
  }

  async close(): Promise<void> {
    this.#source.close();
  }
}

const commentWarning = ({ count, line }: Finding): SourceWarning => ({
  code: 'comment_lines',
  message: commentText(count),
  place: line,
  table: null,
  count,
});

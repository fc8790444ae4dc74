import { unitInName } from '../../../../../shared/channels/unit-text.ts';
import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { blockValueOf } from '../../reading/block-values.ts';
import type { Finding } from '../../reading/gathering.ts';
import { commentText } from '../../reading/row-warnings.ts';
import type { Layout } from '../../reading/layout.ts';
import { recognise } from '../../reading/recognise.ts';
import { readRows, type RowReader } from '../../reading/rows.ts';
import { openSource, type Source } from '../../reading/source.ts';
import type { FoundTables } from '../../reading/table-finder.ts';
import { TableWatch } from '../../reading/table-watch.ts';
import { indexOfFirst } from '../column-index.ts';
import { blockCells, blockNames, SpanReader, tableFindings, withoutBlankEnd } from '../row-spans.ts';
import type {
  HeaderEntry,
  OpenOptions,
  SourceColumn,
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
    const { encoding, delimiter, headerRow, unitRow, hashLines } = options;
    const layout = recognise(options.fileName, source, {
      encoding,
      delimiter,
      headerRow,
      unitRow,
      hashLines,
    });
    const watch = new TableWatch(layout);
    const reader = rowsOf(source, layout, options.fileName);
    for (let row = reader.next(), count = 0; row; row = reader.next(), count++) {
      if (count % batchRows === 0) options.signal.throwIfAborted();
      watch.add(row);
    }
    return new DelimitedTables(source, layout, options.fileName, watch, reader);
  } catch (error) {
    source.close();
    throw error;
  }
}

const rowsOf = (source: Source, layout: Layout, fileName: string): RowReader =>
  readRows(fileName, source, layout, { byte: layout.encoding.bom, line: 1 });

/** The columns of a table: those of its header, and those of the values above its blocks. */
function columnsOf(
  content: FoundTables,
  index: number,
  layout: Layout,
): { readonly columns: readonly SourceColumn[]; readonly values: readonly string[] } {
  const values = blockNames(content, index);
  const table = content.tables[index];
  const fileColumns =
    index === 0 || !table?.header
      ? layout.columns.map(({ name, unit }) => ({ name, unit }))
      : withoutBlankEnd(table.header.cells, 0).map((name, at) => ({
          name,
          unit: withoutBrackets(table.units?.cells[at] ?? '') || unitInName(name),
        }));
  const columns = [...fileColumns, ...values.map((name) => ({ name, unit: null }))];
  return { columns: columns.map((column) => ({ ...column, description: null, type: null })), values };
}

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

  constructor(source: Source, layout: Layout, fileName: string, watch: TableWatch, reader: RowReader) {
    this.#source = source;
    this.#layout = layout;
    this.#fileName = fileName;
    this.#content = watch.end();
    this.tables = this.#content.tables.map(({ header, units }, index): SourceTable => {
      const { columns } = columnsOf(this.#content, index, layout);
      return {
        name: index === 0 ? fileName : `${fileName}, line ${header?.line ?? 1}`,
        columns,
        rows: this.#content.spans.reduce((sum, { table, rows }) => sum + (table === index ? rows : 0), 0),
        isHidden: false,
        headerRow: header?.line ?? 0,
        ...(units ? { unitRow: units.line } : {}),
        index: indexOfFirst(columns, false),
        nulls: [],
      };
    });
    this.header = watch.above.flatMap(({ cells }) => {
      const entry = blockValueOf(cells);
      return entry ? [{ group: 'Header', ...entry, unit: null, description: null }] : [];
    });
    const names = this.#content.tables.flatMap((_, index) => blockNames(this.#content, index));
    this.warnings = [
      ...tableFindings(this.#content, 'line', null, names),
      ...(reader.comments === null ? [] : [commentWarning(reader.comments)]),
    ];
  }

  async *readRows(table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const { values } = columnsOf(this.#content, table, this.#layout);
    const width = (this.tables[table]?.columns.length ?? 0) - values.length;
    const spans = new SpanReader(this.#content, table);
    const reader = rowsOf(this.#source, this.#layout, this.#fileName);
    let batch: SourceRow[] = [];
    for (let row = reader.next(); row; row = reader.next()) {
      const block = spans.valuesAt(row.record.line);
      if (!block) continue;
      const cells = withoutBlankEnd(row.texts(), width);
      batch.push({
        cells: cells.length === width ? [...cells, ...blockCells(values, block)] : cells,
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

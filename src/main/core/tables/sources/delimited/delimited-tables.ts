import { blockValueOf } from '../../layout/head.ts';
import { TableWatch } from '../../layout/below.ts';
import { escapeWarnings, hashWarnings } from '../../reading/warnings.ts';
import { encodingWarnings } from '../text.ts';
import { recognize } from '../../reading/recognize.ts';
import { readRows, type RowReader } from '../../reading/rows.ts';
import { detectWholeEncoding, openSource } from '../../reading/source.ts';
import {
  headerEntry,
  indexOfFirst,
  orClose,
  type OpenOptions,
  type SourceFile,
  type SourceRow,
} from '../source.ts';
import { column, splitFile } from '../several-tables.ts';

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

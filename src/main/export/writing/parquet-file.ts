import { Columns } from '../records/columns.ts';
import { createPathTree } from '../records/path-tree.ts';
import { TypedRows } from '../records/typed-columns.ts';
import { ParquetTable, type ParquetOptions } from './parquet-table.ts';
import type { FinishedTable, FinishProgress } from './sink.ts';
import type { SpooledFiles } from './spooled-sink.ts';

/** Writes spooled records as Parquet: columns and types are the union over all of them. */
export function* writeParquet(
  { file, spool }: SpooledFiles,
  options: ParquetOptions & { readonly fields: readonly string[] },
): Generator<FinishProgress, FinishedTable> {
  const tree = createPathTree();
  const columns = new Columns(tree, options.fields, { isTyped: true });
  for (const page of spool.pages(tree)) {
    for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
    yield { rows: 0 };
  }
  // Parquet needs a column; an empty export has `_id`, which every record has.
  if (columns.inOrder().length === 0) columns.of(tree.child(tree.root, '"_id"').index);
  const table = new ParquetTable(file, new TypedRows(columns), options);
  let rows = 0;
  for (const page of spool.pages(tree)) {
    for (let record = 0; record < page.count; record += 1) table.add(page, record);
    rows += page.count;
    yield { rows };
  }
  table.finish();
  return { columns: table.names };
}

import { createPlacer, type PartitionPlan } from './census/partition.ts';
import { partitionMatcher } from './census/differences.ts';
import { Columns } from '../records/columns.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import type { PathTree } from '../records/path-tree.ts';
import { idOf, type ScannedPage } from '../records/scanned-page.ts';
import type { GrowingFile } from '../files/growing-file.ts';
import { type Marks, noTable, type Sink, type TableMarks } from './sink.ts';
import { TableRows } from './table-rows.ts';

/** The records of a folder that are written, and how they are divided. */
export interface RowPlaces {
  readonly partition: PartitionPlan;
  /** Times from here on, in milliseconds, are wrong. */
  readonly maxTimeMs: number;
  /** Earlier records, and those without a time, are left out; null: none. */
  readonly cutMs: number | null;
  /** Only records of these partitions are written; null: all. */
  readonly replaced: readonly string[] | null;
  /** The columns that the folder has, with the kinds of their values. */
  readonly columns: TableMarks['columns'];
}

interface TableSinkOptions {
  readonly tree: PathTree;
  readonly fields: readonly string[];
  /** For a folder: each line begins with the folder of its partition, its time in milliseconds, and its `_id`. */
  readonly places: RowPlaces | null;
  /** What was spooled before; null: nothing. */
  readonly marks: TableMarks | null;
}

/** The number of values before those of the columns in a line of a folder. */
export const placeValues = 3;

/** Spools records as rows, with what is needed to write them as a table: the columns with the kinds of their values. */
export class TableSink implements Sink {
  readonly needsValues = true;
  readonly #file: GrowingFile;
  readonly #columns: Columns;
  readonly #rows: TableRows;
  readonly #lines = new TextBuffer();
  readonly #leadOf: (page: ScannedPage, record: number) => readonly (string | null)[] | null;
  #maxLineBytes: number;

  /** @param file the spool */
  constructor(file: GrowingFile, { tree, fields, places, marks }: TableSinkOptions) {
    const { columns, maxLineBytes } = marks ?? { ...noTable, ...(places && { columns: places.columns }) };
    this.#file = file;
    this.#columns = new Columns(tree, fields, { isTyped: true, existing: columns });
    this.#rows = new TableRows(this.#columns);
    this.#maxLineBytes = maxLineBytes;
    const { number, boolean } = this.#rows.likeTexts;
    for (const { path, numberTexts, booleanTexts } of columns) {
      if (numberTexts !== undefined) number.set(this.#columns.numberOf(path), numberTexts);
      if (booleanTexts !== undefined) boolean.set(this.#columns.numberOf(path), booleanTexts);
    }
    this.#leadOf = places ? createLead(places, tree) : () => [];
  }

  write(page: ScannedPage, records: readonly number[]): void {
    const lines = this.#lines;
    for (const record of records) {
      const lead = this.#leadOf(page, record);
      if (!lead) continue;
      const before = lines.length;
      this.#rows.add(lines, page, record, lead);
      if (lines.length - before > this.#maxLineBytes) this.#maxLineBytes = lines.length - before;
    }
    this.#file.append(lines.take());
  }

  marks(): Marks {
    const { number, boolean } = this.#rows.likeTexts;
    const columns = this.#columns.discovered().map((column, at) => ({
      ...column,
      ...(number.has(at) && { numberTexts: number.get(at) }),
      ...(boolean.has(at) && { booleanTexts: boolean.get(at) }),
    }));
    const table = { columns, maxLineBytes: this.#maxLineBytes };
    return { partial: 0, spool: this.#file.length, columns: null, table };
  }

  sync(): void {
    this.#file.sync();
  }

  /** Begins the spool again, after its rows were written elsewhere. */
  restart(): void {
    this.#file.cutTo(0);
  }

  close(): void {
    this.#file.close();
  }
}

/** Creates a function that finds the first values of a record's line; null: it isn't written. */
function createLead({ partition, maxTimeMs, cutMs, replaced }: RowPlaces, tree: PathTree) {
  const place = createPlacer(partition, tree, maxTimeMs);
  const isReplaced = replaced && partitionMatcher(replaced);
  return (page: ScannedPage, record: number): readonly (string | null)[] | null => {
    const { folder, ms } = place(page, record);
    // Bounds of text can match a little more than the instants that they mean.
    if (isReplaced ? !isReplaced(folder) : cutMs !== null && (ms === null || ms < cutMs)) return null;
    return [folder, ms === null ? null : String(ms), idText(page, record)];
  };
}

/** The `_id` of a record as text; null: it has none. */
function idText(page: ScannedPage, record: number): string | null {
  const json = idOf(page, record);
  return json?.startsWith('"') === true ? String(JSON.parse(json)) : json;
}

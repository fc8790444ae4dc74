import { createPlacer, type PartitionPlan, partitionMatcher } from './census/partition.ts';
import { Columns, enlarged } from '../records/columns.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import {
  type PathTree,
  idOf,
  type ScannedPage,
  endOf,
  leafFrom,
  leafTo,
  startOf,
  textIn,
  jsonError,
} from '../records/scan.ts';
import type { GrowingFile } from '../files/growing-file.ts';
import { noTable, type Sink, type TableMarks, type TableOfMarks } from './sink.ts';
import { isUtf8 } from 'node:buffer';
import { isNumberStart, textOfJson } from '../records/json-text.ts';
import { isNumberText } from '../records/values.ts';

const quote = 34;
const comma = 44;
const backslash = 92;
const bracket = 91;
const brace = 123;
const space = 32;
const nullBytes = Buffer.from('null');
const [nullStart = 0] = nullBytes;
/** A value has two quotes and a comma, or is a null with a comma. */
const maxExtraBytes = 5;

/**
 * Writes records as lines that the engine of tables reads: a JSON array of texts, one for each column in the order in which
 * the columns occurred, without the nulls at its end. A number is its text in the record, so that no digit is lost, and a
 * list or an object is its JSON. A later column only makes later lines longer.
 */
export class TableRows {
  readonly #columns: Columns;
  /** The position of each column's value in the page. */
  #starts = new Int32Array(256).fill(-1);
  #ends = new Int32Array(256);
  /** The number of the last column with a value in the record before. */
  #last = -1;
  #page: ScannedPage | null = null;
  #isUtf8 = true;
  /** How many texts are written like numbers, or like booleans, by the number of their column. */
  readonly likeTexts = { number: new Map<number, number>(), boolean: new Map<number, number>() };

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /**
   * @param lead values before those of the columns
   * @throws AppError `bad_answer` for a text that isn't JSON
   */
  add(lines: TextBuffer, page: ScannedPage, record: number, lead: readonly (string | null)[]): void {
    if (page !== this.#page) {
      this.#page = page;
      this.#isUtf8 = isUtf8(page.bytes);
    }
    const { bytes } = page;
    const last = this.#locate(page, record);
    lines.byte(bracket);
    for (const [at, value] of lead.entries()) {
      if (at > 0) lines.byte(comma);
      lines.text(value === null ? 'null' : JSON.stringify(value));
    }
    // Most values are numbers, so they are copied inline; others use calls.
    const maxBytes = endOf(page, record) - startOf(page, record) + (last + 1) * maxExtraBytes;
    lines.reserve(maxBytes);
    let to = lines.bytes;
    let writeAt = lines.length;
    for (let column = 0; column <= last; column += 1) {
      if (column + lead.length > 0) to[writeAt++] = comma;
      const start = this.#starts[column] ?? -1;
      const first = start < 0 ? nullStart : (bytes[start] ?? 0);
      if (first === quote || first === bracket || first === brace) {
        lines.length = writeAt;
        const end = this.#ends[column] ?? 0;
        const like = first === quote ? likenessOf(page, start + 1, end - 1) : null;
        if (like) this.likeTexts[like].set(column, (this.likeTexts[like].get(column) ?? 0) + 1);
        this.#addText(lines, page, start, end);
        lines.reserve(maxBytes);
        to = lines.bytes;
        writeAt = lines.length;
      } else if (start < 0) {
        for (const byte of nullBytes) to[writeAt++] = byte;
      } else {
        const end = this.#ends[column] ?? 0;
        to[writeAt++] = quote;
        for (let at = start; at < end; at += 1) to[writeAt++] = bytes[at] ?? 0;
        to[writeAt++] = quote;
      }
    }
    lines.length = writeAt;
    lines.text(']\n');
  }

  /** @returns the number of the last column with a value; -1 without any */
  #locate(page: ScannedPage, record: number): number {
    const { leaves, bytes } = page;
    this.#starts.fill(-1, 0, this.#last + 1);
    let last = -1;
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const column = this.#columns.addLeaf(page, leaf);
      const start = leaves[leaf + 1] ?? 0;
      if (column < 0 || bytes[start] === 110) continue;
      if (column >= this.#starts.length) {
        this.#starts = enlarged(this.#starts, column);
        this.#ends = enlarged(this.#ends, column);
      }
      this.#starts[column] = start;
      this.#ends[column] = leaves[leaf + 2] ?? 0;
      if (column > last) last = column;
    }
    this.#last = last;
    return last;
  }

  /** Adds a text as it is, if it has no escapes; else, and for a list or an object, as a JSON text. */
  #addText(lines: TextBuffer, page: ScannedPage, start: number, end: number): void {
    const { bytes } = page;
    if (bytes[start] !== quote) return addJsonText(lines, textIn(page, start, end));
    lines.reserve(end - start);
    const to = lines.bytes;
    let writeAt = lines.length;
    for (let at = start; at < end; at += 1, writeAt += 1) {
      const byte = bytes[at] ?? 0;
      const isPlain = byte !== backslash && byte >= space && (byte < 128 || this.#isUtf8);
      if (!isPlain) return addJsonText(lines, stringAt(page, start, end));
      to[writeAt] = byte;
    }
    lines.length = writeAt;
  }
}

/** Whether a text is written like a number or a boolean: a column of such values has it. */
function likenessOf(page: ScannedPage, start: number, end: number): 'number' | 'boolean' | null {
  const first = page.bytes[start];
  if (first === 116 || first === 102)
    return end - start < 6 && ['true', 'false'].includes(textIn(page, start, end)) ? 'boolean' : null;
  return isNumberStart(first) && isNumberText(textIn(page, start, end)) ? 'number' : null;
}

/** Adds a text; half of a surrogate pair, which no engine reads, is U+FFFD. */
const addJsonText = (lines: TextBuffer, text: string): void =>
  lines.text(JSON.stringify(text.toWellFormed()));

function stringAt(page: ScannedPage, start: number, end: number): string {
  try {
    return String(JSON.parse(textIn(page, start, end)));
  } catch {
    throw jsonError(start, 'a text isn’t valid JSON');
  }
}

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

  marks(): TableOfMarks {
    const { number, boolean } = this.#rows.likeTexts;
    const columns = this.#columns.discovered().map((column, at) => ({
      ...column,
      ...(number.has(at) && { numberTexts: number.get(at) }),
      ...(boolean.has(at) && { booleanTexts: boolean.get(at) }),
    }));
    return { columns: null, table: { columns, maxLineBytes: this.#maxLineBytes } };
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
  return json === null ? null : textOfJson(json);
}

import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isObject, parseJson, valueAt, type JsonValue } from '../../shared/json.ts';
import { createPathTree } from '../export/records/path-tree.ts';
import { endOf, RecordScanner, startOf } from '../export/records/scan.ts';
import { writeError } from '../files/file-errors.ts';
import type { Preparation } from '../upload/mapping/preparation.ts';
import { createPreparer } from '../upload/preparing/prepare.ts';
import { openSource, type NamedFile } from '../upload/reading/source.ts';
import type { ComparedRecord } from './compare.ts';
import { createComparedReader } from './compared-records.ts';
import type { ComparisonSpec } from './plan.ts';
import { seriesPaths } from './record-roles.ts';

/** Rows and bytes that are prepared together. */
const batch = { rows: 20_000, bytes: 8 << 20 };
/** Number of records that are read together. */
const recordsRead = 4096;

export interface FileToCompare extends Preparation, NamedFile {
  readonly spec: ComparisonSpec;
  /** A new file for the records; the caller removes it. */
  readonly spool: string;
}

/** What is in a file, by which the records it goes to are found. */
export interface FileExtent {
  /** Number of rows that can't be read. */
  readonly rejected: number;
  /** The first and the last index; null: no row has one. */
  readonly range: { readonly from: JsonValue; readonly to: JsonValue } | null;
  /** The distinct values of each path that names a well or a log. */
  readonly series: readonly (readonly [path: string, values: readonly JsonValue[]])[];
}

/** The records of a file in the order of their index. */
export interface SortedFile {
  readonly extent: FileExtent;
  /** The records after those of the last call; empty: there are no more. */
  next(): ComparedRecord[];
  /** Starts again at the first record. */
  rewind(): void;
  close(): void;
}

/** The index of each record of a file, where its text is, and its line: 24 bytes for each. */
class RecordPlaces {
  readonly #at: Float64Array;
  readonly #start: Float64Array;
  readonly #bytes: Uint32Array;
  readonly #line: Uint32Array;
  /** Null: the records are in the order of their index. */
  #order: Uint32Array | null = null;
  count = 0;

  constructor(maxCount: number) {
    this.#at = new Float64Array(maxCount);
    this.#start = new Float64Array(maxCount);
    this.#bytes = new Uint32Array(maxCount);
    this.#line = new Uint32Array(maxCount);
  }

  add(at: number, start: number, bytes: number, line: number): void {
    this.#at[this.count] = at;
    this.#start[this.count] = start;
    this.#bytes[this.count] = bytes;
    this.#line[this.count] = line;
    this.count += 1;
  }

  /** Sorts by index, records without one first. Repeated ones keep their order. */
  sort(): void {
    const places = this.#at.subarray(0, this.count).map((at) => (Number.isNaN(at) ? -Infinity : at));
    if (places.every((place, n) => n === 0 || place >= (places[n - 1] ?? place))) return;
    const order = Uint32Array.from({ length: this.count }, (_, n) => n);
    this.#order = order.sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0) || a - b);
  }

  /** The record at a position of the order. */
  place(position: number): {
    readonly at: number;
    readonly start: number;
    readonly end: number;
    readonly line: number;
  } {
    const n = this.#order?.[position] ?? position;
    const start = this.#start[n] ?? 0;
    return {
      at: this.#at[n] ?? Number.NaN,
      start,
      end: start + (this.#bytes[n] ?? 0),
      line: this.#line[n] ?? 0,
    };
  }
}

/**
 * Reads the rows of a file as the records of an upload, and sorts them by their index. The records are in another file;
 * only their places are in memory. Blocks: for worker threads.
 * @param columnOf the column of a field, by its path
 * @param onRows called with the number of rows that were read
 * @throws AppError disk_full, file_changed, file_unreadable, file_unwritable
 */
export function sortFile(
  { spec, spool, path, places: placesPath, ...preparation }: FileToCompare,
  columnOf: (path: string) => number,
  onRows: (rows: number) => void,
): SortedFile {
  const tree = createPathTree();
  const scanner = new RecordScanner({ tree, keyField: null });
  const read = createComparedReader(spec, tree, columnOf);
  const places = new RecordPlaces(preparation.rows);
  const firstOfSeries = new Map<string, number>();
  let rejected = 0;
  let written = 0;
  const source = openSource(path, preparation.fileName, placesPath);
  const out = openSync(spool, 'wx+', 0o600);

  function addBody(body: Uint8Array, lines: Uint32Array): void {
    const page = scanner.scanArray(body);
    for (let record = 0; record < page.count; record += 1) {
      const [{ at, series } = { at: Number.NaN, series: '' }] = read(page, [record]);
      if (!firstOfSeries.has(series)) firstOfSeries.set(series, places.count);
      const start = startOf(page, record);
      places.add(at, written + start, endOf(page, record) - start, lines[record] ?? 0);
    }
    scanner.release(page);
    writeFileSync(out, body);
    // Space keeps the records of two batches from looking like neighbors.
    writeFileSync(out, ' ');
    written += body.byteLength + 1;
  }

  function addRows(): void {
    const { layout, rows } = preparation;
    const prepare = createPreparer(source, preparation, () => null);
    let [byte, line] = [layout.dataStart, layout.dataLine];
    for (let row = 0; row < rows;) {
      const prepared = prepare({ byte, line, row, ...batch, body: true });
      if (prepared.body) addBody(prepared.body, prepared.lines);
      for (const { code, count } of prepared.problems) if (code !== 'empty_row') rejected += count;
      ({ to: byte, nextLine: line } = prepared);
      row += prepared.rows;
      onRows(row);
    }
  }

  function textOf({ start, end }: { readonly start: number; readonly end: number }): Buffer {
    const bytes = Buffer.allocUnsafe(end - start);
    readSync(out, bytes, 0, bytes.byteLength, start);
    return bytes;
  }

  const recordAt = (position: number): JsonValue =>
    position >= 0 && position < places.count ? parseJson(textOf(places.place(position)).toString()) : null;
  const valueIn = (record: JsonValue, at: string): JsonValue | undefined =>
    isObject(record) ? valueAt(record, at.split('.')) : undefined;

  function extentOf(firsts: readonly JsonValue[]): FileExtent {
    const series = seriesPaths(spec).map((name) => {
      const values = firsts.map((record) => valueIn(record, name) ?? null);
      return [name, [...new Set(values)]] as const;
    });
    let placed = 0;
    while (placed < places.count && Number.isNaN(places.place(placed).at)) placed += 1;
    const from = valueIn(recordAt(placed), spec.index.field);
    const to = valueIn(recordAt(places.count - 1), spec.index.field);
    const range = from === undefined || to === undefined ? null : { from, to };
    return { rejected, range, series };
  }

  function readFrom(first: number): ComparedRecord[] {
    const wanted = Array.from({ length: Math.min(recordsRead, places.count - first) }, (_, n) =>
      places.place(first + n),
    );
    const parts: Buffer[] = [Buffer.from('[')];
    for (let from = 0; from < wanted.length;) {
      // Records that follow one another in the file are read at once.
      let to = from + 1;
      while (to < wanted.length && isNext(wanted[to - 1], wanted[to])) to += 1;
      const [start, end] = [wanted[from]?.start ?? 0, wanted[to - 1]?.end ?? 0];
      parts.push(Buffer.from(from === 0 ? '' : ','), textOf({ start, end }));
      from = to;
    }
    const page = scanner.scanArray(Buffer.concat([...parts, Buffer.from(']')]));
    const records = read(page, [...Array(page.count).keys()]);
    scanner.release(page);
    return records.map((record, n) => ({ ...record, line: wanted[n]?.line ?? null }));
  }

  try {
    addRows();
  } catch (error) {
    closeSync(out);
    throw writeError(error, basename(spool), written);
  } finally {
    source.close();
  }
  const firsts = [...firstOfSeries.values()].map((record) => recordAt(record));
  places.sort();
  const extent = extentOf(firsts);
  let at = 0;
  return {
    extent,
    next() {
      const records = readFrom(at);
      at += records.length;
      return records;
    },
    rewind() {
      at = 0;
    },
    close: () => closeSync(out),
  };
}

/** The bytes between two records of a batch: a comma and a line break. */
const separatorBytes = 2;

const isNext = (
  before: { readonly end: number } | undefined,
  after: { readonly start: number } | undefined,
): boolean => before !== undefined && after !== undefined && after.start - before.end === separatorBytes;

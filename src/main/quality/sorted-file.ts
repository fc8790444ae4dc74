import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { isObject, parseJson, type JsonValue } from '../../shared/json.ts';
import { createPathTree } from '../export/records/path-tree.ts';
import { endOf, RecordScanner, startOf } from '../export/records/scan.ts';
import { valueAt } from '../upload/existing/fingerprint.ts';
import type { Preparation } from '../upload/mapping/preparation.ts';
import { createPreparer } from '../upload/preparing/prepare.ts';
import { openSource, type NamedFile } from '../upload/reading/source.ts';
import type { ComparedRecord } from './compare.ts';
import { createComparedReader } from './compared-records.ts';
import type { ComparisonSpec } from './comparison-spec.ts';
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
}

/**
 * Reads the rows of a file as the records of an upload, and sorts them by their index. The records are in another file;
 * only their places are in memory. Blocks: for worker threads.
 * @throws AppError file_changed, file_unreadable
 */
export function sortFile({ spec, spool, path, places, ...preparation }: FileToCompare): SortedFile {
  const source = openSource(path, preparation.fileName, places);
  const out = openSync(spool, 'wx+', 0o600);
  const tree = createPathTree();
  const scanner = new RecordScanner({ tree, keyField: null });
  const read = createComparedReader(spec, tree);
  /** Index, start, and end of each record. */
  const found: { readonly at: number; readonly start: number; readonly end: number }[] = [];
  const firstOfSeries = new Map<string, number>();
  let rejected = 0;
  let written = 0;

  function addBody(body: Uint8Array): void {
    const page = scanner.scanArray(body);
    const all = [...Array(page.count).keys()];
    read(page, all).forEach(({ at, series }, record) => {
      if (!firstOfSeries.has(series)) firstOfSeries.set(series, found.length);
      found.push({ at, start: written + startOf(page, record), end: written + endOf(page, record) });
    });
    scanner.release(page);
    // Space keeps the records of two batches from looking like neighbors.
    writeSync(out, Buffer.concat([body, Buffer.from(' ')]));
    written += body.byteLength + 1;
  }

  function addRows(): void {
    const { layout, rows } = preparation;
    const prepare = createPreparer(source, preparation, () => null);
    let [byte, line] = [layout.dataStart, layout.dataLine];
    for (let row = 0; row < rows;) {
      const prepared = prepare({ byte, line, row, ...batch, body: true });
      if (prepared.body) addBody(prepared.body);
      for (const { code, count } of prepared.problems) if (code !== 'empty_row') rejected += count;
      ({ to: byte, nextLine: line } = prepared);
      row += prepared.rows;
    }
  }

  function textOf({ start, end }: { readonly start: number; readonly end: number }): Buffer {
    const bytes = Buffer.allocUnsafe(end - start);
    readSync(out, bytes, 0, bytes.byteLength, start);
    return bytes;
  }

  function valueIn(record: (typeof found)[number] | undefined, at: string): JsonValue | undefined {
    const parsed = record && parseJson(textOf(record).toString());
    return isObject(parsed) ? valueAt(parsed, at.split('.')) : undefined;
  }

  function extentOf(firsts: readonly ((typeof found)[number] | undefined)[]): FileExtent {
    const series = seriesPaths(spec).map((name) => {
      const values = firsts.map((record) => valueIn(record, name) ?? null);
      return [name, [...new Set(values)]] as const;
    });
    const placed = found.findIndex(({ at }) => !Number.isNaN(at));
    const from = valueIn(found[placed], spec.index.field);
    const to = valueIn(found.at(-1), spec.index.field);
    const range = placed < 0 || from === undefined || to === undefined ? null : { from, to };
    return { rejected, range, series };
  }

  function readFrom(first: number): ComparedRecord[] {
    const wanted = found.slice(first, first + recordsRead);
    const parts: Buffer[] = [];
    for (let from = 0; from < wanted.length;) {
      // Records that follow one another in the file are read at once.
      let to = from + 1;
      while (to < wanted.length && isNext(wanted[to - 1], wanted[to])) to += 1;
      const [start, end] = [wanted[from]?.start ?? 0, wanted[to - 1]?.end ?? 0];
      parts.push(Buffer.from(parts.length === 0 ? '[' : ','), textOf({ start, end }));
      from = to;
    }
    const page = scanner.scanArray(Buffer.concat([...parts, Buffer.from(parts.length === 0 ? '[]' : ']')]));
    const records = read(page, [...Array(page.count).keys()]);
    scanner.release(page);
    return records;
  }

  try {
    addRows();
  } catch (error) {
    closeSync(out);
    throw error;
  } finally {
    source.close();
  }
  const firsts = [...firstOfSeries.values()].map((record) => found[record]);
  // Records without an index come first. The sort is stable: repeated ones keep their order.
  const placeOf = ({ at }: (typeof found)[number]): number => (Number.isNaN(at) ? -Infinity : at);
  if (found.some((record, n) => n > 0 && placeOf(record) < placeOf(found[n - 1] ?? record)))
    found.sort((a, b) => placeOf(a) - placeOf(b) || 0);
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
  };
}

/** The bytes between two records of a batch: a comma and a line break. */
const separatorBytes = 2;

const isNext = (
  before: { readonly end: number } | undefined,
  after: { readonly start: number } | undefined,
): boolean => before !== undefined && after !== undefined && after.start - before.end === separatorBytes;

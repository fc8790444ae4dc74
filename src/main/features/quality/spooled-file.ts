import { basename } from 'node:path';
import { parseJson, valueAt, type JsonValue } from '../../../shared/json.ts';
import { createPathTree, RecordScanner, endOf, startOf } from '../../core/records/scan.ts';
import { writeError } from '../../core/files/file-errors.ts';
import { createPreparer } from '../../core/mapping/mapping.ts';
import { openTableFile, type NamedFile } from '../../core/tables/tables.ts';
import type { ComparedRecord } from './compare.ts';
import { createComparedReader } from './compared-records.ts';
import type { ComparisonSpec } from './quality-plan.ts';
import { createPlaceReader, placeText, type RecordPlace } from './record-places.ts';
import { seriesPaths } from './record-roles.ts';
import { closeSync, openSync, readSync, writeFileSync } from '../../world/files.ts';

/** Rows and bytes that are prepared together. */
const batch = { rows: 20_000, bytes: 8 << 20 };
/** Number of records that are read together. */
const recordsRead = 4096;

type Preparation = Parameters<typeof createPreparer>[1];

export interface FileToCompare extends Preparation, Omit<NamedFile, 'expected'> {
  /** What the plan was made of: a file with another time is the same if its content is. */
  readonly planned: NonNullable<NamedFile['expected']>;
  readonly spec: ComparisonSpec;
  /** New files for the records and for their places; the caller removes them. */
  readonly spool: string;
  readonly recordPlaces: string;
}

/** What is in a file, by which the records it goes to are found. */
export interface FileExtent {
  /** Number of rows that can't be read. */
  readonly rejected: number;
  /** The first and the last index; null: no row has one. */
  readonly range: {
    readonly from: JsonValue;
    readonly to: JsonValue;
    /** Both in milliseconds, if they are texts; null: they are numbers. */
    readonly times: { readonly from: number; readonly to: number } | null;
  } | null;
  /** The distinct values of each path that names a well or a log. */
  readonly series: readonly (readonly [path: string, values: readonly JsonValue[]])[];
  /** Whether the records are in the order of their index. */
  readonly isOrdered: boolean;
}

export interface SpooledFile {
  readonly extent: FileExtent;
  /** Starts at the first record. @param places the file of their places, in the order of their index */
  open(places: string): void;
  /** The records after those of the last call; empty: there are no more. */
  next(): ComparedRecord[];
  close(): void;
}

/** A record with the first or the last index so far. */
interface Extreme extends RecordPlace {
  readonly at: number;
}

/**
 * Reads the rows of a file as the records of an upload. The records and their places are in files, so that memory doesn't
 * grow with the rows. Blocks: for worker threads.
 * @param columnOf the column of a field, by its path
 * @param onRows called with the number of rows that were read
 * @throws AppError disk_full, file_changed, file_unreadable, file_unwritable
 */
export function spoolFile(
  { spec, spool, recordPlaces, path, places: lineMap, planned, ...preparation }: FileToCompare,
  columnOf: (path: string) => number,
  onRows: (rows: number) => void,
): SpooledFile {
  const tree = createPathTree();
  const scanner = new RecordScanner({ tree, keyField: null });
  const reader = createComparedReader(spec, tree, columnOf);
  const firstOfSeries = new Map<string, RecordPlace>();
  let [first, last]: [Extreme | null, Extreme | null] = [null, null];
  let isOrdered = true;
  let rejected = 0;
  let written = 0;
  const source = openTableFile(
    { path, fileName: preparation.fileName, places: lineMap, expected: planned },
    preparation.layout,
  );
  const out = openSync(spool, 'wx+', 0o600);
  const outPlaces = openSync(recordPlaces, 'wx', 0o600);

  function addRecord(at: number, series: string, place: RecordPlace): void {
    if (!firstOfSeries.has(series)) firstOfSeries.set(series, place);
    if (Number.isNaN(at)) return;
    if (!first || at < first.at) first = { ...place, at };
    if (last && at < last.at) isOrdered = false;
    else last = { ...place, at };
  }

  function addBody(body: Uint8Array, lines: Uint32Array): void {
    const page = scanner.scanArray(body);
    let text = '';
    for (let record = 0; record < page.count; record += 1) {
      const { at, series } = reader.placeOf(page, record);
      const start = startOf(page, record);
      const bytes = endOf(page, record) - start;
      const place = { start: written + start, bytes, line: lines[record] ?? 0 };
      addRecord(at, series, place);
      text += placeText(place, at);
    }
    scanner.release(page);
    writeFileSync(out, body);
    // Space keeps the records of two batches from looking like neighbors.
    writeFileSync(out, ' ');
    writeFileSync(outPlaces, text);
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

  function textAt({ start, bytes }: Pick<RecordPlace, 'start' | 'bytes'>): Buffer {
    const text = Buffer.allocUnsafe(bytes);
    readSync(out, text, 0, bytes, start);
    return text;
  }

  function valueIn(place: RecordPlace | null, path: string): JsonValue | undefined {
    return place ? valueAt(parseJson(textAt(place).toString()), path.split('.')) : undefined;
  }

  function extentOf(): FileExtent {
    const firsts = [...firstOfSeries.values()];
    const series = seriesPaths(spec).map((name) => {
      const values = firsts.map((place) => valueIn(place, name) ?? null);
      return [name, [...new Set(values)]] as const;
    });
    const [from, to] = [first, last].map((place) => valueIn(place, spec.index.field));
    const times = typeof from === 'string' && first && last ? { from: first.at, to: last.at } : null;
    const range = from === undefined || to === undefined ? null : { from, to, times };
    return { rejected, range, series, isOrdered };
  }

  try {
    addRows();
  } catch (error) {
    closeSync(out);
    throw writeError(error, basename(spool), written);
  } finally {
    source.close();
    closeSync(outPlaces);
  }
  let places: ReturnType<typeof createPlaceReader> | null = null;
  return {
    extent: extentOf(),
    open(path) {
      places?.close();
      places = createPlaceReader(path);
    },
    next() {
      const wanted = places?.next(recordsRead) ?? [];
      const parts: Buffer[] = [Buffer.from('[')];
      for (let from = 0; from < wanted.length;) {
        // Records that follow one another in the file are read at once.
        let to = from + 1;
        while (to < wanted.length && isNext(wanted[to - 1], wanted[to])) to += 1;
        const { start = 0 } = wanted[from] ?? {};
        const { start: lastStart, bytes } = wanted[to - 1] ?? { start, bytes: 0 };
        const text = textAt({ start, bytes: lastStart + bytes - start });
        parts.push(Buffer.from(from === 0 ? '' : ','), text);
        from = to;
      }
      const page = scanner.scanArray(Buffer.concat([...parts, Buffer.from(']')]));
      const records = reader.read(page, [...Array(page.count).keys()]);
      scanner.release(page);
      return records.map((record, n) => ({ ...record, line: wanted[n]?.line ?? null }));
    },
    close() {
      places?.close();
      closeSync(out);
    },
  };
}

/** The bytes between two records of a batch: a comma and a line break. */
const separatorBytes = 2;

const isNext = (before: RecordPlace | undefined, after: RecordPlace | undefined): boolean =>
  before !== undefined && after !== undefined && after.start - before.start - before.bytes === separatorBytes;

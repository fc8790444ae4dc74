import type { Run, Segment } from './run.ts';
import { tiesOf } from './run.ts';
import type { Key } from './values.ts';
import { compareKeys } from './values.ts';

/** The direction of reading: by key, then by id where keys are equal. */
export interface Direction {
  readonly key: 1 | -1;
  readonly id: 1 | -1;
}

/** A row of a result, with the location of its record. */
export interface Row {
  readonly run: Run;
  readonly row: number;
}

/** Reads one segment in one direction, with random access. */
class Reader {
  readonly run: Run;
  readonly length: number;
  position = 0;
  readonly #segment: Segment;
  readonly #direction: Direction;
  // The rows with the same key as the last row: needed where key and id have opposite directions.
  #ties = { from: 0, to: 0 };

  constructor(segment: Segment, direction: Direction) {
    this.run = segment.run;
    this.length = segment.to - segment.from;
    this.#segment = segment;
    this.#direction = direction;
  }

  rowAt(position: number): number {
    const { from, to } = this.#segment;
    const row = this.#direction.key === 1 ? from + position : to - 1 - position;
    if (this.#direction.key === this.#direction.id) return row;
    if (row < this.#ties.from || row >= this.#ties.to) {
      this.#ties = tiesOf(this.run, row, from, to);
    }
    return this.#ties.from + this.#ties.to - 1 - row;
  }

  get row(): number {
    return this.rowAt(this.position);
  }

  get done(): boolean {
    return this.position >= this.length;
  }
}

interface Head {
  readonly reader: Reader;
  row: number;
  key: Key;
}

/** Reads many segments as one ordered list. */
export class Merge {
  readonly length: number;
  readonly #direction: Direction;
  readonly #readers: Reader[];
  #heap: Head[] = [];

  /** Starts after the first `skip` rows. */
  constructor(segments: readonly Segment[], direction: Direction, skip = 0) {
    this.#direction = direction;
    this.#readers = segments.filter((s) => s.to > s.from).map((segment) => new Reader(segment, direction));
    this.length = this.#readers.reduce((sum, reader) => sum + reader.length, 0);
    if (skip > 0) this.#seek(Math.min(skip, this.length));
    for (const reader of this.#readers) {
      if (!reader.done) this.#heap.push({ reader, row: reader.row, key: reader.run.key(reader.row) });
    }
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i -= 1) this.#sink(i);
  }

  /** The next row, or undefined at the end. */
  next(): Row | undefined {
    const head = this.#heap[0];
    if (!head) return undefined;
    const taken = { run: head.reader.run, row: head.row };
    head.reader.position += 1;
    if (head.reader.done) {
      const last = this.#heap.pop();
      if (last && last !== head) this.#heap[0] = last;
    } else {
      head.row = head.reader.row;
      head.key = head.reader.run.key(head.row);
    }
    this.#sink(0);
    return taken;
  }

  #compare(a: Run, rowA: number, keyA: Key, b: Run, rowB: number, keyB: Key): number {
    const byKey = compareKeys(keyA, keyB) * this.#direction.key;
    if (byKey !== 0) return byKey;
    return compareKeys(a.id(rowA), b.id(rowB)) * this.#direction.id;
  }

  #sink(start: number): void {
    const heap = this.#heap;
    let at = start;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && this.#before(child, least)) least = child;
      }
      if (least === at) return;
      const moved = heap[at]!;
      heap[at] = heap[least]!;
      heap[least] = moved;
      at = least;
    }
  }

  #before(a: number, b: number): boolean {
    const x = this.#heap[a]!;
    const y = this.#heap[b]!;
    return this.#compare(x.reader.run, x.row, x.key, y.reader.run, y.row, y.key) < 0;
  }

  // Finds the row of a rank without reading the rows before it: a pivot from the largest remaining range gives, by
  // binary search in every segment, the number of rows before it, and halves the range.
  #seek(rank: number): void {
    const ranges = this.#readers.map((reader) => ({ reader, low: 0, high: reader.length }));
    for (;;) {
      const largest = ranges.reduce((a, b) => (b.high - b.low > a.high - a.low ? b : a));
      if (largest.high === largest.low) break;
      const middle = (largest.low + largest.high) >>> 1;
      const before = ranges.map((range) =>
        this.#countBefore(range.reader, largest.reader, middle, range.low, range.high),
      );
      const sum = before.reduce((a, b) => a + b, 0);
      ranges.forEach((range, i) => {
        if (sum > rank) range.high = before[i]!;
        else range.low = before[i]!;
      });
      if (sum < rank) largest.low = middle + 1;
      if (sum === rank) break;
    }
    for (const range of ranges) range.reader.position = range.low;
  }

  #countBefore(reader: Reader, pivotReader: Reader, pivot: number, from: number, to: number): number {
    if (reader === pivotReader) return pivot;
    const pivotRow = pivotReader.rowAt(pivot);
    const pivotKey = pivotReader.run.key(pivotRow);
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const row = reader.rowAt(middle);
      const order = this.#compare(reader.run, row, reader.run.key(row), pivotReader.run, pivotRow, pivotKey);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

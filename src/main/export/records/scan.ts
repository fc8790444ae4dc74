import type { PathNode, PathTree } from './paths.ts';
import { endOfString, endOfValue, isSpace, standsAt, unreadable } from './tokens.ts';

/** Objects deeper than this stand in one cell as JSON: no record is as deep, and a hostile one ends the walk here. */
const deepest = 64;

/**
 * Where things stand in a page of records, in bytes of UTF-8. Nothing is converted: what is written are parts of the
 * page, so that every number and every string goes out as it came.
 */
export interface ScannedPage {
  readonly bytes: Buffer;
  /** Whether a line ends somewhere in the page: only then can one end in a record. */
  readonly hasLineEnds: boolean;
  readonly count: number;
  /** Where a record begins and ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Values of all records, three numbers each: index of the path's node, start, end. */
  readonly leaves: Int32Array;
  /** Where a record's values begin in `leaves`; one more than there are records. */
  readonly leafFrom: readonly number[];
  /** Start and end of the `_id` and of the key field of each record; -1 where there is none. */
  readonly idSpans: readonly number[];
  readonly keySpans: readonly number[];
}

export interface ScanOptions {
  readonly tree: PathTree;
  /** The top-level field that pages are cut by. */
  readonly keyField: string | null;
}

/** Reads the places of records in a JSON array, or in a text of one record after another. */
export class RecordScanner {
  /** Whether values are wanted too, not only records, ids and keys; without them a scan is quicker. */
  leaves = true;
  readonly #tree: PathTree;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #found = new Int32Array(0);
  #used = 0;
  #id: PathNode | null;
  #key: PathNode | null;
  #idSpan: [number, number] = [-1, -1];
  #keySpan: [number, number] = [-1, -1];

  constructor({ tree, keyField }: ScanOptions) {
    this.#tree = tree;
    this.#id = tree.child(tree.root, '"_id"');
    this.#key = keyField === null ? null : tree.child(tree.root, JSON.stringify(keyField));
  }

  /**
   * @param page JSON text, or its bytes, which must be UTF-8
   * @throws AppError bad_answer when it is not an array of objects
   */
  scanArray(page: string | Uint8Array): ScannedPage {
    return this.#scan(bytesOf(page), true);
  }

  /** Reads records that stand one after the other, with nothing but white space between them. */
  scanLines(page: string | Uint8Array): ScannedPage {
    return this.#scan(bytesOf(page), false);
  }

  #scan(bytes: Buffer, array: boolean): ScannedPage {
    this.#bytes = bytes;
    // Behind a byte order mark.
    this.#at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    if (this.#found.length === 0 && this.leaves)
      this.#found = new Int32Array(Math.max(1024, bytes.length >> 2));
    this.#used = 0;
    const page = { starts: [], ends: [], leafFrom: [0], idSpans: [], keySpans: [] };
    if (array) this.#array(page);
    else this.#sequence(page);
    const hasLineEnds = bytes.includes(10) || bytes.includes(13);
    return {
      bytes,
      hasLineEnds,
      count: page.starts.length,
      ...page,
      leaves: this.#found.slice(0, this.#used),
    };
  }

  #array(page: Places): void {
    this.#expect(91);
    this.#space();
    if (this.#bytes[this.#at] === 93) this.#at += 1;
    else {
      for (let more = true; more;) {
        this.#space();
        this.#record(page);
        this.#space();
        more = this.#bytes[this.#at] === 44;
        if (more) this.#at += 1;
      }
      this.#expect(93);
    }
    this.#space();
    if (this.#at < this.#bytes.length) throw unreadable(this.#at, 'something stands behind the records');
  }

  #sequence(page: Places): void {
    for (this.#space(); this.#at < this.#bytes.length; this.#space()) this.#record(page);
  }

  #record(page: Places): void {
    if (this.#bytes[this.#at] !== 123) throw unreadable(this.#at, 'a record is not an object');
    this.#idSpan = [-1, -1];
    this.#keySpan = [-1, -1];
    page.starts.push(this.#at);
    this.#object(this.#tree.root);
    page.ends.push(this.#at);
    page.leafFrom.push(this.#used);
    page.idSpans.push(...this.#idSpan);
    page.keySpans.push(...this.#keySpan);
  }

  /** Walks an object whose brace stands at the present place, to behind its end. */
  #object(parent: PathNode): void {
    const bytes = this.#bytes;
    this.#at += 1;
    this.#space();
    if (bytes[this.#at] === 125) {
      this.#at += 1;
      return;
    }
    for (let nth = 0; ; nth += 1) {
      this.#space();
      const node = this.#member(parent, nth);
      this.#expect(58);
      this.#space();
      this.#value(node);
      this.#space();
      const code = bytes[this.#at];
      this.#at += 1;
      if (code === 125) return;
      if (code !== 44) throw unreadable(this.#at - 1, 'a comma or a brace is missing');
    }
  }

  /** The node of the key at the present place, by guess where the object is like the one before it. */
  #member(parent: PathNode, nth: number): PathNode {
    const bytes = this.#bytes;
    const guess = parent.guesses[nth];
    if (guess && standsAt(bytes, this.#at, guess.quoted)) {
      this.#at += guess.quoted.length;
      return guess;
    }
    const start = this.#at;
    if (bytes[start] !== 34) throw unreadable(start, 'a key is missing');
    this.#at = endOfString(bytes, start);
    const node = this.#tree.child(parent, bytes.toString('utf8', start, this.#at));
    parent.guesses[nth] = node;
    return node;
  }

  #value(node: PathNode): void {
    const bytes = this.#bytes;
    const start = this.#at;
    const { leaves } = this;
    if (bytes[start] === 123 && leaves && node.depth < deepest && !isEmptyObject(bytes, start))
      this.#object(node);
    else {
      this.#at = endOfValue(bytes, start);
      if (leaves) this.#note(node.index, start, this.#at);
    }
    if (node === this.#id) this.#idSpan = [start, this.#at];
    if (node === this.#key) this.#keySpan = [start, this.#at];
  }

  #note(node: number, start: number, end: number): void {
    const used = this.#used;
    if (used + 3 > this.#found.length) {
      const larger = new Int32Array(this.#found.length * 2);
      larger.set(this.#found);
      this.#found = larger;
    }
    this.#found[used] = node;
    this.#found[used + 1] = start;
    this.#found[used + 2] = end;
    this.#used = used + 3;
  }

  #space(): void {
    while (isSpace(this.#bytes[this.#at])) this.#at += 1;
  }

  #expect(code: number): void {
    this.#space();
    if (this.#bytes[this.#at] !== code)
      throw unreadable(this.#at, `“${String.fromCharCode(code)}” is missing`);
    this.#at += 1;
  }
}

interface Places {
  readonly starts: number[];
  readonly ends: number[];
  readonly leafFrom: number[];
  readonly idSpans: number[];
  readonly keySpans: number[];
}

function isEmptyObject(bytes: Uint8Array, start: number): boolean {
  let at = start + 1;
  while (isSpace(bytes[at])) at += 1;
  return bytes[at] === 125;
}

function bytesOf(page: string | Uint8Array): Buffer {
  if (typeof page === 'string') return Buffer.from(page);
  return Buffer.from(page.buffer, page.byteOffset, page.byteLength);
}

/** A part of a page as text. */
export const textIn = ({ bytes }: ScannedPage, start: number, end: number): string =>
  bytes.toString('utf8', start, end);

const slice = (page: ScannedPage, spans: readonly number[], record: number): string | null => {
  const start = spans[record * 2] ?? -1;
  return start < 0 ? null : textIn(page, start, spans[record * 2 + 1] ?? start);
};

/** The JSON text of a record's `_id`; null when it has none. */
export const idOf = (page: ScannedPage, record: number): string | null => slice(page, page.idSpans, record);

/** The JSON text of a record's key field; null when it is absent or null. */
export function keyOf(page: ScannedPage, record: number): string | null {
  const text = slice(page, page.keySpans, record);
  return text === 'null' ? null : text;
}

/** The JSON text of a record, as it came. */
export const recordText = (page: ScannedPage, record: number): string =>
  textIn(page, page.starts[record] ?? 0, page.ends[record] ?? 0);

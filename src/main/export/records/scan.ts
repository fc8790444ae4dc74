import type { PathNode, PathTree } from './paths.ts';
import { endOfString, endOfValue, isSpace, unreadable } from './tokens.ts';

/** Objects deeper than this stand in one cell as JSON: no record is as deep, and a hostile one ends the walk here. */
const deepest = 64;

/**
 * Where things stand in a page of records. Nothing is converted: what is written are slices of the text, so that every
 * number and every string goes out as it came.
 */
export interface ScannedPage {
  readonly text: string;
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
  #text = '';
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

  /** @throws AppError bad_answer when the text is not an array of objects */
  scanArray(text: string): ScannedPage {
    return this.#scan(text, true);
  }

  /** Reads records that stand one after the other, with nothing but white space between them. */
  scanLines(text: string): ScannedPage {
    return this.#scan(text, false);
  }

  #scan(text: string, array: boolean): ScannedPage {
    this.#text = text;
    this.#at = 0;
    this.#found = new Int32Array(this.leaves ? Math.max(1024, text.length >> 2) : 0);
    this.#used = 0;
    const page = { starts: [], ends: [], leafFrom: [0], idSpans: [], keySpans: [] };
    if (array) this.#array(page);
    else this.#sequence(page);
    return { text, count: page.starts.length, ...page, leaves: this.#found.slice(0, this.#used) };
  }

  #array(page: Places): void {
    this.#expect(91);
    this.#space();
    if (this.#text.charCodeAt(this.#at) === 93) this.#at += 1;
    else {
      for (let more = true; more;) {
        this.#space();
        this.#record(page);
        this.#space();
        more = this.#text.charCodeAt(this.#at) === 44;
        if (more) this.#at += 1;
      }
      this.#expect(93);
    }
    this.#space();
    if (this.#at < this.#text.length) throw unreadable(this.#at, 'something stands behind the records');
  }

  #sequence(page: Places): void {
    for (this.#space(); this.#at < this.#text.length; this.#space()) this.#record(page);
  }

  #record(page: Places): void {
    if (this.#text.charCodeAt(this.#at) !== 123) throw unreadable(this.#at, 'a record is not an object');
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
    const text = this.#text;
    this.#at += 1;
    this.#space();
    if (text.charCodeAt(this.#at) === 125) {
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
      const code = text.charCodeAt(this.#at);
      this.#at += 1;
      if (code === 125) return;
      if (code !== 44) throw unreadable(this.#at - 1, 'a comma or a brace is missing');
    }
  }

  /** The node of the key at the present place, by guess where the object is like the one before it. */
  #member(parent: PathNode, nth: number): PathNode {
    const text = this.#text;
    const guess = parent.guesses[nth];
    if (guess && text.startsWith(guess.quoted, this.#at)) {
      this.#at += guess.quoted.length;
      return guess;
    }
    const start = this.#at;
    if (text.charCodeAt(start) !== 34) throw unreadable(start, 'a key is missing');
    this.#at = endOfString(text, start);
    const node = this.#tree.child(parent, text.slice(start, this.#at));
    parent.guesses[nth] = node;
    return node;
  }

  #value(node: PathNode): void {
    const text = this.#text;
    const start = this.#at;
    const code = text.charCodeAt(start);
    const { leaves } = this;
    if (code === 123 && leaves && node.depth < deepest && !isEmptyObject(text, start)) this.#object(node);
    else {
      this.#at = endOfValue(text, start);
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
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #expect(code: number): void {
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== code)
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

function isEmptyObject(text: string, start: number): boolean {
  let at = start + 1;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === 125;
}

const slice = (page: ScannedPage, spans: readonly number[], record: number): string | null => {
  const start = spans[record * 2] ?? -1;
  return start < 0 ? null : page.text.slice(start, spans[record * 2 + 1]);
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
  page.text.slice(page.starts[record], page.ends[record]);

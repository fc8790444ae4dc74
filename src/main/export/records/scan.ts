import { Ints } from './lines.ts';
import { afterSpace, endOfString, endOfValue, standsAt, unreadable } from './tokens.ts';

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
  /** Values of all records, three numbers each: index of the path's node, start, end. */
  readonly leaves: Int32Array<ArrayBuffer>;
  /** Nine numbers for each record; read by {@link startOf} and its like. */
  readonly places: Int32Array<ArrayBuffer>;
}

/** Where numbers stand among those of a record; of `_id` and key they are -1 where there is none. */
const place = {
  start: 0,
  end: 1,
  leafFrom: 2,
  leafTo: 3,
  idStart: 4,
  idEnd: 5,
  keyStart: 6,
  keyEnd: 7,
} as const;
const perRecord = 9;

const placeOf = ({ places }: ScannedPage, record: number, which: number): number =>
  places[record * perRecord + which] ?? 0;

/** Where a record begins. */
export const startOf = (page: ScannedPage, record: number): number => placeOf(page, record, place.start);

/** Behind a record. */
export const endOf = (page: ScannedPage, record: number): number => placeOf(page, record, place.end);

/** Where a record's values begin in `leaves`. */
export const leafFrom = (page: ScannedPage, record: number): number => placeOf(page, record, place.leafFrom);

/** Where they end there. */
export const leafTo = (page: ScannedPage, record: number): number => placeOf(page, record, place.leafTo);

interface ScanOptions {
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
  #found = new Ints();
  #places = new Ints();
  #count = 0;
  /** The memory of pages that were released, for the next ones. */
  readonly #spare: Int32Array<ArrayBuffer>[] = [];
  readonly #sparePlaces: Int32Array<ArrayBuffer>[] = [];
  readonly #id: PathNode;
  readonly #key: PathNode | null;
  #idStart = -1;
  #idEnd = -1;
  #keyStart = -1;
  #keyEnd = -1;

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

  /** Takes back the memory in which the places of a page are noted; nothing may be read of it afterwards. */
  release({ leaves, places }: ScannedPage): void {
    this.#spare.push(new Int32Array(leaves.buffer));
    this.#sparePlaces.push(new Int32Array(places.buffer));
  }

  #scan(bytes: Buffer, array: boolean): ScannedPage {
    this.#bytes = bytes;
    this.#found = new Ints(this.#spare.pop());
    this.#places = new Ints(this.#sparePlaces.pop());
    this.#count = 0;
    // Behind a byte order mark.
    const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    if (array) this.#array(from);
    else this.#sequence(from);
    const hasLineEnds = bytes.includes(10) || bytes.includes(13);
    return {
      bytes,
      hasLineEnds,
      count: this.#count,
      leaves: this.#found.taken(),
      places: this.#places.taken(),
    };
  }

  #array(from: number): void {
    const bytes = this.#bytes;
    let at = afterSpace(bytes, this.#behind(91, from));
    if (bytes[at] === 93) at += 1;
    else {
      for (let more = true; more;) {
        at = afterSpace(bytes, this.#record(afterSpace(bytes, at)));
        more = bytes[at] === 44;
        if (more) at += 1;
      }
      at = this.#behind(93, at);
    }
    at = afterSpace(bytes, at);
    if (at < bytes.length) throw unreadable(at, 'something stands behind the records');
  }

  #sequence(from: number): void {
    const bytes = this.#bytes;
    for (let at = afterSpace(bytes, from); at < bytes.length;) at = afterSpace(bytes, this.#record(at));
  }

  #record(start: number): number {
    if (this.#bytes[start] !== 123) throw unreadable(start, 'a record is not an object');
    this.#idStart = this.#idEnd = this.#keyStart = this.#keyEnd = -1;
    const leaves = this.#found.length;
    const end = this.#object(this.#tree.root, start);
    this.#places.add(start, end, leaves);
    this.#places.add(this.#found.length, this.#idStart, this.#idEnd);
    this.#places.add(this.#keyStart, this.#keyEnd, 0);
    this.#count += 1;
    return end;
  }

  /** Walks an object whose brace stands at a place. @returns the place behind its end */
  #object(parent: PathNode, start: number): number {
    const bytes = this.#bytes;
    let at = afterSpace(bytes, start + 1);
    if (bytes[at] === 125) return at + 1;
    for (let nth = 0; ; nth += 1) {
      at = afterSpace(bytes, at);
      // By guess where the object is like the one before it.
      let node = parent.guesses[nth];
      if (node === undefined || !standsAt(bytes, at, node.quoted)) node = this.#learn(parent, nth, at);
      at += node.quoted.length;
      at = bytes[at] === 58 ? at + 1 : this.#behind(58, at);
      at = afterSpace(bytes, this.#value(node, afterSpace(bytes, at)));
      const code = bytes[at];
      at += 1;
      if (code === 125) return at;
      if (code !== 44) throw unreadable(at - 1, 'a comma or a brace is missing');
    }
  }

  /** The node of the key at a place. */
  #learn(parent: PathNode, nth: number, start: number): PathNode {
    const bytes = this.#bytes;
    if (bytes[start] !== 34) throw unreadable(start, 'a key is missing');
    const node = this.#tree.child(parent, bytes.toString('utf8', start, endOfString(bytes, start)));
    parent.guesses[nth] = node;
    return node;
  }

  #value(node: PathNode, start: number): number {
    const bytes = this.#bytes;
    let end: number;
    if (bytes[start] === 123 && this.leaves && node.depth < deepest && !isEmptyObject(bytes, start))
      end = this.#object(node, start);
    else {
      end = endOfValue(bytes, start);
      if (this.leaves) this.#found.add(node.index, start, end);
    }
    if (node === this.#id) {
      this.#idStart = start;
      this.#idEnd = end;
    }
    if (node === this.#key) {
      this.#keyStart = start;
      this.#keyEnd = end;
    }
    return end;
  }

  /** The place behind a character that must stand at a place, perhaps after space. */
  #behind(code: number, from: number): number {
    const at = afterSpace(this.#bytes, from);
    if (this.#bytes[at] !== code) throw unreadable(at, `“${String.fromCharCode(code)}” is missing`);
    return at + 1;
  }
}

function isEmptyObject(bytes: Uint8Array, start: number): boolean {
  return bytes[afterSpace(bytes, start + 1)] === 125;
}

function bytesOf(page: string | Uint8Array): Buffer {
  if (typeof page === 'string') return Buffer.from(page);
  return Buffer.from(page.buffer, page.byteOffset, page.byteLength);
}

/** A part of a page as text. */
export const textIn = ({ bytes }: ScannedPage, start: number, end: number): string =>
  bytes.toString('utf8', start, end);

function between(page: ScannedPage, record: number, which: number): string | null {
  const start = placeOf(page, record, which);
  return start < 0 ? null : textIn(page, start, placeOf(page, record, which + 1));
}

/** The JSON text of a record's `_id`; null when it has none. */
export const idOf = (page: ScannedPage, record: number): string | null =>
  between(page, record, place.idStart);

/** The JSON text of a record's key field; null when it is absent or null. */
export function keyOf(page: ScannedPage, record: number): string | null {
  const text = between(page, record, place.keyStart);
  return text === 'null' ? null : text;
}

/** The JSON text of a record, as it came. */
export const recordText = (page: ScannedPage, record: number): string =>
  textIn(page, startOf(page, record), endOf(page, record));

/** Reads the key of the first record in an answer, as JSON text: null when it has none, undefined without a record. */
export function createKeyReader(field: string): (answer: string | Uint8Array) => string | null | undefined {
  const scanner = new RecordScanner({ tree: createPathTree(), keyField: field });
  return (answer) => {
    const page = scanner.scanArray(answer);
    return page.count === 0 ? undefined : keyOf(page, 0);
  };
}

/** A place in records: a key under its parents. Places with a value become columns. */
interface PathNode {
  readonly index: number;
  /** The dotted path, as a column is named; empty for the record itself. */
  readonly path: string;
  /** The key as it stands in the text, with its quotes. */
  readonly quoted: Uint8Array;
  readonly depth: number;
  readonly children: Map<string, PathNode>;
  /** Which child stood at which position in the object read last: the next object is nearly always alike. */
  readonly guesses: PathNode[];
}

/** All places that the records read so far have. */
export interface PathTree {
  readonly root: PathNode;
  readonly nodes: readonly PathNode[];
  /** The child of a node by its key as it stands in the text; made when it is seen first. */
  child(parent: PathNode, quoted: string): PathNode;
}

export function createPathTree(): PathTree {
  const nodes: PathNode[] = [];
  const add = (path: string, quoted: string, depth: number): PathNode => {
    const node = {
      index: nodes.length,
      path,
      quoted: Buffer.from(quoted),
      depth,
      children: new Map(),
      guesses: [],
    };
    nodes.push(node);
    return node;
  };
  const root = add('', '', 0);
  return {
    root,
    nodes,
    child(parent, quoted) {
      const found = parent.children.get(quoted);
      if (found) return found;
      const key = String(JSON.parse(quoted));
      const made = add(parent.path === '' ? key : `${parent.path}.${key}`, quoted, parent.depth + 1);
      parent.children.set(quoted, made);
      return made;
    },
  };
}

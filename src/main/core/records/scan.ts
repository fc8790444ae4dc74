import { AppError } from '../../../shared/errors/errors.ts';
import { endOfString, endOfValue, matchesAt, skipSpace, startOfText } from './json-text.ts';
import { childPath } from '../../../shared/column-paths.ts';

/** A path in records. Paths with a value become columns. */
export interface PathNode {
  readonly index: number;
  /** The path, with dots inside of names escaped; empty for the record itself. */
  readonly path: string;
  /** The key with its quotes, as in the text. */
  readonly quoted: Uint8Array;
  readonly depth: number;
  readonly children: Map<string, PathNode>;
  /** The children in the order of the last object; the next object usually has the same order. */
  readonly expectedChildren: PathNode[];
}

/** All paths of the records scanned so far. */
export interface PathTree {
  readonly root: PathNode;
  readonly nodes: readonly PathNode[];
  /** The child of a node by its quoted key; created on first use. */
  child(parent: PathNode, quoted: string): PathNode;
}

/** Creates a tree without paths. */
export function createPathTree(): PathTree {
  const nodes: PathNode[] = [];
  const add = (path: string, quoted: string, depth: number): PathNode => {
    const node = {
      index: nodes.length,
      path,
      quoted: Buffer.from(quoted),
      depth,
      children: new Map(),
      expectedChildren: [],
    };
    nodes.push(node);
    return node;
  };
  const root = add('', '', 0);
  return {
    root,
    nodes,
    child(parent, quoted) {
      const existing = parent.children.get(quoted);
      if (existing) return existing;
      const key = String(JSON.parse(quoted));
      const created = add(childPath(parent.path, key), quoted, parent.depth + 1);
      parent.children.set(quoted, created);
      return created;
    },
  };
}

/**
 * Positions in a page of records, in bytes of UTF-8. Records are written as ranges of the page, so numbers
 * and strings stay unchanged.
 */
export interface ScannedPage {
  readonly bytes: Buffer;
  /** Whether the page contains line breaks; only then can a record contain one. */
  readonly hasLineEnds: boolean;
  readonly count: number;
  /** All values, three numbers each: node index, start, end. */
  readonly leaves: Int32Array<ArrayBuffer>;
  /** Numbers of each record, of which the last is unused; see {@link startOf} and the functions below it. */
  readonly positions: Int32Array<ArrayBuffer>;
}

/** Indexes in the numbers of a record; `_id` and key positions are -1 if absent. */
const recordField = {
  start: 0,
  end: 1,
  leafFrom: 2,
  leafTo: 3,
  idStart: 4,
  idEnd: 5,
  keyStart: 6,
  keyEnd: 7,
} as const;
/** 8 are used: they are added by threes. */
const numbersPerRecord = 9;

const positionOf = ({ positions }: ScannedPage, record: number, which: number): number =>
  positions[record * numbersPerRecord + which] ?? 0;

/** Start of a record. */
export const startOf = (page: ScannedPage, record: number): number =>
  positionOf(page, record, recordField.start);

/** End of a record. */
export const endOf = (page: ScannedPage, record: number): number => positionOf(page, record, recordField.end);

/** Start of a record's values in `leaves`. */
export const leafFrom = (page: ScannedPage, record: number): number =>
  positionOf(page, record, recordField.leafFrom);

/** End of a record's values in `leaves`. */
export const leafTo = (page: ScannedPage, record: number): number =>
  positionOf(page, record, recordField.leafTo);

/** A range of a page as text. */
export const textIn = ({ bytes }: ScannedPage, start: number, end: number): string =>
  bytes.toString('utf8', start, end);

function rangeText(page: ScannedPage, record: number, which: number): string | null {
  const start = positionOf(page, record, which);
  return start < 0 ? null : textIn(page, start, positionOf(page, record, which + 1));
}

/** The JSON text of a record's `_id`; null if absent. */
export const idOf = (page: ScannedPage, record: number): string | null =>
  rangeText(page, record, recordField.idStart);

/** The JSON text of a record's key field; null if absent or null. */
export function keyOf(page: ScannedPage, record: number): string | null {
  const text = rangeText(page, record, recordField.keyStart);
  return text === 'null' ? null : text;
}

/** The ids and key values of a page's records, as JSON text. */
export interface PageKeys {
  readonly count: number;
  id(record: number): string | null;
  value(record: number): string | null;
}

/** The ids and key values of a page, for its next cursor. */
export const keysOf = (page: ScannedPage): PageKeys => ({
  count: page.count,
  id: (record) => idOf(page, record),
  value: (record) => keyOf(page, record),
});

/** The JSON text of a record, unchanged. */
export const recordText = (page: ScannedPage, record: number): string =>
  textIn(page, startOf(page, record), endOf(page, record));

/** A list of integers in reusable memory: as objects they would be megabytes of garbage. */
class IntegerList {
  #values: Int32Array<ArrayBuffer>;
  #length = 0;

  /** @param spare memory of a list that is no longer used */
  constructor(spare: Int32Array<ArrayBuffer> = new Int32Array(1024)) {
    this.#values = spare;
  }

  get length(): number {
    return this.#length;
  }

  addThree(first: number, second: number, third: number): void {
    const at = this.#length;
    if (at + 3 > this.#values.length) this.#grow();
    const values = this.#values;
    values[at] = first;
    values[at + 1] = second;
    values[at + 2] = third;
    this.#length = at + 3;
  }

  /** The integers; the memory remains the list's. */
  content(): Int32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = new Int32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }
}

/**
 * Deeper objects are kept as JSON in one cell. No real record is as deep; this bounds the recursion for a
 * hostile one.
 */
const maxDepth = 64;

interface ScanOptions {
  readonly tree: PathTree;
  readonly keyField: string | null;
}

/** Finds the positions of records in a JSON array or a sequence of records. */
export class RecordScanner {
  /** Whether values are needed in addition to records, ids, and keys; a scan without them is faster. */
  withLeaves = true;
  readonly #tree: PathTree;
  #bytes: Buffer = Buffer.alloc(0);
  #leaves = new IntegerList();
  #positions = new IntegerList();
  #count = 0;
  /** Memory of released pages, for reuse. */
  readonly #spareLeaves: Int32Array<ArrayBuffer>[] = [];
  readonly #sparePositions: Int32Array<ArrayBuffer>[] = [];
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
   * @param page JSON text, or its UTF-8 bytes
   * @throws AppError `bad_answer` when it isn't an array of objects
   */
  scanArray(page: string | Uint8Array): ScannedPage {
    return this.#scan(bytesOf(page), true);
  }

  /** Scans records separated only by white space. @throws AppError `bad_answer` */
  scanLines(page: string | Uint8Array): ScannedPage {
    return this.#scan(bytesOf(page), false);
  }

  /** Reuses the memory of a page's positions; the page must not be read afterwards. */
  release({ leaves, positions }: ScannedPage): void {
    this.#spareLeaves.push(new Int32Array(leaves.buffer));
    this.#sparePositions.push(new Int32Array(positions.buffer));
  }

  #scan(bytes: Buffer, isArray: boolean): ScannedPage {
    this.#bytes = bytes;
    this.#leaves = new IntegerList(this.#spareLeaves.pop());
    this.#positions = new IntegerList(this.#sparePositions.pop());
    this.#count = 0;
    const from = startOfText(bytes);
    if (isArray) this.#array(from);
    else this.#sequence(from);
    const hasLineEnds = bytes.includes(10) || bytes.includes(13);
    return {
      bytes,
      hasLineEnds,
      count: this.#count,
      leaves: this.#leaves.content(),
      positions: this.#positions.content(),
    };
  }

  #array(from: number): void {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, this.#expectByte(91, from));
    if (bytes[at] === 93) at += 1;
    else {
      for (let more = true; more;) {
        at = skipSpace(bytes, this.#record(skipSpace(bytes, at)));
        more = bytes[at] === 44;
        if (more) at += 1;
      }
      at = this.#expectByte(93, at);
    }
    at = skipSpace(bytes, at);
    if (at < bytes.length) throw jsonError(at, 'there is text after the records');
  }

  #sequence(from: number): void {
    const bytes = this.#bytes;
    for (let at = skipSpace(bytes, from); at < bytes.length;) at = skipSpace(bytes, this.#record(at));
  }

  #record(start: number): number {
    if (this.#bytes[start] !== 123) throw jsonError(start, 'a record is not an object');
    this.#idStart = this.#idEnd = this.#keyStart = this.#keyEnd = -1;
    const leaves = this.#leaves.length;
    const end = this.#object(this.#tree.root, start);
    this.#positions.addThree(start, end, leaves);
    this.#positions.addThree(this.#leaves.length, this.#idStart, this.#idEnd);
    this.#positions.addThree(this.#keyStart, this.#keyEnd, 0);
    this.#count += 1;
    return end;
  }

  /** @param start index of its brace @returns the index after its end */
  #object(parent: PathNode, start: number): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === 125) return at + 1;
    for (let index = 0; ; index += 1) {
      at = skipSpace(bytes, at);
      // Keys usually repeat in the order of the previous object.
      let node = parent.expectedChildren[index];
      if (node === undefined || !matchesAt(bytes, at, node.quoted)) node = this.#childAt(parent, index, at);
      at += node.quoted.length;
      at = bytes[at] === 58 ? at + 1 : this.#expectByte(58, at);
      at = skipSpace(bytes, this.#value(node, skipSpace(bytes, at)));
      const code = bytes[at];
      at += 1;
      if (code === 125) return at;
      if (code !== 44) throw jsonError(at - 1, 'a comma or a brace is missing');
    }
  }

  /** The node of the key at a position. */
  #childAt(parent: PathNode, index: number, start: number): PathNode {
    const bytes = this.#bytes;
    if (bytes[start] !== 34) throw jsonError(start, 'a key is missing');
    const node = this.#tree.child(
      parent,
      bytes.toString('utf8', start, requireEnd(bytes, start, endOfString(bytes, start))),
    );
    parent.expectedChildren[index] = node;
    return node;
  }

  #value(node: PathNode, start: number): number {
    const bytes = this.#bytes;
    let end: number;
    if (bytes[start] === 123 && this.withLeaves && node.depth < maxDepth && !isEmptyObject(bytes, start))
      end = this.#object(node, start);
    else {
      end = endOfValue(bytes, start);
      if (end < 0) requireEnd(bytes, start, end);
      if (this.withLeaves) this.#leaves.addThree(node.index, start, end);
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

  /** The index after a required character, which may follow white space. */
  #expectByte(code: number, from: number): number {
    const at = skipSpace(this.#bytes, from);
    if (this.#bytes[at] !== code) throw jsonError(at, `“${String.fromCharCode(code)}” is missing`);
    return at + 1;
  }
}

/** The error for invalid JSON. @param at index of the byte, from 0 */
export const jsonError = (at: number, problem: string): AppError =>
  new AppError('bad_answer', { service: 'data', problem: `${problem} at byte ${at + 1}` });

/** The end of a value. @throws AppError `bad_answer` if it has none */
function requireEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end >= 0) return end;
  const isComposite = bytes[start] === 123 || bytes[start] === 91;
  if (isComposite) throw jsonError(start, 'a list or an object isn’t closed');
  throw jsonError(start, bytes[start] === 34 ? 'a text isn’t closed' : 'a value is missing');
}

function isEmptyObject(bytes: Uint8Array, start: number): boolean {
  return bytes[skipSpace(bytes, start + 1)] === 125;
}

function bytesOf(page: string | Uint8Array): Buffer {
  if (typeof page === 'string') return Buffer.from(page);
  return Buffer.from(page.buffer, page.byteOffset, page.byteLength);
}

/**
 * JSON text without line breaks. Most texts have none and are returned unchanged.
 * @throws AppError `bad_answer` for a line break inside a string
 */
export function onOneLine(json: string): string {
  if (!json.includes('\n') && !json.includes('\r')) return json;
  const compact = json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  if (/[\n\r]/.test(compact)) throw jsonError(0, 'a line ends inside a text');
  return compact;
}

/**
 * Records of an array one per line, as the service wrote them: no number loses a digit.
 * @throws AppError `bad_answer` if it isn't an array of objects
 */
export function* recordLines(records: string): Generator<string> {
  const scanner = new RecordScanner({ tree: createPathTree(), keyField: null });
  scanner.withLeaves = false;
  const page = scanner.scanArray(records);
  for (let record = 0; record < page.count; record++) yield onOneLine(recordText(page, record));
}

/**
 * Creates a reader for the key of the first record in a response, as JSON text: null if absent, undefined
 * without a record.
 */
export function createKeyReader(field: string): (response: string | Uint8Array) => string | null | undefined {
  const scanner = new RecordScanner({ tree: createPathTree(), keyField: field });
  return (response) => {
    const page = scanner.scanArray(response);
    return page.count === 0 ? undefined : keyOf(page, 0);
  };
}

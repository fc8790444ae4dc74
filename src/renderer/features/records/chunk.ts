import {
  type JsonObject,
  type JsonValue,
  isObject,
  isWithinDepth,
  stringifyJson,
} from '../../../shared/json.ts';
import { maxOf } from '../../../shared/lists.ts';
import { kindOf } from './columns.ts';
import type { Cell, ColumnHead, ColumnKind, StoredCell, Nested } from './table.ts';

/** The exact cells of one column on one page, in compact form. */
export interface Chunk extends ColumnHead {
  readonly held: (row: number) => StoredCell;
  /** Writes numbers of rows into an array; NaN if there is none. Times are Unix milliseconds. */
  readonly numbers: (from: number, to: number, into: Float64Array, at: number) => void;
}

/** A column that can be transferred between threads. */
export interface PackedChunk extends ColumnHead {
  readonly pack:
    | { readonly values: Float64Array<ArrayBuffer>; readonly gaps: Uint8Array<ArrayBuffer> | null }
    | { readonly cells: readonly StoredCell[] };
}

/** Packs a column. A column of doubles becomes one buffer, with or without gaps. */
export function packed(path: readonly string[], cells: readonly StoredCell[]): PackedChunk {
  const kind = kindOf(path, cells);
  const numeric = kind === 'integer' || kind === 'number' || kind === 'time';
  return {
    path,
    kind,
    characters: maxCharacters(cells),
    pack: (numeric ? doubles(cells) : null) ?? { cells },
  };
}

export function unpack({ pack: held, ...head }: PackedChunk): Chunk {
  return { ...head, ...('cells' in held ? looseChunk(held.cells, head.kind) : denseChunk(held)) };
}

export const toChunk = (path: readonly string[], cells: readonly StoredCell[]): Chunk =>
  unpack(packed(path, cells));

type Cells = Pick<Chunk, 'held' | 'numbers'>;
type Doubles = Exclude<PackedChunk['pack'], { cells: unknown }>;

const isNull = 1;
const isAbsent = 2;

function doubles(cells: readonly StoredCell[]): Doubles | null {
  const values = new Float64Array(cells.length);
  let gaps: Uint8Array<ArrayBuffer> | null = null;
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row];
    if (typeof cell === 'number') values[row] = cell;
    else if (cell === null || cell === undefined) {
      gaps ??= new Uint8Array(cells.length);
      gaps[row] = cell === null ? isNull : isAbsent;
      values[row] = Number.NaN;
    } else return null;
  }
  return { values, gaps };
}

const denseChunk = ({ values, gaps }: Doubles): Cells => ({
  held(row) {
    const gap = gaps?.[row];
    if (gap) return gap === isNull ? null : undefined;
    return values[row];
  },
  numbers: (from, to, into, at) => into.set(values.subarray(from, to), at),
});

function looseChunk(cells: readonly StoredCell[], kind: ColumnKind): Cells {
  return {
    held: (row) => cells[row],
    numbers(from, to, into, at) {
      for (let row = from; row < to; row += 1) into[at + row - from] = numberOf(cells[row], kind);
    },
  };
}

/** A cell as a number, times in Unix milliseconds; NaN: it is none. */
export function numberOf(cell: StoredCell, kind: ColumnKind): number {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  return kind === 'date' && typeof cell === 'string' ? Date.parse(cell) : Number.NaN;
}

/** A cell for the window: nested values as previews. */
export function cellOf(held: StoredCell): Cell {
  return typeof held === 'object' && held !== null ? toNested(held) : held;
}

/** Deeper objects are cells, as in exports; no real record is as deep. */
const maxDepth = 64;
const previewLength = 400;

function toNested(value: JsonValue[] | JsonObject): Nested {
  const array = Array.isArray(value);
  // A long array is not serialized completely: each value takes at least two characters.
  const shown = array ? value.slice(0, previewLength / 2) : value;
  const text = isWithinDepth(shown, maxDepth) ? stringifyJson(shown) : '…';
  return {
    parts: array ? value.length : Object.keys(value).length,
    array,
    preview: text.length > previewLength ? `${text.slice(0, previewLength)}…` : text,
  };
}

const previewValue = 200;

function maxCharacters(cells: readonly StoredCell[]): number {
  const first = cells.slice(0, previewValue).filter((cell) => cell !== undefined);
  return maxOf([0, ...first.map((cell) => (typeof cell === 'object' && cell ? 10 : String(cell).length))]);
}

/** The columns as a tree: a name may have values in some records and objects in others. */
class Node {
  readonly path: readonly string[];
  readonly children = new Map<string, Node>();
  cells: StoredCell[] | null = null;
  /** The last value: repeated texts share memory. */
  last: StoredCell = undefined;

  constructor(path: readonly string[]) {
    this.path = path;
  }

  child(name: string): Node {
    const existingChild = this.children.get(name);
    if (existingChild) return existingChild;
    const made = new Node([...this.path, name]);
    this.children.set(name, made);
    return made;
  }
}

/**
 * Converts records to columns in order of appearance. Nested objects become columns; arrays and empty objects
 * stay cells. A value that isn't an object becomes a column without a path.
 */
export const toColumns = (records: readonly JsonValue[]): Chunk[] =>
  columnsIn(records).map(({ path, cells }) => toChunk(path, cells));

/** The same in transferable form. */
export const toPackedColumns = (records: readonly JsonValue[]): PackedChunk[] =>
  columnsIn(records).map(({ path, cells }) => packed(path, cells));

function columnsIn(records: readonly JsonValue[]) {
  const root = new Node([]);
  const columns: { readonly path: readonly string[]; readonly cells: StoredCell[] }[] = [];
  const put = (node: Node, row: number, cell: StoredCell) => {
    if (!node.cells) {
      // Filled at once, so that the array stays dense.
      node.cells = Array.from<StoredCell>({ length: records.length });
      columns.push({ path: node.path, cells: node.cells });
    }
    if (cell !== node.last) node.last = cell;
    node.cells[row] = node.last;
  };
  const putObject = (node: Node, row: number, object: JsonObject) => {
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) continue;
      const child = node.child(name);
      const isParent = isObject(value) && Object.keys(value).length > 0;
      if (isParent && child.path.length < maxDepth) putObject(child, row, value);
      else put(child, row, value);
    }
  };
  records.forEach((record, row) => {
    if (isObject(record) && Object.keys(record).length > 0) putObject(root, row, record);
    else if (!isObject(record)) put(root, row, record);
  });
  return columns;
}

export function toRecord(chunks: readonly Chunk[], row: number): JsonValue {
  return recordOf(
    chunks.map(({ path }) => path),
    chunks.map(({ held }) => held(row)),
  );
}

/** A record with these cells at these paths, without absent ones. */
export function recordOf(paths: readonly (readonly string[])[], cells: readonly StoredCell[]): JsonValue {
  const root = new Map<string, Part>();
  for (const [at, path] of paths.entries()) {
    const cell = cells[at];
    if (cell === undefined) continue;
    const name = path.at(-1);
    if (name === undefined) return cell;
    let into = root;
    for (const parent of path.slice(0, -1)) {
      const child = into.get(parent);
      const next = child instanceof Map ? child : new Map<string, Part>();
      if (next !== child) into.set(parent, next);
      into = next;
    }
    into.set(name, { value: cell });
  }
  return objectOf(root);
}

type Part = Map<string, Part> | { readonly value: JsonValue };

function objectOf(parts: Map<string, Part>): JsonObject {
  // From entries, so that `__proto__` is an ordinary name.
  return Object.fromEntries(
    [...parts].map(([name, part]) => [name, part instanceof Map ? objectOf(part) : part.value]),
  );
}

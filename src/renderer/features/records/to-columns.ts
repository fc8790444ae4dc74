import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { toChunk, packed, type Chunk, type PackedChunk } from './chunk.ts';
import type { StoredCell } from './table.ts';

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
      if (isObject(value) && Object.keys(value).length > 0) putObject(child, row, value);
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

import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { chunkOf, packed, type Chunk, type PackedChunk } from './chunk.ts';
import type { HeldCell } from './table.ts';

/** The columns met so far, as a tree: a name can be a value in one record and an object in another. */
class Node {
  readonly path: readonly string[];
  readonly children = new Map<string, Node>();
  cells: HeldCell[] | null = null;
  /** What was last put in: a text that stands in row after row is held once. */
  last: HeldCell = undefined;

  constructor(path: readonly string[]) {
    this.path = path;
  }

  child(name: string): Node {
    const known = this.children.get(name);
    if (known) return known;
    const made = new Node([...this.path, name]);
    this.children.set(name, made);
    return made;
  }
}

/**
 * Turns records into columns, in the order in which they are first met: nested objects become columns of their own,
 * arrays and objects without keys stay one cell. What is not an object is held whole, in a column without a path.
 */
export const spread = (records: readonly JsonValue[]): Chunk[] =>
  columnsIn(records).map(({ path, cells }) => chunkOf(path, cells));

/** The same, to be sent to another thread. */
export const spreadPacked = (records: readonly JsonValue[]): PackedChunk[] =>
  columnsIn(records).map(({ path, cells }) => packed(path, cells));

function columnsIn(records: readonly JsonValue[]) {
  const root = new Node([]);
  const met: { readonly path: readonly string[]; readonly cells: HeldCell[] }[] = [];
  const put = (node: Node, row: number, cell: HeldCell) => {
    if (!node.cells) {
      // Filled at once, so that the array stays dense: absent is undefined, not a hole.
      node.cells = Array.from<HeldCell>({ length: records.length });
      met.push({ path: node.path, cells: node.cells });
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
  return met;
}

/** The record that a row was spread from. */
export function gather(chunks: readonly Chunk[], row: number): JsonValue {
  return recordOf(
    chunks.map(({ path }) => path),
    chunks.map(({ held }) => held(row)),
  );
}

/** A record that has these cells at these paths; absent ones leave no trace. */
export function recordOf(paths: readonly (readonly string[])[], cells: readonly HeldCell[]): JsonValue {
  const root = new Map<string, Part>();
  for (const [at, path] of paths.entries()) {
    const cell = cells[at];
    if (cell === undefined) continue;
    const name = path.at(-1);
    if (name === undefined) return cell;
    let into = root;
    for (const parent of path.slice(0, -1)) {
      const known = into.get(parent);
      const next = known instanceof Map ? known : new Map<string, Part>();
      if (next !== known) into.set(parent, next);
      into = next;
    }
    into.set(name, { value: cell });
  }
  return objectOf(root);
}

type Part = Map<string, Part> | { readonly value: JsonValue };

function objectOf(parts: Map<string, Part>): JsonObject {
  // By entries, so that a name such as __proto__ is a name like any other.
  return Object.fromEntries(
    [...parts].map(([name, part]) => [name, part instanceof Map ? objectOf(part) : part.value]),
  );
}

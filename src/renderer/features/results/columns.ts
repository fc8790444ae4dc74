import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { columnOrder } from './column-order.ts';
import type { Cell, Column, ColumnKind, Nested, Table } from './table.ts';

const previewLength = 400;

interface Growing {
  readonly path: readonly string[];
  readonly cells: Cell[];
}

/** The columns met so far, as a tree: a name can be a value in one record and an object in another. */
class Node {
  readonly path: readonly string[];
  readonly children = new Map<string, Node>();
  column: Growing | null = null;

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
 * Turns records into columns: nested objects become columns of their own, arrays stay one cell. Columns stand in the
 * order in which they are first met, then as {@link columnOrder} says. What is not an object is shown whole, in a
 * column without a path.
 */
export function toTable(records: readonly JsonValue[]): Table {
  const root = new Node([]);
  const met: Growing[] = [];
  const put = (node: Node, row: number, cell: Cell) => {
    if (!node.column) {
      // Filled at once, so that the array stays dense: absent is undefined, not a hole.
      node.column = { path: node.path, cells: Array.from<Cell>({ length: records.length }) };
      met.push(node.column);
    }
    node.column.cells[row] = cell;
  };
  const spread = (node: Node, row: number, object: JsonObject) => {
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) continue;
      const child = node.child(name);
      if (isObject(value) && Object.keys(value).length > 0) spread(child, row, value);
      else put(child, row, typeof value === 'object' && value !== null ? nested(value) : value);
    }
  };
  records.forEach((record, row) => {
    if (isObject(record)) spread(root, row, record);
    else put(root, row, typeof record === 'object' && record !== null ? nested(record) : record);
  });
  return { rows: records.length, columns: columnOrder(met.map(finish)) };
}

function nested(value: JsonValue[] | JsonObject): Nested {
  const text = stringifyJson(value);
  return {
    parts: Array.isArray(value) ? value.length : Object.keys(value).length,
    array: Array.isArray(value),
    preview: text.length > previewLength ? `${text.slice(0, previewLength)}…` : text,
  };
}

function finish({ path, cells }: Growing): Column {
  const kind = kindOf(path, cells);
  return { path, kind, characters: widest(cells), cells: compact(kind, cells) };
}

/** A column of nothing but doubles travels between threads as one piece of memory. */
function compact(kind: ColumnKind, cells: Cell[]): ArrayLike<Cell> {
  const plain = kind === 'integer' || kind === 'number' || kind === 'time';
  if (!plain || !cells.every((cell) => typeof cell === 'number')) return cells;
  return Float64Array.from(cells);
}

// From 2001 to 2103: what a Unix time in milliseconds is worth; in seconds it would have three digits less.
const timeRange = { from: 1_000_000_000_000, to: 4_200_000_000_000 };
const isTime = (value: number) => Number.isInteger(value) && value >= timeRange.from && value < timeRange.to;

function kindOf(path: readonly string[], cells: readonly Cell[]): ColumnKind {
  const kinds = new Set<ColumnKind>();
  let times = path.at(-1) === 'timestamp';
  for (const cell of cells) {
    if (cell === undefined || cell === null) continue;
    kinds.add(cellKind(cell));
    if (times && !(typeof cell === 'number' && isTime(cell))) times = false;
  }
  if (kinds.size === 0) return 'empty';
  if (times) return 'time';
  if (kinds.size === 2 && kinds.has('integer') && kinds.has('number')) return 'number';
  const [only] = kinds;
  return kinds.size === 1 && only ? only : 'mixed';
}

function cellKind(cell: Exclude<Cell, undefined | null>): ColumnKind {
  if (typeof cell === 'number') return Number.isInteger(cell) ? 'integer' : 'number';
  if (typeof cell === 'bigint') return 'integer';
  if (typeof cell === 'string') return 'text';
  return typeof cell === 'boolean' ? 'boolean' : 'nested';
}

const looked = 200;

function widest(cells: readonly Cell[]): number {
  let most = 0;
  for (const cell of cells.slice(0, looked)) {
    if (cell === undefined) continue;
    const length = typeof cell === 'object' && cell !== null ? 10 : String(cell).length;
    if (length > most) most = length;
  }
  return most;
}

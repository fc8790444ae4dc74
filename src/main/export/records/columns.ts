import { compareNumbers } from '../../paging/values.ts';
import { type PathTree, leafFrom, leafTo, textIn, type ScannedPage } from './scan.ts';

/** The envelope's fields in the specification's order (section 2.1); they stand before the payload's. */
const envelope = [
  '_id',
  'company_id',
  'asset_id',
  'version',
  'provider',
  'collection',
  'timestamp',
  'measured_depth',
  'log_identifier',
  'stage_number',
  'datetime',
  'metadata',
];

const under = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}.`);

/**
 * Kinds of values that a column was seen to hold, added up; 0: only nulls. `inexact`: a number that a double does not
 * keep; `huge`: an integer that 64 bits may not hold; `something`: kinds were not asked for.
 */
export const held = {
  boolean: 1,
  integer: 2,
  number: 4,
  string: 8,
  json: 16,
  inexact: 32,
  huge: 64,
  something: 128,
} as const;

function kindAt(page: ScannedPage, start: number, end: number): number {
  const code = page.bytes[start];
  if (code === 34) return held.string;
  if (code === 123 || code === 91) return held.json;
  if (code === 116 || code === 102) return held.boolean;
  for (let at = start; at < end; at += 1) {
    const digit = page.bytes[at];
    if (digit === 46 || digit === 101 || digit === 69) return held.number | exactness(page, start, end);
  }
  return held.integer | exactness(page, start, end);
}

function exactness(page: ScannedPage, start: number, end: number): number {
  if (end - start < 16) return 0;
  const text = textIn(page, start, end);
  const inexact = compareNumbers(text, String(Number(text))) === 0 ? 0 : held.inexact;
  return inexact | (end - start > 18 ? held.huge : 0);
}

export interface Column {
  readonly path: string;
  /** Kinds of values seen, of {@link held}. */
  kinds: number;
}

/**
 * The columns of a table: the union over all records seen, each found when its path was seen first.
 * In order: the envelope's fields, other top-level fields, then `data.*`; or the fields that were asked for.
 */
export class Columns {
  readonly #tree: PathTree;
  readonly #fields: readonly string[];
  readonly #typed: boolean;
  readonly #columns: Column[] = [];
  readonly #byPath = new Map<string, number>();
  /** The column of each node of the tree: -1 not looked up yet, -2 not wanted. */
  #byNode = new Int32Array(256).fill(-1);
  #changes = 0;

  /** @param options `known`: columns found earlier, in order; `typed`: whether kinds of values are of interest */
  constructor(
    tree: PathTree,
    fields: readonly string[],
    { known = [], typed = false }: { known?: readonly string[]; typed?: boolean } = {},
  ) {
    this.#tree = tree;
    this.#fields = fields;
    this.#typed = typed;
    for (const path of [...fields, ...known]) this.#add(path);
  }

  /** Grows whenever a column is found or first holds something. */
  get changes(): number {
    return this.#changes;
  }

  see(page: ScannedPage, record: number): void {
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) this.seeLeaf(page, leaf);
  }

  /** Takes note of a value. @returns the number of its column; below 0 when it has none */
  seeLeaf(page: ScannedPage, leaf: number): number {
    const { bytes, leaves } = page;
    const start = leaves[leaf + 1] ?? 0;
    const isNull = bytes[start] === 110;
    const number = this.of(leaves[leaf] ?? 0, isNull);
    const column = this.#columns[number];
    if (column && !isNull) this.#fill(column, page, start, leaves[leaf + 2] ?? 0);
    return number;
  }

  /** The number of a node's column; below 0 when it has none. A null where others have an object makes no column. */
  of(node: number, isNull = false): number {
    if (node >= this.#byNode.length) this.#grow(node);
    const known = this.#byNode[node] ?? -1;
    if (known !== -1) return known;
    const { path, children } = this.#tree.nodes[node] ?? { path: '', children: new Map() };
    if (isNull && children.size > 0 && !this.#byPath.has(path)) return -1;
    const wanted = this.#fields.length === 0 || this.#fields.some((field) => under(path, field));
    const column = wanted ? this.#add(path) : -2;
    this.#byNode[node] = column;
    return column;
  }

  /** All columns in the table's order, without those that are only ever null where others have an object. */
  inOrder(): readonly Column[] {
    const rank = this.#fields.length > 0 ? this.#rankByFields : rankByEnvelope;
    const shown = this.#columns.filter(
      ({ path, kinds }) => kinds !== 0 || !this.#columns.some((other) => other.path.startsWith(`${path}.`)),
    );
    return shown
      .map((column, found) => ({ column, found, rank: rank(column.path) }))
      .sort((a, b) => a.rank - b.rank || a.found - b.found)
      .map(({ column }) => column);
  }

  /** The number of a path's column; below 0 when there is none. */
  numberOf(path: string): number {
    return this.#byPath.get(path) ?? -1;
  }

  readonly #rankByFields = (path: string): number => this.#fields.findIndex((field) => under(path, field));

  #fill(column: Column, page: ScannedPage, start: number, end: number): void {
    const kind = this.#typed ? kindAt(page, start, end) : held.something;
    if ((column.kinds & kind) === kind) return;
    if (column.kinds === 0) this.#changes += 1;
    column.kinds |= kind;
  }

  #add(path: string): number {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const number = this.#columns.length;
    this.#columns.push({ path, kinds: 0 });
    this.#byPath.set(path, number);
    this.#changes += 1;
    return number;
  }

  #grow(node: number): void {
    const larger = new Int32Array(Math.max(node + 1, this.#byNode.length * 2)).fill(-1);
    larger.set(this.#byNode);
    this.#byNode = larger;
  }
}

function rankByEnvelope(path: string): number {
  const at = envelope.findIndex((field) => under(path, field));
  if (at >= 0) return at;
  return under(path, 'data') ? envelope.length + 1 : envelope.length;
}

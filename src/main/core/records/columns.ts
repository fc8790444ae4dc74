import { compareNumbers } from './values.ts';
import { type PathTree } from './path-tree.ts';
import { leafFrom, leafTo, textIn, type ScannedPage } from './scanned-page.ts';

/** The envelope's fields in the specification's order (section 2.1); they precede the payload's. */
const envelope = [
  '_id',
  'company_id',
  'asset_id',
  'well_name',
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

/** Columns of time, depth, and well, in the order in which a reader looks for them. */
const timeAndWell = [
  'timestamp',
  'datetime',
  'measured_depth',
  'stage_number',
  'asset_id',
  'well_name',
  'metadata.asset_id',
  'metadata.well_name',
];

/** Columns of the service's own bookkeeping, which a reader needs last. */
const bookkeeping = new Set([
  '_id',
  'company_id',
  'metadata.company_id',
  'version',
  'provider',
  'collection',
]);

/** Whether a path is a field or a part of it. */
export const isUnder = (path: string, parent: string): boolean =>
  path === parent || path.startsWith(`${parent}.`);

/**
 * Bit mask of the kinds of values in a column; 0: only nulls. `inexact`: a number that a double can't
 * represent; `huge`: an integer that may exceed 64 bits; `something`: kinds are not tracked; `instant`: a time with at
 * most milliseconds, in a field of times.
 */
export const valueKinds = {
  boolean: 1,
  integer: 2,
  number: 4,
  string: 8,
  json: 16,
  inexact: 32,
  huge: 64,
  something: 128,
  instant: 256,
} as const;

/** The kind of the times in a field. */
export const timeKinds: ReadonlyMap<string, number> = new Map([
  ['timestamp', valueKinds.integer],
  ['datetime', valueKinds.string],
]);

/** An instant as text, with at most milliseconds. */
const instantText = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)"$/;
/** Number of digits of a time in milliseconds; a longer integer has another unit. */
const maxTimeDigits = 15;

function isInstant(page: ScannedPage, start: number, end: number): boolean {
  if (page.bytes[start] !== 34) return end - start <= maxTimeDigits;
  const text = textIn(page, start, end);
  return instantText.test(text) && Number.isFinite(Date.parse(text.slice(1, -1)));
}

function kindAt(page: ScannedPage, start: number, end: number): number {
  const code = page.bytes[start];
  if (code === 34) return valueKinds.string;
  if (code === 123 || code === 91) return valueKinds.json;
  if (code === 116 || code === 102) return valueKinds.boolean;
  for (let at = start; at < end; at += 1) {
    const digit = page.bytes[at];
    if (digit === 46 || digit === 101 || digit === 69) return valueKinds.number | exactness(page, start, end);
  }
  return valueKinds.integer | exactness(page, start, end);
}

function exactness(page: ScannedPage, start: number, end: number): number {
  if (end - start < 16) return 0;
  const text = textIn(page, start, end);
  const inexact = compareNumbers(text, String(Number(text))) === 0 ? 0 : valueKinds.inexact;
  return inexact | (end - start > 18 ? valueKinds.huge : 0);
}

export interface Column {
  readonly path: string;
  /** Kinds of values, a mask of {@link valueKinds}. */
  readonly kinds: number;
}

interface GrowingColumn extends Column {
  kinds: number;
}

/**
 * The columns of a table: the union over all records. In order: the envelope's fields, other top-level
 * fields, `data.*`; or the requested fields.
 */
export class Columns {
  readonly #tree: PathTree;
  readonly #fields: readonly string[];
  readonly #isTyped: boolean;
  readonly #isTimeAndWellFirst: boolean;
  readonly #columns: GrowingColumn[] = [];
  readonly #byPath = new Map<string, number>();
  /** The column of each node: -1 not looked up yet, -2 not included. */
  #byNode = new Int32Array(256).fill(-1);
  #changes = 0;

  /**
   * @param options `existingColumns`: earlier columns, in order; `existing`: the same, with the kinds of their values;
   *   `isTyped`: track the kinds of values; `isTimeAndWellFirst`: columns of time, depth, and well come first, those of
   *   bookkeeping last
   */
  constructor(
    tree: PathTree,
    fields: readonly string[],
    {
      existingColumns = [],
      existing = [],
      isTyped = false,
      isTimeAndWellFirst = false,
    }: {
      existingColumns?: readonly string[];
      existing?: readonly Column[];
      isTyped?: boolean;
      isTimeAndWellFirst?: boolean;
    } = {},
  ) {
    this.#tree = tree;
    this.#fields = fields;
    this.#isTyped = isTyped;
    this.#isTimeAndWellFirst = isTimeAndWellFirst;
    for (const path of [...fields, ...existingColumns]) this.#add(path);
    for (const { path, kinds } of existing) {
      const column = this.#columns[this.#add(path)];
      if (column) column.kinds |= kinds;
    }
  }

  /** Increases whenever a column is added or gets its first value. */
  get changes(): number {
    return this.#changes;
  }

  addRecord(page: ScannedPage, record: number): void {
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) this.addLeaf(page, leaf);
  }

  /** Records a value. @returns the number of its column; negative if it has none */
  addLeaf(page: ScannedPage, leaf: number): number {
    const { bytes, leaves } = page;
    const start = leaves[leaf + 1] ?? 0;
    const isNull = bytes[start] === 110;
    const number = this.of(leaves[leaf] ?? 0, isNull);
    const column = this.#columns[number];
    if (column && !isNull) this.#fill(column, page, start, leaves[leaf + 2] ?? 0);
    return number;
  }

  /**
   * The number of a node's column; negative if it has none. A null where other records have an object adds no
   * column.
   */
  of(node: number, isNull = false): number {
    if (node >= this.#byNode.length) this.#grow(node);
    const numberOfNode = this.#byNode[node] ?? -1;
    if (numberOfNode !== -1) return numberOfNode;
    const { path, children } = this.#tree.nodes[node] ?? { path: '', children: new Map() };
    if (isNull && children.size > 0 && !this.#byPath.has(path)) return -1;
    const isIncluded = this.#fields.length === 0 || this.#fields.some((field) => isUnder(path, field));
    const column = isIncluded ? this.#add(path) : -2;
    this.#byNode[node] = column;
    return column;
  }

  /** All columns in the table's order, without those that are always null where other records have an object. */
  inOrder(): readonly Column[] {
    const rankUsual = this.#fields.length > 0 ? this.#rankByFields : rankByEnvelope;
    const rank = this.#isTimeAndWellFirst
      ? (path: string) => rankTimeAndWellFirst(path, rankUsual(path))
      : rankUsual;
    const visibleColumns = this.#columns.filter(
      ({ path, kinds }) => kinds !== 0 || !this.#columns.some((other) => other.path.startsWith(`${path}.`)),
    );
    return visibleColumns
      .map((column, firstAt) => ({ column, firstAt, rank: rank(column.path) }))
      .sort((a, b) => a.rank - b.rank || a.firstAt - b.firstAt)
      .map(({ column }) => column);
  }

  /** All columns in the order of their numbers. */
  discovered(): readonly Column[] {
    return this.#columns.map(({ path, kinds }) => ({ path, kinds }));
  }

  /** The number of a path's column; negative if there is none. */
  numberOf(path: string): number {
    return this.#byPath.get(path) ?? -1;
  }

  readonly #rankByFields = (path: string): number => this.#fields.findIndex((field) => isUnder(path, field));

  #fill(column: GrowingColumn, page: ScannedPage, start: number, end: number): void {
    const kind = this.#kindOf(column, page, start, end);
    if ((column.kinds & kind) === kind) return;
    if (column.kinds === 0) this.#changes += 1;
    column.kinds |= kind;
  }

  #kindOf({ path }: Column, page: ScannedPage, start: number, end: number): number {
    if (!this.#isTyped) return valueKinds.something;
    const kind = kindAt(page, start, end);
    const isTime = timeKinds.get(path) === kind && isInstant(page, start, end);
    return isTime ? valueKinds.instant : kind;
  }

  #add(path: string): number {
    const existingNumber = this.#byPath.get(path);
    if (existingNumber !== undefined) return existingNumber;
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

function rankTimeAndWellFirst(path: string, usual: number): number {
  const at = timeAndWell.indexOf(path);
  if (at >= 0) return at - timeAndWell.length;
  return bookkeeping.has(path) ? usual + 1_000_000 : usual;
}

function rankByEnvelope(path: string): number {
  const at = envelope.findIndex((field) => isUnder(path, field));
  if (at >= 0) return at;
  return isUnder(path, 'data') ? envelope.length + 1 : envelope.length;
}

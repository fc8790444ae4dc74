import { utcText } from '../../../shared/instants.ts';
import { compareNumbers, isNumberText } from './values.ts';
import { type PathTree, leafFrom, leafTo, textIn, type ScannedPage } from './scan.ts';

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
 * Bit mask of the kinds of values in a column; 0: only nulls. A number has its kind by its value, however it is written: `1.0`
 * and `1e3` are integers. `number`: one with a fraction; `inexact`: an integer that no double is; `huge`: one beyond 64
 * bits; `something`: kinds are not tracked; `instant`: a time with at most milliseconds, in a field of times.
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
/** Times in milliseconds are less; a larger integer has another unit. */
const maxTime = 1e15;
/** A shorter number is less than that. */
const maxTimeDigits = 15;

function isInstant(page: ScannedPage, start: number, end: number): boolean {
  if (page.bytes[start] !== 34)
    return end - start <= maxTimeDigits || Math.abs(Number(textIn(page, start, end))) < maxTime;
  const text = textIn(page, start, end);
  if (!instantText.test(text) || Number.isNaN(Date.parse(text.slice(1, -1)))) return false;
  // Date.parse takes February 30 for March 1, which the engine refuses.
  return text.slice(9, 11) < '29' || utcText(text.slice(1, -1)) !== null;
}

function kindAt(page: ScannedPage, start: number, end: number): number {
  const code = page.bytes[start];
  if (code === 34) return valueKinds.string;
  if (code === 123 || code === 91) return valueKinds.json;
  if (code === 116 || code === 102) return valueKinds.boolean;
  return numberKindAt(page, start, end);
}

/** Maximum number of digits of an integer of 64 bits. */
const maxLongDigits = 19;
/** Maximum number of digits of an integer that is always exact as a double. */
const maxExactDigits = 15;

const zero = 48;

/** The kind of a number by its value. Most have few digits and no exponent, so that their bytes tell. */
function numberKindAt(page: ScannedPage, start: number, end: number): number {
  const { bytes } = page;
  let point = end;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 46) point = at;
    else if (byte === 101 || byte === 69) return exponentKind(textIn(page, start, end));
  }
  // However many digits a fraction has, the number is the nearest double: 84.739999999999995 is 84.74.
  for (let at = point + 1; at < end; at += 1) if (bytes[at] !== zero) return valueKinds.number;
  const digits = point - start - (bytes[start] === 45 ? 1 : 0);
  return digits <= maxExactDigits ? valueKinds.integer : integerKind(textIn(page, start, point), digits);
}

/** @param text of the integer @param digits their number */
function integerKind(text: string, digits: number): number {
  const isHuge = digits > maxLongDigits || BigInt.asIntN(64, BigInt(text)) !== BigInt(text);
  return valueKinds.integer | (isDouble(text) ? 0 : valueKinds.inexact) | (isHuge ? valueKinds.huge : 0);
}

/** Whether an integer is a double, or the shortest text of one: 1e23. */
function isDouble(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  return (
    compareNumbers(text, String(value)) === 0 || (/^-?\d+$/.test(text) && BigInt(text) === BigInt(value))
  );
}

function exponentKind(text: string): number {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^(-?)(\d+)(?:\.(\d+))?[eE](.+)$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '').length;
  if (significant === 0) return valueKinds.integer;
  const wholeDigits = digits.length - fraction.length + Number(exponent);
  if (wholeDigits < significant) return valueKinds.number;
  // The engine doesn't read an integer of 64 bits with more digits before its point.
  const huge = wholeDigits > maxLongDigits || whole.length >= maxLongDigits ? valueKinds.huge : 0;
  if (wholeDigits > maxLongDigits)
    return valueKinds.integer | huge | (isDouble(text) ? 0 : valueKinds.inexact);
  const plain = digits.slice(0, wholeDigits).padEnd(wholeDigits, '0');
  return integerKind(`${sign}${plain}`, wholeDigits) | huge;
}

/** What no one type has together, as a warning names it. */
export const valueGroups = ['time', 'boolean', 'number', 'longNumber', 'text', 'nested'] as const;
export type ValueGroup = (typeof valueGroups)[number];

function groupOf(kind: number): ValueGroup {
  if (kind & valueKinds.string) return 'text';
  if (kind & valueKinds.inexact) return 'longNumber';
  if (kind & (valueKinds.integer | valueKinds.number)) return 'number';
  if (kind & valueKinds.instant) return 'time';
  return kind & valueKinds.boolean ? 'boolean' : 'nested';
}

/** The number of each kind's group: looked up, because it is needed for each value. */
const groupNumbers = Uint8Array.from({ length: valueKinds.instant * 2 }, (_, kind) =>
  valueGroups.indexOf(groupOf(kind)),
);

const textGroup = valueGroups.indexOf('text');

export interface ValuesOfGroup {
  readonly count: number;
  /** The beginning of the first one, as JSON. */
  readonly example: string;
}
export type ColumnValues = Partial<Record<ValueGroup, ValuesOfGroup>>;

const maxExample = 40;

export interface Column {
  readonly path: string;
  /** Kinds of values, a mask of {@link valueKinds}. */
  readonly kinds: number;
  /** The values that were added, where their kinds are tracked. */
  readonly values?: Readonly<ColumnValues> | undefined;
}

interface GrowingColumn {
  readonly path: string;
  kinds: number;
  /** By the number of their group. */
  readonly counts: Int32Array;
  readonly examples: string[];
}

/** What was added to a column, where that is tracked. */
function valuesIn({ counts, examples }: GrowingColumn): ColumnValues | undefined {
  const values: ColumnValues = {};
  for (const [at, group] of valueGroups.entries()) {
    const count = counts[at] ?? 0;
    if (count > 0) values[group] = { count, example: examples[at] ?? '' };
  }
  return Object.keys(values).length === 0 ? undefined : values;
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
   * @param options `existing`: earlier columns, in order, with the kinds of their values; `isTyped`: track the kinds of values; `isTimeAndWellFirst`: columns of time, depth, and well come first, those of
   *   bookkeeping last
   */
  constructor(
    tree: PathTree,
    fields: readonly string[],
    {
      existing = [],
      isTyped = false,
      isTimeAndWellFirst = false,
    }: {
      existing?: readonly Column[];
      isTyped?: boolean;
      isTimeAndWellFirst?: boolean;
    } = {},
  ) {
    this.#tree = tree;
    this.#fields = fields;
    this.#isTyped = isTyped;
    this.#isTimeAndWellFirst = isTimeAndWellFirst;
    for (const path of fields) this.#add(path);
    for (const { path, kinds, values } of existing) {
      const column = this.#columns[this.#add(path)];
      if (!column) continue;
      column.kinds |= kinds;
      for (const [at, group] of valueGroups.entries()) {
        const { count = 0, example = '' } = values?.[group] ?? {};
        column.counts[at] = (column.counts[at] ?? 0) + count;
        if (count > 0) column.examples[at] ??= example;
      }
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
    if (node >= this.#byNode.length) this.#byNode = enlarged(this.#byNode, node);
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
    return this.#columns.map((column) => ({
      path: column.path,
      kinds: column.kinds,
      values: valuesIn(column),
    }));
  }

  /** The number of a path's column; negative if there is none. */
  numberOf(path: string): number {
    return this.#byPath.get(path) ?? -1;
  }

  readonly #rankByFields = (path: string): number => this.#fields.findIndex((field) => isUnder(path, field));

  #fill(column: GrowingColumn, page: ScannedPage, start: number, end: number): void {
    const kind = this.#kindOf(column, page, start, end);
    if (this.#isTyped) {
      const group = groupNumbers[kind] ?? 0;
      const count = (column.counts[group] ?? 0) + 1;
      column.counts[group] = count;
      // A text that isn’t written like a number is the better example.
      if (count === 1 || (group === textGroup && isNumberText(column.examples[group]?.slice(1, -1) ?? '')))
        column.examples[group] = textIn(page, start, Math.min(end, start + maxExample));
    }
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
    this.#columns.push({ path, kinds: 0, counts: new Int32Array(valueGroups.length), examples: [] });
    this.#byPath.set(path, number);
    this.#changes += 1;
    return number;
  }
}

/** A copy of integers that is long enough for an index; -1 where it is new. */
export function enlarged(values: Int32Array, index: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(index + 1, values.length * 2)).fill(-1);
  larger.set(values);
  return larger;
}

/** Where a record has the values of some columns, by the position of their paths; no start is -1. */
export class CellPlaces {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly #columns: Columns;
  /** By the number of a column. */
  readonly #positions: number[] = [];

  constructor(columns: Columns, paths: readonly string[]) {
    this.starts = new Int32Array(paths.length);
    this.ends = new Int32Array(paths.length);
    this.#columns = columns;
    for (const [position, path] of paths.entries()) this.#positions[columns.numberOf(path)] = position;
  }

  locate(page: ScannedPage, record: number): void {
    const { leaves } = page;
    this.starts.fill(-1);
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const column = this.#columns.of(leaves[leaf] ?? 0);
      const position = column < 0 ? -1 : (this.#positions[column] ?? -1);
      if (position < 0) continue;
      this.starts[position] = leaves[leaf + 1] ?? 0;
      this.ends[position] = leaves[leaf + 2] ?? 0;
    }
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

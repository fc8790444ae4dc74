import { numericNulls } from '../../../shared/upload/null-tokens.ts';
import type { TextBuffer } from '../records/text-buffer.ts';
import { type Conversion, isInList, type ColumnRule, type Rules } from '../tables/model/plan.ts';
import { envelopeFields } from '../tables/model/targets.ts';
import { plainKinds, type PlainCells } from '../tables/reading/plain-cells.ts';
import { converter, type Convert } from './convert.ts';

/** Copies a cell's bytes as its value; false, with nothing written, if the cell needs conversion. */
type PlainCopy = (cells: PlainCells, index: number, into: TextBuffer) => boolean;

const quote = 0x22;
const thousand = Buffer.from('000');
/** The last second that has a date. */
const maxSeconds = 8.64e12;

/**
 * Conversions that copy a plain number unchanged, for such cells only; null: none. They equal {@link converter} without
 * creating a text.
 */
function plainCopy(conversion: Conversion, nulls: readonly string[]): PlainCopy | null {
  const none = numericNulls(nulls);
  const copy = copyOf(conversion);
  if (!copy) return null;
  return (cells, index, into) => {
    const kind = cells.kinds[index];
    const isNumber = kind === plainKinds.integer || kind === plainKinds.number;
    if (!isNumber || (none.size > 0 && none.has(cells.values[index] ?? 0))) return false;
    return copy(cells, index, into);
  };
}

function copyOf(conversion: Conversion): PlainCopy | null {
  switch (conversion.kind) {
    case 'number':
      if (conversion.units) return null;
      if (conversion.style.decimal === '.') return copyUnchanged;
      return (cells, index, into) =>
        cells.kinds[index] === plainKinds.integer && copyUnchanged(cells, index, into);
    case 'integer':
      return (cells, index, into) =>
        cells.kinds[index] === plainKinds.integer && copyUnchanged(cells, index, into);
    case 'string':
      return conversion.digits === undefined ? inQuotes : null;
    case 'time':
      if (conversion.as !== 'ms') return null;
      if (conversion.format === 'unix_ms')
        return (cells, index, into) => isTime(cells, index) && copyUnchanged(cells, index, into);
      return conversion.format === 'unix_s' ? seconds : null;
    case 'boolean':
    case 'asset':
    default:
      return null;
  }
}

/** Zero is excluded because of its sign, which a time doesn't have. */
function isTime(cells: PlainCells, index: number): boolean {
  const value = cells.values[index] ?? 0;
  return cells.kinds[index] === plainKinds.integer && value !== 0 && Math.abs(value) < maxSeconds * 1000;
}

function copyUnchanged({ bytes, starts, ends }: PlainCells, index: number, into: TextBuffer): true {
  into.range(bytes, starts[index] ?? 0, ends[index] ?? 0);
  return true;
}

function inQuotes(cells: PlainCells, index: number, into: TextBuffer): true {
  into.byte(quote);
  copyUnchanged(cells, index, into);
  into.byte(quote);
  return true;
}

function seconds(cells: PlainCells, index: number, into: TextBuffer): boolean {
  if (!isTime(cells, index) || Math.abs(cells.values[index] ?? 0) >= maxSeconds) return false;
  copyUnchanged(cells, index, into);
  into.range(thousand, 0, thousand.length);
  return true;
}

interface LeafSource {
  readonly rule: ColumnRule;
  readonly convert: Convert;
  readonly copy: PlainCopy | null;
}
/** A path of the record: its value comes from the mapped columns, else from its constant. */
export interface Leaf {
  readonly name: string;
  readonly sources: readonly LeafSource[];
  /** Its only source, if the bytes can be copied. */
  readonly plain: (LeafSource & { readonly copy: PlainCopy }) | null;
  readonly constant: string | null;
  readonly required: boolean;
}
/** Named parts in the order of writing. */
export interface Branch {
  readonly parts: { readonly prefix: string; readonly bytes: Uint8Array; readonly node: Node }[];
  readonly always: boolean;
}
/** A list with an item for each row of the record. */
export interface List {
  readonly item: Branch;
}
type Node = Leaf | Branch | List;

/** Whether a node is a value. */
export const isLeaf = (node: Node): node is Leaf => 'sources' in node;
/** Whether a node is an object with parts. */
export const isBranch = (node: Node): node is Branch => 'parts' in node;
const nameOf = (path: readonly string[]): string => path.join('.');

/** All paths of the rules: the envelope in its order, then `data`. */
function orderedPaths({ columns, constants, required }: Rules): string[][] {
  const byName = new Map<string, string[]>();
  for (const { path } of [...required.map((path) => ({ path })), ...columns, ...constants])
    byName.set(nameOf(path), path);
  const rank = ([root = '']: string[]): number => {
    const place = envelopeFields.indexOf(root);
    return place >= 0 ? place : root === 'metadata' ? envelopeFields.length : envelopeFields.length + 1;
  };
  return [...byName.values()].sort((a, b) => rank(a) - rank(b));
}

/** The leaf of each path; a file can have 10,000 columns. */
function leavesOf(rules: Rules): (path: readonly string[]) => Leaf {
  const columns = Map.groupBy(rules.columns, ({ path }) => nameOf(path));
  const constants = new Map(rules.constants.toReversed().map(({ path, json }) => [nameOf(path), json]));
  const required = new Set(rules.required.map(nameOf));
  return (path) => {
    const name = nameOf(path);
    const sources = (columns.get(name) ?? []).map((rule) => ({
      rule,
      convert: converter(rule.conversion, rules.nulls),
      copy: rule.join ? null : plainCopy(rule.conversion, rules.nulls),
    }));
    const [only, ...others] = sources;
    return {
      name,
      sources,
      plain: only?.copy && others.length === 0 ? { ...only, copy: only.copy } : null,
      constant: constants.get(name) ?? null,
      required: required.has(name),
    };
  };
}

/** The parts of branches by their prefixes. */
type PartIndex = Map<Branch, Map<string, Node>>;

/** Adds a node at a path, with the branches that lead to it. */
function addNode(index: PartIndex, root: Branch, path: readonly string[], node: Node): void {
  let branch = root;
  path.forEach((segment, depth) => {
    const prefix = `${JSON.stringify(segment)}:`;
    const isEnd = depth === path.length - 1;
    const nodes = index.get(branch) ?? new Map<string, Node>();
    index.set(branch, nodes);
    const existingNode = nodes.get(prefix);
    const always = branch === root && segment === 'data';
    const next = isEnd ? node : existingNode && isBranch(existingNode) ? existingNode : { parts: [], always };
    if (next !== existingNode) branch.parts.push({ prefix, bytes: Buffer.from(prefix), node: next });
    // The first part of a prefix is the one that others go below.
    if (!existingNode) nodes.set(prefix, next);
    if (isBranch(next)) branch = next;
  });
}

/** The shape of all records of an upload. */
export function shapeOf(rules: Rules): Branch {
  const root: Branch = { parts: [], always: true };
  const item: Branch = { parts: [], always: true };
  const { fold } = rules;
  const index: PartIndex = new Map();
  const leafFor = leavesOf(rules);
  for (const path of orderedPaths(rules)) {
    if (fold && isInList(path, fold)) addNode(index, item, path.slice(fold.into.length), leafFor(path));
    else addNode(index, root, path, leafFor(path));
  }
  if (fold) addNode(index, root, fold.into, { item });
  if (!root.parts.some(({ prefix }) => prefix === '"data":'))
    addNode(index, root, ['data'], { parts: [], always: true });
  return root;
}

import type { ColumnHead, ColumnKind, HeldCell } from './table.ts';
import type { Chunk } from './chunk.ts';

/** A header over columns (or over further groups) of one object, or a column by itself. */
export type ColumnTree<C> =
  | { readonly name: string; readonly path: readonly string[]; readonly children: ColumnTree<C>[] }
  | { readonly name: string; readonly path: readonly string[]; readonly column: C };

/**
 * Groups columns under their parents: `data.rop` and `data.wob` stand under `data`. A path that is a value in some
 * records and an object in others gives a column of its own name beside the group's others.
 */
export function columnGroups<C extends Pick<ColumnHead, 'path'>>(columns: readonly C[]): ColumnTree<C>[] {
  const top: ColumnTree<C>[] = [];
  const groups = new Map<string, ColumnTree<C>[]>();
  const into = (path: readonly string[]): ColumnTree<C>[] => {
    if (path.length === 0) return top;
    const key = pathId(path);
    const known = groups.get(key);
    if (known) return known;
    const children: ColumnTree<C>[] = [];
    groups.set(key, children);
    into(path.slice(0, -1)).push({ name: path.at(-1) ?? '', path, children });
    return children;
  };
  for (const column of columns) {
    into(column.path.slice(0, -1)).push({ name: column.path.at(-1) ?? '', path: column.path, column });
  }
  return top;
}

/** A path as one text that no other path gives: dots and backslashes in names stand behind a backslash. */
export function pathId(path: readonly string[]): string {
  return path.map((name) => name.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.');
}

// What a record is about stands first, what is the same in every record last (specification, section 2.1).
const first = ['timestamp', 'datetime', 'measured_depth', 'log_identifier', 'stage_number', 'asset_id'];
const last = ['company_id', 'version', 'provider', 'collection', '_id'];

type Head = Pick<ColumnHead, 'path' | 'characters'>;

/** How long the id of a record is. */
const recordId = 24;
const envelope = new Set([...first, ...last]);

/** Whether these are groups, not records: the id of a group says what the group is. */
const areGroups = (columns: readonly Head[]): boolean =>
  columns.every(({ path: [name = ''], characters }) =>
    name === '_id' ? characters < recordId : !envelope.has(name),
  );

function rank({ path: [name] }: Head): number {
  if (name === undefined) return 0;
  const early = first.indexOf(name);
  if (early !== -1) return early - first.length;
  return last.indexOf(name) + 1;
}

/** Columns in the order for reading; those of one object stay together, where it is first met. */
export function columnOrder<C extends Head>(columns: readonly C[]): C[] {
  const met = new Map<string, number>();
  for (const { path } of columns) {
    const [name = ''] = path;
    if (!met.has(name)) met.set(name, met.size);
  }
  const place = ({ path: [name = ''] }: C) => met.get(name) ?? 0;
  const groups = areGroups(columns);
  const early = (head: C) => (groups && head.path[0] === '_id' ? -first.length - 1 : rank(head));
  return columns.toSorted((a, b) => early(a) - early(b) || place(a) - place(b) || 0);
}

// From 2001 to 2103: what a Unix time in milliseconds is worth; in seconds it would have three digits less.
const timeRange = { from: 1_000_000_000_000, to: 4_200_000_000_000 };
/** Whether a number is meant as Unix milliseconds. */
export const isTimeInMs = (value: number): boolean =>
  Number.isInteger(value) && value >= timeRange.from && value < timeRange.to;
const isTime = (value: HeldCell): boolean => typeof value === 'number' && isTimeInMs(value);

// A text without an offset would be another time in every zone: it stays a text.
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const isDate = (value: HeldCell): boolean => typeof value === 'string' && isoTime.test(value);

/** The kind of a column by the cells of some of its rows. */
export function kindOf(path: readonly string[], cells: readonly HeldCell[]): ColumnKind {
  let kind: ColumnKind = 'empty';
  let times = path.at(-1) === 'timestamp';
  let dates = true;
  for (const cell of cells) {
    if (cell === undefined || cell === null) continue;
    if (times && !isTime(cell)) times = false;
    if (dates && !isDate(cell)) dates = false;
    kind = joined(kind, cellKind(cell));
    if (kind === 'mixed') return kind;
  }
  if (kind === 'integer' && times) return 'time';
  return kind === 'text' && dates ? 'date' : kind;
}

function cellKind(cell: Exclude<HeldCell, undefined | null>): ColumnKind {
  if (typeof cell === 'number') return Number.isInteger(cell) ? 'integer' : 'number';
  if (typeof cell === 'bigint') return 'integer';
  if (typeof cell === 'string') return 'text';
  return typeof cell === 'boolean' ? 'boolean' : 'nested';
}

const numeric = new Set<ColumnKind>(['time', 'integer', 'number']);
const texts = new Set<ColumnKind>(['date', 'text']);

/** The kind of a column that has one kind in some rows and another in others. */
export function joined(one: ColumnKind, other: ColumnKind): ColumnKind {
  if (one === other || other === 'empty') return one;
  if (one === 'empty') return other;
  if (numeric.has(one) && numeric.has(other))
    return one === 'number' || other === 'number' ? 'number' : 'integer';
  return texts.has(one) && texts.has(other) ? 'text' : 'mixed';
}

/**
 * What is known of columns, by their paths, with what some more of their cells tell. How wide one is stays as it was first
 * learnt: columns that are looked at don't move because more comes.
 */
export function withChunks(
  heads: ReadonlyMap<string, ColumnHead>,
  chunks: readonly Chunk[],
): ReadonlyMap<string, ColumnHead> {
  const more = new Map(heads);
  for (const { path, kind, characters } of chunks) {
    const id = pathId(path);
    const known = more.get(id);
    more.set(id, {
      path,
      kind: known ? joined(known.kind, kind) : kind,
      characters: known && known.kind !== 'empty' ? known.characters : characters,
    });
  }
  return more;
}

/** Whether two answers have the same columns, as far as anybody sees. */
export const sameHeads = (one: readonly ColumnHead[], other: readonly ColumnHead[]): boolean =>
  one.length === other.length &&
  one.every(({ path, kind, characters }, at) => {
    const beside = other[at];
    return beside?.kind === kind && beside.characters === characters && pathId(beside.path) === pathId(path);
  });

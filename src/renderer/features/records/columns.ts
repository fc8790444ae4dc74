import { pathId } from '../../../shared/column-paths.ts';
import type { ColumnHead, ColumnKind, StoredCell } from './table.ts';
import type { Chunk } from './chunk.ts';

/** A column, or a header over columns or further headers. */
export type ColumnTree<C> =
  | { readonly name: string; readonly path: readonly string[]; readonly children: ColumnTree<C>[] }
  | { readonly name: string; readonly path: readonly string[]; readonly column: C };

/**
 * Groups columns under their parents: `data.rop` and `data.wob` under `data`. A path with both values and
 * objects has a column beside the group's.
 */
export function columnGroups<C extends Pick<ColumnHead, 'path'>>(columns: readonly C[]): ColumnTree<C>[] {
  const top: ColumnTree<C>[] = [];
  const groups = new Map<string, ColumnTree<C>[]>();
  const into = (path: readonly string[]): ColumnTree<C>[] => {
    if (path.length === 0) return top;
    const key = pathId(path);
    const cachedGroup = groups.get(key);
    if (cachedGroup) return cachedGroup;
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

// Identifying columns first, constant ones last (specification, section 2.1).
const firstColumns = [
  'timestamp',
  'datetime',
  'measured_depth',
  'log_identifier',
  'stage_number',
  'asset_id',
];
const lastColumns = ['company_id', 'version', 'provider', 'collection', '_id'];

type Head = Pick<ColumnHead, 'path' | 'characters'>;

const recordIdLength = 24;
const envelope = new Set([...firstColumns, ...lastColumns]);

/** Whether these are groups of an aggregation, whose id is the group key. */
const isGrouped = (columns: readonly Head[]): boolean =>
  columns.every(({ path: [name = ''], characters }) =>
    name === '_id' ? characters < recordIdLength : !envelope.has(name),
  );

function rank({ path: [name] }: Head): number {
  if (name === undefined) return 0;
  const early = firstColumns.indexOf(name);
  if (early !== -1) return early - firstColumns.length;
  return lastColumns.indexOf(name) + 1;
}

/** Columns in display order; those of one object are adjacent. */
export function columnOrder<C extends Head>(columns: readonly C[]): C[] {
  const heads = new Map<string, number>();
  for (const { path } of columns) {
    const [name = ''] = path;
    if (!heads.has(name)) heads.set(name, heads.size);
  }
  const place = ({ path: [name = ''] }: C) => heads.get(name) ?? 0;
  const groups = isGrouped(columns);
  const early = (head: C) => (groups && head.path[0] === '_id' ? -firstColumns.length - 1 : rank(head));
  return columns.toSorted((a, b) => early(a) - early(b) || place(a) - place(b));
}

/** Puts calculated columns after those that identify records, where they are in view. */
export function withCalculatedHeads(
  columns: readonly ColumnHead[],
  calculated: readonly ColumnHead[],
): readonly ColumnHead[] {
  const last = columns.findLastIndex(({ path: [name = ''] }) => firstColumns.includes(name));
  const at = last === -1 ? columns.length : last + 1;
  return columns.toSpliced(at, 0, ...calculated);
}

/** The columns of a table in its order, also those without values. A value with parts has a column for each. */
export function columnsNamed(names: readonly string[], columns: readonly ColumnHead[]): ColumnHead[] {
  const byName = Map.groupBy(columns, ({ path: [name = ''] }) => name);
  return names.flatMap((name) => {
    const parts = byName.get(name) ?? [];
    const filled = parts.filter(({ path, kind }) => path.length > 1 || kind !== 'empty');
    return filled.length > 0 ? filled : [{ path: [name], kind: 'empty', characters: 0 }];
  });
}

// From 1973 to 2103 in Unix milliseconds; values in seconds are smaller.
const timeRange = { from: 100_000_000_000, to: 4_200_000_000_000 };
/** Whether a number is plausible as Unix milliseconds. */
export const isTimeInMs = (value: number): boolean =>
  Number.isInteger(value) && value >= timeRange.from && value < timeRange.to;
const isTime = (value: StoredCell): boolean => typeof value === 'number' && isTimeInMs(value);

// A text without an offset is ambiguous: it stays a text.
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const isDate = (value: StoredCell): boolean => typeof value === 'string' && isoTime.test(value);

export function kindOf(path: readonly string[], cells: readonly StoredCell[]): ColumnKind {
  let kind: ColumnKind = 'empty';
  let times = path.at(-1) === 'timestamp';
  let dates = true;
  for (const cell of cells) {
    if (cell === undefined || cell === null) continue;
    if (times && !isTime(cell)) times = false;
    if (dates && !isDate(cell)) dates = false;
    kind = mergeKinds(kind, cellKind(cell));
    if (kind === 'mixed') return kind;
  }
  if (kind === 'integer' && times) return 'time';
  return kind === 'text' && dates ? 'date' : kind;
}

function cellKind(cell: Exclude<StoredCell, undefined | null>): ColumnKind {
  if (typeof cell === 'number') return Number.isInteger(cell) ? 'integer' : 'number';
  if (typeof cell === 'bigint') return 'integer';
  if (typeof cell === 'string') return 'text';
  return typeof cell === 'boolean' ? 'boolean' : 'nested';
}

const numeric = new Set<ColumnKind>(['time', 'integer', 'number']);
const texts = new Set<ColumnKind>(['date', 'text']);

function mergeKinds(a: ColumnKind, b: ColumnKind): ColumnKind {
  if (a === b || b === 'empty') return a;
  if (a === 'empty') return b;
  if (numeric.has(a) && numeric.has(b)) return a === 'number' || b === 'number' ? 'number' : 'integer';
  return texts.has(a) && texts.has(b) ? 'text' : 'mixed';
}

/** Widths stay as first measured: visible columns don't move when rows load. */
export function updateHeads(
  heads: ReadonlyMap<string, ColumnHead>,
  chunks: readonly Chunk[],
): ReadonlyMap<string, ColumnHead> {
  const more = new Map(heads);
  for (const { path, kind, characters } of chunks) {
    const id = pathId(path);
    const headBefore = more.get(id);
    more.set(id, {
      path,
      kind: headBefore ? mergeKinds(headBefore.kind, kind) : kind,
      characters: headBefore && headBefore.kind !== 'empty' ? headBefore.characters : characters,
    });
  }
  return more;
}

export const sameHeads = (a: readonly ColumnHead[], b: readonly ColumnHead[]): boolean =>
  a.length === b.length &&
  a.every(({ path, kind, characters }, at) => {
    const beside = b[at];
    return beside?.kind === kind && beside.characters === characters && pathId(beside.path) === pathId(path);
  });

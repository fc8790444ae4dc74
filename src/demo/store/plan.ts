import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';
import { predicate } from '../mongo/query.ts';
import type { SortField } from '../mongo/sort.ts';
import type { Condition, KeyRange } from './conditions.ts';
import { conditionsOf, intersect, keyRange, segmentsOf } from './conditions.ts';
import type { Direction, Row } from './merge.ts';
import type { Run, Scope, Segment } from './run.ts';
import { valueAt } from './values.ts';

/**
 * The fields by which records of a dataset are found: envelope paths that scope them, and the field that orders them.
 */
export interface IndexShape {
  readonly scopePaths: readonly string[];
  readonly keyPath: string | null;
}

/** How a query is executed: which rows to examine, in which order, and what remains to be tested for each. */
export interface Plan {
  /** Groups are read one after the other; the segments of a group are merged. */
  readonly groups: readonly (readonly Segment[])[];
  readonly direction: Direction;
  /** The conditions that the index doesn't decide; null if every row is a match. */
  readonly test: ((record: JsonObject) => boolean) | null;
  /** A further test that doesn't need the record; null if every row passes. */
  readonly rowTest: ((row: Row) => boolean) | null;
  /** Further fields that order rows of equal key. */
  readonly ties: readonly SortField[];
  /** Set if no index gives the order: all matches are collected and sorted by these fields. */
  readonly sort: readonly SortField[] | null;
}

/** A query split into the part that the index decides and the rest. */
export interface Analysis {
  readonly scope: (scope: Scope) => boolean;
  readonly range: KeyRange | null;
  readonly test: ((record: JsonObject) => boolean) | null;
}

/** Splits a query for an index whose rows are ordered by `keyPath`. */
export function analyze(query: JsonObject, scopePaths: readonly string[], keyPath: string | null): Analysis {
  const onScope: Condition[] = [];
  const rest: Condition[] = [];
  let range: KeyRange | null = null;
  for (const condition of conditionsOf(query)) {
    if (scopePaths.includes(condition.path)) {
      onScope.push(condition);
      continue;
    }
    const keys = condition.path === keyPath ? keyRange(condition.condition) : null;
    if (keys) range = range ? intersect(range, keys) : keys;
    else rest.push(condition);
  }
  const matchesScope = onScope.length === 0 ? null : predicate(conjunction(onScope));
  return {
    scope: (scope) => matchesScope?.(scope) ?? true,
    range,
    test: rest.length === 0 ? null : predicate(conjunction(rest)),
  };
}

function conjunction(conditions: readonly Condition[]): JsonObject {
  return { $and: conditions.map(({ path, condition }): JsonValue => ({ [path]: condition })) };
}

/** The part of a sort that the index gives: leading scope fields, then the key, then the tiebreakers. */
export interface ServedSort {
  readonly scopeFields: readonly SortField[];
  readonly direction: Direction;
  readonly ties: readonly SortField[];
}

/** How the index supports a sort; null if it doesn't. Without a sort, rows come in the index's own order. */
export function serveSort(
  sort: readonly SortField[],
  shape: IndexShape,
  keyPath: string | null,
): ServedSort | null {
  const scopeFields: SortField[] = [];
  let at = 0;
  for (let field = sort[at]; field && shape.scopePaths.includes(field[0]); field = sort[at]) {
    scopeFields.push(field);
    at += 1;
  }
  const key = sort[at];
  if (!key) return { scopeFields, direction: { key: 1, id: 1 }, ties: [] };
  const hasKey = key[0] === keyPath;
  if (hasKey) at += 1;
  const next = sort[at];
  const keyDirection = hasKey ? key[1] : 1;
  if (!next) return { scopeFields, direction: { key: keyDirection, id: keyDirection }, ties: [] };
  if (!hasKey) return null;
  if (next[0] === '_id') return { scopeFields, direction: { key: keyDirection, id: next[1] }, ties: [] };
  return { scopeFields, direction: { key: keyDirection, id: 1 }, ties: sort.slice(at) };
}

/** The index that executes a query, and the conditions that it decides. */
export interface Choice {
  readonly index: 'key' | 'id';
  readonly analysis: Analysis;
  /** Null: the matches must be sorted. */
  readonly served: ServedSort | null;
}

/** Selects the index by key or the one by id: the sort decides, unless the query has single ids. */
export function chooseIndex(query: JsonObject, sort: readonly SortField[], shape: IndexShape): Choice {
  const byId = {
    index: 'id',
    analysis: analyze(query, shape.scopePaths, '_id'),
    served: serveSort(sort, shape, '_id'),
  } as const;
  if (byId.analysis.range?.points) return byId;
  const served = serveSort(sort, shape, shape.keyPath);
  const byKey = { index: 'key', analysis: analyze(query, shape.scopePaths, shape.keyPath), served } as const;
  if (byId.served && (!served || (sort.length === 0 && byId.analysis.range))) return byId;
  return byKey;
}

/** The segments of all runs, in groups by the leading scope fields of the sort. */
export function groupSegments(
  runs: readonly Run[],
  range: KeyRange | null,
  scopeFields: readonly SortField[],
  compare: (a: Run, b: Run) => number,
): Segment[][] {
  if (scopeFields.length === 0) return [runs.flatMap((run) => segmentsOf(run, range))];
  const groups: Segment[][] = [];
  let previous: Run | undefined;
  for (const run of [...runs].sort(compare)) {
    if (!previous || compare(previous, run) !== 0) groups.push([]);
    for (const segment of segmentsOf(run, range)) groups.at(-1)?.push(segment);
    previous = run;
  }
  return groups.filter((group) => group.length > 0);
}

/** The values that all records of a scope share. */
export function scopeOf(record: JsonObject, paths: readonly string[]): Scope {
  const scope: Scope = {};
  for (const path of paths) {
    const value = valueAt(record, path);
    if (value === undefined) continue;
    const [name = path, inner] = path.split('.');
    if (inner === undefined) scope[name] = value;
    else scope[name] = { ...(isObject(scope[name]) ? scope[name] : {}), [inner]: value };
  }
  return scope;
}

/** A scope's values as one text, to distinguish scopes. */
export function scopeText(scope: Scope, paths: readonly string[]): string {
  return JSON.stringify(paths.map((path) => valueAt(scope, path) ?? null));
}

import { type JsonObject, isObject, type JsonValue } from '../../shared/json.ts';
import type { FindArguments } from '../services/services.ts';
import type { PageCursor, RunCursor, WindowCursor, Bound } from './cursor.ts';
import type { WindowField } from './rule.ts';
import { valueOf } from './values.ts';

/** What the person asked for, as far as requests need it. */
export interface Wanted {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  /** Paths to return; empty: all. */
  readonly fields: readonly string[];
}

type Request = Pick<FindArguments, 'query' | 'sort' | 'skip'>;

/** The query, sort and skip for the page at a cursor. `rule` is null for a run through everything. */
export function requestAt(wanted: Wanted, rule: WindowField | null, cursor: PageCursor): Request {
  if (rule === null || (cursor.at === 'run' && cursor.of === 'all')) {
    const tie = cursor.at !== 'run' || cursor.tie;
    return {
      query: wanted.query,
      sort: withTie(wanted.sort, tie, 1),
      skip: cursor.at === 'run' ? cursor.skip : 0,
    };
  }
  return cursor.at === 'run' ? runRequest(wanted, rule, cursor) : windowRequest(wanted, rule, cursor);
}

function windowRequest({ query, sort }: Wanted, { field }: WindowField, { bound }: WindowCursor): Request {
  return { query: bound ? withBound(query, field, bound) : query, sort };
}

function runRequest(
  { query }: Wanted,
  rule: WindowField,
  { of, by, value, bound, skip, tie }: RunCursor,
): Request {
  const { field } = rule;
  // Records without a value come first only in ascending order.
  const sort = withTie({ [field]: of === 'nulls' ? 1 : rule.direction }, tie, rule.tie);
  if (of === 'value' && by === 'equal' && value !== null)
    return { query: withValue(query, field, value), sort, skip };
  return { query: of === 'value' && bound ? withBound(query, field, bound) : query, sort, skip };
}

const withTie = (sort: JsonObject, tie: boolean, direction: 1 | -1): JsonObject =>
  tie && !('_id' in sort) ? { ...sort, _id: direction } : sort;

/** The fields to ask for: what is wanted, and always `_id` and the key field. Empty: all. */
export function fieldsFor(fields: readonly string[], keyField: string | null): string[] {
  if (fields.length === 0) return [];
  return [...new Set([...fields, '_id', ...(keyField === null ? [] : [keyField])])];
}

// Operators that can stand beside ours in one object. Anything else (a regular expression, an object to be equal to)
// can't be intersected.
const combining = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists']);

const implied = { $gt: ['$gt', '$gte'], $gte: ['$gt', '$gte'], $lt: ['$lt', '$lte'] } as const;

function operatorsOf(condition: JsonValue | undefined): JsonObject | null {
  if (condition === undefined) return {};
  if (condition === null || Array.isArray(condition)) return null;
  if (!isObject(condition)) return { $in: [condition] };
  return Object.keys(condition).every((name) => combining.has(name)) ? condition : null;
}

/** Whether a person's own condition on a field can be intersected with a window in one operator object. */
export function canBeWindowed(query: JsonObject, field: string): boolean {
  return operatorsOf(query[field]) !== null;
}

/**
 * The query with a window on a field. The bound's value comes from a record that matches the person's own conditions,
 * so a lower (or upper) bound of theirs is implied by ours and replaced; the others stay.
 */
export function withBound(query: JsonObject, field: string, { op, value }: Bound): JsonObject {
  const own = Object.entries(operatorsOf(query[field]) ?? {});
  const replaced: readonly string[] = implied[op];
  const kept = Object.fromEntries(own.filter(([name]) => !replaced.includes(name)));
  return { ...query, [field]: { ...kept, [op]: valueOf(value) } };
}

/** The query for the records that have one value, which matches the person's own conditions. */
export function withValue(query: JsonObject, field: string, value: string): JsonObject {
  return { ...query, [field]: valueOf(value) };
}

import { type JsonObject, isObject } from '../../../shared/json.ts';
import type { FindArguments } from '../wire/services/services.ts';
import type { PageCursor, RunCursor, Bound } from './cursor.ts';
import type { WindowField } from './rule.ts';
import { valueOf } from '../records/values.ts';

/** The user's query, as far as requests need it. */
export interface PageQuery {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  /** Field paths to return; empty: all. */
  readonly fields: readonly string[];
}

type PageRequest = Pick<FindArguments, 'query' | 'sort' | 'skip'>;

/**
 * The query, sort, and skip of the page at a cursor.
 * @param rule null for a run through all records
 * @throws SyntaxError if a value of the cursor isn’t JSON
 */
export function pageRequest(pageQuery: PageQuery, rule: WindowField | null, cursor: PageCursor): PageRequest {
  const { query, sort } = pageQuery;
  if (cursor.at === 'window')
    return { query: rule && cursor.bound ? withBound(query, rule.field, cursor.bound) : query, sort };
  if (rule === null || cursor.of === 'all')
    return { query, sort: withIdSort(sort, cursor.tie, 1), skip: cursor.skip };
  return runRequest(pageQuery, rule, cursor);
}

function runRequest(
  { query }: PageQuery,
  rule: WindowField,
  { of, by, value, bound, skip, tie }: RunCursor,
): PageRequest {
  const { field } = rule;
  // Records without a value come first only in ascending order.
  const sort = withIdSort({ [field]: of === 'nulls' ? 1 : rule.direction }, tie, rule.tie);
  if (of === 'value' && by === 'equal' && value !== null)
    return { query: withValue(query, field, value), sort, skip };
  return { query: of === 'value' && bound ? withBound(query, field, bound) : query, sort, skip };
}

const withIdSort = (sort: JsonObject, tie: boolean, direction: 1 | -1): JsonObject =>
  tie && !('_id' in sort) ? { ...sort, _id: direction } : sort;

/** The fields to request: the given ones, `_id`, and the key field. Empty: all. */
export function fieldsToRequest(fields: readonly string[], keyField: string | null): string[] {
  if (fields.length === 0) return [];
  return [...new Set([...fields, '_id', ...(keyField === null ? [] : [keyField])])];
}

// Operators that can be combined with a bound in one object. A regular expression or an object to match
// exactly can't.
const combinableOperators = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists']);

const impliedOperators = { $gt: ['$gt', '$gte'], $gte: ['$gt', '$gte'], $lt: ['$lt', '$lte'] } as const;

/** The user's condition on a field as operators, if it {@link canBeWindowed}. */
export function operatorsOf(query: JsonObject, field: string): JsonObject {
  const condition = query[field];
  if (isObject(condition)) return condition;
  return condition === undefined ? {} : { $in: [condition] };
}

/** Whether the user's condition on a field can be combined with a window in one operator object. */
export function canBeWindowed(query: JsonObject, field: string): boolean {
  const condition = query[field];
  if (condition === null || Array.isArray(condition)) return false;
  return !isObject(condition) || Object.keys(condition).every((name) => combinableOperators.has(name));
}

/**
 * Adds a window on a field to the query. The bound's value comes from a record that matches the user's
 * conditions, so it implies and replaces their bound on that side; other conditions remain.
 * @throws SyntaxError if the value isn’t JSON
 */
export function withBound(query: JsonObject, field: string, { op, value }: Bound): JsonObject {
  const userOperators = Object.entries(operatorsOf(query, field));
  const replacedNames: readonly string[] = impliedOperators[op];
  const remaining = Object.fromEntries(userOperators.filter(([name]) => !replacedNames.includes(name)));
  return { ...query, [field]: { ...remaining, [op]: valueOf(value) } };
}

/** The query for records with one value, which matches the user's conditions. @throws SyntaxError if it isn’t JSON */
export function withValue(query: JsonObject, field: string, value: string): JsonObject {
  return { ...query, [field]: valueOf(value) };
}

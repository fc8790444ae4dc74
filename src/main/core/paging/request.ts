import { type JsonObject, isObject, type JsonValue } from '../../../shared/json.ts';
import type { FindArguments } from '../wire/services/services.ts';
import type { PageCursor, RunCursor, WindowCursor, Bound } from './cursor.ts';
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
  if (rule === null || (cursor.at === 'run' && cursor.of === 'all')) {
    const tie = cursor.at !== 'run' || cursor.tie;
    return {
      query: pageQuery.query,
      sort: withIdSort(pageQuery.sort, tie, 1),
      skip: cursor.at === 'run' ? cursor.skip : 0,
    };
  }
  return cursor.at === 'run' ? runRequest(pageQuery, rule, cursor) : windowRequest(pageQuery, rule, cursor);
}

function windowRequest(
  { query, sort }: PageQuery,
  { field }: WindowField,
  { bound }: WindowCursor,
): PageRequest {
  return { query: bound ? withBound(query, field, bound) : query, sort };
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

function operatorsOf(condition: JsonValue | undefined): JsonObject | null {
  if (condition === undefined) return {};
  if (condition === null || Array.isArray(condition)) return null;
  if (!isObject(condition)) return { $in: [condition] };
  return Object.keys(condition).every((name) => combinableOperators.has(name)) ? condition : null;
}

/** Whether the user's condition on a field can be combined with a window in one operator object. */
export function canBeWindowed(query: JsonObject, field: string): boolean {
  return operatorsOf(query[field]) !== null;
}

/**
 * Adds a window on a field to the query. The bound's value comes from a record that matches the user's
 * conditions, so it implies and replaces their bound on that side; other conditions remain.
 * @throws SyntaxError if the value isn’t JSON
 */
export function withBound(query: JsonObject, field: string, { op, value }: Bound): JsonObject {
  const userOperators = Object.entries(operatorsOf(query[field]) ?? {});
  const replacedNames: readonly string[] = impliedOperators[op];
  const remaining = Object.fromEntries(userOperators.filter(([name]) => !replacedNames.includes(name)));
  return { ...query, [field]: { ...remaining, [op]: valueOf(value) } };
}

/** The query for records with one value, which matches the user's conditions. @throws SyntaxError if it isn’t JSON */
export function withValue(query: JsonObject, field: string, value: string): JsonObject {
  return { ...query, [field]: valueOf(value) };
}

import type { ExportRequest, Aggregation } from '../../shared/export/export.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { isObject, parseJson, type JsonObject, type JsonValue, withoutUndefined } from '../../shared/json.ts';
import { refuseErrors } from '../../shared/language/lint/request.ts';
import { parseRelaxedArray, parseRelaxedObject } from '../../shared/language/relaxed.ts';
import type {
  AggregateRequest,
  ReadRequest,
  CountRequest,
  FindRequest,
  PipelineRequest,
} from '../../shared/query/query.ts';
import {
  aggregateStages,
  type AggregateArguments,
  type FindArguments,
  type RecordsOperation,
} from './wire/services/services.ts';
import { valueOf } from './records/values.ts';
import { combiningStages } from '../../shared/language/catalogue.ts';

type Unaddressed<Request> = Omit<Request, 'connection' | 'provider' | 'dataset' | 'timeoutMs'>;

// Relaxed JSON is parsed to strict JSON; errors have line and column, and nothing is sent then.

/** Parses strict JSON of a plan. @throws AppError `internal` when it isn't an object */
export function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new AppError('internal', { problem: 'the plan of the job is damaged' });
  return value;
}

/** @throws AppError `invalid_input` */
export function findOf(request: FindRequest): FindArguments {
  refuseErrors({ kind: 'find', ...request });
  const { limit, skip, fields, includeCount } = request;
  const query = parseQueryObject(request.query, 'query');
  return { query, sort: parseQueryObject(request.sort, 'sort'), limit, skip, fields, includeCount };
}

/** The query and sort of an export. @throws AppError `invalid_input` */
export function exportOf({ query, sort }: Pick<ExportRequest, 'query' | 'sort'>) {
  refuseErrors({ kind: 'export', query, sort });
  return { query: parseQueryObject(query, 'query'), sort: parseQueryObject(sort, 'sort') };
}

/** @throws AppError `invalid_input` */
export function countOf({ query }: CountRequest) {
  refuseErrors({ kind: 'count', query });
  return parseQueryObject(query, 'query');
}

/** @throws AppError `invalid_input` */
export function aggregateOf(request: Unaddressed<AggregateRequest>): AggregateArguments {
  refuseErrors({ kind: 'aggregate', ...request });
  const { limit, skip } = request;
  return {
    match: parseQueryObject(request.match, 'match'),
    sort: parseQueryObject(request.sort, 'sort'),
    limit,
    skip,
    group: parseOptionalObject(request.group, 'group'),
    project: parseOptionalObject(request.project, 'project'),
  };
}

/** @throws AppError `invalid_input` */
export function stagesOf({ stages: text }: Unaddressed<PipelineRequest>) {
  refuseErrors({ kind: 'pipeline', stages: text });
  return parseRelaxedArray(text, 'stages').filter(isObject);
}

/** The read operation of a request. @throws AppError `invalid_input` */
export function operationOf(request: ReadRequest): RecordsOperation {
  switch (request.kind) {
    case 'find':
      return { kind: 'find', find: findOf(request.request) };
    case 'count':
      return { kind: 'count', query: countOf(request.request) };
    case 'aggregate':
      return wholeOperationOf({ kind: 'aggregate', ...request.request });
    case 'pipeline':
      return wholeOperationOf({ kind: 'pipeline', ...request.request });
  }
}

type WholeRecordsOperation = Extract<RecordsOperation, { kind: Aggregation['kind'] }>;

/** The operation that responds with all records at once. @throws AppError `invalid_input` with the place */
export function wholeOperationOf(request: Aggregation): WholeRecordsOperation {
  return request.kind === 'aggregate'
    ? { kind: 'aggregate', aggregate: aggregateOf(request) }
    : { kind: 'pipeline', stages: stagesOf(request) };
}

function parseQueryObject(text: string, field: string) {
  return parseRelaxedObject(text.trim() === '' ? '{}' : text, field);
}

function parseOptionalObject(text: string | undefined, field: string) {
  return text === undefined || text.trim() === '' ? undefined : parseRelaxedObject(text, field);
}

// Operators that can be combined with a bound in one object. A regular expression or an object to match
// exactly can't.
const combinableOperators = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists']);

const impliedOperators = { $gt: ['$gt', '$gte'], $gte: ['$gt', '$gte'], $lt: ['$lt', '$lte'] } as const;

/** The user's condition on a field as operators, if it {@link canBeWindowed}. */
function operatorsOf(query: JsonObject, field: string): JsonObject {
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

/** The open side of a window; the value as JSON text of a response, so that a number is sent back unchanged. */
export interface Bound {
  readonly op: '$gt' | '$gte' | '$lt';
  readonly value: string;
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

/** Values from one up to another, without it; an absent end is open. */
export interface ValueRange {
  readonly from?: JsonValue | undefined;
  readonly to?: JsonValue | undefined;
}

/** The largest offset from UTC of a time as text, in milliseconds, and an hour more. */
export const maxOffsetMs = 15 * 3_600_000;

/** Texts of times have years of four digits; others are not in the order of time. */
export const textYears = [
  Date.parse('0000-01-01T00:00:00Z'),
  Date.parse('9999-12-31T23:59:59.999Z'),
] as const;

/**
 * The texts that the times from one up to another can have, in milliseconds. A service compares texts by their characters,
 * which an offset from UTC changes, so other times can have such texts, too.
 */
export function textsOfTimes(fromMs: number, toMs: number) {
  const [first, last] = [fromMs - maxOffsetMs, toMs + maxOffsetMs];
  return {
    from: first >= textYears[0] ? new Date(first).toISOString() : '',
    to: last <= textYears[1] ? new Date(last).toISOString() : undefined,
  };
}

/** Whether the user's limit is stricter than that of a range, which has its start but not its end; or can't be compared. */
function isStricter(user: JsonValue | undefined, limit: JsonValue, isLower: boolean): boolean {
  if (user === undefined) return false;
  const isComparable =
    (typeof user === 'string' && typeof limit === 'string') ||
    (typeof user === 'number' && typeof limit === 'number');
  return !isComparable || (isLower ? user >= limit : user < limit);
}

/**
 * A query for its records in a range of values; the user's own limits remain where they are stricter.
 * @returns null if the user's condition can't be combined with a range
 */
export function queryInRange(query: JsonObject, path: string, { from, to }: ValueRange): JsonObject | null {
  if (!canBeWindowed(query, path)) return null;
  const { $gt, $gte, $lt, $lte, ...others } = operatorsOf(query, path);
  // A query may have two limits on one side, of which the stricter one applies.
  const keepsLower = from === undefined || [$gte, $gt].some((limit) => isStricter(limit, from, true));
  const keepsUpper = to === undefined || [$lte, $lt].some((limit) => isStricter(limit, to, false));
  const lower = keepsLower ? { $gte, $gt } : { $gte: from };
  const upper = keepsUpper ? { $lte, $lt } : { $lt: to };
  return { ...query, [path]: { ...others, ...withoutUndefined({ ...lower, ...upper }) } };
}

/** Stages after which there are as many records as before. */
const keepsNumber: ReadonlySet<string> = new Set(['$addFields', '$project', '$set', '$sort', '$unset']);

const numberOf = (count: unknown, noun: string): string =>
  `${Number(count).toLocaleString('en')} ${noun}${Number(count) === 1 ? '' : 's'}`;

/**
 * What the results of a read are computed from, such as “at most 1,000 records”, if a limit, a skip, or a sample comes
 * before they are combined.
 * @param rows the number of results, if further computations will use them
 * @returns undefined: all matching records, or nothing is computed
 */
export function computedFrom(operation: RecordsOperation, rows?: number): string | undefined {
  if (operation.kind !== 'pipeline' && operation.kind !== 'aggregate') return undefined;
  const stages = operation.kind === 'pipeline' ? operation.stages : aggregateStages(operation.aggregate);
  const operators = stages.flatMap((stage) => Object.entries(stage));
  const last = operators.findLastIndex(([name]) => !keepsNumber.has(name));
  let part: string | undefined;
  let noun = 'record';
  for (const [at, [name, body]] of operators.entries()) {
    if (combiningStages.has(name)) {
      if (rows === undefined || part !== undefined) return part;
      noun = 'row';
    }
    const limit = name === '$limit' ? body : name === '$sample' && isObject(body) ? body['size'] : undefined;
    // A limit at the end that isn't reached leaves nothing out.
    if (limit !== undefined && at === last && rows !== undefined && rows < Number(limit)) continue;
    if (limit !== undefined)
      part = `${name === '$limit' ? '' : 'a sample of '}at most ${numberOf(limit, noun)}`;
    else if (name === '$skip' && Number(body) > 0) part ??= `all but the first ${numberOf(body, noun)}`;
  }
  return rows === undefined ? undefined : part;
}

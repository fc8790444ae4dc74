import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import * as vm from 'node:vm';
import { Aggregator } from 'mingo/aggregator';
import { Context, ProcessingMode, evalExpr } from 'mingo/core';
import { type Iterator, Lazy } from 'mingo/lazy';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import * as stages from 'mingo/operators/pipeline';
import * as projections from 'mingo/operators/projection';
import * as queries from 'mingo/operators/query';
import * as windows from 'mingo/operators/window';
import { Query } from 'mingo/query';
import type { AnyObject, Options } from 'mingo/types';
import { MingoError, compare, resolve } from 'mingo/util';
import { type JsonObject, type JsonValue, isObject } from '../shared/json.ts';
import { Problem, invalid } from './service.ts';

/** A value by which rows are ordered; missing values count as null, as in the document database. */
export type Key = null | boolean | number | bigint | string;

export const isKey = (value: unknown): value is Key =>
  value === null || ['boolean', 'number', 'bigint', 'string'].includes(typeof value);

const isNumeric = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** Orders any two values as the document database does: by type, then by value, exact for integers beyond 2^53. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0;
  const comparable = (value: unknown) => (typeof value === 'bigint' ? Number(value) : (value ?? null));
  return compare(comparable(a), comparable(b));
}

/** The value at a dotted path; through an array, the values of its elements. */
export const valueAt = (record: JsonObject, path: string): unknown =>
  withProblems(() => resolve(record, path));

export type SortField = readonly [path: string, direction: 1 | -1];

/**
 * Reads a sort object: field to direction, `1` or `-1`.
 * @throws Problem 422 for any other direction (specification, section 4.1)
 */
export function readSort(sort: JsonObject): SortField[] {
  return Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1)
      throw invalid(`sort: the direction of "${path}" must be 1 or -1`);
    return [path, direction];
  });
}

/** Compares two lists of sort values, field by field. */
export function compareSortValues(
  fields: readonly SortField[],
  a: readonly unknown[],
  b: readonly unknown[],
) {
  for (const [at, [, direction]] of fields.entries()) {
    const order = compareValues(a[at], b[at]) * direction;
    if (order !== 0) return order;
  }
  return 0;
}

/** The values by which a record is sorted: of an array, its smallest element, or its largest in descending order. */
export function sortValues(fields: readonly SortField[], record: JsonObject): unknown[] {
  return fields.map(([path, direction]) => {
    const value = valueAt(record, path);
    if (!Array.isArray(value)) return value;
    return value.toSorted((a, b) => compareValues(a, b) * direction)[0] as unknown;
  });
}

// The library compares only doubles. These operators also compare integers beyond 2^53 (bigint), with each other and with
// doubles, by value. Other values are left to the library's own operators.

type Test = (value: AnyObject) => boolean;
type Operator = (path: string, wanted: unknown, options: Options) => Test;

/**
 * An integer beyond 2^53 inside a query: the library serializes queries as JSON for its messages, which fails for a
 * bare bigint.
 */
class ExactInteger {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }

  toJSON(): string {
    return this.value.toString();
  }
}

/** Converts a query, pipeline, or expression into the form that the library accepts. */
function wrapExact(value: unknown): unknown {
  if (typeof value === 'bigint') return new ExactInteger(value);
  if (Array.isArray(value)) return value.map(wrapExact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, wrapExact(part)]));
}

/** The counterpart of {@link wrapExact}, for results. */
function unwrapExact(value: unknown): unknown {
  return value instanceof ExactInteger ? value.value : value;
}

const isScalar = (value: unknown): boolean =>
  value === null || typeof value !== 'object' || value instanceof ExactInteger;

// One form for one value: an integer beyond 2^53 is the same whether it arrived as a double or exactly.
function canonical(wrapped: unknown): unknown {
  const value = unwrapExact(wrapped);
  const isInexact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isInexact ? BigInt(value) : (value ?? null);
}

function someValue(record: AnyObject, path: string, test: (value: unknown) => boolean): boolean {
  const value = resolve(record, path, { unwrapArray: true });
  if (!Array.isArray(value)) return test(value);
  return value.flat().some((element) => test(element));
}

/** `$in` over a set: a list of a thousand keys takes one lookup for each record. */
function inSet(path: string, wanted: readonly unknown[]): Test {
  const set = new Set(wanted.map(canonical));
  return (record) => someValue(record, path, (value) => isScalar(value ?? null) && set.has(canonical(value)));
}

/** The comparisons, by the order of two values. */
const comparisons = {
  $cmp: (order: number) => Math.sign(order),
  $eq: (order: number) => order === 0,
  $ne: (order: number) => order !== 0,
  $gt: (order: number) => order > 0,
  $gte: (order: number) => order >= 0,
  $lt: (order: number) => order < 0,
  $lte: (order: number) => order <= 0,
};

const exactComparison =
  (accepts: (order: number) => boolean, usual: Operator): Operator =>
  (path, wrapped, options) => {
    const wanted = unwrapExact(wrapped);
    if (!isNumeric(wanted)) return usual(path, wanted, options);
    const isMatch = (value: unknown) => isNumeric(value) && accepts(compareValues(value, wanted));
    return (record) => someValue(record, path, isMatch);
  };

const exactQueries: Readonly<Record<string, Operator>> = {
  $eq: exactComparison(comparisons.$eq, queries.$eq),
  $ne: (path, wanted, options) => queries.$not(path, { $eq: wanted }, options),
  $in: (path, wanted, options) =>
    Array.isArray(wanted) && wanted.every(isScalar)
      ? inSet(path, wanted)
      : queries.$in(path, wanted, options),
  $nin: (path, wanted, options) => queries.$not(path, { $in: wanted }, options),
  $gt: exactComparison(comparisons.$gt, queries.$gt),
  $gte: exactComparison(comparisons.$gte, queries.$gte),
  $lt: exactComparison(comparisons.$lt, queries.$lt),
  $lte: exactComparison(comparisons.$lte, queries.$lte),
};

/** Values at shares of sorted numbers, from 0 to 1. The library takes groups for one record, and sorts numbers as texts. */
function percentile(record: AnyObject, body: unknown, options: Options): unknown[] {
  if (!isObject(body) || !('input' in body) || !Array.isArray(body['p']))
    throw invalid('a percentile takes an input and a list p of shares');
  // The numbers of a group of records, which is an array, or in a list of one record.
  const values: unknown = Array.isArray(record)
    ? accumulators.$push(record, body['input'], options)
    : evalExpr(record, body['input'], options);
  const numbers = [values].flat().map(unwrapExact).filter(isNumeric).toSorted(compareValues);
  const at = (share: number): number => Math.max(Math.ceil(share * numbers.length) - 1, 0);
  return body['p'].map((share) => numbers[at(Number(share))] ?? null);
}

const maxRangeLength = 1_000_000;

const exactExpressions = {
  ...Object.fromEntries(
    Object.entries(comparisons).map(([name, result]) => [
      name,
      (record: AnyObject, expression: unknown, options: Options): unknown => {
        const [left, right] = evalExpr(record, expression, options) as unknown[];
        return result(compareValues(unwrapExact(left), unwrapExact(right)));
      },
    ]),
  ),
  $median: (record: AnyObject, body: unknown, options: Options): unknown =>
    percentile(record, isObject(body) && { ...body, p: [0.5] }, options)[0],
  $percentile: percentile,
  // It could fill memory at once.
  $range: (record: AnyObject, expression: unknown, options: Options): unknown => {
    const [start, end, step = 1] = evalExpr(record, expression, options) as number[];
    if (Math.abs(((end ?? 0) - (start ?? 0)) / step) > maxRangeLength)
      throw invalid(`$range: more than ${maxRangeLength} elements`);
    return expressions.$range(record, expression, options);
  },
};

const extreme =
  (sign: 1 | -1) =>
  (records: unknown[], expression: unknown, options: Options): unknown =>
    accumulators.$push(records, expression, options).reduce((best: unknown, wrapped) => {
      const value = unwrapExact(wrapped) ?? best;
      return best === null || compareValues(value, best) * sign > 0 ? value : best;
    }, null);

function sum(records: unknown[], expression: unknown, options: Options): number | bigint {
  if (typeof expression === 'number') return records.length * expression;
  const pushed = accumulators.$push(records, expression, options);
  const values = pushed.map(unwrapExact).filter(isNumeric);
  const hasExact = values.some((value) => typeof value === 'bigint');
  if (hasExact && values.every((value) => Number.isInteger(Number(value))))
    return values.reduce<bigint>((total, value) => total + BigInt(value), 0n);
  return values.reduce<number>((total, value) => total + Number(value), 0);
}

/** `$sort` with the type order of the document database. */
function sortStage(records: Iterator, sort: unknown, _options: unknown): Iterator {
  const fields = readSort(sort as JsonObject);
  if (fields.length === 0) throw invalid('$sort needs at least one field');
  return records.transform((all) => {
    const keyed = (all as JsonObject[]).map((record) => ({ record, values: sortValues(fields, record) }));
    keyed.sort((a, b) => compareSortValues(fields, a.values, b.values));
    return Lazy(keyed.map(({ record }) => record));
  });
}

/** The operators of the document database except scripts (`$where`, `$function`, and `$accumulator`). */
const options: Options = {
  idKey: '_id',
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  failOnError: true,
  scriptEnabled: false,
  context: Context.init({
    accumulator: { ...accumulators, $max: extreme(1), $min: extreme(-1), $sum: sum },
    expression: { ...expressions, ...exactExpressions },
    pipeline: { ...stages, $sort: sortStage },
    projection: projections,
    query: { ...queries, ...exactQueries },
    window: windows,
  }),
};

/** The supported stages: those that read only this dataset and write nothing. */
const allowedStages: ReadonlySet<string> = new Set([
  '$match', '$sort', '$limit', '$skip', '$group', '$project', '$addFields', '$set', '$unset', '$unwind', '$count',
  '$sortByCount', '$bucket', '$bucketAuto', '$facet', '$replaceRoot', '$replaceWith', '$redact', '$sample',
  '$setWindowFields', '$fill', '$densify',
]); // oxfmt-ignore

const recordsBetweenChecks = 4096;

/**
 * The stages of a pipeline, which are allowed, also those inside `$facet`.
 * @throws Problem 422 for an invalid stage, 403 for one that isn't allowed
 */
export function checkedStages(stages: readonly JsonValue[]): JsonObject[] {
  return stages.map((stage, at) => {
    const [[name, value] = ['', null], ...others] = isObject(stage) ? Object.entries(stage) : [];
    if (!isObject(stage) || name === '' || others.length > 0)
      throw invalid(`stage ${String(at)} must be an object with exactly one operator`);
    if (!allowedStages.has(name)) throw new Problem(403, `the stage ${name} is not allowed`);
    const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    if (name === '$limit' && (!isCount || value === 0)) throw invalid('$limit must be a positive integer');
    if (name === '$skip' && !isCount) throw invalid('$skip must be 0 or more');
    if (['$match', '$sort', '$group', '$facet'].includes(name) && !isObject(value))
      throw invalid(`${name} takes an object`);
    for (const inner of name === '$facet' && isObject(value) ? Object.values(value) : []) {
      if (!Array.isArray(inner)) throw invalid('$facet takes lists of stages');
      checkedStages(inner);
    }
    return stage;
  });
}

/** Runs stages over records. @throws Problem 400 for invalid stages, 422 if they exceed a limit */
export function runStages(records: Iterable<JsonObject>, pipeline: readonly JsonObject[]): JsonObject[] {
  if (pipeline.length === 0) return [...records];
  const work = (): JsonObject[] => {
    let flow: Iterable<JsonObject> = records;
    for (const stage of pipeline) {
      const aggregator = new Aggregator([wrapExact(stage) as JsonObject], options);
      flow = watched(aggregator.stream(flow) as Iterable<JsonObject>);
    }
    return [...flow];
  };
  return bounded(() => withProblems(work));
}

function* watched(records: Iterable<JsonObject>): Generator<JsonObject> {
  let passed = 0;
  for (const record of records) {
    passed += 1;
    if (passed % recordsBetweenChecks === 0) checkMemory();
    yield record;
  }
}

/**
 * A predicate that tells whether a record matches a query.
 * @throws Problem 400 for an operator that is unknown or not allowed
 */
export function predicate(query: JsonObject): (record: JsonObject) => boolean {
  const compiled = withProblems(() => new Query(wrapExact(query) as JsonObject, options));
  return (record) => withProblems(() => compiled.test(record));
}

/** Runs a function of the library; its errors become a 400. */
function withProblems<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const isOfQuery = [MingoError, TypeError, SyntaxError, RangeError].some((kind) => error instanceof kind);
    if (isOfQuery && error instanceof Error) throw new Problem(400, error.message.replace(/^mingo: /, ''));
    throw error;
  }
}

/** Maximum number of records that one request may examine. */
export const maxRecords = 50_000_000;
const sliceMs = 20;
const rowsBetweenChecks = 512;
const maxHeapShare = 0.8;

/** Maximum time that work may block the service, in milliseconds. Only tests change it. */
export const limits = { workMs: 5_000 };

/** @throws Problem 422 if nearly all memory is in use */
function checkMemory(): void {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  if (used > most * maxHeapShare) throw invalid('stopped: it takes more memory than there is; ask for less');
}

// A script can be interrupted where a plain call can't, for example an endlessly backtracking pattern or a product of
// arrays.
const sandbox: { work: () => void } = { work: () => undefined };
const context = vm.createContext(sandbox);
const script = new vm.Script('work()');

/**
 * Runs synchronous work that depends on an untrusted query, and stops it if it takes too long.
 * @throws Problem 422 if it was stopped
 */
export function bounded<T>(work: () => T, timeout = limits.workMs): T {
  let result: { value: T } | undefined;
  sandbox.work = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout });
  } catch (error) {
    // The error comes from the script's own realm, so `instanceof Error` is false for it.
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw invalid(`stopped: it ran for more than ${timeout / 1000} s; ask for less`);
  } finally {
    sandbox.work = () => undefined;
  }
  if (!result) throw new Error('the work gave nothing');
  return result.value;
}

/**
 * A long-running request: it runs in slices, so that other requests are served in between, and ends when the client
 * disconnects or a limit of records, memory, or time is exceeded.
 */
export class Work {
  #examined = 0;
  readonly #isCanceled: () => boolean;

  constructor(isCanceled: () => boolean = () => false) {
    this.#isCanceled = isCanceled;
  }

  /** Counts examined records. @throws Problem 422 if there are too many */
  countRecords(records = 1): void {
    this.#examined += records;
    if (this.#examined > maxRecords)
      throw invalid(`stopped: it looked at more than ${maxRecords} records; ask for less`);
  }

  /**
   * Calls `step` until it returns false.
   * @param isBounded whether a step may run endlessly; guarding costs more than most reads
   */
  async repeat(step: () => boolean, isBounded: boolean): Promise<void> {
    for (let more = true; more;) {
      more = isBounded ? bounded(() => slice(step)) : slice(step);
      if (this.#isCanceled()) throw new Error('the client has gone');
      checkMemory();
      if (more) await nextTurn();
    }
  }
}

function slice(step: () => boolean): boolean {
  const end = performance.now() + sliceMs;
  do {
    for (let i = 0; i < rowsBetweenChecks; i += 1) if (!step()) return false;
  } while (performance.now() < end);
  return true;
}

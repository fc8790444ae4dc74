import { Aggregator } from 'mingo/aggregator';
import { type JsonObject, type JsonValue, isObject } from '../../shared/json.ts';
import { Problem, invalid } from '../problem.ts';
import { checkMemory } from '../store/work.ts';
import { bounded, boundedExpressionOps } from './bounds.ts';
import { wrapExact, exactAccumulatorOps, exactExpressionOps, exactQueryOps } from './exact.ts';
import { Query } from 'mingo/query';
import { MingoError } from 'mingo/util';
import { Context, ProcessingMode } from 'mingo/core';
import * as accumulatorOperators from 'mingo/operators/accumulator';
import * as expressionOperators from 'mingo/operators/expression';
import * as pipelineOperators from 'mingo/operators/pipeline';
import * as projectionOperators from 'mingo/operators/projection';
import * as queryOperators from 'mingo/operators/query';
import * as windowOperators from 'mingo/operators/window';
import type { Options } from 'mingo/types';
import { sortStage } from './sort.ts';

/**
 * Operators for queries and pipelines: those of the document database except scripts (`$where`, `$function`, and
 * `$accumulator`).
 */
export const options: Options = {
  idKey: '_id',
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  failOnError: true,
  scriptEnabled: false,
  context: Context.init({
    accumulator: { ...accumulatorOperators, ...exactAccumulatorOps },
    expression: { ...expressionOperators, ...exactExpressionOps, ...boundedExpressionOps },
    pipeline: { ...pipelineOperators, $sort: sortStage },
    projection: projectionOperators,
    query: { ...queryOperators, ...exactQueryOps },
    window: windowOperators,
  }),
};

/** The supported stages: those that read only this dataset and write nothing. */
const allowedStages: ReadonlySet<string> = new Set([
  '$match', '$sort', '$limit', '$skip', '$group', '$project', '$addFields', '$set', '$unset', '$unwind', '$count',
  '$sortByCount', '$bucket', '$bucketAuto', '$facet', '$replaceRoot', '$replaceWith', '$redact', '$sample',
  '$setWindowFields', '$fill', '$densify',
]); // oxfmt-ignore

/** Maximum number of records between two stages. */
const maxRecordsBetweenStages = 4_000_000;
const recordsBetweenChecks = 4096;

/**
 * Checks whether stages are allowed, including those inside `$facet`.
 * @throws Problem 422 for an unknown stage, 403 for one that isn't allowed
 */
export function checkStages(stages: readonly JsonObject[]): void {
  for (const [at, stage] of stages.entries()) {
    const names = Object.keys(stage);
    const name = names[0];
    if (names.length !== 1 || name === undefined)
      throw invalid(`stage ${String(at)} must have exactly one operator`);
    if (!allowedStages.has(name)) throw new Problem(403, `the stage ${name} is not allowed`);
    checkStage(name, stage[name] ?? null);
  }
}

function checkStage(name: string, value: JsonValue): void {
  if (name === '$limit' && !(typeof value === 'number' && Number.isSafeInteger(value) && value > 0)) {
    throw invalid('$limit must be a positive integer');
  }
  if (name === '$skip' && !(typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) {
    throw invalid('$skip must be 0 or more');
  }
  if ((name === '$match' || name === '$sort' || name === '$group' || name === '$facet') && !isObject(value)) {
    throw invalid(`${name} takes an object`);
  }
  if (name !== '$facet' || !isObject(value)) return;
  for (const inner of Object.values(value)) {
    if (!Array.isArray(inner) || !inner.every((stage) => isObject(stage)))
      throw invalid('$facet takes lists of stages');
    checkStages(inner);
  }
}

/** Runs stages over records. @throws Problem 400 for invalid stages, 422 if they exceed a limit */
export function runStages(records: Iterable<JsonObject>, stages: readonly JsonObject[]): JsonObject[] {
  if (stages.length === 0) return [...records];
  const work = (): JsonObject[] => {
    let flow: Iterable<JsonObject> = records;
    for (const stage of stages) {
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
    if (passed > maxRecordsBetweenStages)
      throw invalid(`stopped: more than ${String(maxRecordsBetweenStages)} records between two stages`);
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
    if (
      error instanceof MingoError ||
      error instanceof TypeError ||
      error instanceof SyntaxError ||
      error instanceof RangeError
    ) {
      throw new Problem(400, error.message.replace(/^mingo: /, ''));
    }
    throw error;
  }
}

import { Context, ProcessingMode } from 'mingo/core';
import * as accumulatorOperators from 'mingo/operators/accumulator';
import * as expressionOperators from 'mingo/operators/expression';
import * as pipelineOperators from 'mingo/operators/pipeline';
import * as projectionOperators from 'mingo/operators/projection';
import * as queryOperators from 'mingo/operators/query';
import * as windowOperators from 'mingo/operators/window';
import type { Options } from 'mingo/types';
import { exactAccumulatorOps, exactExpressionOps, exactQueryOps } from './exact.ts';
import { boundedExpressionOps } from './bounds.ts';
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

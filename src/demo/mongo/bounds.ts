import * as vm from 'node:vm';
import { type Context, evalExpr } from 'mingo/core';
import * as expressionOperators from 'mingo/operators/expression';
import type { AnyObject, Options } from 'mingo/types';
import { invalid } from '../problem.ts';

/** The operators of the library by the places where queries and pipelines have them. */
export type Operators = Required<NonNullable<Parameters<(typeof Context)['init']>[0]>>;

const maxRangeLength = 1_000_000;

function range(record: AnyObject, expression: unknown, options: Options): unknown {
  const [start, end, step = 1] = evalExpr(record, expression, options) as number[];
  if (Math.abs(((end ?? 0) - (start ?? 0)) / step) > maxRangeLength) {
    throw invalid(`$range: more than ${maxRangeLength} elements`);
  }
  return expressionOperators.$range(record, expression, options);
}

/** Operators that could fill memory at once. */
export const boundedExpressionOps: Operators['expression'] = { $range: range };

/** Limits of a single request. Only tests change them. */
export const limits = {
  /** Maximum time that work may block the service, in milliseconds. */
  workMs: 5_000,
};

// A script can be interrupted where a plain call can't, for example an endlessly backtracking pattern or a product of
// arrays.
const sandbox: { work: () => unknown } = { work: () => undefined };
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
    if (wasStopped(error)) {
      throw invalid(`stopped: it ran for more than ${timeout / 1000} s; ask for less`);
    }
    throw error;
  } finally {
    sandbox.work = () => undefined;
  }
  if (!result) throw new Error('the work gave nothing');
  return result.value;
}

// The error comes from the script's own realm, so `instanceof Error` is false for it.
function wasStopped(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

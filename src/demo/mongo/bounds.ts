import * as vm from 'node:vm';
import type { Context } from 'mingo/core';
import { evalExpr } from 'mingo/core';
import * as expressionOperators from 'mingo/operators/expression';
import type { AnyObject, Options } from 'mingo/types';
import { invalid } from '../problem.ts';

type ExpressionOps = NonNullable<NonNullable<Parameters<(typeof Context)['init']>[0]>['expression']>;

const maxRangeLength = 1_000_000;

function range(record: AnyObject, expression: unknown, options: Options): unknown {
  const [start, end, step = 1] = evalExpr(record, expression, options) as number[];
  if (Math.abs(((end ?? 0) - (start ?? 0)) / step) > maxRangeLength) {
    throw invalid(`$range: more than ${maxRangeLength} elements`);
  }
  return expressionOperators.$range(record, expression, options);
}

/** Operators that could fill the memory at once. */
export const boundedExpressionOps: ExpressionOps = { $range: range };

/** What a single request may take. Only tests have reason to change it. */
export const limits = {
  /** The longest that work may hold the service, in milliseconds. */
  workMs: 5_000,
};

// A script can be stopped from outside where a plain call can't: a pattern that backtracks for ever, a product of arrays.
const sandbox: { work: () => unknown } = { work: () => undefined };
const context = vm.createContext(sandbox);
const script = new vm.Script('work()');

/**
 * Runs synchronous work that a stranger's query decides, and stops it when it takes too long.
 * @throws Problem 422 when it was stopped
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

// The error comes from the script's own realm, so that it is no instance of this one's Error.
function wasStopped(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

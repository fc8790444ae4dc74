import { Query } from 'mingo/query';
import { MingoError } from 'mingo/util';
import type { JsonObject } from '../../shared/json.ts';
import { Problem } from '../problem.ts';
import { options } from './context.ts';
import { wrapExact } from './exact.ts';

/**
 * A test whether a record meets a query.
 * @throws Problem 400 for an operator that is not known or not allowed
 */
export function predicate(query: JsonObject): (record: JsonObject) => boolean {
  const compiled = withProblems(() => new Query(wrapExact(query) as JsonObject, options));
  return (record) => withProblems(() => compiled.test(record));
}

/** Runs something of the library; what it refuses becomes a 400. */
export function withProblems<T>(work: () => T): T {
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

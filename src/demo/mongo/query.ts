import { Query } from 'mingo/query';
import { MingoError } from 'mingo/util';
import type { JsonObject } from '../../shared/json.ts';
import { Problem } from '../problem.ts';
import { options } from './context.ts';
import { wrapExact } from './exact.ts';

/**
 * A predicate that tells whether a record matches a query.
 * @throws Problem 400 for an operator that is unknown or not allowed
 */
export function predicate(query: JsonObject): (record: JsonObject) => boolean {
  const compiled = withProblems(() => new Query(wrapExact(query) as JsonObject, options));
  return (record) => withProblems(() => compiled.test(record));
}

/** Runs a function of the library; its errors become a 400. */
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

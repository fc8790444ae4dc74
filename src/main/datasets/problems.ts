import { AppError } from '../../shared/errors/errors.ts';

// These befall every request: there is nothing to show beside them.
const ends = ['cancelled', 'not_authenticated', 'unreachable'] as const;

/** An error that is said beside the rest of an answer. @throws whatever ends the whole answer */
export function asProblem(error: unknown): AppError {
  if (!(error instanceof AppError) || ends.some((code) => error.is(code))) throw error;
  return error;
}

import { ORPCError } from '@orpc/client';
import { AppError, appErrorName, fromBody, toAppError } from '../../shared/errors/errors.ts';

/** Anything that a call or an event stream rejects with, as an AppError. */
export function fromWire(error: unknown): AppError {
  if (error instanceof ORPCError) {
    if (error.code === appErrorName) return fromBody(error.data);
    return new AppError('internal', { problem: error.message }, { cause: error });
  }
  return toAppError(error);
}

/** The error of a call that found no link to the application, or lost it before the answer came. */
export function linkLost(): AppError<'internal'> {
  return new AppError('internal', { problem: 'the window lost its link to the application' });
}

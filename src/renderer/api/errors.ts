import { ORPCError } from '@orpc/client';
import { AppError, appErrorName, fromBody, toAppError } from '../../shared/errors/errors.ts';

/** An error of a call or an event stream as an AppError. */
export function toClientError(error: unknown): AppError {
  if (error instanceof ORPCError) {
    if (error.code === appErrorName) return fromBody(error.data);
    return new AppError('internal', { problem: error.message }, { cause: error });
  }
  return toAppError(error);
}

/** The error of a call without a link, or whose link was lost before the response. */
export function linkLost(): AppError<'internal'> {
  return new AppError('internal', { problem: 'the window lost its link to the application' });
}

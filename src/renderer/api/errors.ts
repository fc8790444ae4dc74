import { ORPCError } from '@orpc/client';
import { AppError, appErrorName, toAppError } from '../../shared/errors/errors.ts';

/** An error from what arrived of it. What checks that is not among what the window begins with. */
export async function arrivedError(body: unknown): Promise<AppError> {
  const bodies = await import('../../shared/errors/error-body.ts').catch(() => null);
  return bodies?.fromBody(body) ?? linkLost();
}

/** Anything that a call or an event stream rejects with, as an AppError. */
export async function fromWire(error: unknown): Promise<AppError> {
  if (error instanceof ORPCError) {
    if (error.code === appErrorName) return arrivedError(error.data);
    return new AppError('internal', { problem: error.message }, { cause: error });
  }
  return toAppError(error);
}

/** The error of a call that found no link to the application, or lost it before the answer came. */
export function linkLost(): AppError<'internal'> {
  return new AppError('internal', { problem: 'the window lost its link to the application' });
}

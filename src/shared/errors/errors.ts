import type * as z from 'zod';
import type * as body from './error-body.ts';
import { sentenceFor } from './sentences.ts';
import { visibleText } from './visible-text.ts';

// What checks an error that arrives stands in error-body.ts: the window begins without it.

export type Place = z.infer<typeof body.place>;
export type Issue = z.infer<typeof body.issue>;
export type ServiceName = ErrorDetails<'timed_out'>['service'];
export type RefusalReason = z.infer<typeof body.refusalReason>;
export type KeychainTrouble = z.infer<typeof body.keychainTrouble>;
export type ProxyAnswer = z.infer<typeof body.proxyAnswer>;
export type UnreachableReason = z.infer<typeof body.unreachableReason>;
export type ErrorCode = keyof typeof body.errorDetails;
export type ErrorDetails<C extends ErrorCode = ErrorCode> = z.infer<
  ReturnType<(typeof body.errorDetails)[C]>
>;

/** The name under which every error of ours crosses; its data is an {@link ErrorBody}. */
export const appErrorName = 'WELLBENCH';

/** An error as it crosses a process boundary. */
export type ErrorBody = z.infer<typeof body.errorBody>;

/**
 * The one error class of the application. `message` is a sentence a field engineer understands and the next step,
 * made from the code and its details; it never holds a secret, and names in it are made visible.
 */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: C;
  readonly details: ErrorDetails<C>;

  constructor(code: C, details: ErrorDetails<C>, options?: ErrorOptions) {
    super(visibleText(sentenceFor(code, details)), options);
    this.code = code;
    this.details = details;
  }

  /** Whether this error has the code, narrowing its details. */
  is<K extends ErrorCode>(code: K): this is AppError<K> {
    const mine: ErrorCode = this.code;
    return mine === code;
  }

  /** The error as it crosses a process boundary. */
  toBody(): ErrorBody {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** Whether something thrown is an {@link AppError} with this code. */
export function isAppError<C extends ErrorCode>(error: unknown, code: C): error is AppError<C> {
  return error instanceof AppError && (error as AppError).is(code);
}

/** Anything thrown, as an AppError: an abort becomes `cancelled`, the unforeseen `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new AppError('cancelled', {}, { cause: error });
  const problem = error instanceof Error ? error.message : String(error);
  return new AppError('internal', { problem }, { cause: error });
}

/** An `invalid_input` error about one place. */
export function invalidInput(message: string, at?: Place): AppError<'invalid_input'> {
  return new AppError('invalid_input', { issues: [at ? { message, place: at } : { message }] });
}

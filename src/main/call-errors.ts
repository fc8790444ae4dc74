import { mapEventIterator } from '@orpc/client';
import { ORPCError, ValidationError } from '@orpc/server';
import { AppError, appErrorName, invalidInput, fromBody } from '../shared/errors/errors.ts';
import { hasRecords } from '../shared/query/page-frame.ts';
import { appErrorFrom } from './core/files/file-errors.ts';
import { LimitedPort, type Outgoing } from './hosts/limited-port.ts';
import { redact } from './core/wire/http/redact.ts';

/** Converts a validation issue of an input to an error; `path` is the place in the input. */
function fromValidation(error: ValidationError): AppError<'invalid_input'> {
  const issues = error.issues.map(({ message, path }) => {
    const field = path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return field ? { message, place: { field } } : { message };
  });
  return new AppError('invalid_input', { issues });
}

/** Converts any thrown value to an AppError; the message of an unexpected error may contain a secret. */
export function toReportedError(cause: unknown): AppError {
  const error = toKnownError(cause);
  if (!error.is('internal')) return error;
  return new AppError('internal', { problem: redact(error.details.problem) }, { cause: error.cause });
}

function toKnownError(cause: unknown): AppError {
  if (!(cause instanceof ORPCError)) return appErrorFrom(cause);
  if (cause.code === appErrorName) return fromBody(cause.data);
  if (cause.code === 'BAD_REQUEST' && cause.cause instanceof ValidationError)
    return fromValidation(cause.cause);
  if (cause.cause instanceof ValidationError)
    return new AppError(
      'internal',
      { problem: 'an answer of the core does not fit the contract' },
      { cause },
    );
  return new AppError('internal', { problem: cause.message }, { cause });
}

const toWire = (error: AppError): ORPCError<string, unknown> =>
  new ORPCError(appErrorName, { defined: true, message: error.message, data: error.toBody(), cause: error });

/**
 * The interceptor of every transport: errors are sent as {@link appErrorName} with an error body, and
 * `onFault` gets defects (code `internal`).
 */
function errorInterceptor(onFault: (error: AppError) => void) {
  const toWireError = (cause: unknown): ORPCError<string, unknown> => {
    const error = toReportedError(cause);
    if (error.is('internal')) onFault(new AppError('internal', error.details, { cause }));
    return toWire(error);
  };
  return async ({ next }: { next: () => Promise<unknown> }): Promise<unknown> => {
    try {
      const output = await next();
      return isStream(output) ? withErrors(output, toWireError) : output;
    } catch (cause) {
      throw toWireError(cause);
    }
  };
}

/**
 * The options of every transport’s RPC handler: {@link errorInterceptor}, the limits of a connection, the transfer
 * of pages, and the response to a well-formed frame that the protocol can’t decode. No window of Wellbench sends such frames.
 */
export function errorInterceptors(onFault: (error: AppError) => void) {
  return {
    interceptors: [
      async <T>({ next }: { next: () => Promise<T> }): Promise<T> => {
        try {
          return await next();
        } catch (cause) {
          if (cause instanceof ORPCError && cause.code === appErrorName) throw cause;
          throw toWire(invalidInput('The request could not be read.'));
        }
      },
    ],
    clientInterceptors: [errorInterceptor(onFault)],
    // A response with a page is sent as an object with the records as bytes; others as JSON text.
    async experimental_transfer(message: Outgoing, port: object): Promise<object[] | null> {
      if (port instanceof LimitedPort) await port.beforeSending(message);
      return hasRecords(message[2]) ? [] : null;
    },
  };
}

function isStream(output: unknown): output is AsyncIterator<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

/** A stream that fails later reports its error in the same form as a call. */
const withErrors = (stream: AsyncIterator<unknown>, toWireError: (cause: unknown) => unknown) =>
  mapEventIterator(stream, {
    value: async (value) => value,
    error: async (cause) => toWireError(cause),
  });

import { mapEventIterator } from '@orpc/client';
import type { AnyContractProcedure } from '@orpc/contract';
import { createRouterClient, implement, ORPCError, ValidationError, type Router } from '@orpc/server';
import type { RouterClient } from '@orpc/server';
import { contract } from '../shared/contract/contract.ts';
import { AppError, appErrorName, invalidInput, fromBody } from '../shared/errors/errors.ts';
import { hasRecords } from '../shared/query/page-frame.ts';
import { appErrorFrom } from './files/file-errors.ts';
import type { CallContext, Handlers } from './handlers.ts';
import { redact } from './http/redact.ts';

/** What a host says of the caller. */
type Host = Pick<CallContext, 'window'>;
export type AppRouter = Router<typeof contract, Host>;

/** Any function of {@link Handlers}; `never`: its input has been parsed by its own entry of the contract. */
type AnyHandler = (input: never, context: CallContext) => Promise<unknown>;

/** An entry of the contract with its function: input and output are checked by its schemas. */
const procedure = (entry: AnyContractProcedure, handler: AnyHandler) =>
  implement(entry)
    .$context<Host>()
    .handler(({ input, signal, context }): Promise<unknown> =>
      Reflect.apply(handler, undefined, [input, { signal, window: context.window }]),
    );

/**
 * The only way into the core: a name and an unknown payload come in from a host, the contract parses the payload, the
 * handler is called, and its output is checked. Cancel, progress and streams are the protocol's own.
 */
export function createRouter(handlers: Handlers): AppRouter {
  const byName: Readonly<Record<string, Readonly<Record<string, AnyHandler>>>> = handlers;
  const modules = Object.entries(contract).map(([module, entries]) => {
    const procedures = Object.entries(entries).map(([name, entry]) => {
      const handler = byName[module]?.[name];
      if (!handler) throw new Error(`${module}.${name} has no handler`);
      return [name, procedure(entry, handler)] as const;
    });
    return [module, Object.fromEntries(procedures)] as const;
  });
  // Made name by name from the contract, which a mapped type can't follow.
  return Object.fromEntries(modules) as unknown as AppRouter;
}

/** A problem that the contract found in an input, as our own error; `path` is where in the input it stands. */
function fromValidation(error: ValidationError): AppError<'invalid_input'> {
  const issues = error.issues.map(({ message, path }) => {
    const field = path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return field ? { message, place: { field } } : { message };
  });
  return new AppError('invalid_input', { issues });
}

/** Whatever was thrown behind the gate, as an AppError; what the unforeseen says of itself may hold a secret. */
export function appErrorOf(thrown: unknown): AppError {
  const error = ownErrorOf(thrown);
  if (!error.is('internal')) return error;
  return new AppError('internal', { problem: redact(error.details.problem) }, { cause: error.cause });
}

function ownErrorOf(thrown: unknown): AppError {
  if (!(thrown instanceof ORPCError)) return appErrorFrom(thrown);
  if (thrown.code === appErrorName) return fromBody(thrown.data);
  if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof ValidationError)
    return fromValidation(thrown.cause);
  if (thrown.cause instanceof ValidationError)
    return new AppError(
      'internal',
      { problem: 'an answer of the core does not fit the contract' },
      { cause: thrown },
    );
  return new AppError('internal', { problem: thrown.message }, { cause: thrown });
}

function toWire(thrown: unknown): ORPCError<string, unknown> {
  const error = appErrorOf(thrown);
  return new ORPCError(appErrorName, {
    defined: true,
    message: error.message,
    data: error.toBody(),
    cause: thrown,
  });
}

/**
 * The interceptor every carrier uses: errors leave as {@link appErrorName} with an error body, and `onFault` hears of
 * our own faults (code `internal`), which are worth a line in the log.
 */
function gate(onFault: (error: AppError) => void) {
  const leaving = (thrown: unknown): ORPCError<string, unknown> => {
    const wire = toWire(thrown);
    const error = appErrorOf(wire);
    if (error.is('internal')) onFault(new AppError('internal', error.details, { cause: thrown }));
    return wire;
  };
  return async ({ next }: { next: () => Promise<unknown> }): Promise<unknown> => {
    try {
      const output = await next();
      return isStream(output) ? withErrors(output, leaving) : output;
    } catch (thrown) {
      throw leaving(thrown);
    }
  };
}

/**
 * What every carrier gives its RPC handler: the {@link gate}, how pages travel, and before it the answer to a frame whose form is right
 * and whose contents the protocol can't read. Nothing of that comes from a window of ours.
 */
export function gates(onFault: (error: AppError) => void) {
  return {
    interceptors: [
      async <T>({ next }: { next: () => Promise<T> }): Promise<T> => {
        try {
          return await next();
        } catch (thrown) {
          if (thrown instanceof ORPCError && thrown.code === appErrorName) throw thrown;
          throw toWire(invalidInput('The request could not be read.'));
        }
      },
    ],
    clientInterceptors: [gate(onFault)],
    // An answer with a page goes to the port as an object, its records as bytes; every other is JSON text.
    experimental_transfer: ([, , answer]: readonly unknown[]): object[] | null =>
      hasRecords(answer) ? [] : null,
  };
}

function isStream(output: unknown): output is AsyncIterator<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

/** A stream that ends badly after its beginning says why in the same form as a call. */
const withErrors = (stream: AsyncIterator<unknown>, leaving: (thrown: unknown) => unknown) =>
  mapEventIterator(stream, {
    value: async (value) => value,
    error: async (thrown) => leaving(thrown),
  });

export type DirectClient = RouterClient<AppRouter>;

/** Calls without a carrier, for the command line; errors are thrown as AppError. */
export function createDirectClient(router: AppRouter): DirectClient {
  return createRouterClient(router, {
    interceptors: [
      async ({ next }) => {
        try {
          return await next();
        } catch (thrown) {
          throw appErrorOf(thrown);
        }
      },
    ],
  });
}

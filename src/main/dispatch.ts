import { mapEventIterator } from '@orpc/client';
import type { AnyContractProcedure } from '@orpc/contract';
import {
  createRouterClient,
  implement,
  lazy,
  ORPCError,
  ValidationError,
  type Router,
  type RouterClient,
} from '@orpc/server';
import type { contract } from '../shared/contract/contract.ts';
import { AppError, appErrorName, invalidInput, fromBody } from '../shared/errors/errors.ts';
import { hasRecords } from '../shared/query/page-frame.ts';
import { appErrorFrom } from './core/files/file-errors.ts';
import type { CallContext, Handlers } from './core/handlers.ts';
import { LimitedPort, type Outgoing } from './hosts/limited-port.ts';
import { once } from './core/once.ts';
import { redact } from './core/wire/http/redact.ts';

/** What a host passes about the caller. */
type Host = Pick<CallContext, 'window'>;
export type AppRouter = Router<typeof contract, Host>;

/** Builds the handlers of each module when one of its procedures is first called. A procedure without one doesn't compile. */
export type Features = { readonly [M in keyof Handlers]: () => Promise<Handlers[M]> };

/** Any function of {@link Handlers}; `never`: its input has been parsed by its own entry of the contract. */
type AnyHandler = (input: never, context: CallContext) => Promise<unknown>;

/** Loads the contract of a module. */
const contracts = {
  connections: async () => (await import('../shared/contract/connections.ts')).connectionsCalls,
  catalogue: async () => (await import('../shared/contract/catalogue.ts')).catalogueCalls,
  wells: async () => (await import('../shared/contract/catalogue.ts')).wellsCalls,
  datasets: async () => (await import('../shared/contract/catalogue.ts')).datasetsCalls,
  query: async () => (await import('../shared/contract/query.ts')).queryCalls,
  export: async () => (await import('../shared/contract/export.ts')).exportCalls,
  quality: async () => (await import('../shared/contract/quality.ts')).qualityCalls,
  upload: async () => (await import('../shared/contract/upload.ts')).uploadCalls,
  files: async () => (await import('../shared/contract/files.ts')).filesCalls,
  jobs: async () => (await import('../shared/contract/jobs.ts')).jobsCalls,
  mirrors: async () => (await import('../shared/contract/export.ts')).mirrorsCalls,
  saved: async () => (await import('../shared/contract/query.ts')).savedCalls,
  notes: async () => (await import('../shared/contract/notes.ts')).notesCalls,
  history: async () => (await import('../shared/contract/query.ts')).historyCalls,
  tabs: async () => (await import('../shared/contract/workspace.ts')).tabsCalls,
  settings: async () => (await import('../shared/contract/workspace.ts')).settingsCalls,
  sql: async () => (await import('../shared/contract/sql.ts')).sqlCalls,
  workspace: async () => (await import('../shared/contract/workspace.ts')).workspaceCalls,
  events: async () => (await import('../shared/contract/events.ts')).events,
} satisfies { readonly [M in keyof typeof contract]: () => Promise<(typeof contract)[M]> };

/**
 * The only way into the core: parses the payload of a procedure by the contract, calls its handler, and
 * validates the output. Cancel, progress, and streams are part of the protocol.
 */
export function createRouter(features: Features): AppRouter {
  const builders: Readonly<Record<string, () => Promise<Readonly<Record<string, AnyHandler>>>>> = features;
  const modules = Object.entries(contracts).map(([module, load]) => {
    const router = once(async () => {
      const [entries, handlers] = await Promise.all([load(), builders[module]?.()]);
      const procedures = Object.entries(entries).map(([name, entry]) => {
        const handler = handlers?.[name];
        if (!handler) throw new Error(`${module}.${name} has no handler`);
        return [name, procedure(entry, handler)] as const;
      });
      return { default: Object.fromEntries(procedures) };
    });
    return [module, lazy(router)] as const;
  });
  // Built by name from the contract; a mapped type can't express that.
  return Object.fromEntries(modules) as unknown as AppRouter;
}

/** An entry of the contract with its function: input and output are checked by its schemas. */
const procedure = (entry: AnyContractProcedure, handler: AnyHandler) =>
  implement(entry)
    .$context<Host>()
    .handler(({ input, signal, context }): Promise<unknown> =>
      Reflect.apply(handler, undefined, [input, { signal, window: context.window }]),
    );

/** Converts a validation issue of an input to an error; `path` is the place in the input. */
function fromValidation(error: ValidationError): AppError<'invalid_input'> {
  const issues = error.issues.map(({ message, path }) => {
    const field = path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return field ? { message, place: { field } } : { message };
  });
  return new AppError('invalid_input', { issues });
}

/** Converts any thrown value to an AppError; the message of an unexpected error may contain a secret. */
function toReportedError(cause: unknown): AppError {
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

export type DirectClient = RouterClient<AppRouter>;

/** Calls without a carrier, for the command line; errors are thrown as AppError. */
export function createDirectClient(router: AppRouter): DirectClient {
  return createRouterClient(router, {
    interceptors: [
      async ({ next }) => {
        try {
          return await next();
        } catch (cause) {
          throw toReportedError(cause);
        }
      },
    ],
  });
}

import { mapEventIterator } from '@orpc/client';
import { createRouterClient, lazy, ORPCError, unlazy, ValidationError } from '@orpc/server';
import type { RouterClient } from '@orpc/server';
import { AppError, appErrorName, invalidInput } from '../shared/errors.ts';
import { fromBody } from '../shared/error-body.ts';
import { appErrorFrom } from './files/file-errors.ts';
import type { Handlers } from './handlers.ts';
import { redact } from './http/redact.ts';
import { once } from './once.ts';

/**
 * A room that is made once, when it is first called. Its gate is a plain object: with a contract of its own hidden in it, as
 * `os.router` makes it, a carrier looks for its calls in the wrong place.
 */
const behind = <T>(make: () => Promise<T>) => lazy(once(async () => ({ default: await make() })));

/**
 * The only gate to the core: a name and an unknown payload come in from a host, the contract parses the payload, the
 * room's function is called, and its output is checked. Cancel, progress and streams are the protocol's own. A room and
 * the schemas of its calls are made when it is first called: all of them together cost a third of a short command.
 */
export function createRouter(rooms: Handlers) {
  return {
    connections: behind(async () => (await import('./gates/connections.ts')).gate(await rooms.connections())),
    catalogue: behind(async () => (await import('./gates/catalogue.ts')).gate(await rooms.catalogue())),
    wells: behind(async () => (await import('./gates/wells.ts')).gate(await rooms.wells())),
    datasets: behind(async () => (await import('./gates/datasets.ts')).gate(await rooms.datasets())),
    query: behind(async () => (await import('./gates/query.ts')).gate(await rooms.query())),
    export: behind(async () => (await import('./gates/export.ts')).gate(await rooms.export())),
    upload: behind(async () => (await import('./gates/upload.ts')).gate(await rooms.upload())),
    files: behind(async () => (await import('./gates/files.ts')).gate(await rooms.files())),
    jobs: behind(async () => (await import('./gates/jobs.ts')).gate(await rooms.jobs())),
    saved: behind(async () => (await import('./gates/saved.ts')).gate(await rooms.saved())),
    history: behind(async () => (await import('./gates/history.ts')).gate(await rooms.history())),
    tabs: behind(async () => (await import('./gates/tabs.ts')).gate(await rooms.tabs())),
    settings: behind(async () => (await import('./gates/settings.ts')).gate(await rooms.settings())),
    workspace: behind(async () => (await import('./gates/workspace.ts')).gate(await rooms.workspace())),
    events: behind(async () => (await import('./gates/events.ts')).gate(await rooms.events())),
  };
}
export type AppRouter = ReturnType<typeof createRouter>;

/**
 * Makes the rooms that every window asks as soon as it runs, so that they stand by then: loading them takes as long as
 * the window's own code. What goes wrong with one is said to whoever calls it.
 */
export async function prepareRooms({ events, settings, workspace, connections }: AppRouter): Promise<void> {
  await Promise.allSettled([events, settings, workspace, connections].map((room) => unlazy(room)));
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
 * What every carrier gives its RPC handler: the {@link gate}, and before it the answer to a frame whose form is right
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

import { mapEventIterator } from '@orpc/client';
import { createRouterClient, implement, ORPCError, ValidationError } from '@orpc/server';
import type { RouterClient } from '@orpc/server';
import { contract } from '../shared/contract.ts';
import { AppError, appErrorName, fromBody, invalidInput } from '../shared/errors.ts';
import { appErrorFrom } from './files/disk.ts';
import type { CallContext, Handlers } from './handlers.ts';
import { redact } from './http/redact.ts';

type Caller<I, O> = (input: I, context: CallContext) => O;

/** What a carrier knows of who calls. */
type Host = Pick<CallContext, 'window'>;

/** The contract's input and signal, handed to a plain function. */
const call =
  <I, O>(handler: Caller<I, O>) =>
  ({ input, signal, context }: { input: I; signal?: AbortSignal | undefined; context: Host }): O =>
    handler(input, { signal, window: context.window });

/**
 * The only gate to the core: a name and an unknown payload come in from a host, the contract parses the payload, the
 * room's function is called, and its output is checked. Cancel, progress and streams are the protocol's own.
 */
export function createRouter(rooms: Handlers) {
  const os = implement(contract).$context<Host>();
  return os.router({
    connections: {
      list: os.connections.list.handler(call(rooms.connections.list)),
      add: os.connections.add.handler(call(rooms.connections.add)),
      openSample: os.connections.openSample.handler(call(rooms.connections.openSample)),
      test: os.connections.test.handler(call(rooms.connections.test)),
      remove: os.connections.remove.handler(call(rooms.connections.remove)),
      change: os.connections.change.handler(call(rooms.connections.change)),
      authenticate: os.connections.authenticate.handler(call(rooms.connections.authenticate)),
      diagnose: os.connections.diagnose.handler(call(rooms.connections.diagnose)),
      exportProfiles: os.connections.exportProfiles.handler(call(rooms.connections.exportProfiles)),
      importProfiles: os.connections.importProfiles.handler(call(rooms.connections.importProfiles)),
      keychain: os.connections.keychain.handler(call(rooms.connections.keychain)),
    },
    catalogue: {
      wells: os.catalogue.wells.handler(call(rooms.catalogue.wells)),
      entities: os.catalogue.entities.handler(call(rooms.catalogue.entities)),
      companies: os.catalogue.companies.handler(call(rooms.catalogue.companies)),
      datasets: os.catalogue.datasets.handler(call(rooms.catalogue.datasets)),
      dataset: os.catalogue.dataset.handler(call(rooms.catalogue.dataset)),
    },
    wells: {
      list: os.wells.list.handler(call(rooms.wells.list)),
      entities: os.wells.entities.handler(call(rooms.wells.entities)),
      resolve: os.wells.resolve.handler(call(rooms.wells.resolve)),
      marks: os.wells.marks.handler(call(rooms.wells.marks)),
      mark: os.wells.mark.handler(call(rooms.wells.mark)),
    },
    datasets: {
      list: os.datasets.list.handler(call(rooms.datasets.list)),
      get: os.datasets.get.handler(call(rooms.datasets.get)),
      fields: os.datasets.fields.handler(call(rooms.datasets.fields)),
      extent: os.datasets.extent.handler(call(rooms.datasets.extent)),
      holdings: os.datasets.holdings.handler(call(rooms.datasets.holdings)),
    },
    query: {
      find: os.query.find.handler(call(rooms.query.find)),
      parts: os.query.parts.handler(call(rooms.query.parts)),
      page: os.query.page.handler(call(rooms.query.page)),
      count: os.query.count.handler(call(rooms.query.count)),
      aggregate: os.query.aggregate.handler(call(rooms.query.aggregate)),
      pipeline: os.query.pipeline.handler(call(rooms.query.pipeline)),
      live: os.query.live.handler(call(rooms.query.live)),
      describe: os.query.describe.handler(call(rooms.query.describe)),
    },
    export: { start: os.export.start.handler(call(rooms.export.start)) },
    upload: {
      inspect: os.upload.inspect.handler(call(rooms.upload.inspect)),
      preview: os.upload.preview.handler(call(rooms.upload.preview)),
      match: os.upload.match.handler(call(rooms.upload.match)),
      wells: os.upload.wells.handler(call(rooms.upload.wells)),
      start: os.upload.start.handler(call(rooms.upload.start)),
      templates: os.upload.templates.handler(call(rooms.upload.templates)),
      keepTemplate: os.upload.keepTemplate.handler(call(rooms.upload.keepTemplate)),
      removeTemplate: os.upload.removeTemplate.handler(call(rooms.upload.removeTemplate)),
    },
    files: {
      chooseTarget: os.files.chooseTarget.handler(call(rooms.files.chooseTarget)),
      chooseSources: os.files.chooseSources.handler(call(rooms.files.chooseSources)),
      write: os.files.write.handler(call(rooms.files.write)),
      saveCopy: os.files.saveCopy.handler(call(rooms.files.saveCopy)),
      saveText: os.files.saveText.handler(call(rooms.files.saveText)),
    },
    jobs: {
      list: os.jobs.list.handler(call(rooms.jobs.list)),
      show: os.jobs.show.handler(call(rooms.jobs.show)),
      resume: os.jobs.resume.handler(call(rooms.jobs.resume)),
      pause: os.jobs.pause.handler(call(rooms.jobs.pause)),
      answer: os.jobs.answer.handler(call(rooms.jobs.answer)),
      cancel: os.jobs.cancel.handler(call(rooms.jobs.cancel)),
      discard: os.jobs.discard.handler(call(rooms.jobs.discard)),
    },
    saved: {
      list: os.saved.list.handler(call(rooms.saved.list)),
      put: os.saved.put.handler(call(rooms.saved.put)),
      renameFolder: os.saved.renameFolder.handler(call(rooms.saved.renameFolder)),
      remove: os.saved.remove.handler(call(rooms.saved.remove)),
    },
    history: {
      note: os.history.note.handler(call(rooms.history.note)),
      list: os.history.list.handler(call(rooms.history.list)),
      get: os.history.get.handler(call(rooms.history.get)),
      remove: os.history.remove.handler(call(rooms.history.remove)),
      restore: os.history.restore.handler(call(rooms.history.restore)),
    },
    tabs: { keep: os.tabs.keep.handler(call(rooms.tabs.keep)) },
    workspace: {
      about: os.workspace.about.handler(call(rooms.workspace.about)),
      settings: os.workspace.settings.handler(call(rooms.workspace.settings)),
      change: os.workspace.change.handler(call(rooms.workspace.change)),
      diagnostics: os.workspace.diagnostics.handler(call(rooms.workspace.diagnostics)),
      view: os.workspace.view.handler(call(rooms.workspace.view)),
      keepView: os.workspace.keepView.handler(call(rooms.workspace.keepView)),
    },
    events: {
      jobs: os.events.jobs.handler(call(rooms.events.jobs)),
      notices: os.events.notices.handler(call(rooms.events.notices)),
      connections: os.events.connections.handler(call(rooms.events.connections)),
      opened: os.events.opened.handler(call(rooms.events.opened)),
      tabs: os.events.tabs.handler(call(rooms.events.tabs)),
    },
  });
}
export type AppRouter = ReturnType<typeof createRouter>;

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

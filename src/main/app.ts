import { join } from 'node:path';
import type { AnyContractProcedure } from '@orpc/contract';
import { createRouterClient, implement, lazy, type Router, type RouterClient } from '@orpc/server';
import { describeNotice, type Notice } from '../shared/workspace/workspace.ts';
import type { SystemNotice } from '../shared/contract/workspace.ts';
import type { About } from './features/workspace/workspace.ts';
import { createConnections, openProfiles, type Connections } from './core/connections/connections.ts';
import { toReportedError } from './call-errors.ts';
import { createFiles, type Files } from './core/files/files.ts';
import { openDataFolder } from './core/files/data-folder.ts';
import type { CallContext, Handlers, ModuleHandlers } from './core/handlers.ts';
import { createBroadcast } from './core/broadcast.ts';
import type { Engine, JobRunner } from './core/jobs/jobs.ts';
import type { JobKind } from '../shared/jobs/jobs.ts';
import { once } from './core/once.ts';
import type { ResolveProxy } from './core/wire/http/routes.ts';
import { openKeychain } from './core/keychain/keychain.ts';
import type { StartProcess } from './world/threads.ts';
import type { SettingsService } from './features/settings/settings.ts';
import type { createMirrors } from './features/export/mirrors.ts';
import type { calls, contract } from '../shared/contract/contract.ts';
import { createLogger, type Logger, environmentSecrets } from './core/logger.ts';
import { createOpenedItems, type OpenedItems } from './features/workspace/opened-items.ts';
import packageJson from '../../package.json' with { type: 'json' };

export const version = packageJson.version;

export interface HostOptions {
  readonly host: About['host'];
  readonly fileMode: About['files'];
  /** Whether the application ends when its last window is closed; default: it doesn't. */
  readonly endsWithWindow?: About['endsWithWindow'];
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Creates the file dialogs of this host, which grant tokens. */
  readonly choose: (
    files: Files,
  ) => Omit<ModuleHandlers<(typeof calls)['files']>, 'find' | 'sample' | 'write'>;
  /** The system's proxy resolution (Electron's `session.resolveProxy`); default: the proxy variables. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** Starts the processes of the application; default: with plain Node. */
  readonly startProcess?: StartProcess | undefined;
  /** Shows retries of requests, entries of lists that can't be read, and a wrong clock of this computer. */
  readonly notice?: ((notice: Notice) => void) | undefined;
  /** Shows a notification of the system; default: the browser of the window does. */
  readonly notify?: ((notice: SystemNotice) => void) | undefined;
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** The application core, independent of Electron, browser, and terminal. */
export interface App {
  readonly router: AppRouter;
  /** Calls without a carrier. */
  readonly client: DirectClient;
  readonly files: Files;
  readonly runner: () => Promise<JobRunner>;
  /** Number of running jobs of this process, without paused ones. */
  readonly activeJobs: () => number;
  readonly mirrors: Pick<ReturnType<typeof createMirrors>, 'jobOf'>;
  readonly connections: Connections;
  /** Items opened from outside, for hosts that support it. */
  readonly openedItems: OpenedItems;
  readonly settings: Pick<SettingsService, 'watch'>;
  readonly log: Logger;
  /** Stops jobs so that they can be resumed, and closes every connection. */
  close(): Promise<void>;
}

/** What features are made of, and the features that several others use: each built on its first use. */
class Core {
  readonly options: HostOptions;
  readonly dataFolder: string;
  readonly log: Logger;
  readonly files = createFiles();
  readonly notices = createBroadcast<Notice>();
  readonly openedItems = createOpenedItems();
  readonly keychain: ReturnType<typeof openKeychain>;
  readonly connections: Connections;
  /** The runner, once jobs were used. */
  running: JobRunner | null = null;

  constructor(options: HostOptions) {
    const { dataFolder, env, host, startProcess: start } = options;
    this.options = options;
    this.dataFolder = dataFolder;
    const fixedSecrets = environmentSecrets(env);
    this.log = createLogger({
      folder: join(dataFolder, 'logs'),
      secrets: () => [...fixedSecrets, ...this.connections.secrets()],
    });
    this.keychain = openKeychain({ env, start });
    this.connections = createConnections({
      fieldUnits: this.fieldUnits,
      env,
      onNotice: (notice) => {
        this.log.info(describeNotice(notice));
        this.notices.send(notice);
        options.notice?.(notice);
      },
      profiles: openProfiles(dataFolder, this.warn),
      keychain: this.keychain,
      needsKeychain: host === 'command-line',
      lockFolder: join(dataFolder, 'locks'),
      files: this.files,
      resolveProxy: options.resolveProxy,
      about: { version, host },
      warn: this.warn,
    });
  }

  readonly warn = (sentence: string): void => {
    this.log.warn(sentence);
    this.options.warn?.(this.log.clean(sentence));
  };
  readonly settings = once(async () =>
    (await import('./features/settings/settings.ts')).createSettings(this.dataFolder, this.warn),
  );
  readonly fieldUnits: SettingsService['fieldUnits'] = async (of) => (await this.settings()).fieldUnits(of);
  readonly watchSettings: SettingsService['watch'] = async (input, context) =>
    (await this.settings()).watch(input, context);
  readonly synonyms = async () => (await this.settings()).synonyms();

  readonly engines = once(async () => {
    const { openEngines } = await import('./core/engines.ts');
    // It removes what crashed processes left in the folder of the engines.
    void this.sql();
    return openEngines({
      dataFolder: this.dataFolder,
      memory: async () => (await (await this.settings()).values()).sqlMemory,
      startProcess: this.options.startProcess,
      warn: (sentence) => this.log.warn(sentence),
    });
  });

  readonly #jobEngines = {
    export: async () =>
      (await import('./features/export/run.ts')).createExportEngine(
        async () => (await this.engines()).startTables,
      ),
    upload: async () => (await import('./features/upload/run.ts')).uploadEngine,
    quality: async () => {
      const [{ createQualityEngine }, { startTables }] = await Promise.all([
        import('./features/quality/run.ts'),
        this.engines(),
      ]);
      return createQualityEngine(startTables);
    },
  } satisfies Record<JobKind, () => Promise<Engine>>;

  readonly jobs = once(async () => {
    const { JobRunner, JobStore } = await import('./core/jobs/jobs.ts');
    const store = new JobStore(this.dataFolder, version);
    this.running = new JobRunner({
      store,
      files: this.files,
      engine: (kind) => this.#jobEngines[kind](),
      services: this.connections.servicesOfJob,
      // On the command line a refusal ends the command: a scheduled one would hang.
      isAttended: this.options.host !== 'command-line',
      retention: async () => {
        const { keptJobs: jobs, keptJobDays: days } = await (await this.settings()).values();
        return { jobs, days };
      },
    });
    return { store, runner: this.running };
  });

  /** What features with jobs have in common. */
  readonly parts = async () => {
    const { connections, files } = this;
    return { connections, files, version, ...(await this.jobs()) };
  };

  readonly fileReaders = once(async () => {
    const [{ TableReader }, { FileScans }] = await Promise.all([
      import('./core/tables/tables.ts'),
      import('./core/mapping/mapping.ts'),
    ]);
    const reader = new TableReader({
      folder: join(this.dataFolder, 'conversions'),
      start: this.options.startProcess,
      reserve: async (megabytes, signal) => (await this.engines()).reserve(megabytes, signal),
    });
    return { reader, scans: new FileScans({ reader }) };
  });

  get catalogueFolder(): string {
    return join(this.dataFolder, 'catalogue');
  }

  readonly catalogue = once(async () =>
    (await import('./features/catalogue/catalogue.ts')).createCatalogue({
      folder: this.catalogueFolder,
      connection: this.connections.get,
      services: this.connections.services,
      warn: (sentence) => this.log.warn(sentence),
    }),
  );

  readonly mirrors = once(async () => (await import('./features/export/mirrors.ts')).createMirrors(this));

  readonly query = once(async () => {
    const { services, get: connection } = this.connections;
    return (await import('./features/query/query.ts')).createQuery({ services, connection });
  });

  readonly exporting = once(async () => {
    const { createExport } = await import('./features/export/export.ts');
    return createExport({
      ...(await this.parts()),
      readCheckpoint: async (path) => (await this.engines()).readCheckpoint(path),
      keepFolder: async (run) => (await this.mirrors()).keepFolder(run),
    });
  });

  readonly sql = once(async () => {
    const [{ createSql }, { readRecords }, { readColumnFacts }, opened, { reader }] = await Promise.all([
      import('./features/sql/sql.ts'),
      import('./features/query/query.ts'),
      import('./features/export/details.ts'),
      this.engines(),
      this.fileReaders(),
    ]);
    const [{ start }, queries, { runner }] = await Promise.all([this.exporting(), this.query(), this.jobs()]);
    const { dataFolder, files, fieldUnits } = this;
    return createSql({
      dataFolder,
      version,
      files,
      reader,
      read: (request, context) => readRecords(queries, request, context),
      fieldUnits,
      // Rejects rather than throws for an unknown connection: records are being read at the same time.
      columnFacts: async (target, signal) =>
        readColumnFacts(this.connections.services(target.connection).data, target, signal),
      count: queries.count,
      start,
      runner,
      ...opened,
    });
  });

  readonly quality = once(async () => {
    const [{ createQuality }, { startTables, folder }, { scans }] = await Promise.all([
      import('./features/quality/quality.ts'),
      this.engines(),
      this.fileReaders(),
    ]);
    return createQuality({ ...(await this.parts()), startTables, folder, scans, synonyms: this.synonyms });
  });

  readonly upload = once(async () => {
    const [{ createUpload }, { createFixes }, { createTemplates, createLastMappings }, readers] =
      await Promise.all([
        import('./features/upload/upload.ts'),
        import('./features/upload/fixes/send-fixed.ts'),
        import('./features/upload/templates.ts'),
        this.fileReaders(),
      ]);
    const { rememberUnits } = await this.settings();
    const { dataFolder } = this.options;
    return {
      ...createUpload({ ...(await this.parts()), ...readers, synonyms: this.synonyms, rememberUnits }),
      ...createFixes(await this.parts()),
      ...createTemplates(dataFolder, this.warn),
      ...createLastMappings(dataFolder, this.warn),
    };
  });

  readonly tabs = once(async () => (await import('./features/tabs/tabs.ts')).createTabSets(this));

  readonly windowFiles = once(async () => (await import('./core/files/write.ts')).createWrite(this.files));

  readonly workspace = once(async () => {
    const { host, fileMode, endsWithWindow = false, dataFolder, notify } = this.options;
    const { createWorkspace } = await import('./features/workspace/workspace.ts');
    return createWorkspace({ version, host, files: fileMode, endsWithWindow }, dataFolder, {
      warn: this.warn,
      notify: (notice) => notify?.(notice),
      settings: async () => (await this.settings()).read(),
      connections: () => this.connections.handlers.list({}, {}),
      jobs: async () => (await this.jobs()).runner.list(),
      clean: this.log.clean,
    });
  });

  async close(): Promise<void> {
    await (await this.jobs.started())?.runner.close();
    await this.connections.close();
    await (await this.sql.started())?.close();
    (await this.engines.started())?.engine.close();
    await (await this.windowFiles.started())?.close();
    this.keychain.close();
  }
}

/** The features by the names of their calls. */
function featuresOf(core: Core): Features {
  const { options, dataFolder, connections, files, notices, openedItems, warn } = core;
  return {
    connections: async () => ({
      ...connections.handlers,
      async remove(input, context) {
        const removed = await connections.handlers.remove(input, context);
        await (await core.catalogue()).removeConnection(input.connection);
        return removed;
      },
    }),
    catalogue: async () => (await core.catalogue()).handlers,
    wells: once(async () => {
      const { openMarks, createWells } = await import('./core/wells/wells.ts');
      return createWells({ services: connections.services, marks: openMarks(core.catalogueFolder) });
    }),
    datasets: once(async () => (await import('./core/datasets/datasets.ts')).createDatasets(connections)),
    query: core.query,
    export: core.exporting,
    mirrors: async () =>
      (await core.mirrors()).handlers(async (input, context) =>
        (await core.exporting()).start(input, context),
      ),
    quality: core.quality,
    upload: core.upload,
    files: once(async () => {
      const { createSampleFile } = await import('./core/files/sample-file.ts');
      return {
        ...options.choose(files),
        find: ({ token }) => files.findSource(token),
        sample: createSampleFile(dataFolder, files),
        write: async (piece, context) => (await core.windowFiles()).write(piece, context),
      };
    }),
    jobs: async () => (await core.jobs()).runner.handlers(),
    saved: once(async () => (await import('./features/saved/saved.ts')).createSaved(dataFolder, warn)),
    notes: once(async () => (await import('./features/notes/notes.ts')).createNotes(dataFolder, warn)),
    history: once(async () => (await import('./features/history/history.ts')).createHistory(core)),
    tabs: async () => (await core.tabs()).handlers,
    settings: async () => (await core.settings()).handlers,
    sql: async () => (await core.sql()).handlers,
    workspace: core.workspace,
    events: async () => ({
      jobs: async (_input, { signal }) => (await core.jobs()).runner.watch(signal),
      notices: async (_input, { signal }) => notices.listen(signal),
      settings: core.watchSettings,
      connections: async (_input, { signal }) => connections.watch(signal),
      opened: openedItems.listen,
      tabs: async (input, context) => (await core.tabs()).hold(input, context),
    }),
  };
}

/** What a host passes about the caller. */
type Host = Pick<CallContext, 'window'>;
export type AppRouter = Router<typeof contract, Host>;

/** Builds the handlers of each module when one of its procedures is first called. A procedure without one doesn't compile. */
export type Features = { readonly [M in keyof Handlers]: () => Promise<Handlers[M]> };

/** Any function of {@link Handlers}; `never`: its input has been parsed by its own entry of the contract. */
type AnyHandler = (input: never, context: CallContext) => Promise<unknown>;

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
function createRouter(features: Features): AppRouter {
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

/**
 * Puts the core together for a host.
 * @throws AppError `file_unwritable`, `disk_full`, `file_too_new` if the data folder can’t be used
 */
export async function createApp(options: HostOptions): Promise<App> {
  await openDataFolder(options.dataFolder);
  const core = new Core(options);
  await core.connections.load();
  const router = createRouter(featuresOf(core));
  if (options.host !== 'command-line') {
    void core.jobs().then(({ runner }) => runner.tidy({ isStart: true }));
    // Removes what crashed processes left of their tables.
    void core.sql();
  }
  const { files, connections, openedItems, log } = core;
  return {
    router,
    client: createDirectClient(router),
    files,
    runner: async () => (await core.jobs()).runner,
    activeJobs: () => core.running?.activeJobs() ?? 0,
    mirrors: { jobOf: async (folder) => (await core.mirrors()).jobOf(folder) },
    connections,
    openedItems,
    settings: { watch: core.watchSettings },
    log,
    close: () => core.close(),
  };
}

import { join } from 'node:path';
import { invalidInput } from '../shared/errors/errors.ts';
import { describeNotice, type Notice } from '../shared/workspace/workspace.ts';
import type { SystemNotice } from '../shared/contract/workspace.ts';
import type { About } from './features/workspace/workspace.ts';
import { createConnections, openProfiles, type Connections } from './core/connections/connections.ts';
import {
  createDirectClient,
  createRouter,
  type AppRouter,
  type DirectClient,
  type Features,
} from './dispatch.ts';
import { writeError } from './core/files/file-errors.ts';
import { createFiles, type Files } from './core/files/files.ts';
import { markFolderFormat } from './core/files/folder-format.ts';
import type { ModuleHandlers } from './core/handlers.ts';
import { createBroadcast } from './core/broadcast.ts';
import type { Engine, JobRunner } from './core/jobs/jobs.ts';
import type { JobKind } from '../shared/jobs/jobs.ts';
import { once } from './core/once.ts';
import type { ResolveProxy } from './core/wire/http/routes.ts';
import { openKeychain } from './core/keychain/keychain.ts';
import type { StartProcess } from './world/threads.ts';
import type { SettingsService } from './features/settings/settings.ts';
import type { createMirrors } from './features/export/mirrors.ts';
import type { calls } from '../shared/contract/contract.ts';
import { createLogger, type Logger, environmentSecrets } from './core/logger.ts';
import { createOpenedItems, type OpenedItems } from './features/workspace/opened-items.ts';
import { access, constants, mkdir } from './world/files.ts';
import packageJson from '../../package.json' with { type: 'json' };

export const version = packageJson.version;

/** What a host brings to the core. */
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
  /** Called before each retry of a request. */
  readonly notice?: ((notice: Notice) => void) | undefined;
  /** Shows a notification of the system; default: the browser of the window does. */
  readonly notify?: ((notice: SystemNotice) => void) | undefined;
  /** Shows a warning to the user. */
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
  /** The settings, for hosts that use some of them. */
  readonly settings: Pick<SettingsService, 'watch'>;
  /** The log; every line is redacted. */
  readonly log: Logger;
  /** Stops jobs so that they can be resumed, and closes every connection. */
  close(): Promise<void>;
}

/**
 * Creates the data folder, unless it exists.
 * @throws AppError `file_unwritable` if nothing can be written there, `disk_full`
 */
async function openDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
  } catch (cause) {
    throw writeError(cause, path);
  }
}

/**
 * Puts the core together for a host.
 * @throws AppError `file_unwritable`, `disk_full`, `file_too_new` if the data folder can’t be used
 */
export async function createApp(options: HostOptions): Promise<App> {
  const { host, fileMode, endsWithWindow = false, dataFolder, env, choose } = options;
  await openDataFolder(dataFolder);
  await markFolderFormat(dataFolder);
  const fixedSecrets = environmentSecrets(env);
  const log = createLogger({
    folder: join(dataFolder, 'logs'),
    secrets: () => [...fixedSecrets, ...connections.secrets()],
  });
  const warn = (sentence: string): void => {
    log.warn(sentence);
    options.warn?.(log.clean(sentence));
  };
  const notices = createBroadcast<Notice>();
  const files = createFiles();
  const keychain = openKeychain({ env, start: options.startProcess });
  const settings = once(async () =>
    (await import('./features/settings/settings.ts')).createSettings(dataFolder, warn),
  );
  const fieldUnits: SettingsService['fieldUnits'] = async (of) => (await settings()).fieldUnits(of);
  const settingValues = async () => (await settings()).values();
  const watchSettings: SettingsService['watch'] = async (input, context) =>
    (await settings()).watch(input, context);
  const connections = createConnections({
    fieldUnits,
    env,
    onNotice(notice) {
      log.info(describeNotice(notice));
      notices.send(notice);
      options.notice?.(notice);
    },
    profiles: openProfiles(dataFolder, warn),
    keychain,
    lockFolder: join(dataFolder, 'locks'),
    files,
    resolveProxy: options.resolveProxy,
    about: { version, host },
    warn,
  });
  await connections.load();
  const { services } = connections;
  const catalogueFolder = join(dataFolder, 'catalogue');
  const engines = once(async () => {
    const { openEngines } = await import('./core/engines.ts');
    // It removes what crashed processes left in the folder of the engines.
    void sql();
    return openEngines({
      dataFolder,
      memory: async () => (await settingValues()).sqlMemory,
      startProcess: options.startProcess,
      warn: (sentence) => log.warn(sentence),
    });
  });
  const jobEngines = {
    async export() {
      const [{ createExportEngine }, { startTables }] = await Promise.all([
        import('./features/export/run.ts'),
        engines(),
      ]);
      return createExportEngine(startTables);
    },
    upload: async () => (await import('./features/upload/run.ts')).uploadEngine,
    async quality() {
      const [{ createQualityEngine }, { startTables }] = await Promise.all([
        import('./features/quality/run.ts'),
        engines(),
      ]);
      return createQualityEngine(startTables);
    },
  } satisfies Record<JobKind, () => Promise<Engine>>;
  let running: JobRunner | null = null;
  const jobs = once(async () => {
    const { JobRunner, JobStore } = await import('./core/jobs/jobs.ts');
    const store = new JobStore(dataFolder, version);
    running = new JobRunner({
      store,
      files,
      engine: (kind) => jobEngines[kind](),
      services: ({ id, dataUrl }) => {
        // A job resumes only with the same services: other ones may have stored different records.
        const now = connections.get(id).dataUrl;
        if (now === dataUrl) return services(id);
        throw invalidInput(
          `This job started with ${dataUrl}, but the connection now has the address ${now}. Correct the connection.`,
        );
      },
      // On the command line a refusal ends the command: a scheduled one would hang.
      isAttended: host !== 'command-line',
      async retention() {
        const { keptJobs: jobs, keptJobDays: days } = await settingValues();
        return { jobs, days };
      },
    });
    return { store, runner: running };
  });
  const parts = async () => ({ connections, files, version, ...(await jobs()) });
  const fileReaders = once(async () => {
    const [{ createConversions }, { createFileScans }, { reserve }] = await Promise.all([
      import('./core/tables/tables.ts'),
      import('./core/mapping/mapping.ts'),
      engines(),
    ]);
    const conversions = createConversions({
      folder: join(dataFolder, 'conversions'),
      start: options.startProcess,
      reserve,
    });
    return { conversions, scans: createFileScans({ conversions }) };
  });
  const synonyms = async () => (await settings()).synonyms();
  const catalogue = once(async () =>
    (await import('./features/catalogue/catalogue.ts')).createCatalogue({
      folder: catalogueFolder,
      connection: connections.get,
      services,
      warn: (sentence) => log.warn(sentence),
    }),
  );
  const mirrors = once(async () =>
    (await import('./features/export/mirrors.ts')).createMirrors({ dataFolder, files, warn }),
  );
  const query = once(async () =>
    (await import('./features/query/query.ts')).createQuery({ services, connection: connections.get }),
  );
  const exporting = once(async () => {
    const [{ createExport }, { readCheckpoint }, { keepFolder }] = await Promise.all([
      import('./features/export/export.ts'),
      engines(),
      mirrors(),
    ]);
    return createExport({ ...(await parts()), readCheckpoint, keepFolder });
  });
  const sql = once(async () => {
    const [{ createSql }, { readRecords }, { readColumnFacts }, opened, { conversions }] = await Promise.all([
      import('./features/sql/sql.ts'),
      import('./features/query/query.ts'),
      import('./features/export/details.ts'),
      engines(),
      fileReaders(),
    ]);
    const [{ start }, queries, { runner }] = await Promise.all([exporting(), query(), jobs()]);
    return createSql({
      dataFolder,
      version,
      files,
      conversions,
      read: (request, context) => readRecords(queries, request, context),
      fieldUnits,
      // Rejects rather than throws for an unknown connection: records are being read at the same time.
      columnFacts: async (target, signal) =>
        readColumnFacts(services(target.connection).data, target, signal),
      count: queries.count,
      start,
      runner,
      ...opened,
    });
  });
  const tabs = once(async () =>
    (await import('./features/tabs/tabs.ts')).createTabSets({ dataFolder, warn }),
  );
  const windowFiles = once(async () => (await import('./core/files/write.ts')).createWrite(files));
  const openedItems = createOpenedItems();
  const about = { version, host, files: fileMode, endsWithWindow };
  const features = {
    connections: async () => ({
      ...connections.handlers,
      async remove(input, context) {
        const removed = await connections.handlers.remove(input, context);
        await (await catalogue()).removeConnection(input.connection);
        return removed;
      },
    }),
    catalogue: async () => (await catalogue()).handlers,
    wells: once(async () => {
      const { openMarks, createWells } = await import('./core/wells/wells.ts');
      return createWells({ services, marks: openMarks(catalogueFolder) });
    }),
    datasets: once(async () => (await import('./core/datasets/datasets.ts')).createDatasets({ services })),
    query,
    export: exporting,
    mirrors: async () =>
      (await mirrors()).handlers(async (input, context) => (await exporting()).start(input, context)),
    quality: once(async () => {
      const [{ createQuality }, { startTables, folder }, { scans }] = await Promise.all([
        import('./features/quality/quality.ts'),
        engines(),
        fileReaders(),
      ]);
      return createQuality({ ...(await parts()), startTables, folder, scans, synonyms });
    }),
    upload: once(async () => {
      const [{ createUpload }, { createFixes }, { createTemplates, createLastMappings }, readers] =
        await Promise.all([
          import('./features/upload/upload.ts'),
          import('./features/upload/fixes/send-fixed.ts'),
          import('./features/upload/templates.ts'),
          fileReaders(),
        ]);
      const { rememberUnits } = await settings();
      return {
        ...createUpload({ ...(await parts()), ...readers, synonyms, rememberUnits }),
        ...createFixes(await parts()),
        ...createTemplates(dataFolder, warn),
        ...createLastMappings(dataFolder, warn),
      };
    }),
    files: once(async () => {
      const { createSampleFile } = await import('./core/files/sample-file.ts');
      return {
        ...choose(files),
        find: ({ token }) => files.findSource(token),
        sample: createSampleFile(dataFolder, files),
        write: async (piece, context) => (await windowFiles()).write(piece, context),
      };
    }),
    jobs: async () => (await jobs()).runner.handlers(),
    saved: once(async () => (await import('./features/saved/saved.ts')).createSaved(dataFolder, warn)),
    history: once(async () =>
      (await import('./features/history/history.ts')).createHistory({ dataFolder, warn }),
    ),
    tabs: async () => (await tabs()).handlers,
    settings: async () => (await settings()).handlers,
    sql: async () => (await sql()).handlers,
    workspace: once(async () =>
      (await import('./features/workspace/workspace.ts')).createWorkspace(about, dataFolder, {
        warn,
        notify: (notice) => options.notify?.(notice),
        settings: async () => (await settings()).read(),
        connections: () => connections.handlers.list({}, {}),
        jobs: async () => (await jobs()).runner.list(),
        clean: log.clean,
      }),
    ),
    events: async () => ({
      jobs: async (_input, { signal }) => (await jobs()).runner.watch(signal),
      notices: async (_input, { signal }) => notices.listen(signal),
      settings: watchSettings,
      connections: async (_input, { signal }) => connections.watch(signal),
      opened: openedItems.listen,
      tabs: async (input, context) => (await tabs()).hold(input, context),
    }),
  } satisfies Features;
  const router = createRouter(features);
  if (host !== 'command-line') {
    void jobs().then(({ runner }) => runner.tidy({ isStart: true }));
    // Removes what crashed processes left of their tables.
    void sql();
  }
  return {
    router,
    client: createDirectClient(router),
    files,
    runner: async () => (await jobs()).runner,
    activeJobs: () => running?.activeJobs() ?? 0,
    mirrors: { jobOf: async (folder) => (await mirrors()).jobOf(folder) },
    connections,
    openedItems,
    settings: { watch: watchSettings },
    log,
    async close() {
      await (await jobs.started())?.runner.close();
      await connections.close();
      await (await sql.started())?.close();
      (await engines.started())?.engine.close();
      await (await windowFiles.started())?.close();
      keychain.close();
    },
  };
}

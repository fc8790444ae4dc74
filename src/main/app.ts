import { join } from 'node:path';
import { invalidInput } from '../shared/errors/errors.ts';
import { settingsOf } from '../shared/settings/settings.ts';
import type { Notice, SystemNotice } from '../shared/workspace/workspace.ts';
import { describeNotice, createWorkspace, type About } from './features/workspace/workspace.ts';
import { createConnections, type Connections } from './core/connections/connections.ts';
import { openProfiles } from './core/connections/stored-profiles.ts';
import { createCatalogue } from './features/catalogue/catalogue.ts';
import { createDatasets } from './core/datasets/datasets.ts';
import { createDirectClient, createRouter, type AppRouter, type DirectClient } from './dispatch.ts';
import { createExportEngine } from './features/export/run.ts';
import { createExport } from './features/export/export.ts';
import { readColumnFacts } from './core/write/details.ts';
import { writeError } from './core/files/file-errors.ts';
import { createFiles, type Files } from './core/files/files.ts';
import { markFolderFormat } from './core/files/folder-format.ts';
import { createSampleFile } from './core/files/sample-file.ts';
import { createWrite } from './core/files/write.ts';
import type { ModuleHandlers } from './core/handlers.ts';
import { createHistory } from './features/history/history.ts';
import { createBroadcast } from './core/broadcast.ts';
import { JobRunner, JobStore } from './core/jobs/jobs.ts';
import type { ResolveProxy } from './core/wire/http/routes.ts';
import { openKeychain } from './core/keychain/open-keychain.ts';
import type { StartProcess } from './world/threads.ts';
import { createQuality } from './features/quality/quality.ts';
import { createQualityEngine } from './features/quality/run.ts';
import { createQuery, readRecords } from './features/query/query.ts';
import { createSaved } from './features/saved/saved.ts';
import { openEngines } from './core/duckdb/open-engine.ts';
import { createSql } from './features/sql/sql.ts';
import { createSettings, type SettingsService } from './features/settings/settings.ts';
import { createTabSets } from './features/tabs/tabs.ts';
import { createConversions } from './core/tables/conversion/conversions.ts';
import { createLastMappings, createTemplates } from './features/upload/templates.ts';
import { uploadEngine } from './features/upload/run.ts';
import { createFileScans } from './core/mapping/mapping.ts';
import { createFixes } from './features/upload/fixes/send-fixed.ts';
import { createUpload } from './features/upload/upload.ts';
import { createMirrors } from './features/export/mirrors.ts';
import { openMarks, createWells } from './core/wells/wells.ts';
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
  readonly runner: JobRunner;
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
  const settings = createSettings(dataFolder, warn);
  const connections = createConnections({
    fieldUnits: settings.fieldUnits,
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
  const services = connections.services;
  const catalogueFolder = join(dataFolder, 'catalogue');
  const catalogue = createCatalogue({
    folder: catalogueFolder,
    connection: connections.get,
    services,
    warn: (sentence) => log.warn(sentence),
  });
  const { reserve, ...engines } = openEngines({
    dataFolder,
    memory: async () => settingsOf(await settings.read()).sqlMemory,
    startProcess: options.startProcess,
    warn: (sentence) => log.warn(sentence),
  });
  const store = new JobStore(dataFolder, version);
  const runner = new JobRunner({
    store,
    files,
    engines: {
      export: createExportEngine(engines.startTables),
      upload: uploadEngine,
      quality: createQualityEngine(engines.engine),
    },
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
      const { keptJobs: jobs, keptJobDays: days } = settingsOf(await settings.read());
      return { jobs, days };
    },
  });
  const conversions = createConversions({
    folder: join(dataFolder, 'conversions'),
    start: options.startProcess,
    reserve,
  });
  const scans = createFileScans({ conversions });
  const mirrors = createMirrors({ dataFolder, files, warn });
  const modules = { connections, files, runner, version };
  const query = createQuery({ services, connection: connections.get });
  const exporting = createExport({ ...modules, ...engines, store, keepFolder: mirrors.keepFolder });
  const sql = createSql({
    dataFolder,
    version,
    files,
    conversions,
    read: (request, context) => readRecords(query, request, context),
    fieldUnits: settings.fieldUnits,
    // Rejects rather than throws for an unknown connection: records are being read at the same time.
    columnFacts: async (target, signal) => readColumnFacts(services(target.connection).data, target, signal),
    count: query.count,
    start: exporting.start,
    runner,
    ...engines,
  });
  const tabs = createTabSets({ dataFolder, warn });
  const windowFiles = createWrite(files);
  const openedItems = createOpenedItems();
  const about = { version, host, files: fileMode, endsWithWindow };
  const router = createRouter({
    connections: {
      ...connections.handlers,
      async remove(input, context) {
        const removed = await connections.handlers.remove(input, context);
        await catalogue.removeConnection(input.connection);
        return removed;
      },
    },
    catalogue: catalogue.handlers,
    wells: createWells({ services, marks: openMarks(catalogueFolder) }),
    datasets: createDatasets({ services }),
    query,
    export: exporting,
    mirrors: mirrors.handlers(exporting.start),
    quality: createQuality({ ...modules, ...engines, store, scans, synonyms: settings.synonyms }),
    upload: {
      ...createUpload({
        ...modules,
        store,
        conversions,
        scans,
        synonyms: settings.synonyms,
        rememberUnits: settings.rememberUnits,
      }),
      ...createFixes({ ...modules, store }),
      ...createTemplates(dataFolder, warn),
      ...createLastMappings(dataFolder, warn),
    },
    files: {
      ...choose(files),
      find: ({ token }) => files.findSource(token),
      sample: createSampleFile(dataFolder, files),
      write: windowFiles.write,
    },
    jobs: runner.handlers(),
    saved: createSaved(dataFolder, warn),
    history: createHistory({ dataFolder, warn }),
    tabs: tabs.handlers,
    settings: settings.handlers,
    sql: sql.handlers,
    workspace: createWorkspace(about, dataFolder, {
      warn,
      notify: (notice) => options.notify?.(notice),
      settings: settings.read,
      connections: () => connections.handlers.list({}, {}),
      jobs: () => runner.list(),
      clean: log.clean,
    }),
    events: {
      jobs: async (_input, { signal }) => runner.watch(signal),
      notices: async (_input, { signal }) => notices.listen(signal),
      settings: settings.watch,
      connections: async (_input, { signal }) => connections.watch(signal),
      opened: openedItems.listen,
      tabs: tabs.hold,
    },
  });
  if (host !== 'command-line') void runner.tidy({ isStart: true });
  return {
    router,
    client: createDirectClient(router),
    files,
    runner,
    mirrors,
    connections,
    openedItems,
    settings,
    log,
    async close() {
      await runner.close();
      await connections.close();
      await sql.close();
      await windowFiles.close();
      keychain.close();
    },
  };
}

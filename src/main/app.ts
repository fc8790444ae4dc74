import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { AppError, invalidInput } from '../shared/errors/errors.ts';
import type { Notice } from '../shared/workspace/workspace.ts';
import { createConnections, type Connections } from './connections/connections.ts';
import { openProfiles } from './connections/stored-profiles.ts';
import { createCatalogue } from './catalogue/catalogue.ts';
import { createDatasets } from './datasets/datasets.ts';
import { createDirectClient, createRouter, type AppRouter, type DirectClient } from './dispatch.ts';
import { exportEngine } from './export/export-engine.ts';
import { createExport } from './export/export.ts';
import { createFiles, type Files } from './files/files.ts';
import { createWrite } from './files/write.ts';
import type { RoomHandlers } from './handlers.ts';
import { createHistory } from './history/history.ts';
import { createBroadcast } from './jobs/broadcast.ts';
import { createJobs } from './jobs/jobs.ts';
import { createRunner, type JobRunner } from './jobs/runner.ts';
import { JobStore } from './jobs/store.ts';
import type { ResolveProxy } from './http/routes.ts';
import { openKeychain } from './keychain/open-keychain.ts';
import type { StartKeychain } from './keychain/start-helper.ts';
import { createQuery } from './query/query.ts';
import { createSaved } from './saved/saved.ts';
import { createSettings, type SettingsRoom } from './settings/settings.ts';
import { createTabSets } from './tabs/tabs.ts';
import { createConversions } from './upload/conversion/conversions.ts';
import { createTemplates } from './upload/templates.ts';
import { uploadEngine } from './upload/upload-engine.ts';
import { createUpload } from './upload/upload.ts';
import { openMarks } from './wells/marks.ts';
import { createWells } from './wells/wells.ts';
import type { calls } from '../shared/contract/contract.ts';
import { createLogger, type Logger, secretsIn } from './workspace/logger.ts';
import { createOpenedThings, type OpenedThings } from './workspace/opened.ts';
import { createWorkspace, type About } from './workspace/workspace.ts';

export const version = packageJson.version;

/** What a host brings to the core. */
export interface HostOptions {
  readonly host: About['host'];
  readonly fileMode: About['files'];
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** How this host lets a person choose files; given the tokens to hand out. */
  readonly choose: (files: Files) => Omit<RoomHandlers<(typeof calls)['files']>, 'find' | 'write'>;
  /** How the system reaches an address, as Electron's `session.resolveProxy` says it; else the proxy variables do. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** How the process that holds the keychain is started; under plain Node by default. */
  readonly startKeychain?: StartKeychain | undefined;
  /** Told of each request that has to be tried again. */
  readonly notice?: ((notice: Notice) => void) | undefined;
  /** Told what a person should hear of although nothing was asked, in a sentence. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** The application core: it knows no Electron, no browser and no terminal. */
export interface App {
  readonly router: AppRouter;
  /** Calls without a carrier. */
  readonly client: DirectClient;
  readonly files: Files;
  readonly runner: JobRunner;
  readonly connections: Connections;
  /** What a person opens from outside, for hosts that hear of it. */
  readonly opened: OpenedThings;
  /** What the person has set, for hosts that show some of it themselves. */
  readonly settings: Pick<SettingsRoom, 'watch'>;
  /** The one log, redacted; hosts write to it what they have to say. */
  readonly log: Logger;
  /** Stops jobs so that they can be resumed, and closes every connection. */
  close(): Promise<void>;
}

/** Puts the core together for a host. */
export async function createApp(options: HostOptions): Promise<App> {
  const { host, fileMode, dataFolder, env, choose } = options;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new AppError('file_unwritable', { file: dataFolder, reason: cause.message }, { cause });
  });
  const fixedSecrets = secretsIn(env);
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
  const keychain = openKeychain({ env, start: options.startKeychain });
  const connections = createConnections({
    env,
    onNotice(notice) {
      log.info(`${notice.cause} Trying ${notice.host} again in ${Math.ceil(notice.nextTryMs)} ms.`);
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
  const store = new JobStore(dataFolder, version);
  const jobs = createJobs({ files });
  const runner = createRunner({
    store,
    engines: { export: exportEngine, upload: uploadEngine },
    services: ({ id, dataUrl }) => {
      // A job goes on with the service that it began with, or not at all: what is stored where would be a guess.
      const now = connections.get(id).dataUrl;
      if (now === dataUrl) return services(id);
      throw invalidInput(
        `This job began at ${dataUrl}, but the connection leads to ${now}. Correct the connection.`,
      );
    },
    // On the command line a refusal ends the command: a scheduled one would hang there until somebody looks.
    isAttended: host !== 'command-line',
    toJob: jobs.toJob,
  });
  const conversions = createConversions({ folder: join(dataFolder, 'conversions') });
  const rooms = { connections, files, runner };
  const tabs = createTabSets({ dataFolder, warn });
  const opened = createOpenedThings();
  const settings = createSettings(dataFolder, warn);
  const about = { version, host, files: fileMode };
  const router = createRouter({
    connections: {
      ...connections.handlers,
      async remove(input, context) {
        const removed = await connections.handlers.remove(input, context);
        await catalogue.forget(input.connection);
        return removed;
      },
    },
    catalogue: catalogue.handlers,
    wells: createWells({ services, marks: openMarks(catalogueFolder) }),
    datasets: createDatasets({ services }),
    query: createQuery({ services, connection: connections.get }),
    export: createExport(rooms),
    upload: { ...createUpload({ ...rooms, store, conversions }), ...createTemplates(dataFolder, warn) },
    files: { ...choose(files), find: ({ token }) => files.findSource(token), write: createWrite(files) },
    jobs: jobs.handlers(runner),
    saved: createSaved(dataFolder, warn),
    history: createHistory({ dataFolder, warn }),
    tabs: tabs.handlers,
    settings: settings.handlers,
    workspace: createWorkspace(about, dataFolder, {
      warn,
      settings: settings.read,
      connections: () => connections.handlers.list({}, {}),
      jobs: runner.list,
      clean: log.clean,
    }),
    events: {
      jobs: async (_input, { signal }) => runner.watch(signal),
      notices: async (_input, { signal }) => notices.listen(signal),
      settings: settings.watch,
      connections: async (_input, { signal }) => connections.watch(signal),
      opened: opened.listen,
      tabs: tabs.hold,
    },
  });
  return {
    router,
    client: createDirectClient(router),
    files,
    runner,
    connections,
    opened,
    settings,
    log,
    async close() {
      await runner.close();
      await connections.close();
      keychain.close();
    },
  };
}

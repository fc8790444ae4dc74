import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { AppError, invalidInput } from '../shared/errors.ts';
import type { Notice } from '../shared/workspace.ts';
import { createConnections } from './connections/connections.ts';
import type { Connections } from './connections/connections.ts';
import { openProfiles } from './connections/profiles.ts';
import { createDirectClient, createRouter } from './dispatch.ts';
import type { AppRouter, DirectClient } from './dispatch.ts';
import { createFiles } from './files/files.ts';
import type { Files } from './files/files.ts';
import type { RoomHandlers } from './handlers.ts';
import type { JobKind } from '../shared/jobs.ts';
import { createBroadcast } from './jobs/broadcast.ts';
import type { Engine } from './jobs/engine.ts';
import { createJobs } from './jobs/jobs.ts';
import { createRunner } from './jobs/runner.ts';
import type { JobRunner } from './jobs/runner.ts';
import { openJobStore } from './jobs/store.ts';
import type { ResolveProxy } from './http/routes.ts';
import { once } from './once.ts';
import { openKeychain } from './keychain/open-keychain.ts';
import type { StartHelper } from './keychain/start-helper.ts';
import type { SettingsRoom } from './settings/settings.ts';
import type { calls } from '../shared/contract.ts';
import { createLogger, type Logger } from './workspace/logger.ts';
import { createOpenedThings } from './workspace/opened.ts';
import type { OpenedThings } from './workspace/opened.ts';
import { secretsIn } from './workspace/secrets.ts';
import type { About } from './workspace/workspace.ts';

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
  readonly startKeychain?: StartHelper | undefined;
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

// The engines are large and most starts need none of them, a single question on the command line above all.
async function engine(kind: JobKind): Promise<Engine> {
  switch (kind) {
    case 'export':
      return (await import('./export/export-engine.ts')).exportEngine;
    case 'upload':
      return (await import('./upload/upload-engine.ts')).uploadEngine;
  }
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
  const catalogue = once(async () =>
    (await import('./catalogue/catalogue.ts')).createCatalogue({
      folder: catalogueFolder,
      connection: connections.get,
      services,
      warn: (sentence) => log.warn(sentence),
    }),
  );
  const store = openJobStore(dataFolder, version);
  const jobs = createJobs({ files });
  const runner = createRunner({
    store,
    engine,
    services: ({ id, dataUrl }) => {
      // A job goes on with the service that it began with, or not at all: what is stored where would be a guess.
      const now = connections.get(id).dataUrl;
      if (now === dataUrl) return services(id);
      throw invalidInput(
        `This job began at ${dataUrl}, but the connection leads to ${now}. Correct the connection.`,
      );
    },
    // On the command line a refusal ends the command: a scheduled one would hang there until somebody looks.
    attended: host !== 'command-line',
    toJob: jobs.toJob,
  });
  const rooms = { connections, files, runner };
  const tabs = once(async () => (await import('./tabs/tabs.ts')).createTabSets({ dataFolder, warn }));
  const opened = createOpenedThings();
  const settings = once(async () =>
    (await import('./settings/settings.ts')).createSettings(dataFolder, warn),
  );
  const router = createRouter({
    connections: async () => ({
      ...connections.handlers,
      async remove(input, context) {
        const removed = await connections.handlers.remove(input, context);
        await (await catalogue()).forget(input.connection);
        return removed;
      },
    }),
    catalogue: async () => (await catalogue()).handlers,
    async wells() {
      const [{ createWells }, { openMarks }] = await Promise.all([
        import('./wells/wells.ts'),
        import('./wells/marks.ts'),
      ]);
      return createWells({ services, marks: openMarks(catalogueFolder) });
    },
    datasets: async () => (await import('./datasets/datasets.ts')).createDatasets({ services }),
    query: async () =>
      (await import('./query/query.ts')).createQuery({ services, connection: connections.get }),
    export: async () => (await import('./export/export.ts')).createExport(rooms),
    async upload() {
      const [{ createUpload }, { createTemplates }] = await Promise.all([
        import('./upload/upload.ts'),
        import('./upload/templates.ts'),
      ]);
      return { ...createUpload({ ...rooms, store }), ...createTemplates(dataFolder, warn) };
    },
    files: async () => ({
      ...choose(files),
      find: ({ token }) => files.findSource(token),
      write: (await import('./files/write.ts')).createWrite(files),
    }),
    jobs: async () => jobs.handlers(runner),
    saved: async () => (await import('./saved/saved.ts')).createSaved(dataFolder, warn),
    history: async () => (await import('./history/history.ts')).createHistory({ dataFolder, warn }),
    tabs: async () => (await tabs()).handlers,
    settings: async () => (await settings()).handlers,
    workspace: async () =>
      (await import('./workspace/workspace.ts')).createWorkspace(
        { version, host, files: fileMode },
        dataFolder,
        {
          warn,
          settings: async () => (await settings()).read(),
          connections: () => connections.handlers.list({}, {}),
          jobs: runner.list,
          clean: log.clean,
        },
      ),
    events: async () => ({
      jobs: async (_input, { signal }) => runner.watch(signal),
      notices: async (_input, { signal }) => notices.listen(signal),
      settings: async (...call) => (await settings()).watch(...call),
      connections: async (_input, { signal }) => connections.watch(signal),
      opened: opened.listen,
      tabs: async (...call) => (await tabs()).hold(...call),
    }),
  });
  return {
    router,
    client: createDirectClient(router),
    files,
    runner,
    connections,
    opened,
    settings: { watch: async (...call) => (await settings()).watch(...call) },
    log,
    async close() {
      await runner.close();
      await connections.close();
      keychain.close();
    },
  };
}

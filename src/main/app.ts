import { mkdir } from 'node:fs/promises';
import packageJson from '../../package.json' with { type: 'json' };
import type { Notice } from '../shared/workspace.ts';
import { createConnections } from './connections/connections.ts';
import type { Connections } from './connections/connections.ts';
import { createDatasets } from './datasets/datasets.ts';
import { createDirectClient, createRouter } from './dispatch.ts';
import type { AppRouter, DirectClient } from './dispatch.ts';
import { createExport } from './export/export.ts';
import { exportEngine } from './export/export-engine.ts';
import { createFiles } from './files/files.ts';
import type { Files } from './files/files.ts';
import type { RoomHandlers } from './handlers.ts';
import { createBroadcast } from './jobs/broadcast.ts';
import { createJobs } from './jobs/jobs.ts';
import { createRunner } from './jobs/runner.ts';
import type { JobRunner } from './jobs/runner.ts';
import { openJobStore } from './jobs/store.ts';
import { createQuery } from './query/query.ts';
import { createUpload } from './upload/upload.ts';
import { uploadEngine } from './upload/upload-engine.ts';
import { createWells } from './wells/wells.ts';
import type { calls } from '../shared/contract.ts';
import { createWorkspace } from './workspace/workspace.ts';
import type { About } from './workspace/workspace.ts';

export const version = packageJson.version;

/** What a host brings to the core. */
export interface HostOptions {
  readonly host: About['host'];
  readonly fileMode: About['files'];
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** How this host lets a person choose files; given the tokens to hand out. */
  readonly choose: (files: Files) => RoomHandlers<(typeof calls)['files']>;
}

/** The application core: it knows no Electron, no browser and no terminal. */
export interface App {
  readonly router: AppRouter;
  /** Calls without a carrier. */
  readonly client: DirectClient;
  readonly files: Files;
  readonly runner: JobRunner;
  readonly connections: Connections;
  /** Stops jobs so that they can be resumed, and closes every connection. */
  close(): Promise<void>;
}

/** Puts the core together for a host. */
export async function createApp({ host, fileMode, dataFolder, env, choose }: HostOptions): Promise<App> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const notices = createBroadcast<Notice>();
  const files = createFiles();
  const connections = createConnections({ env, onNotice: notices.send });
  const services = connections.services;
  const store = openJobStore(dataFolder, version);
  const jobs = createJobs({ files });
  const runner = createRunner({
    store,
    engines: () => ({ export: exportEngine, upload: uploadEngine }),
    services: ({ id }) => services(id),
    toJob: jobs.toJob,
  });
  const router = createRouter({
    connections: connections.handlers,
    wells: createWells({ services }),
    datasets: createDatasets({ services }),
    query: createQuery({ services }),
    export: createExport({ connections, files, runner }),
    upload: createUpload({ connections, files, runner }),
    files: choose(files),
    jobs: jobs.handlers(runner),
    workspace: createWorkspace({ version, host, files: fileMode }, dataFolder),
    events: {
      jobs: async (_input, { signal }) => runner.watch(signal),
      notices: async (_input, { signal }) => notices.listen(signal),
    },
  });
  return {
    router,
    client: createDirectClient(router),
    files,
    runner,
    connections,
    async close() {
      await runner.close();
      await connections.close();
    },
  };
}


import { connection as connectionSchema } from '../../src/shared/connections/connections.ts';
import { tableEngines } from '../../src/main/core/duckdb/table-engine.ts';
import { createFiles, sourceAt } from '../../src/main/core/files/files.ts';
import { JobRunner, JobStore } from '../../src/main/core/jobs/jobs.ts';
import { FileScans } from '../../src/main/core/mapping/source-file.ts';
import { TableReader } from '../../src/main/core/tables/tables.ts';
import { checkpointReader } from '../../src/main/core/write/delta/checkpoint.ts';
import { credentialSource, openServices } from '../../src/main/core/wire/services/open.ts';
import { createExport } from '../../src/main/features/export/export.ts';
import { createMirrors } from '../../src/main/features/export/mirrors.ts';
import { createExportEngine } from '../../src/main/features/export/run.ts';
import { createQuality } from '../../src/main/features/quality/quality.ts';
import { createQualityEngine } from '../../src/main/features/quality/run.ts';
import { createUploadEngine } from '../../src/main/features/upload/run.ts';
import { createUpload } from '../../src/main/features/upload/upload.ts';
import { addresses, apiKey, login } from './world/link.ts';
import { serveTables } from './world/tables.ts';
import { loadThreads, setProcess } from './world/threads.ts';

/** Loads the code of threads. Called once, before the first history. */
export async function load(): Promise<void> {
  await loadThreads(['csv', 'export', 'quality']);
  setProcess('engine', serveTables);
}

/** More existing records than this many are not read where all rows are inserted. */
export const manyRecords = (batchRows: number): number => 4 * batchRows;

export interface ApplicationOptions {
  readonly dataFolder: string;
  /** Whether somebody is there to wait for the link, to sign in, and to answer. */
  readonly isAttended: boolean;
  /** Maximum number of rows of a batch, so that few rows make many. */
  readonly batchRows: number;
  /** Whether it signs in, instead of using an API key. */
  readonly signsIn: boolean;
  /** Which finished jobs are kept. */
  readonly retention: { readonly jobs: number; readonly days: number; readonly last: number };
}

/** Opens the application as a host does, in the process that calls it: the real engines, jobs, and services. */
export function openApplication({
  dataFolder,
  isAttended,
  batchRows,
  signsIn,
  retention,
}: ApplicationOptions) {
  const { data: dataUrl, platform: platformUrl } = addresses;
  const { services } = openServices({ dataUrl, platformUrl, env: {} }, (platform) =>
    credentialSource(signsIn ? { method: 'login', ...login } : { method: 'api_key', apiKey }, platform),
  );
  const connection = connectionSchema.parse({
    id: 'simulated',
    name: 'Simulated',
    color: 'blue',
    dataUrl,
    platformUrl,
    method: 'api_key',
    secret: 'session',
    readOnly: false,
    sample: false,
  });
  const connections = { services: () => services, get: () => connection };
  const files = createFiles();
  const store = new JobStore(dataFolder, 'simulated');
  const startTables = tableEngines();
  const engines = {
    export: createExportEngine(async () => startTables),
    upload: createUploadEngine({
      batch: { rows: batchRows, bytes: 1 << 20 },
      manyRecords: manyRecords(batchRows),
    }),
    quality: createQualityEngine(startTables),
  };
  const runner = new JobRunner({
    store,
    files,
    engine: async (kind) => engines[kind],
    services: () => services,
    isAttended,
    retention: async () => retention,
  });
  const reader = new TableReader({ folder: `${dataFolder}/conversions` });
  const scans = new FileScans({ reader });
  const synonyms = async () => new Map<string, string>();
  const modules = { connections, files, runner, store };
  const mirrors = createMirrors({ dataFolder, files, warn: () => undefined });
  return {
    runner,
    files,
    services,
    upload: createUpload({
      ...modules,
      scans,
      synonyms,
      reader,
    }),
    export: createExport({
      ...modules,
      version: 'simulated',
      keepFolder: mirrors.keepFolder,
      readCheckpoint: checkpointReader({ startTables, folder: `${dataFolder}/log` }),
    }),
    quality: createQuality({ ...modules, scans, synonyms, startTables, folder: `${dataFolder}/sql` }),
    /** A token for a file of the user. */
    source: async (path: string) => (await files.grantSource(sourceAt(path))).token,
    async close(): Promise<void> {
      await runner.close();
      await services.close();
    },
  };
}

export type Application = ReturnType<typeof openApplication>;

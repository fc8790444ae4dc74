import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createFiles, sourceAt } from '../../../../../src/main/core/files/files.ts';
import { startProcess, type ProcessPort } from '../../../../../src/main/world/threads.ts';
import { openEngines } from '../../../../../src/main/core/engines.ts';
import { reusedProcesses } from '../../../../../src/main/core/processes/idle-process.ts';
import { createSql } from '../../../../../src/main/features/sql/sql.ts';
import { TableReader } from '../../../../../src/main/core/tables/tables.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import type { ExportRequest } from '../../../../../src/shared/export/export.ts';
import type { Job, JobState } from '../../../../../src/shared/jobs/jobs.ts';
import { useFolders } from '../../../../support/folders.ts';

export const newFolder = useFolders();
const opened: ReturnType<typeof createSql>[] = [];
afterEach(async () => {
  for (const sql of opened.splice(0)) await sql.close();
});

/** One process for one test after another: to start it, and to load its library, takes longer than most of them. */
const takeProcess = reusedProcesses(startProcess);

interface SqlOptions {
  /** An existing one; absent: a new one. */
  readonly dataFolder?: string;
  /** Whether its process ends with it, and no other test has it. */
  readonly hasOwnProcess?: boolean;
}

/** Opens SQL over a data folder; it closes after the test. */
export async function openSql({ dataFolder: existingFolder, hasOwnProcess = false }: SqlOptions = {}) {
  const folder = await newFolder();
  const dataFolder = existingFolder ?? join(folder, 'data');
  const files = createFiles();
  const ports: ProcessPort[] = [];
  const exports: ExportRequest[] = [];
  /** The units that the user sets, by dataset. */
  const unitsSet: Record<string, Record<string, string>> = {};
  /** The datasets whose units were read. */
  const sampled: string[] = [];
  const discarded: string[] = [];
  /** What each call of the engine waits for. */
  let turn = Promise.resolve();
  let onCall = (): void => undefined;
  /** The state in which the export of a table stops. */
  let stopped = Promise.withResolvers<JobState>();
  const sql = createSql({
    dataFolder,
    version: '0.0.0',
    files,
    reader: new TableReader({ folder: join(dataFolder, 'conversions') }),
    read: async ({ request }) => {
      const records = new Uint8Array(Buffer.from(answers[request.dataset] ?? '[]'));
      return { records, count: 2, total: null, ms: 1 };
    },
    fieldUnits: async ({ dataset }) => ({ fromUser: unitsSet[dataset] ?? {}, fromUploads: {} }),
    async columnFacts({ dataset }) {
      sampled.push(dataset);
      return { 'data.rop': { unit: unitsSet[dataset]?.['data.rop'] ?? 'ft/h' } };
    },
    async count({ dataset }) {
      if (dataset === 'nulls') throw new AppError('forbidden', { service: 'data' });
      return { count: 3, ms: 1 };
    },
    async start(request) {
      exports.push(request);
      return { job: exportJob.id };
    },
    // A class like that of the application: its methods need their object.
    runner: new (class {
      readonly #discarded = discarded;
      async waitUntilStopped(): Promise<Job> {
        const state = await stopped.promise;
        stopped = Promise.withResolvers();
        return { ...exportJob, state };
      }
      cancel = async () => stopped.resolve('cancelled');
      async discard(id: string): Promise<void> {
        this.#discarded.push(id);
      }
    })(),
    ...openEngines({
      dataFolder,
      async memory() {
        onCall();
        await turn;
        return 'quarter';
      },
      startProcess(name, env) {
        const port = takeProcess(name, env);
        ports.push(port);
        return { ...port, close: () => port.close(!hasOwnProcess) };
      },
    }),
  });
  opened.push(sql);
  const { handlers } = sql;
  return {
    ...handlers,
    folder,
    exports,
    unitsSet,
    sampled,
    discarded,
    stopExport: (state: JobState) => stopped.resolve(state),
    dataFolder,
    files,
    /** Kills the engine's process, as a crash would. */
    killEngine: () => ports.at(-1)?.close(),
    /** Lets calls of the engine wait. `reached`: one does. */
    holdEngine() {
      const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      turn = held.promise;
      onCall = reached.resolve;
      return { reached: reached.promise, release: held.resolve };
    },
    close: sql.close,
    async add(name: string, text: string) {
      const path = join(folder, name);
      await writeFile(path, text);
      const { token } = await files.grantSource(sourceAt(path));
      return handlers.addFile({ source: token, reading: {} }, {});
    },
    async rows(statement: string) {
      const { records } = await handlers.run({ sql: statement, limit: 1000 }, {});
      return JSON.parse(Buffer.from(records).toString()) as unknown;
    },
  };
}

export const exportJob: Job = {
  id: 'job-00000001',
  kind: 'export',
  state: 'running',
  address: { provider: 'demo', dataset: 'wits' },
  connection: 'North Ridge',
  file: 'wits.parquet',
  started: '2026-01-31T10:00:00.000Z',
  updated: '2026-01-31T10:00:00.000Z',
  progress: { rows: 0, totalRows: null, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
  error: null,
  waitsFor: null,
  artifacts: [],
  result: null,
};

/** Responses by dataset. */
const answers: Record<string, string> = {
  wits: '[{"asset_id":5003,"data":{"rop":9007199254740993}},{"asset_id":5004,"data":{"rop":2,"state":"drilling"}}]',
  nulls: '[{"data":{"rop":-999.25,"code":"-999.25"}},{"data":{"rop":2.5,"code":"x"}}]',
  mixed: '[{"data":{"rop":1.5}},{"data":{"rop":84.739999999999995}},{"data":{"rop":"none"}}]',
  none: '[]',
};

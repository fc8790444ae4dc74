import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connection } from '../../../../../src/shared/connections/connections.ts';
import { toAppError, type AppError } from '../../../../../src/shared/errors/errors.ts';
import { uploadRequest, type UploadRequest } from '../../../../../src/shared/upload/upload.ts';
import type { UploadResult } from '../../../../../src/shared/upload/result.ts';
import { createFiles, sourceAt } from '../../../../../src/main/core/files/files.ts';
import type { EngineContext } from '../../../../../src/main/core/jobs/jobs.ts';
import { JobStore } from '../../../../../src/main/core/jobs/store.ts';
import type { ProgressReport } from '../../../../../src/main/core/jobs/waits.ts';
import type { Services } from '../../../../../src/main/core/wire/services/services.ts';
import { uploadEntry, type UploadEntry } from '../../../../../src/main/features/upload/ledger.ts';
import { uploadPlan, type UploadPlan } from '../../../../../src/main/core/mapping/upload-plan.ts';
import {
  type CsvThread,
  type OpenCsvThread,
  FileScans,
} from '../../../../../src/main/core/mapping/source-file.ts';
import { createCsvService, type CsvCalls } from '../../../../../src/main/core/mapping/csv-worker.ts';
import { TableReader } from '../../../../../src/main/core/tables/tables.ts';
import { createUpload } from '../../../../../src/main/features/upload/upload.ts';
import { createUploadEngine, type UploadEngineOptions } from '../../../../../src/main/features/upload/run.ts';
import { appErrorFrom } from '../../../../../src/main/core/files/file-errors.ts';
import { openThread, serve } from '../../../../../src/shared/threads.ts';
import { portPair } from '../../../../support/port-pair.ts';
import { runInFolder } from '../../../../support/job-runs.ts';
import { testClock } from '../../../../support/clock.ts';

/**
 * The work of the worker thread without the thread.
 * @param onCall called with the name of each call
 */
export function inProcessThread(
  _signal?: AbortSignal,
  onCall: (name: keyof CsvCalls) => void = () => undefined,
): CsvThread {
  const [near, far] = portPair();
  serve(far, createCsvService(), appErrorFrom);
  const { calls, close } = openThread<CsvCalls>(() => near);
  return {
    calls: new Proxy(calls, {
      get(target, name: keyof CsvCalls) {
        onCall(name);
        return target[name];
      },
    }),
    close,
  };
}

/** A reader of files, with a folder that is created with the first conversion. */
export const testReader = (): TableReader =>
  new TableReader({ folder: join(tmpdir(), `wellbench-conversions-${process.pid}`) });

/** What files are read with: a reader, passes over whole files, and the thread of both. */
export function readingWith(openThread: OpenCsvThread) {
  const reader = testReader();
  return { reader, openThread, scans: new FileScans({ reader, openThread }) };
}

type Wanted = Partial<Omit<UploadRequest, 'source' | 'connection' | 'mapping' | 'reading'>> & {
  readonly mapping?: unknown;
  readonly reading?: unknown;
};

/** Has `upload.start` make the plan of a file, as its job receives it. */
export async function planOf(
  path: string,
  services: Services,
  wanted: Wanted = {},
  place: 'path' | 'spooled' = 'path',
  store?: Parameters<typeof createUpload>[0]['store'],
): Promise<UploadPlan> {
  const files = createFiles();
  const { token } = await files.grantSource({ ...sourceAt(path), place });
  const plans: unknown[] = [];
  const upload = createUpload({
    synonyms: async () => new Map(),
    connections: {
      services: () => services,
      get: (id) =>
        connection.parse({
          id,
          name: 'test',
          color: 'blue',
          dataUrl: 'http://127.0.0.1',
          platformUrl: 'http://127.0.0.1',
          method: 'api_key',
          secret: 'session',
          readOnly: false,
          sample: false,
        }),
    },
    files,
    ...readingWith(inProcessThread),
    store: store ?? new JobStore(await mkdtemp(join(tmpdir(), 'wellbench-no-jobs-')), 'test'),
    runner: { start: async (_kind, plan) => (plans.push(plan), { id: 'job-0001' }) },
  });
  await upload.start(
    uploadRequest.parse({
      connection: 'c',
      provider: 'p',
      dataset: 'd',
      source: token,
      existing: 'insert',
      ...wanted,
    }),
    {},
  );
  // Serialized and parsed, as the job's folder stores it.
  return uploadPlan.parse(JSON.parse(JSON.stringify(plans[0])));
}

export interface RunOptions {
  readonly plan: UploadPlan;
  readonly services: Services;
  /** The job's folder; the same folder for a resume. */
  readonly folder: string;
  readonly engine?: UploadEngineOptions;
  readonly signal?: AbortSignal;
  /** The user's answer to a prompt; absent: no user is present. */
  readonly ask?: EngineContext['waits']['askUser'];
  /** After this many journal entries nothing more reaches the disk, as if the process had been killed. */
  readonly killAfter?: number;
}

export interface RunEnd {
  readonly result: UploadResult | null;
  readonly error: AppError | null;
  /** The last result that the job reported while it ran. */
  readonly lastResult: UploadResult | null;
  readonly made: readonly string[];
  readonly progress: readonly ProgressReport[];
}

class Killed extends Error {}

/** Runs a job of the engine in a folder until it succeeds, fails, or stops. */
export async function runJob({
  plan,
  services,
  folder,
  engine = {},
  signal,
  ask: askUser,
  killAfter = Infinity,
}: RunOptions): Promise<RunEnd> {
  await mkdir(folder, { recursive: true });
  const made: string[] = [];
  const progress: ProgressReport[] = [];
  let lastResult: UploadResult | null = null;
  let entriesLeft = killAfter;
  try {
    const result = await runInFolder({
      engine: createUploadEngine({
        clock: testClock({ frozen: true }),
        random: () => 0.5,
        openThread: inProcessThread,
        ...engine,
      }),
      folder,
      plan,
      services,
      signal,
      waits: { askUser },
      onEvent(event) {
        if (event.kind === 'progress') progress.push(event.progress);
        if (event.kind === 'result') lastResult = event.result;
        if (event.kind === 'artifact') made.push(event.artifact.path);
      },
      async append(journal, entries, flush) {
        const kept = entries.slice(0, entriesLeft);
        entriesLeft -= kept.length;
        if (kept.length > 0) await journal.append(kept, { flush });
        if (kept.length < entries.length) throw new Killed('killed');
      },
    });
    return { result, error: null, lastResult, made, progress };
  } catch (thrown) {
    return { result: null, error: toAppError(thrown), lastResult, made, progress };
  }
}

/** The journal of a job on disk. */
export async function journalOf(folder: string): Promise<UploadEntry[]> {
  const text = await readFile(join(folder, 'journal.ndjson'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => uploadEntry.parse(JSON.parse(line)));
}

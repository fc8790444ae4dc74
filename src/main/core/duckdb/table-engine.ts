import { onAbort } from '../../../shared/abort.ts';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import type { ThreadCalls } from '../../../shared/threads.ts';
import { writeError } from '../files/file-errors.ts';
import { openIdleProcess, reusedProcesses } from '../processes/idle-process.ts';
import { enough, type ReserveMemory } from '../processes/memory-budget.ts';
import { startProcess, systemVariables, type ProcessPort, type StartProcess } from '../../world/threads.ts';
import type { EngineCalls } from './engine-process.ts';
import type { TableFiles, TableValue } from './table-calls.ts';
import { mkdir, rm } from '../../world/files.ts';

/** The engine that reads and writes the tables of a job, in a process of its own. */
export interface TableEngine {
  /** Waits until its library is loaded. @throws AppError `sql_unavailable` if this computer has none; `cancelled` */
  load(): Promise<void>;
  /**
   * Opens an engine that reaches nothing but some files, in place of the one before, and empties its folder.
   * @throws AppError `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
   */
  open(files: TableFiles): Promise<void>;
  /**
   * Runs a statement of Wellbench itself.
   * @returns the rows of its result
   * @throws AppError `disk_full`, `file_unreadable`, `file_unwritable`, `sql_unavailable`, `cancelled`
   */
  run(sql: string): Promise<TableValue[][]>;
  /** Closes the files, removes the folder, and frees the memory, until it opens others. Never fails. */
  rest(): Promise<void>;
  /** Rests for good. Never fails. */
  close(): Promise<void>;
}

/** Starts the engine of a job. Its process ends at once when the signal aborts. */
export type StartTableEngine = (signal: AbortSignal | undefined) => TableEngine;

/** A running statement takes a thread of Node's pool, of which there are four by default: other windows would wait for the fifth. */
const threadPool = { UV_THREADPOOL_SIZE: '32' };

/** The variables of the engine's processes. */
export const engineVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...systemVariables(env),
  ...threadPool,
});

interface TableEngineOptions {
  readonly start?: StartProcess | undefined;
  /** Takes the memory of an engine while it is open; absent: there is enough. */
  readonly reserve?: ReserveMemory;
}

/** Starts engines in processes of a host. A process that has done its work is used again by a job that starts soon. */
export function tableEngines({
  start = reusedProcesses(startProcess),
  reserve = enough,
}: TableEngineOptions = {}): StartTableEngine {
  return (signal) => {
    let port: ProcessPort | null = null;
    const used = openIdleProcess<EngineCalls>({
      start: () => (port = start('engine', engineVariables(process.env))),
    });
    used.hold();
    const kill = (): void => {
      port?.close();
      used.end();
    };
    let folder: string | null = null;
    let freeMemory = (): void => undefined;
    let isClosed = false;
    /** Whether the process has ended, and with it what was open. */
    let isStopped = false;
    const stop = onAbort(signal, kill);

    async function call<T>(work: (calls: ThreadCalls<EngineCalls>) => Promise<T>): Promise<T> {
      if (signal?.aborted) throw new AppError('cancelled', {});
      try {
        return await used.call(work);
      } catch (error) {
        isStopped ||= isAppError(error, 'sql_unavailable');
        if (signal?.aborted) throw new AppError('cancelled', {});
        throw error;
      }
    }

    async function rest(): Promise<void> {
      // An engine that can't close its files ends with its process.
      if (!isStopped) await call(async (calls) => calls.closeFiles()).catch(kill);
      freeMemory();
      if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }

    return {
      load: async () => call(async (calls) => calls.load()),
      async open(files) {
        folder = files.folder;
        freeMemory();
        freeMemory = await reserve(files.memoryMb, signal);
        try {
          await rm(folder, { recursive: true, force: true });
          await mkdir(folder, { recursive: true, mode: 0o700 });
        } catch (error) {
          throw writeError(error, files.name, 0);
        }
        await call(async (calls) => calls.openFiles(files));
        isStopped = false;
      },
      run: async (sql) => call(async (calls) => calls.run({ sql })),
      rest,
      async close() {
        if (isClosed) return;
        isClosed = true;
        await rest();
        stop();
        used.end();
      },
    };
  };
}

/**
 * Runs statements of Wellbench itself in an engine of their own, which closes after them.
 * @param files `folder` is made, and removed with what is in it
 * @throws AppError as {@link TableEngine}; those of `work`
 */
export async function withTables<T>(
  startTables: StartTableEngine,
  files: TableFiles,
  signal: AbortSignal | undefined,
  work: (run: TableEngine['run']) => Promise<T>,
): Promise<T> {
  const engine = startTables(signal);
  try {
    await engine.open(files);
    return await work(engine.run);
  } finally {
    await engine.close();
  }
}

import { mkdir, rm } from 'node:fs/promises';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { openThread } from '../../../shared/threads.ts';
import { writeError } from '../files/file-errors.ts';
import {
  startProcess,
  systemVariables,
  type ProcessPort,
  type StartProcess,
} from '../processes/start-process.ts';
import type { TableCalls, TableFiles, TableValue } from './table-calls.ts';

/** The engine that reads and writes the tables of a job, in a process of its own. */
export interface TableEngine {
  /**
   * Waits until its library is loaded.
   * @throws AppError `sql_unavailable` if this computer has none; `cancelled`
   */
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
  /** Closes the files, and removes the folder. Never fails. */
  close(): Promise<void>;
}

/** Starts the engine of a job. Its process ends at once when the signal aborts. */
export type StartTableEngine = (signal: AbortSignal | undefined) => TableEngine;

/** How long an idle process stays for the next job, in milliseconds. */
const idleMs = 10_000;

/** Starts engines in processes of a host. A process that has done its work is used again by a job that starts soon. */
export function tableEngines(start: StartProcess = startProcess): StartTableEngine {
  const idle = new Set<TableProcess>();
  return (signal) => {
    const [waiting] = idle;
    if (waiting) idle.delete(waiting);
    const used = waiting ?? startTables(start);
    used.hold();
    let folder: string | null = null;
    let isUsable = true;
    function end(): void {
      isUsable = false;
      used.end();
    }
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });

    /** A call; a process that ends fails it. */
    async function settle<T>(call: (calls: TableProcess['calls']) => Promise<T>): Promise<T> {
      try {
        return await call(used.calls);
      } catch (error) {
        if (signal?.aborted) throw new AppError('cancelled', {});
        if (!isAppError(error, 'internal')) throw error;
        isUsable = false;
        const isStopped = /process ended/.test(error.details.problem);
        throw isStopped ? new AppError('sql_unavailable', { reason: 'stopped' }, { cause: error }) : error;
      }
    }

    return {
      load: async () => settle((calls) => calls.load()),
      async open(files) {
        folder = files.folder;
        try {
          await rm(folder, { recursive: true, force: true });
          await mkdir(folder, { recursive: true, mode: 0o700 });
        } catch (error) {
          throw writeError(error, files.name, 0);
        }
        await settle((calls) => calls.open(files));
      },
      run: async (sql) => settle((calls) => calls.run({ sql })),
      async close() {
        if (isUsable)
          await settle((calls) => calls.close()).catch(() => {
            isUsable = false;
          });
        signal?.removeEventListener('abort', end);
        if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
        if (!isUsable) return used.end();
        idle.add(used);
        used.release(() => idle.delete(used));
      },
    };
  };
}

type TableProcess = ReturnType<typeof startTables>;

/** Starts a process, and ends it when it is idle. */
function startTables(start: StartProcess) {
  let port: ProcessPort | null = null;
  let timer: NodeJS.Timeout | undefined;
  const { calls, close } = openThread<TableCalls>(
    () => (port = start('tables', systemVariables(process.env))),
  );
  return {
    calls,
    /** Keeps it while a job uses it. */
    hold(): void {
      clearTimeout(timer);
      port?.setReferenced(true);
    },
    /** Ends it after a while; until then it keeps nothing running. */
    release(onEnd: () => void): void {
      port?.setReferenced(false);
      timer = setTimeout(() => {
        onEnd();
        close();
      }, idleMs).unref();
    },
    end: () => close(),
  };
}

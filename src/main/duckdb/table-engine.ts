import { mkdir, rm } from 'node:fs/promises';
import { AppError, isAppError } from '../../shared/errors/errors.ts';
import { openThread } from '../../shared/threads.ts';
import { writeError } from '../files/file-errors.ts';
import { startProcess, systemVariables, type StartProcess } from '../processes/start-process.ts';
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
  /** Ends the process, and removes its folder. Never fails. */
  close(): Promise<void>;
}

/** Starts the engine of a job. Its process ends when the signal aborts. */
export type StartTableEngine = (signal: AbortSignal | undefined) => TableEngine;

/** Starts engines in processes of a host. */
export const tableEngines =
  (start: StartProcess = startProcess): StartTableEngine =>
  (signal) => {
    let folder: string | null = null;
    const { calls, ...thread } = openThread<TableCalls>(() => start('tables', systemVariables(process.env)));
    const end = (): void => thread.close();
    signal?.addEventListener('abort', end, { once: true });

    /** A call; a process that ends fails it. */
    async function settle<T>(call: Promise<T>): Promise<T> {
      try {
        return await call;
      } catch (error) {
        if (signal?.aborted) throw new AppError('cancelled', {});
        if (isAppError(error, 'internal') && /process ended/.test(error.details.problem))
          throw new AppError('sql_unavailable', { reason: 'stopped' }, { cause: error });
        throw error;
      }
    }

    return {
      load: async () => settle(calls.load()),
      async open(files) {
        folder = files.folder;
        try {
          await rm(folder, { recursive: true, force: true });
          await mkdir(folder, { recursive: true, mode: 0o700 });
        } catch (error) {
          throw writeError(error, files.name, 0);
        }
        await settle(calls.open(files));
      },
      run: async (sql) => settle(calls.run({ sql })),
      async close() {
        signal?.removeEventListener('abort', end);
        end();
        if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      },
    };
  };

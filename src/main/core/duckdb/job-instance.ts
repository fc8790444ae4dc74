import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../../../shared/errors/errors.ts';
import { diskError } from './engine-error.ts';
import type { EngineLimits, Instance, Instances, JobKind } from './instances.ts';
import type { Interrupts } from './interrupts.ts';

/**
 * Runs statements of the application itself, which can read and write any file: each with a connection of its own, in an
 * instance that all of them share. It closes with the last one.
 */
export function createJobInstance(instances: Instances, interrupts: Interrupts, kind: JobKind) {
  let open: Promise<Instance> | null = null;
  let running = 0;

  async function release(): Promise<void> {
    running -= 1;
    if (running > 0) return;
    const last = open;
    open = null;
    (await last?.catch(() => null))?.close();
  }

  return {
    /** @throws AppError `cancelled`, `disk_full`, `internal`; those of the call */
    async run<T>(
      limits: EngineLimits,
      signal: AbortSignal,
      call: (connection: DuckDBConnection) => Promise<T>,
    ): Promise<T> {
      running += 1;
      open ??= instances.openForJobs(limits, kind);
      let connection: DuckDBConnection | null = null;
      try {
        const used = await (await open).duckdb.connect();
        connection = used;
        await used.run(`SET TimeZone = 'UTC'`);
        return await interrupts.runInterruptibly(used, signal, async () => call(used));
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        const problem = cause instanceof Error ? cause.message : String(cause);
        throw diskError(problem) ?? new AppError('internal', { problem }, { cause });
      } finally {
        connection?.closeSync();
        await release();
      }
    },
  };
}

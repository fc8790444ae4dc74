import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';

const interruptEveryMs = 50;
const checkEveryMs = 100;

/** Memory that rows may take beside the engine's limit: the engine doesn't count the values of the rows in hand. */
const maxGrowthMb = 1536;

interface Running {
  readonly connection: DuckDBConnection;
  /** Memory of the process when this call began, in bytes. */
  readonly memoryBefore: number;
  isTooLarge: boolean;
}

export type Interrupts = ReturnType<typeof createInterrupts>;

/** Interrupts the calls of connections: those that are canceled, and the last one when the process takes too much memory. */
export function createInterrupts(maxGrowth = maxGrowthMb << 20) {
  const running = new Set<Running>();
  let checks: NodeJS.Timeout | undefined;

  function checkMemory(): void {
    const last = [...running].at(-1);
    if (!last) return;
    const memory = process.memoryUsage.rss();
    if (memory - last.memoryBefore < maxGrowth) return;
    last.isTooLarge = true;
    last.connection.interrupt();
  }

  /** Runs a call of a connection. @throws AppError `cancelled`; what the call throws */
  async function runInterruptibly<T>(
    connection: DuckDBConnection,
    signal: AbortSignal,
    call: () => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) throw new AppError('cancelled', {});
    let timer: NodeJS.Timeout | undefined;
    // An interrupt that comes before the engine has begun is lost.
    const interrupt = (): void => {
      connection.interrupt();
      timer = setTimeout(interrupt, interruptEveryMs);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) throw new AppError('cancelled', {});
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
    }
  }

  return {
    runInterruptibly,
    /**
     * Runs a call of a connection whose rows may take too much memory.
     * @throws AppError `cancelled`; `invalid_input` if its rows take too much memory; what the call throws
     */
    async during<T>(connection: DuckDBConnection, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
      const entry: Running = { connection, memoryBefore: process.memoryUsage.rss(), isTooLarge: false };
      running.add(entry);
      checks ??= setInterval(checkMemory, checkEveryMs);
      try {
        return await runInterruptibly(connection, signal, call);
      } catch (error) {
        if (entry.isTooLarge && !signal.aborted)
          throw invalidInput(
            'The values of the rows are too long for the memory. Select fewer columns, or shorten values, for example with left().',
            { field: 'sql' },
          );
        throw error;
      } finally {
        running.delete(entry);
        if (running.size === 0) {
          clearInterval(checks);
          checks = undefined;
        }
      }
    },
  };
}

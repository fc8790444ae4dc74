import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../world/time.ts';

const interruptEveryMs = 50;
const checkEveryMs = 100;

/** Memory that the process may take above the engine's limit: the engine doesn't count the values of the rows in hand. */
const extraMb = 1024;
/** How often the last call is interrupted before the host is asked to end the process: one long value isn't interruptible. */
const maxInterrupts = 10;

/** The error of a statement whose values don't fit into memory. */
export const valuesTooLong = (): AppError =>
  invalidInput(
    'The values of the rows are too long for the memory. Select fewer columns, or shorten values, for example with left().',
    { field: 'sql' },
  );

/** What a call says before it settles: it takes too much memory, and can't be interrupted, so the process must end. */
export type StuckCall = 'stuck';

interface Running {
  readonly connection: DuckDBConnection;
  /** The process may take so much memory, in bytes. */
  readonly maxMemory: number;
  readonly onStuck: () => void;
  /** How often the call was interrupted because the process took too much memory. */
  interrupts: number;
}

export interface WatchedCall {
  readonly connection: DuckDBConnection;
  readonly memoryMb: number;
  readonly signal: AbortSignal;
  readonly onStuck: () => void;
}

export type Interrupts = ReturnType<typeof createInterrupts>;

/**
 * Interrupts the calls of connections: those that are canceled, and the last one when the process takes too much memory.
 * @param memoryOf the memory of this process, in bytes
 */
export function createInterrupts(memoryOf = () => process.memoryUsage.rss()) {
  const running = new Set<Running>();
  let checks: NodeJS.Timeout | undefined;

  function checkMemory(): void {
    const last = [...running].at(-1);
    if (!last || memoryOf() < last.maxMemory) return;
    last.interrupts += 1;
    last.connection.interrupt();
    if (last.interrupts === maxInterrupts) last.onStuck();
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
     * @param memoryMb the limit of the engine
     * @param onStuck the call takes too much memory, and isn't interruptible
     * @throws AppError `cancelled`; `invalid_input` if its rows take too much memory; what the call throws
     */
    async during<T>(
      { connection, memoryMb, signal, onStuck }: WatchedCall,
      call: () => Promise<T>,
    ): Promise<T> {
      // What earlier calls left isn't the fault of this one.
      const maxMemory = Math.max(memoryMb * 2 ** 20, memoryOf()) + extraMb * 2 ** 20;
      const entry: Running = { connection, maxMemory, onStuck, interrupts: 0 };
      running.add(entry);
      checks ??= setInterval(checkMemory, checkEveryMs);
      try {
        return await runInterruptibly(connection, signal, call);
      } catch (error) {
        if (entry.interrupts > 0 && !signal.aborted) throw valuesTooLong();
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

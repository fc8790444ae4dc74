import { onAbort } from '../../../shared/abort.ts';
import { AppError } from '../../../shared/errors/errors.ts';

/** Waits for memory, and takes it. @returns the function that frees it. @throws AppError `cancelled` */
export type ReserveMemory = (megabytes: number, signal: AbortSignal | undefined) => Promise<() => void>;

/** Takes nothing: there is enough. */
export const enough: ReserveMemory = async () => () => undefined;

/** The part of jobs; the rest is that of statements, which keep theirs for as long as tables are open. */
const jobShare = 1 / 3;

interface Waiting {
  readonly megabytes: number;
  readonly start: () => void;
}

/**
 * One limit for the memory of all engines of the application. Jobs wait for each other, in their order, until their part
 * has room; one that needs more than the part runs alone.
 * @param limitMb of all engines together, in megabytes
 */
export function createMemoryBudget(limitMb: () => Promise<number>) {
  let used = 0;
  let jobs = 0;
  let queue: readonly Waiting[] = [];

  function startNext(limit: number): void {
    for (let [next] = queue; next && (jobs === 0 || used + next.megabytes <= limit); [next] = queue) {
      queue = queue.slice(1);
      used += next.megabytes;
      jobs += 1;
      next.start();
    }
  }

  return {
    statementMb: async (): Promise<number> => {
      const limit = await limitMb();
      return limit - Math.floor(limit * jobShare);
    },
    async reserve(megabytes: number, signal: AbortSignal | undefined): Promise<() => void> {
      const limit = Math.floor((await limitMb()) * jobShare);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting = { megabytes, start: resolve };
      queue = [...queue, waiting];
      const stop = onAbort(signal, () => {
        if (!queue.includes(waiting)) return;
        queue = queue.filter((other) => other !== waiting);
        reject(new AppError('cancelled', {}));
        startNext(limit);
      });
      startNext(limit);
      await promise.finally(stop);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        used -= megabytes;
        jobs -= 1;
        startNext(limit);
      };
    },
  };
}

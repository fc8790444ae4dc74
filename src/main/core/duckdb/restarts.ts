import { setImmediate, setTimeout } from 'node:timers/promises';

/** How long a call that starts again runs before the next one does. */
const headStartMs = 10_000;

/**
 * Runs calls again, once, that ended with the process. One of them may have ended it, and would again: the last one to start
 * is the first to start again, and the others wait until it has ended, or has run for a while.
 */
export function createRestarts() {
  const waiting: (() => Promise<unknown>)[] = [];
  let isRunning = false;
  let stops = 0;

  async function runWaiting(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    // All calls of a process end at once.
    await setImmediate();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const headStart = new AbortController();
      const { signal } = headStart;
      await Promise.race([next(), setTimeout(headStartMs, undefined, { signal, ref: false })]);
      headStart.abort();
    }
    isRunning = false;
  }

  return {
    /** @param isStopped whether an error says that the process ended under the call */
    async run<T>(call: () => Promise<T>, isStopped: (error: unknown) => boolean): Promise<T> {
      const before = stops;
      try {
        return await call();
      } catch (error) {
        if (!isStopped(error) || stops !== before) throw error;
        const again = Promise.withResolvers<T>();
        waiting.push(async () =>
          (stops === before ? call() : Promise.reject(error)).then(again.resolve, again.reject),
        );
        void runWaiting();
        return again.promise;
      }
    },
    /** Calls that end now don't start again. */
    stop(): void {
      stops += 1;
    },
  };
}

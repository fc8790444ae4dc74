import { onAbort } from '../../shared/abort.ts';
/**
 * Sends values to any number of listeners. A slow listener gets the newest value of each key, so its queue
 * doesn't grow.
 */
interface Broadcast<T> {
  send(value: T): void;
  /** Yields the initial values, then every sent value, until the signal aborts. */
  listen(signal: AbortSignal | undefined, readInitial?: () => Promise<T[]>): AsyncGenerator<T>;
}

/**
 * @param keyOf the key of a value: a newer value replaces a pending one with the same key. Without it all
 *   values are delivered.
 */
export function createBroadcast<T>(keyOf?: (value: T) => string): Broadcast<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    send(value) {
      for (const listener of listeners) listener(value);
    },
    async *listen(signal, readInitial) {
      const pending = new Map<string | number, T>();
      let count = 0;
      let wake = (): void => undefined;
      const listener = (value: T): void => {
        const key = keyOf ? keyOf(value) : count++;
        pending.delete(key);
        pending.set(key, value);
        wake();
      };
      // Starts to listen before it reads the initial values, so no change is lost in between.
      listeners.add(listener);
      const stop = onAbort(signal, () => wake());
      try {
        for (const value of (await readInitial?.()) ?? []) yield value;
        for (;;) {
          if (signal?.aborted) return;
          const next = pending.entries().next();
          if (next.done) await new Promise<void>((resolve) => (wake = resolve));
          else {
            pending.delete(next.value[0]);
            yield next.value[1];
          }
        }
      } finally {
        listeners.delete(listener);
        stop();
      }
    },
  };
}

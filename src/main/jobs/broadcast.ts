/** Sends values to any number of listeners; a slow one gets the newest of each key instead of a growing queue. */
interface Broadcast<T> {
  send(value: T): void;
  /** What `first` gives, then all that is sent, until the signal is aborted. */
  listen(signal: AbortSignal | undefined, first?: () => Promise<T[]>): AsyncGenerator<T>;
}

/** @param keyOf values of one key replace one another while they wait; without it all are delivered. */
export function createBroadcast<T>(keyOf?: (value: T) => string): Broadcast<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    send(value) {
      for (const listener of listeners) listener(value);
    },
    async *listen(signal, first) {
      const waiting = new Map<string | number, T>();
      let count = 0;
      let wake = (): void => undefined;
      const listener = (value: T): void => {
        const key = keyOf ? keyOf(value) : count++;
        waiting.delete(key);
        waiting.set(key, value);
        wake();
      };
      const onAbort = (): void => wake();
      // Listening begins before the first values are read, so that no change falls between.
      listeners.add(listener);
      signal?.addEventListener('abort', onAbort);
      try {
        for (const value of (await first?.()) ?? []) yield value;
        for (;;) {
          if (signal?.aborted) return;
          const next = waiting.entries().next();
          if (next.done) await new Promise<void>((resolve) => (wake = resolve));
          else {
            waiting.delete(next.value[0]);
            yield next.value[1];
          }
        }
      } finally {
        listeners.delete(listener);
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}

export const pageStatus = {
  hidden: (): boolean => document.hidden,
  online: (): boolean => navigator.onLine,
  /** Calls back when one of them may have changed. Returns a function that stops. */
  watch(changed: () => void): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener('visibilitychange', changed, { signal });
    addEventListener('online', changed, { signal });
    addEventListener('offline', changed, { signal });
    return () => stop.abort();
  },
};

export type PageStatus = typeof pageStatus;

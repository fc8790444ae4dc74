/** Whether the window is visible and the computer is online. */
export interface PageStatus {
  readonly hidden: () => boolean;
  readonly online: () => boolean;
  /** Calls back when one of them may have changed. Returns a function that stops. */
  readonly watch: (changed: () => void) => () => void;
}

export const pageStatus: PageStatus = {
  hidden: () => document.hidden,
  online: () => navigator.onLine,
  watch(changed) {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener('visibilitychange', changed, { signal });
    addEventListener('online', changed, { signal });
    addEventListener('offline', changed, { signal });
    return () => stop.abort();
  },
};

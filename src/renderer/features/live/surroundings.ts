import type { Surroundings } from './live-tab.ts';

/** Those of this page. */
export const pageSurroundings: Surroundings = {
  hidden: () => document.hidden,
  online: () => navigator.onLine,
  watch(changed) {
    document.addEventListener('visibilitychange', changed);
    addEventListener('online', changed);
    addEventListener('offline', changed);
    return () => {
      document.removeEventListener('visibilitychange', changed);
      removeEventListener('online', changed);
      removeEventListener('offline', changed);
    };
  },
};

import type { PageStatus } from './live-tab.ts';

/** The status of this page. */
export const pageStatus: PageStatus = {
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

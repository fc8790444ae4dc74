import type { UploadEntry } from '../ledger/entries.ts';

/** Where answers come sooner than this, in milliseconds, more requests at a time only wait for one another. */
const near = 20;
/** So many at a time keep a service that is near at work. */
const enoughWhenNear = 4;

/** How many parts may be under way at a time. */
export interface SendingWindow {
  readonly size: number;
  note(entry: UploadEntry): void;
  /** An answer took so many milliseconds. */
  noteAnswer(ms: number): void;
}

/**
 * One until the first is answered, then twice as many with each answer, half as many after a 429. Above four only where
 * the link is long: there, most of the time of a request is spent on the way.
 */
export function createWindow(most: number): SendingWindow {
  let size = 1;
  let quickest = Infinity;
  return {
    get size() {
      return quickest < near ? Math.min(size, enoughWhenNear) : size;
    },
    note(entry) {
      if (entry.kind === 'acked') size = Math.min(most, size * 2);
      else if (entry.kind === 'returned' && entry.why === '429') size = Math.max(1, Math.floor(size / 2));
    },
    noteAnswer: (ms) => (quickest = Math.min(quickest, ms)),
  };
}

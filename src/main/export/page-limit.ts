/** Bytes that a page should have at most: large enough for the link, small enough for the memory. */
const wantedBytes = 8_000_000;
const limits = { min: 10, max: 10_000 };
/** Records of a full page from which on a shorter one says something about the service. */
const telling = 1000;

/** What came of a request for a page. */
export interface PageSize {
  readonly asked: number;
  readonly records: number;
  readonly bytes: number;
}

/** How many records to ask for at a time: by the size of the records seen, and less when answers take too long. */
export interface PageLimit {
  readonly current: number;
  /** How many records a page of that many will have, as far as is known: a service may return fewer than asked. */
  readonly expected: number;
  /** Takes note of an answer. */
  record(page: PageSize): void;
  /** Asks for half as many from now on as an answer that took too long was asked for; false when that is too few. */
  halve(asked: number): boolean;
  /**
   * No record can follow an answer with fewer records than this. 0 unless the service has returned a full page that had
   * twice the bytes: until then it may be the service that ends pages early.
   */
  endsBelow(answer: Pick<PageSize, 'asked' | 'bytes'>): number;
}

/** Starts with full pages: most datasets have small records. */
export function createPageLimit(): PageLimit {
  let current = limits.max;
  let ceiling = limits.max;
  /** Records that the service returns at most. */
  let cap = limits.max;
  let fullPageBytes = 0;
  return {
    get current() {
      return current;
    },
    get expected() {
      return Math.min(current, cap);
    },
    record({ asked, records, bytes }) {
      if (records === 0) return;
      const isFull = records === asked;
      if (isFull && records >= telling) fullPageBytes = Math.max(fullPageBytes, bytes);
      const fitting = Math.floor((wantedBytes * records) / Math.max(1, bytes));
      cap = isFull ? Math.max(cap, records) : records;
      current = Math.max(limits.min, Math.min(fitting, current * 4, ceiling));
    },
    halve(asked) {
      if (asked <= limits.min) return false;
      // Several answers can be late at once; each of them is a reason to halve once.
      if (asked > current) return true;
      ceiling = Math.max(limits.min, Math.floor(asked / 2));
      current = ceiling;
      return true;
    },
    endsBelow: ({ asked, bytes }) => (bytes * 2 <= fullPageBytes ? asked : 0),
  };
}

/** Bytes that a page should have: large enough for the link, small enough for the memory. */
const wanted = 2_000_000;
const limits = { first: 1000, least: 10, most: 10_000 };

/** How many records to ask for at a time: by the size of the records seen, and less when answers take too long. */
export interface PageLimit {
  readonly current: number;
  /** Takes note of an answer. */
  saw(records: number, bytes: number): void;
  /** Asks for half as many from now on as an answer that took too long was asked for; false when that is too few. */
  halve(asked: number): boolean;
}

export function createPageLimit(): PageLimit {
  let current = limits.first;
  let ceiling = limits.most;
  return {
    get current() {
      return current;
    },
    saw(records, bytes) {
      if (records === 0) return;
      const fitting = Math.floor((wanted * records) / Math.max(1, bytes));
      current = Math.max(limits.least, Math.min(fitting, current * 4, ceiling));
    },
    halve(asked) {
      if (asked <= limits.least) return false;
      // Several answers can be late at once; each of them is a reason to halve once.
      if (asked > current) return true;
      ceiling = Math.max(limits.least, Math.floor(asked / 2));
      current = ceiling;
      return true;
    },
  };
}

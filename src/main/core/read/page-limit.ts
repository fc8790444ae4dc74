/** Target size of a page, in bytes: large enough for the link, small enough for memory. */
const targetBytes = 8_000_000;
const limits = { min: 10, max: 10_000 };
/** A full page needs at least this many records to serve as evidence of the service's page size. */
const minTellingRecords = 1000;

/** The result of a request for a page. */
export interface PageSize {
  readonly requested: number;
  readonly records: number;
  readonly bytes: number;
}

/** The number of records to request, by the size of earlier records; less after timeouts. */
export type PageLimit = ReturnType<typeof createPageLimit>;

/** Creates a page limit, starting with full pages: most datasets have small records. */
export function createPageLimit() {
  let current = limits.max;
  let ceiling = limits.max;
  /** Maximum number of records that the service returns. */
  let cap = limits.max;
  let fullPageBytes = 0;
  return {
    get current(): number {
      return current;
    },
    /** Expected number of records in a page: a service may return fewer than requested. */
    get expected(): number {
      return Math.min(current, cap);
    },
    /** Records the result of a request. */
    record({ requested, records, bytes }: PageSize): void {
      if (records === 0) return;
      const isFull = records === requested;
      if (isFull && records >= minTellingRecords) fullPageBytes = Math.max(fullPageBytes, bytes);
      const fittingRecords = Math.floor((targetBytes * records) / Math.max(1, bytes));
      cap = isFull ? Math.max(cap, records) : records;
      current = Math.max(limits.min, Math.min(fittingRecords, current * 4, ceiling));
    },
    /**
     * Halves the limit after a timeout.
     * @param requested the limit of the request that timed out
     * @returns false if the limit is at its minimum
     */
    halve(requested: number): boolean {
      if (requested <= limits.min) return false;
      // Several requests can time out at once; together they halve the limit once.
      if (requested > current) return true;
      ceiling = Math.max(limits.min, Math.floor(requested / 2));
      current = ceiling;
      return true;
    },
    /**
     * A page with fewer records than this is the last one. 0 until the service has returned a full page of at
     * least twice the bytes: before that, the service itself may cut pages.
     */
    endsBelow: ({ requested, bytes }: Pick<PageSize, 'requested' | 'bytes'>): number =>
      bytes * 2 <= fullPageBytes ? requested : 0,
  };
}

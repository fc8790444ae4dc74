import { type AppError, isAppError } from '../../../shared/errors/errors.ts';
import type { CallOptions } from '../wire/services/services.ts';

/** Target size of a page, in bytes: large enough for the link, small enough for memory. */
const targetBytes = 8_000_000;
/** Pages that can be halved are abandoned beyond this size, in bytes, as are concurrent pages of more together. */
const maxBytes = 64_000_000;
/**
 * Records of a page. `first`: the size of records isn't known yet. `wanted`: pages overlap, so those of fewer records
 * read many of them twice.
 */
const limits = { min: 2, wanted: 4, first: 100, max: 10_000 };
/** A full page needs at least this many records to serve as evidence of the service's page size. */
const minTellingRecords = 1000;
/** Number of good pages after which a size that was halved is doubled; twice as many when that fails. */
const goodPages = { min: 8, max: 1024 };

/** Whether a response may arrive if fewer records are requested: it took too long, was cut off, or is too large. */
export const mayFitInHalf = (error: unknown): boolean =>
  isAppError(error, 'timed_out') ||
  ((isAppError(error, 'unreachable') || isAppError(error, 'bad_answer')) &&
    error.details.partial !== undefined) ||
  (isAppError(error, 'service_failed') && error.details.status === 504);

/** Options of a request that is halved instead of retried, if it has enough records. */
export const halvable = (limit: number): Pick<CallOptions, 'isFinal' | 'maxBytes'> =>
  limit > limits.min ? { isFinal: (error: AppError) => mayFitInHalf(error), maxBytes } : {};

/** The result of a request for a page. */
export interface PageSize {
  readonly requested: number;
  readonly records: number;
  readonly bytes: number;
}

/** The number of records to request, by the size of earlier records; fewer where responses don't arrive. */
export type PageLimit = ReturnType<typeof createPageLimit>;

/**
 * Creates a page limit.
 * @param known the size that an earlier read ended with; absent: the first page is small, because of large records
 */
export function createPageLimit(known?: number) {
  let current = Math.max(limits.min, known ?? limits.first);
  let ceiling = known === undefined ? limits.max : current;
  let pagesAtCeiling = 0;
  // Until a size fails, each good page doubles it.
  let pagesToGrow = 1;
  let hasGrown = false;
  /** Maximum number of records that the service returns. */
  let cap = limits.max;
  let fullPageBytes = 0;
  let recordBytes = 0;
  return {
    get current(): number {
      return current;
    },
    /** Expected number of records in a page: a service may return fewer than requested. */
    get expected(): number {
      return Math.min(current, cap);
    },
    /** Maximum number of concurrent requests, so that memory is bounded. */
    get concurrency(): number {
      return Math.max(1, Math.floor(maxBytes / Math.max(1, recordBytes * Math.min(current, cap))));
    },
    /** Records the result of a request. */
    record({ requested, records, bytes }: PageSize): void {
      if (records === 0) return;
      recordBytes = bytes / records;
      const isFull = records === requested;
      if (isFull && records >= minTellingRecords) fullPageBytes = Math.max(fullPageBytes, bytes);
      const fittingRecords = Math.floor((targetBytes * records) / Math.max(1, bytes));
      cap = isFull ? Math.max(cap, records) : records;
      if (requested >= ceiling) pagesAtCeiling += 1;
      if (pagesAtCeiling >= pagesToGrow) {
        ceiling = Math.min(limits.max, ceiling * 2);
        pagesAtCeiling = 0;
        hasGrown = true;
      }
      current = Math.max(limits.min, Math.min(Math.max(limits.wanted, fittingRecords), ceiling));
    },
    /**
     * Halves the limit after a response that didn't arrive.
     * @param requested the limit of the request
     * @param error one that {@link mayFitInHalf}
     * @returns false if the limit is at its minimum
     */
    halve(requested: number, error: unknown): boolean {
      if (requested <= limits.min) return false;
      // Several requests can fail at once; together they halve the limit once.
      if (requested > current) return true;
      const isTooLarge = isAppError(error, 'bad_answer') && error.details.partial === 'too_large';
      const parts = isTooLarge ? maxBytes / targetBytes : 2;
      ceiling = Math.max(limits.min, Math.floor(requested / parts));
      current = ceiling;
      pagesAtCeiling = 0;
      pagesToGrow = Math.max(
        goodPages.min,
        Math.min(goodPages.max, hasGrown ? pagesToGrow * 2 : pagesToGrow),
      );
      hasGrown = false;
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

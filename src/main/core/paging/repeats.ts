import { AppError } from '../../../shared/errors/errors.ts';

/** Maximum number of consecutive pages without a new record, beyond what was read before. */
const maxPagesWithoutNew = 50;
/** Maximum number of repeated records, for each new one and at the start: pages overlap, and are read again after deletions. */
const maxRepeats = { forEach: 20, atStart: 10_000 } as const;

/** What a page brought. */
interface PageRecords {
  readonly records: number;
  /** Number of its records that are new. */
  readonly added: number;
  /** Whether it was requested where records were read before. */
  readonly isReread: boolean;
}

/**
 * Ends a read whose pages bring no new records, or hardly any, whatever is requested. Every loop over pages needs it:
 * services are behind proxies that cache.
 * @param recordsBefore number of records that were read before
 * @returns call it with each page; throws AppError `bad_answer`
 */
export function createRepeatCheck(recordsBefore = 0): (page: PageRecords) => void {
  let read = recordsBefore;
  let received = recordsBefore;
  let pagesWithoutNew = 0;
  return ({ records, added, isReread }) => {
    read += added;
    received += records;
    if (added > 0) pagesWithoutNew = 0;
    else if (!isReread) pagesWithoutNew += 1;
    const maxReceived = maxRepeats.forEach * read + maxRepeats.atStart;
    if (pagesWithoutNew <= maxPagesWithoutNew && received <= maxReceived) return;
    throw new AppError('bad_answer', {
      service: 'data',
      problem:
        'its pages repeat records instead of continuing, as from a proxy that caches without the query of an address, or a service that ignores the order',
    });
  };
}

/** Maximum number of records of a read whose count was this; if more come, they are counted again. */
export const maxRecordsFor = (counted: number): number => 2 * counted + 1000;

import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { bounded } from '../mongo/bounds.ts';
import { invalid } from '../problem.ts';

/** Maximum number of records that one request may examine. */
export const maxRecords = 50_000_000;
const sliceMs = 20;
const recordsBetweenChecks = 512;
const maxHeapShare = 0.8;

/** @throws Problem 422 if nearly all memory is in use */
export function checkMemory(): void {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  if (used > most * maxHeapShare) throw invalid('stopped: it takes more memory than there is; ask for less');
}

/**
 * A long-running request: it runs in slices, so that other requests are served in between, and ends when the client
 * disconnects or a limit of records, memory, or time is exceeded.
 */
export class Work {
  #examined = 0;
  readonly #isCanceled: () => boolean;

  constructor(isCanceled: () => boolean = () => false) {
    this.#isCanceled = isCanceled;
  }

  /** Counts examined records. @throws Problem 422 if there are too many */
  countRecords(records = 1): void {
    this.#examined += records;
    if (this.#examined > maxRecords)
      throw invalid(`stopped: it looked at more than ${maxRecords} records; ask for less`);
  }

  /**
   * Calls `step` until it returns false.
   * @param isBounded whether a step may run endlessly; guarding costs more than most reads
   */
  async repeat(step: () => boolean, isBounded: boolean): Promise<void> {
    for (let more = true; more;) {
      more = isBounded ? bounded(() => slice(step)) : slice(step);
      if (this.#isCanceled()) throw new Error('the client has gone');
      checkMemory();
      if (more) await nextTurn();
    }
  }
}

function slice(step: () => boolean): boolean {
  const end = performance.now() + sliceMs;
  do {
    for (let i = 0; i < recordsBetweenChecks; i += 1) if (!step()) return false;
  } while (performance.now() < end);
  return true;
}

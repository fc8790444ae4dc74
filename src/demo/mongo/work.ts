import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import * as vm from 'node:vm';
import { invalid } from '../service.ts';

/** Maximum number of records that one request may examine. */
export const maxRecords = 50_000_000;
const sliceMs = 20;
const recordsBetweenChecks = 512;
const maxHeapShare = 0.8;

/** Limits of a single request. Only tests change them. */
export const limits = {
  /** Maximum time that work may block the service, in milliseconds. */
  workMs: 5_000,
};

/** @throws Problem 422 if nearly all memory is in use */
export function checkMemory(): void {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  if (used > most * maxHeapShare) throw invalid('stopped: it takes more memory than there is; ask for less');
}

// A script can be interrupted where a plain call can't, for example an endlessly backtracking pattern or a product of
// arrays.
const sandbox: { work: () => void } = { work: () => undefined };
const context = vm.createContext(sandbox);
const script = new vm.Script('work()');

/**
 * Runs synchronous work that depends on an untrusted query, and stops it if it takes too long.
 * @throws Problem 422 if it was stopped
 */
export function bounded<T>(work: () => T, timeout = limits.workMs): T {
  let result: { value: T } | undefined;
  sandbox.work = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout });
  } catch (error) {
    // The error comes from the script's own realm, so `instanceof Error` is false for it.
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw invalid(`stopped: it ran for more than ${timeout / 1000} s; ask for less`);
  } finally {
    sandbox.work = () => undefined;
  }
  if (!result) throw new Error('the work gave nothing');
  return result.value;
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

import type { AppError } from '../../shared/errors/errors.ts';
import type { Services } from '../services/services.ts';

/** Waits for another login after a refusal, unless the signal aborts. */
export type LoginWait = (error: AppError, signal?: AbortSignal) => Promise<void>;

export interface LoginWaitOptions {
  /** Absent: nobody can give another key or login here. */
  readonly until: Services['untilAuthenticated'];
  /** Of the job. */
  readonly signal: AbortSignal;
  /** Told what is waited for; null: nothing any more. */
  readonly onChange: (error: AppError | null) => void;
}

/** A wait that is over sooner than this, in milliseconds, was none: nobody has given anything. */
const noWaitMs = 50;
/** So many in a row, and the credential is good in one place and refused in another: only a person can tell why. */
const mostInVain = 10;

/**
 * How the requests of one job wait until another key or login is given to their connection.
 * @throws (from what it gives) the error itself where waiting is of no use; `cancelled`
 */
export function createLoginWait({ until, signal, onChange }: LoginWaitOptions): LoginWait {
  let waiting = 0;
  let inVain = 0;
  return async (error, own) => {
    if (!until || inVain >= mostInVain) throw error;
    const began = performance.now();
    waiting += 1;
    onChange(error);
    try {
      await until(own ? AbortSignal.any([signal, own]) : signal);
    } finally {
      waiting -= 1;
      if (waiting === 0) onChange(null);
    }
    inVain = performance.now() - began < noWaitMs ? inVain + 1 : 0;
  };
}

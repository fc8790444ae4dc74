import { isAppError, type AppError } from '../../shared/errors.ts';
import type { CallOptions, Services } from '../services/services.ts';

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

/**
 * Services whose reads, as far as jobs use them, wait for a login and ask again. Inserts don't: first it is to be noted
 * that nothing was stored.
 */
export function patient(services: Services, wait: LoginWait): Services {
  const { data, platform } = services;
  async function patiently<T>(ask: () => Promise<T>, options: CallOptions | undefined): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isAppError(error, 'not_authenticated')) throw error;
        await wait(error, options?.signal);
      }
    }
  }
  return {
    ...services,
    data: {
      ...data,
      find: (address, find, options) => patiently(() => data.find(address, find, options), options),
      findUnread: (address, find, options) =>
        patiently(() => data.findUnread(address, find, options), options),
      count: (address, query, options) => patiently(() => data.count(address, query, options), options),
      aggregate: (address, asked, options) =>
        patiently(() => data.aggregate(address, asked, options), options),
      pipeline: (address, stages, options) =>
        patiently(() => data.pipeline(address, stages, options), options),
      dataset: (address, options) => patiently(() => data.dataset(address, options), options),
    },
    platform: {
      ...platform,
      list: (resource, filter, options) => patiently(() => platform.list(resource, filter, options), options),
      get: (resource, id, options) => patiently(() => platform.get(resource, id, options), options),
    },
  };
}

import { AppError } from '../../shared/errors/errors.ts';

/** What the promise gives, unless the signal is aborted before. @throws AppError `cancelled` then */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(new AppError('cancelled', {}));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Where it lost the race, what becomes of it is nobody's.
    promise.catch(() => undefined);
    aborted.promise.catch(() => undefined);
  }
}

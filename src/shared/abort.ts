import { AppError } from './errors/errors.ts';

/** Calls a function when a signal aborts, at once if it has aborted. @returns a function that ends this */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
  return () => signal?.removeEventListener('abort', act);
}

/** Resolves when a signal aborts. */
export const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => onAbort(signal, resolve));

/**
 * The value of a promise. An abort ends only the wait: the promise can have others that wait for it.
 * @throws AppError `cancelled` if the signal aborts first; what the promise rejects with
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  // A rejection after the abort still needs a handler.
  promise.catch(() => undefined);
  const abortion = Promise.withResolvers<never>();
  const stop = onAbort(signal, () => abortion.reject(new AppError('cancelled', {})));
  try {
    return await Promise.race([abortion.promise, promise]);
  } finally {
    stop();
  }
}

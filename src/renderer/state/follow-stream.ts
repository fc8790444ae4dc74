interface FollowStreamOptions {
  readonly signal: AbortSignal;
  /** The delay before a stream is reopened, in milliseconds. */
  retryDelayMs?: number;
  /** Called each time that the stream breaks or can't be opened. */
  onError?: (error: unknown) => void;
}

/** Listens to an event stream until the signal aborts. A stream that ends or breaks is reopened. Never rejects. */
export async function followStream<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  listen: (event: T) => void,
  { signal, retryDelayMs = 500, onError }: FollowStreamOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of await open(signal)) listen(event);
    } catch (error) {
      // The link's own state informs the user; here it is enough to reopen the stream.
      onError?.(error);
    }
    await delay(retryDelayMs, signal);
  }
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

/** Returns a function that cancels the call. */
export const scheduleTimeout = (ms: number, act: () => void): (() => void) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

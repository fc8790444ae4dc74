export interface FollowOptions {
  readonly signal: AbortSignal;
  /** The wait before a stream that ended is opened again, in milliseconds. */
  againMs?: number;
  /** Told each time that it breaks, or can't be opened. */
  broken?: (error: unknown) => void;
}

/**
 * Listens to an event stream for as long as the signal allows: one that ends or breaks, as when the link is lost, is
 * opened again. Never rejects.
 */
export async function follow<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  listen: (event: T) => void,
  { signal, againMs = 500, broken }: FollowOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of await open(signal)) listen(event);
    } catch (error) {
      // The link's own state tells the person; here it is enough to listen again.
      broken?.(error);
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

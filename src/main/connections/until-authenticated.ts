import type { ReplaceableCredential } from '../services/replaceable.ts';

export interface LookAgain {
  /** Brings what is known of connections up to what is on disk, a login that another process was given among it. */
  readonly look: () => Promise<void>;
  readonly everyMs: number;
}

/**
 * Resolves when another key or login is given to a connection, here or in another process.
 * @throws AppError `cancelled` as soon as the signal aborts
 */
export async function untilAuthenticated(
  credential: Pick<ReplaceableCredential, 'replaced'>,
  { look, everyMs }: LookAgain,
  signal: AbortSignal | undefined,
): Promise<void> {
  // What stands in the way of looking now may be gone the next time.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  try {
    await credential.replaced(signal);
  } finally {
    clearInterval(timer);
  }
}

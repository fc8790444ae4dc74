/** How waits between tries grow. */
export interface Backoff {
  /** The longest first wait, in milliseconds; each further one is at most twice the one before. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * The longest wait after a try failed, in milliseconds.
 * @param failures in a row, from 1
 */
export const longestWait = ({ firstMs, longestMs }: Backoff, failures: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));

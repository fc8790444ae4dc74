import { setImmediate, setTimeout as wait } from 'node:timers/promises';

/** The computer's clock in Unix milliseconds, which a person or the network can change. */
export const wallMs = (): number => Date.now();

/** Milliseconds of a clock that only goes forward, for durations. */
export const elapsedMs = (): number => performance.now();

type Timer = NodeJS.Timeout | undefined;

// They are looked up with each call, so that a test can replace them.

/** As that of Node. */
export const setTimeout = <A extends unknown[]>(
  run: (...args: A) => void,
  ms?: number,
  ...args: A
): NodeJS.Timeout => globalThis.setTimeout(run, ms, ...args);
/** As that of Node. */
export const setInterval = (run: () => void, ms?: number): NodeJS.Timeout => globalThis.setInterval(run, ms);
/** As that of Node. */
export const clearTimeout = (timer: Timer): void => globalThis.clearTimeout(timer);
/** As that of Node. */
export const clearInterval = (timer: Timer): void => globalThis.clearInterval(timer);

/**
 * Waits some milliseconds.
 * @param ref whether the wait keeps the process running; default: it does
 * @throws AbortError when the signal aborts
 */
export const sleep = (
  ms: number,
  options: { readonly signal?: AbortSignal; readonly ref?: boolean } = {},
): Promise<void> => wait(ms, undefined, options);

/** Lets other work of this thread run. */
export const nextTurn = (): Promise<void> => setImmediate();

import { setImmediate, setTimeout as wait } from 'node:timers/promises';

/** The computer's clock in Unix milliseconds, which a person or the network can change. */
export const wallMs = (): number => Date.now();

/** Milliseconds of a clock that only goes forward, for durations. */
export const elapsedMs = (): number => performance.now();

/** Timers, as those of Node. */
export const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;

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

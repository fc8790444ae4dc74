import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/** The time, read from a clock at an interval while `isRunning`. */
export function useNow(clock: () => number, intervalMs: number, isRunning: boolean): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(clock()), intervalMs);
    return () => clearInterval(timer);
  }, [clock, intervalMs, isRunning]);
  return now;
}

export const monotonicClock = (): number => performance.now();

const tickMs = 1000;

/** A clock that ticks once a second while it has subscribers. @param now Unix milliseconds */
export function createTicks(now: () => number) {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  return {
    /** The time in Unix milliseconds, rounded down to a step. */
    at: (stepMs: number): number => now() - (now() % stepMs),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      timer ??= setInterval(() => {
        for (const notify of listeners) notify();
      }, tickMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

const ticks = createTicks(() => Date.now());

/**
 * The time of day in Unix milliseconds, rounded down to a step, for relative times such as “3 minutes ago”.
 * The component renders again with each step.
 */
export const useTimeOfDay = (stepMs: number): number =>
  useSyncExternalStore(
    ticks.subscribe,
    useCallback(() => ticks.at(stepMs), [stepMs]),
  );

/** The step of relative times after the first minute. */
export const minuteMs = 60_000;

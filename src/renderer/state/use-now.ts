import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/** The time, read from a clock every so many milliseconds while `running`, to show what passes. */
export function useNow(clock: () => number, everyMs: number, running: boolean): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(clock()), everyMs);
    return () => clearInterval(timer);
  }, [clock, everyMs, running]);
  return now;
}

/** Milliseconds of a clock that never goes back. */
export const steadyClock = (): number => performance.now();

const tickMs = 1000;

/** A clock that ticks once a second while anybody listens. @param now Unix milliseconds */
export function createTicks(now: () => number) {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  return {
    /** The time in Unix milliseconds, rounded down to a step. */
    at: (stepMs: number): number => now() - (now() % stepMs),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      timer ??= setInterval(() => {
        for (const tell of listeners) tell();
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
 * The time of day in Unix milliseconds by the one clock of the window, rounded down to a step, for times such as “3
 * minutes ago”: what shows it is drawn again with each step.
 */
export const useTimeOfDay = (stepMs: number): number =>
  useSyncExternalStore(
    ticks.subscribe,
    useCallback(() => ticks.at(stepMs), [stepMs]),
  );

/** A step that relative times change with, from the first minute on. */
export const minuteMs = 60_000;

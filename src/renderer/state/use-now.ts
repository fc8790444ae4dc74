import { useEffect, useState } from 'react';

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

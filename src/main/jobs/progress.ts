import type { JobProgress } from '../../shared/jobs/jobs.ts';
import { createRateMeter } from './rate.ts';

export type Reported = Partial<Omit<JobProgress, 'rate' | 'secondsLeft'>>;

/** Turns what an engine reports into progress with a rate (rows a second) and the time left (seconds). */
export interface ProgressMeter {
  report(reported: Reported): void;
  /** The job waits: what passes until it goes on is no part of its rate. */
  hold(): void;
  read(): JobProgress;
}

export const noProgress: JobProgress = {
  rows: 0,
  totalRows: null,
  bytes: 0,
  rate: 0,
  secondsLeft: null,
  nextTryMs: null,
};

export function createProgressMeter(
  from: JobProgress,
  now: () => number = () => performance.now(),
): ProgressMeter {
  let current: JobProgress = { ...from, rate: 0, secondsLeft: null, nextTryMs: null };
  const meter = createRateMeter(from.rows, now);
  let nextTryAt: number | null = null;
  return {
    report(reported) {
      current = { ...current, ...reported };
      if (reported.nextTryMs !== undefined)
        nextTryAt = reported.nextTryMs === null ? null : now() + reported.nextTryMs;
      meter.reached(current.rows);
    },
    hold: () => meter.forget(),
    read() {
      const rate = meter.rate();
      const left = current.totalRows === null ? null : Math.max(0, current.totalRows - current.rows);
      // From now on, not from when it was reported: who is told later has less to wait.
      const nextTryMs = nextTryAt === null ? null : Math.max(0, nextTryAt - now());
      return { ...current, nextTryMs, rate, secondsLeft: left === null || rate === 0 ? null : left / rate };
    },
  };
}

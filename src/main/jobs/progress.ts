import type { JobProgress } from '../../shared/jobs.ts';

/** Over how long a rate is taken, in milliseconds: long enough to be calm, short enough to follow the link. */
const window = 10_000;

export type Reported = Partial<Omit<JobProgress, 'rate' | 'secondsLeft'>>;

/** Turns what an engine reports into progress with a rate (rows a second) and the time left (seconds). */
export interface ProgressMeter {
  report(reported: Reported): void;
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
  let samples: { at: number; rows: number }[] = [{ at: now(), rows: from.rows }];
  let nextTryAt: number | null = null;
  return {
    report(reported) {
      current = { ...current, ...reported };
      const at = now();
      if (reported.nextTryMs !== undefined)
        nextTryAt = reported.nextTryMs === null ? null : at + reported.nextTryMs;
      const newest = samples.at(-1);
      if (newest && at - newest.at < 200) return;
      samples = [...samples.filter((sample) => at - sample.at <= window), { at, rows: current.rows }];
    },
    read() {
      const oldest = samples[0];
      const seconds = oldest ? (now() - oldest.at) / 1000 : 0;
      const rate = oldest && seconds > 0 ? Math.max(0, (current.rows - oldest.rows) / seconds) : 0;
      const left = current.totalRows === null ? null : Math.max(0, current.totalRows - current.rows);
      // From now on, not from when it was reported: who is told later has less to wait.
      const nextTryMs = nextTryAt === null ? null : Math.max(0, nextTryAt - now());
      return { ...current, nextTryMs, rate, secondsLeft: left === null || rate === 0 ? null : left / rate };
    },
  };
}

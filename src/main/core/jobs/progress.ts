import type { JobProgress } from '../../../shared/jobs/jobs.ts';
import { elapsedMs } from '../../world/time.ts';

export type ProgressReport = Partial<Omit<JobProgress, 'rate' | 'secondsLeft'>>;

export const noProgress: JobProgress = {
  rows: 0,
  totalRows: null,
  bytes: 0,
  rate: 0,
  secondsLeft: null,
  nextTryMs: null,
};

/**
 * Computes the rate (rows per second) and the time left (seconds) from the reports of an engine.
 * @param now monotonic time in milliseconds
 */
export function createProgressMeter(from: JobProgress, now = elapsedMs) {
  let current: JobProgress = { ...from, rate: 0, secondsLeft: null, nextTryMs: null };
  const meter = createRateMeter(from.rows, now);
  let nextTryAt: number | null = null;
  return {
    report(reported: ProgressReport): void {
      current = { ...current, ...reported };
      if (reported.nextTryMs !== undefined)
        nextTryAt = reported.nextTryMs === null ? null : now() + reported.nextTryMs;
      meter.add(current.rows);
    },
    /** The job waits; the time until it resumes doesn't count. */
    resetRate: () => meter.reset(),
    read(): JobProgress {
      const rate = meter.rate();
      const rowsLeft = current.totalRows === null ? null : Math.max(0, current.totalRows - current.rows);
      // Relative to now, not to the time of the report.
      const nextTryMs = nextTryAt === null ? null : Math.max(0, nextTryAt - now());
      return {
        ...current,
        nextTryMs,
        rate,
        secondsLeft: rowsLeft === null || rate === 0 ? null : rowsLeft / rate,
      };
    },
  };
}

/** The time window of a rate, in milliseconds: long enough to be stable, short enough to follow the link. */
const windowMs = 10_000;
/** The minimum sample of a rate: number of steps, and milliseconds. Earlier it would be a guess. */
const minSample = { steps: 3, ms: 2000 };
/** Steps closer together than this, in milliseconds, are merged. */
const mergeMs = 200;

interface Step {
  readonly at: number;
  readonly rows: number;
}

/**
 * Measures how fast rows are settled: between steps, because rows arrive in batches and pages: the time before the first step is setup,
 * and the time after the last one counts only when the next step is overdue.
 * @param from rows settled before
 * @param now monotonic time in milliseconds
 */
function createRateMeter(from: number, now: () => number) {
  let steps: readonly Step[] = [];
  let rows = from;
  return {
    add(settledRows: number): void {
      if (settledRows === rows) return;
      rows = settledRows;
      const at = now();
      const last = steps.at(-1);
      if (last && at - last.at < mergeMs) return;
      const extended = [...steps, { at, rows }];
      // If steps are far apart, the window extends to the minimum sample.
      const firstIndex = extended.findIndex(
        (step, index) => at - step.at <= windowMs || extended.length - index <= minSample.steps,
      );
      steps = extended.slice(firstIndex);
    },
    reset(): void {
      steps = [];
    },
    /** Rows per second; 0 while the sample is too small. */
    rate(): number {
      const [first] = steps;
      const last = steps.at(-1);
      if (!first || !last || steps.length < minSample.steps || last.at - first.at < minSample.ms) return 0;
      const spanMs = last.at - first.at;
      const overdueMs = Math.max(0, now() - last.at - spanMs / (steps.length - 1));
      return Math.max(0, ((last.rows - first.rows) * 1000) / (spanMs + overdueMs));
    },
  };
}

import type { JobProgress } from '../../shared/jobs/jobs.ts';

export type Reported = Partial<Omit<JobProgress, 'rate' | 'secondsLeft'>>;

/** Turns what an engine reports into progress with a rate (rows a second) and the time left (seconds). */
interface ProgressMeter {
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

/** Over how long a rate is taken, in milliseconds: long enough to be calm, short enough to follow the link. */
const window = 10_000;
/** A rate stands on so many steps and so long a time, in milliseconds, at least: before, it would be a guess. */
const least = { steps: 3, ms: 2000 };
/** Steps that lie closer together, in milliseconds, count as one. */
const together = 200;

/** How fast rows are settled. */
interface RateMeter {
  /** So many rows are settled now. */
  reached(rows: number): void;
  /** What was measured so far says nothing of what comes. */
  forget(): void;
  /** Rows a second; 0 until that is worth saying. */
  rate(): number;
}

interface Step {
  readonly at: number;
  readonly rows: number;
}

/**
 * Measures from one step to a later one, for rows come by batches and pages: what passes before the first says how long
 * the beginning takes, and what has passed since the last one counts only when the next is overdue.
 * @param from how many rows are settled already
 * @param now in milliseconds
 */
function createRateMeter(from: number, now: () => number): RateMeter {
  let steps: readonly Step[] = [];
  let rows = from;
  return {
    reached(reached) {
      if (reached === rows) return;
      rows = reached;
      const at = now();
      const newest = steps.at(-1);
      if (newest && at - newest.at < together) return;
      const behind = [...steps, { at, rows }];
      // Where steps are far apart, the window holds as many as a rate needs.
      const kept = behind.findIndex(
        (step, index) => at - step.at <= window || behind.length - index <= least.steps,
      );
      steps = behind.slice(kept);
    },
    forget: () => (steps = []),
    rate() {
      const [first] = steps;
      const last = steps.at(-1);
      if (!first || !last || steps.length < least.steps || last.at - first.at < least.ms) return 0;
      const span = last.at - first.at;
      const overdue = Math.max(0, now() - last.at - span / (steps.length - 1));
      return Math.max(0, ((last.rows - first.rows) * 1000) / (span + overdue));
    },
  };
}

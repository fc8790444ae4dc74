/** Over how long a rate is taken, in milliseconds: long enough to be calm, short enough to follow the link. */
const window = 10_000;
/** A rate stands on so many steps and so long a time, in milliseconds, at least: before, it would be a guess. */
const least = { steps: 3, ms: 2000 };
/** Steps that lie closer together, in milliseconds, count as one. */
const together = 200;

/** How fast rows are settled. */
export interface RateMeter {
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
export function createRateMeter(from: number, now: () => number): RateMeter {
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

import type { JobRunner } from '../../jobs/runner.ts';

export interface SleepOptions {
  /** Electron's powerMonitor. */
  readonly power: { on(event: 'suspend' | 'resume', listener: () => void): unknown };
  readonly runner: Pick<JobRunner, 'list' | 'pause' | 'resume'>;
  readonly log: (sentence: string) => void;
}

/**
 * Pauses jobs while the machine sleeps, so that no request is cut off in the middle and its outcome left unknown, and
 * goes on with them when it wakes. What a person paused stays paused.
 */
export function pauseInSleep({ power, runner, log }: SleepOptions): void {
  let paused: string[] = [];
  // One after the other: a machine that wakes at once still pauses first.
  let last = Promise.resolve();
  const next = (work: () => Promise<void>): void => {
    last = last.then(work).catch((error: unknown) => log(`Jobs and sleep: ${String(error)}`));
  };
  power.on('suspend', () =>
    next(async () => {
      for (const { id, state } of await runner.list()) {
        if (state !== 'running' || paused.includes(id)) continue;
        try {
          runner.pause(id);
          paused.push(id);
        } catch {
          // It runs in another process, which sees to it itself, or has just ended.
        }
      }
      if (paused.length > 0) log(`The machine goes to sleep; jobs paused: ${paused.length}.`);
    }),
  );
  power.on('resume', () =>
    next(async () => {
      const waiting = paused;
      paused = [];
      for (const id of waiting)
        await runner
          .resume(id)
          .catch((error: unknown) => log(`A job did not go on after sleep: ${String(error)}`));
    }),
  );
}

import type { Job } from '../../../shared/jobs/jobs.ts';
import type { JobRunner } from '../../jobs/runner.ts';

export interface Pauses {
  /** Pauses the jobs that run here, or those of them that are meant. */
  hold(why: string, isMeant?: (job: Job) => boolean | Promise<boolean>): void;
  /** Goes on with the jobs that nothing else holds. */
  letGo(why: string): void;
}

export interface PausesOptions {
  readonly runner: Pick<JobRunner, 'list' | 'pause' | 'resume'>;
  readonly log: (sentence: string) => void;
}

/**
 * Pauses jobs while the system can't carry them, so that no request is cut off in the middle and its outcome left
 * unknown. What a person paused stays paused; what several reasons hold goes on when the last of them is gone.
 */
export function createPauses({ runner, log }: PausesOptions): Pauses {
  /** Why each job of ours is paused. */
  const paused = new Map<string, Set<string>>();
  // One after the other: what is let go of at once is paused first.
  let last = Promise.resolve();
  const next = (work: () => Promise<void>): void => {
    last = last.then(work).catch((error: unknown) => log(`Jobs could not be paused: ${String(error)}`));
  };

  async function holdAll(why: string, isMeant: (job: Job) => boolean | Promise<boolean>): Promise<void> {
    for (const job of await runner.list()) {
      const whys = paused.get(job.id);
      if ((job.state !== 'running' && !whys) || !(await isMeant(job))) continue;
      try {
        if (!whys) runner.pause(job.id);
        paused.set(job.id, new Set([...(whys ?? []), why]));
      } catch {
        // It runs in another process, which sees to it itself, or has just ended.
      }
    }
    if (paused.size > 0) log(`Jobs paused: ${paused.size}, because ${why}.`);
  }

  async function letGoOf(why: string): Promise<void> {
    for (const [id, whys] of paused) {
      whys.delete(why);
      if (whys.size > 0) continue;
      paused.delete(id);
      await runner
        .resume(id)
        .catch((error: unknown) => log(`A job did not go on (${why}): ${String(error)}`));
    }
  }

  return {
    hold: (why, isMeant = () => true) => next(() => holdAll(why, isMeant)),
    letGo: (why) => next(() => letGoOf(why)),
  };
}

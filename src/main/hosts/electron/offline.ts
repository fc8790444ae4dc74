import type { Job } from '../../../shared/jobs/jobs.ts';
import type { JobRunner } from '../../jobs/runner.ts';
import type { Pauses } from './pauses.ts';

export interface OfflineOptions {
  /** Whether the system has any network (Electron's `net.isOnline`). */
  readonly isOnline: () => boolean;
  /** Whether a job's service is elsewhere: one on this machine, such as the sample workspace, needs no network. */
  readonly isElsewhere: (job: Job) => Promise<boolean>;
  readonly runner: Pick<JobRunner, 'list' | 'resume'>;
  readonly pauses: Pauses;
}

const why = 'there is no network';

/**
 * Pauses jobs while there is no network, and goes on with them at once when there is one again, also with those that
 * had lost their link by themselves and wait for their next try. Gives the function that looks; Electron's main hears
 * no event of it.
 */
export function pauseOffline({ isOnline, isElsewhere, runner, pauses }: OfflineOptions): () => void {
  let online = true;
  const tryAgain = async (): Promise<void> => {
    for (const { id, state, waitsFor } of await runner.list())
      if (state === 'waiting' && waitsFor?.for === 'link') await runner.resume(id).catch(() => undefined);
  };
  return () => {
    const now = isOnline();
    if (now === online) return;
    online = now;
    if (!now) return pauses.hold(why, isElsewhere);
    pauses.letGo(why);
    // A job that can't be looked at now looks after itself: it tries again by its own clock.
    void tryAgain().catch(() => undefined);
  };
}

import type { JobState } from '../../../shared/jobs/jobs.ts';
import type { Api } from '../../api/api.ts';
import { follow } from '../../state/follow.ts';
import { stoppable } from './job-words.ts';

/** Resolves with the state of a job once it runs and waits no more; interrupted, when nobody can tell any longer. */
export async function jobAtRest(
  events: Pick<Api['events'], 'jobs'>,
  id: string,
  signal: AbortSignal,
): Promise<JobState> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  let state: JobState = 'interrupted';
  await follow(
    () => events.jobs({}, { signal: either }),
    (job) => {
      if (job.id !== id || stoppable(job.state)) return;
      ({ state } = job);
      enough.abort();
    },
    { signal: either },
  );
  return state;
}

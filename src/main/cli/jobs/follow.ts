import type { Job } from '../../../shared/jobs/jobs.ts';
import type { Cli } from '../context.ts';
import type { Session } from '../session.ts';
import { progressInWords } from './progress.ts';

/** Tells how far a job is, until the signal is aborted. */
async function tellProgress(
  { client }: Session,
  { messages }: Cli,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  for await (const job of await client.events.jobs({}, { signal })) {
    if (signal.aborted) return;
    if (job.id === id && job.state === 'running') messages.progress(progressInWords(job.progress));
  }
}

/**
 * Stays with a job that runs in this process until it rests, telling how far it is. Ctrl-C cancels the job, so that
 * it can be resumed.
 */
export async function followJob(session: Session, cli: Cli, id: string): Promise<Job> {
  const told = new AbortController();
  const cancel = (): void => void session.client.jobs.cancel({ job: id }).catch(() => undefined);
  const telling = tellProgress(session, cli, id, told.signal).catch(() => undefined);
  if (cli.signal.aborted) cancel();
  else cli.signal.addEventListener('abort', cancel, { once: true });
  try {
    return await session.app.runner.settled(id);
  } finally {
    cli.signal.removeEventListener('abort', cancel);
    told.abort();
    await telling;
    cli.messages.clear();
  }
}

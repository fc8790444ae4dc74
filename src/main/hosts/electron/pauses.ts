import { isActive } from '../../../shared/jobs/job-states.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { JobRunner } from '../../core/jobs/jobs.ts';
import { createQueue } from '../../core/queue.ts';
import type * as Electron from 'electron';
import type { App } from '../../app.ts';

type Pauses = ReturnType<typeof createPauses>;

interface PausesOptions {
  readonly runner: Pick<JobRunner, 'running' | 'pause' | 'resume'>;
  readonly log: (sentence: string) => void;
}

/**
 * Pauses jobs while the system can't run them, so no request is interrupted with an unknown outcome. Jobs
 * that the user paused stay paused, also if such a pause began as one of these; a job with several reasons resumes when the last
 * one ends.
 */
export function createPauses({ runner, log }: PausesOptions) {
  /** The pause of each job of this process, and its reasons. */
  const paused = new Map<string, { readonly pause: object; readonly reasons: Set<string> }>();
  // A resume that follows a pause at once must come after it.
  const queue = createQueue();

  async function pauseAll(reason: string, isAffected: (job: Job) => Promise<boolean>): Promise<void> {
    for (const job of await runner.running()) {
      const isRunning = job.state === 'running';
      if ((!isRunning && !paused.has(job.id)) || !(await isAffected(job))) continue;
      try {
        // Whatever runs was resumed by the user, whatever paused it before.
        if (isRunning) paused.set(job.id, { pause: runner.pause(job.id), reasons: new Set() });
        paused.get(job.id)?.reasons.add(reason);
      } catch {
        // It runs in another process, which pauses it itself, or has just ended.
      }
    }
    if (paused.size > 0) log(`Jobs paused: ${paused.size}, because ${reason}.`);
  }

  async function resumeAll(reason: string): Promise<void> {
    const active = (await runner.running()).filter(({ state }) => isActive(state)).map(({ id }) => id);
    for (const [id, { pause, reasons }] of paused) {
      reasons.delete(reason);
      if (reasons.size > 0) continue;
      paused.delete(id);
      // One that was canceled meanwhile stays so.
      if (active.includes(id))
        await runner
          .resume(id, pause)
          .catch((error: unknown) => log(`A job did not resume (${reason}): ${String(error)}`));
    }
  }

  const run = (work: () => Promise<void>): void =>
    void queue(work).catch((error: unknown) => log(`Jobs could not be paused or resumed: ${String(error)}`));
  return {
    /** Pauses the jobs that run here. @param isAffected whether the reason applies to a job; default: it does */
    pause: (reason: string, isAffected: (job: Job) => Promise<boolean> = async () => true): void =>
      run(() => pauseAll(reason, isAffected)),
    /** Resumes the jobs that no other reason pauses. */
    resume: (reason: string): void => run(() => resumeAll(reason)),
  };
}

/**
 * Pauses jobs while there is no network and resumes them at once when there is, including those that wait for
 * their next try. Electron's main process has no event for it.
 * @param isOnline whether the system has a network (Electron's `net.isOnline`)
 * @param isElsewhere whether a job's service is remote; local ones such as the sample workspace need no
 *   network
 * @returns checks the network
 */
export function pauseOffline(
  runner: Pick<JobRunner, 'running' | 'resume'>,
  pauses: Pauses,
  isOnline: () => boolean,
  isElsewhere: (job: Job) => Promise<boolean>,
): () => void {
  const reason = 'no network connection';
  let online = true;
  const retryLostLinks = async (): Promise<void> => {
    for (const { id, state, waitsFor } of await runner.running())
      if (state === 'waiting' && waitsFor?.for === 'link') await runner.resume(id).catch(() => undefined);
  };
  return () => {
    const now = isOnline();
    if (now === online) return;
    online = now;
    if (!now) return pauses.pause(reason, isElsewhere);
    pauses.resume(reason);
    // A job that can't be resumed now retries automatically.
    void retryLostLinks().catch(() => undefined);
  };
}

/** Pauses jobs while the computer sleeps, and resumes them when it wakes. */
export function pauseInSleep(
  power: { on(event: 'suspend' | 'resume', listener: () => void): unknown },
  pauses: Pauses,
): void {
  const reason = 'the machine sleeps';
  power.on('suspend', () => pauses.pause(reason));
  power.on('resume', () => pauses.resume(reason));
}

/** Interval of checking the network, in milliseconds; the check is cheap, and main has no event for it. */
const networkPollMs = 2000;
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Pauses jobs while the computer sleeps or is offline, until the application ends. */
export function pauseAutomatically(
  { app, net, powerMonitor }: Pick<typeof Electron, 'app' | 'net' | 'powerMonitor'>,
  { runner, client }: Pick<PausesOptions, 'runner'> & Pick<App, 'client'>,
  log: (sentence: string) => void,
): void {
  const pauses = createPauses({ runner, log });
  pauseInSleep(powerMonitor, pauses);
  const isElsewhere = async ({ connectionId, connection }: Job): Promise<boolean> =>
    (await client.connections.list({})).some(
      ({ id, name, dataUrl }) =>
        (connectionId === undefined ? name === connection : id === connectionId) &&
        !localHosts.has(new URL(dataUrl).hostname),
    );
  const timer = setInterval(
    pauseOffline(runner, pauses, () => net.isOnline(), isElsewhere),
    networkPollMs,
  );
  timer.unref();
  app.once('will-quit', () => clearInterval(timer));
}

import type { Job } from '../../../shared/jobs/jobs.ts';
import type { JobRunner } from '../../jobs/runner.ts';
import type * as Electron from 'electron';
import type { App } from '../../app.ts';

interface Pauses {
  /** Pauses the jobs that run here, or those of them that are meant. */
  hold(why: string, isMeant?: (job: Job) => boolean | Promise<boolean>): void;
  /** Goes on with the jobs that nothing else holds. */
  letGo(why: string): void;
}

interface PausesOptions {
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

/**
 * Pauses jobs while there is no network, and goes on with them at once when there is one again, also with those that
 * had lost their link by themselves and wait for their next try. Electron's main hears no event of it.
 * @param isOnline whether the system has any network (Electron's `net.isOnline`)
 * @param isElsewhere whether a job's service is elsewhere: one on this machine, such as the sample workspace, needs no network
 * @returns looks whether there is a network
 */
export function pauseOffline(
  runner: Pick<JobRunner, 'list' | 'resume'>,
  pauses: Pauses,
  isOnline: () => boolean,
  isElsewhere: (job: Job) => Promise<boolean>,
): () => void {
  const why = 'there is no network';
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

/** Pauses jobs while the machine sleeps, and goes on with them when it wakes. */
export function pauseInSleep(
  power: { on(event: 'suspend' | 'resume', listener: () => void): unknown },
  pauses: Pauses,
): void {
  const why = 'the machine sleeps';
  power.on('suspend', () => pauses.hold(why));
  power.on('resume', () => pauses.letGo(why));
}

/** How often the network is looked at, in milliseconds: that costs nothing, and nobody tells main of it. */
const lookEveryMs = 2000;
const here = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Pauses jobs while the machine sleeps or has no network, until the application ends. */
export function pauseAsNeeded(
  { app, net, powerMonitor }: Pick<typeof Electron, 'app' | 'net' | 'powerMonitor'>,
  { runner, client }: Pick<App, 'runner' | 'client'>,
  log: (sentence: string) => void,
): void {
  const pauses = createPauses({ runner, log });
  pauseInSleep(powerMonitor, pauses);
  const isElsewhere = async ({ connection }: Job): Promise<boolean> =>
    (await client.connections.list({})).some(
      ({ name, dataUrl }) => name === connection && !here.has(new URL(dataUrl).hostname),
    );
  const timer = setInterval(
    pauseOffline(runner, pauses, () => net.isOnline(), isElsewhere),
    lookEveryMs,
  );
  timer.unref();
  app.once('will-quit', () => clearInterval(timer));
}

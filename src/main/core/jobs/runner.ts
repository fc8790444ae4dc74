import { join } from 'node:path';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import type { Job, JobAnswer, JobKind, JobState } from '../../../shared/jobs/jobs.ts';
import { appErrorFrom } from '../files/file-errors.ts';
import type { Services } from '../wire/services/services.ts';
import { createBroadcast } from './broadcast.ts';
import { type Engine, type EngineContext, type PlanHead, summaryAfter, takeEvents } from './engine.ts';
import { mapBounded } from '../files/map-bounded.ts';
import { removeOldJobs } from './retention.ts';
import { followOtherProcesses } from './other-processes.ts';
import { openJournal, readJournal, type Journal } from './journal.ts';
import { systemClock, type Clock } from '../wire/http/retry.ts';
import { waitingServices } from './waiting-services.ts';
import { createProgressMeter, noProgress } from './progress.ts';
import {
  journalName,
  missingAsUnknown,
  unreadableFile,
  type LockedFolder,
  type StoredJob,
  type StoredSummary,
} from './job-files.ts';
import type { JobStore } from './store.ts';
import { createWaits, type JobWaits } from './waits.ts';
import { clearInterval, setInterval, wallMs } from '../../world/time.ts';

/** How often a running job's summary is saved and published, in milliseconds. */
const intervalsMs = { disk: 1000, listeners: 120 };

/** The abort reason when the application closes: the job is interrupted, not canceled. */
const closingError = new Error('the application is closing');

interface RunnerDependencies {
  readonly store: JobStore;
  readonly engines: Readonly<Record<JobKind, Engine>>;
  readonly services: (connection: PlanHead['connection']) => Services;
  /** Whether a user is present to sign in, answer, and wait for a link; a scheduled command fails instead. */
  readonly isAttended: boolean;
  readonly toJob: (id: string, kind: JobKind, summary: StoredSummary) => Promise<Job>;
  readonly clock?: Clock;
  /** Polling interval for jobs of other processes, in milliseconds. */
  readonly pollMs?: number;
}

interface RunningJob {
  readonly stop: AbortController;
  readonly finished: Promise<void>;
  readonly waits: JobWaits;
}

function stateAfter(signal: AbortSignal, error: AppError): JobState {
  if (signal.reason === closingError) return 'interrupted';
  return signal.aborted || error.is('cancelled') ? 'cancelled' : 'failed';
}

export type JobRunner = ReturnType<typeof createRunner>;

/**
 * Starts, resumes, pauses, cancels, and lists jobs.
 * @param dependencies the store, one engine for each kind of job, and the services of connections
 */
export function createRunner(dependencies: RunnerDependencies) {
  const { store, engines, services, isAttended, toJob, clock = systemClock, pollMs = 2000 } = dependencies;
  const running = new Map<string, RunningJob>();
  const changes = createBroadcast<Job>((job) => job.id);

  /** Publishes a job. Never rejects: no caller waits for it, and the next change is published again. */
  const publish = (id: string, kind: JobKind, summary: StoredSummary): Promise<void> =>
    toJob(id, kind, summary).then(changes.send, () => undefined);

  /** Runs a locked job and keeps its summary current until it ends. */
  function runLocked(locked: LockedFolder, previous: StoredSummary, isResumed: boolean): void {
    const { id, folder, stored } = locked;
    const stop = new AbortController();
    const meter = createProgressMeter(previous.progress);
    let connectedServices: Services | null = null;
    const waits = createWaits({
      isAttended,
      signInWaiter: () => connectedServices?.waitForSignIn,
      clock,
      signal: stop.signal,
      onNextTry: (nextTryMs) => meter.report({ nextTryMs }),
    });
    let summary: StoredSummary = { ...previous, state: 'running', error: null, waitsFor: null };
    const waitingState = (): Partial<StoredSummary> => {
      const wait = summary.state === 'running' ? waits.current() : null;
      if (!wait) return {};
      meter.resetRate();
      return { state: 'waiting', waitsFor: wait.waitsFor, error: wait.error?.toBody() ?? null };
    };
    const currentSummary = (): StoredSummary => ({
      ...summary,
      ...waitingState(),
      updated: new Date(wallMs()).toISOString(),
      progress: meter.read(),
    });
    const saveSummary = async (): Promise<void> => {
      await store.save(id, currentSummary());
      if (await store.takeStopRequest(id)) stop.abort();
    };
    async function run(): Promise<void> {
      let journal: Journal<unknown> | null = null;
      // One at a time: on a disk that is slower than the interval they would accumulate.
      let saving = Promise.resolve();
      let isSaving = false;
      const saveTimer = setInterval(() => {
        if (isSaving) return;
        isSaving = true;
        saving = saveSummary()
          .catch(() => undefined)
          .finally(() => (isSaving = false));
      }, intervalsMs.disk);
      const publishTimer = setInterval(
        () => void publish(id, stored.kind, currentSummary()),
        intervalsMs.listeners,
      );
      try {
        await saveSummary();
        const engine = engines[stored.kind];
        journal = await openJournal(join(folder, journalName), engine.entry);
        const { data: plan, error } = engine.plan.safeParse(stored.plan);
        if (!plan) throw unreadableFile('plan.json', id, 'it is damaged', error);
        connectedServices = services(plan.connection);
        const { append, entries } = journal;
        const context: EngineContext = {
          signal: stop.signal,
          isResumed,
          services: waitingServices(connectedServices, waits, (nextTryMs) => meter.report({ nextTryMs })),
          waits,
        };
        const result = await takeEvents(engine.run({ id, folder, plan, entries }, context), async (event) => {
          if (event.kind === 'progress') meter.report(event.progress);
          else if (event.kind === 'entries') await append(event.entries, { flush: event.flush });
          else summary = summaryAfter(summary, event);
        });
        summary = { ...summary, state: 'done', result };
      } catch (cause) {
        const error = appErrorFrom(cause);
        summary = { ...summary, state: stateAfter(stop.signal, error), error: error.toBody() };
      } finally {
        clearInterval(saveTimer);
        clearInterval(publishTimer);
        meter.report({ nextTryMs: null, isVerifying: false });
        await saving;
        await journal?.close().catch(() => undefined);
        await store.save(id, currentSummary()).catch(() => undefined);
        locked.lock.release();
        running.delete(id);
        await publish(id, stored.kind, currentSummary());
        tidy();
      }
    }
    running.set(id, { stop, finished: run(), waits });
  }

  /** Lets the engine remove files of a job that isn't running. Unreadable files remain. */
  async function discardResources(id: string): Promise<void> {
    const { folder, stored, lock } = await store.open(id);
    try {
      const engine = engines[stored.kind];
      if (!engine.discard || stored.format > engine.format) return;
      const entries = await readJournal(join(folder, journalName), engine.entry);
      await engine.discard({ id, folder, plan: engine.plan.parse(stored.plan), entries });
    } catch {
      // A damaged journal must not prevent the removal of the job.
    } finally {
      lock.release();
    }
  }

  const asJob = ({ id, kind, summary }: StoredJob): Promise<Job> => toJob(id, kind, summary);
  const show = async (id: string): Promise<Job> => asJob(await store.read(id));
  const list = async (): Promise<Job[]> => mapBounded(await store.list(), asJob);

  const isOurs = (id: string): boolean => running.has(id);
  const otherProcesses = followOtherProcesses({ store, isOurs, publish, intervalMs: pollMs });

  /** Removes a job that isn't running, with its folder. @throws AppError `job_unknown`, `job_busy`, `job_too_new` */
  async function discard(id: string): Promise<void> {
    const { kind, summary } = await store.show(id);
    await discardResources(id).catch((error: unknown) => {
      // A damaged plan doesn't tell which other files the job has.
      if (!isAppError(error, 'file_unreadable')) throw error;
    });
    await store.remove(id);
    otherProcesses.forget(id);
    await publish(id, kind, { ...summary, state: 'discarded' });
  }

  let tidying: Promise<void> | null = null;
  /** Removes old jobs in the background, after each job. */
  function tidy(): void {
    tidying ??= removeOldJobs(store, discard)
      .catch(() => undefined)
      .finally(() => (tidying = null));
  }

  return {
    /**
     * Creates a job from a plan and starts it.
     * @param signal aborted by the caller that no longer wants it: then no job starts
     * @throws AppError `cancelled`, `disk_full`, `file_unwritable`; other errors of the file system
     */
    async start(kind: JobKind, plan: PlanHead, signal: AbortSignal | undefined): Promise<{ id: string }> {
      const engine = engines[kind];
      const now = new Date(wallMs()).toISOString();
      const summary: StoredSummary = {
        state: 'running',
        address: plan.address,
        connection: plan.connection.name,
        file: plan.fileName,
        ...(plan.parent ? { parent: plan.parent } : {}),
        started: now,
        updated: now,
        progress: noProgress,
        error: null,
        waitsFor: null,
        artifacts: [],
        result: null,
      };
      const locked = await store.create(kind, engine.format, engine.plan.parse(plan), summary);
      if (signal?.aborted) {
        locked.lock.release();
        await store.remove(locked.id);
        throw new AppError('cancelled', {});
      }
      runLocked(locked, summary, false);
      return { id: locked.id };
    },
    /**
     * Resumes a job that isn't done, or ends its pause or its wait for a link.
     * @throws AppError `job_unknown`, `job_busy`, `job_too_new`, `job_state`, `file_unreadable`
     */
    async resume(id: string): Promise<void> {
      if (running.get(id)?.waits.resume() === true) return;
      const locked = await store.open(id);
      try {
        const { summary } = await store.read(id);
        const engine = engines[locked.stored.kind];
        if (locked.stored.format > engine.format)
          throw new AppError('job_too_new', { job: id, format: locked.stored.format });
        if (summary.state === 'done')
          throw new AppError('job_state', { job: id, state: 'done', wanted: 'stopped before its end' });
        await store.takeStopRequest(id);
        runLocked(locked, summary, true);
      } catch (error) {
        locked.lock.release();
        throw missingAsUnknown(error, id);
      }
    },
    /** Pauses a job of this process. @throws AppError `job_state` if it isn't running here */
    pause(id: string): void {
      const waits = running.get(id)?.waits;
      if (!waits) throw new AppError('job_state', { job: id, state: 'at rest here', wanted: 'running here' });
      waits.pause();
    },
    /** Answers the question of a job of this process. @throws AppError `job_state` if it has none */
    answer(id: string, answer: JobAnswer): void {
      if (running.get(id)?.waits.answer(answer) !== true)
        throw new AppError('job_state', { job: id, state: 'not asking', wanted: 'waiting for an answer' });
    },
    /**
     * Stops a job of this or another process; it can be resumed.
     * @throws AppError `job_unknown`, `job_too_new`, `file_unreadable`
     */
    async cancel(id: string): Promise<void> {
      const runningJob = running.get(id);
      if (runningJob) {
        runningJob.stop.abort();
        await runningJob.finished;
        return;
      }
      const { kind, summary } = await store.read(id);
      try {
        if (store.isBusy(id)) await store.requestStop(id);
        else if (summary.state !== 'done') {
          const cancelled: StoredSummary = { ...summary, state: 'cancelled' };
          await store.save(id, cancelled);
          await publish(id, kind, cancelled);
        }
      } catch (error) {
        throw missingAsUnknown(error, id);
      }
    },
    discard,
    /** Number of running jobs of this process, without paused ones. */
    activeJobs: (): number =>
      [...running.values()].filter(({ waits }) => waits.current()?.waitsFor.for !== 'resume').length,
    list,
    show,
    /** Yields all jobs once, then each change, until the signal aborts. */
    watch: (signal: AbortSignal | undefined): AsyncGenerator<Job> =>
      otherProcesses.withOtherProcesses(changes.listen(signal, list)),
    /** Yields each change of one job of this process, until the signal aborts. */
    async *watchJob(id: string, signal: AbortSignal): AsyncGenerator<Job> {
      for await (const job of changes.listen(signal)) if (job.id === id) yield job;
    },
    /** Waits until the job stops in this process. @throws AppError `job_unknown` */
    async waitUntilStopped(id: string): Promise<Job> {
      await running.get(id)?.finished;
      return show(id);
    },
    /** Stops all jobs; they can be resumed. */
    async close(): Promise<void> {
      const jobs = [...running.values()];
      for (const { stop } of jobs) stop.abort(closingError);
      await Promise.all(jobs.map(({ finished }) => finished));
      await tidying;
    },
  };
}

import { join } from 'node:path';
import { AppError, isAppError } from '../../shared/errors/errors.ts';
import type { Job, JobAnswer, JobKind, JobState } from '../../shared/jobs/jobs.ts';
import { appErrorFrom, isMissing } from '../files/file-errors.ts';
import type { Services } from '../services/services.ts';
import { createBroadcast } from './broadcast.ts';
import type { Engine, EngineContext, PlanHead } from './engine.ts';
import { followOtherProcesses } from './other-processes.ts';
import { openJournal } from './journal.ts';
import { systemClock, type Clock } from '../http/retry.ts';
import { waitingServices } from './waiting-services.ts';
import { createProgressMeter, noProgress } from './progress.ts';
import {
  journalName,
  type JobStore,
  type LockedFolder,
  type StoredJob,
  type StoredSummary,
} from './store.ts';
import { createWaits, type JobWaits } from './waits.ts';

/** How often a running job's summary goes to disk and its listeners hear of it, in milliseconds. */
const saveEvery = { disk: 1000, listeners: 120 };

/** Why a job is stopped when the application ends: it counts as interrupted, not as cancelled by a person. */
const closing = new Error('the application is closing');

interface RunnerDependencies {
  readonly store: JobStore;
  readonly engines: Readonly<Record<JobKind, Engine>>;
  readonly services: (connection: PlanHead['connection']) => Services;
  /** Whether somebody is there who logs in, answers and waits for a link: a scheduled command fails instead. */
  readonly attended: boolean;
  readonly toJob: (id: string, kind: JobKind, summary: StoredSummary) => Promise<Job>;
  readonly clock?: Clock;
  /** How often the jobs of other processes are looked at, in milliseconds. */
  readonly othersMs?: number;
}

interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  readonly waits: JobWaits;
}

function stateAfter(signal: AbortSignal, error: AppError): JobState {
  if (signal.reason === closing) return 'interrupted';
  return signal.aborted || error.is('cancelled') ? 'cancelled' : 'failed';
}

/** A job whose files are gone has been discarded meanwhile, by another window perhaps. */
const orUnknown = (error: unknown, id: string): unknown =>
  isMissing(error) ? new AppError('job_unknown', { job: id }) : error;

export type JobRunner = ReturnType<typeof createRunner>;

export function createRunner(dependencies: RunnerDependencies) {
  const { store, engines, services, attended, toJob, clock = systemClock, othersMs = 2000 } = dependencies;
  const running = new Map<string, Running>();
  const changes = createBroadcast<Job>((job) => job.id);

  /** Tells listeners of a job. Never rejects: nobody waits for it, and the next change is told again. */
  const tell = (id: string, kind: JobKind, summary: StoredSummary): Promise<void> =>
    toJob(id, kind, summary).then(changes.send, () => undefined);

  /** Sets a job going whose lock is held, and keeps its summary true until it ends. */
  function begin(locked: LockedFolder, before: StoredSummary): void {
    const { id, folder, stored } = locked;
    const stop = new AbortController();
    const meter = createProgressMeter(before.progress);
    let connected: Services | null = null;
    const waits = createWaits({
      attended,
      untilAuthenticated: () => connected?.untilAuthenticated,
      clock,
      signal: stop.signal,
      onNextTry: (nextTryMs) => meter.report({ nextTryMs }),
    });
    let summary: StoredSummary = { ...before, state: 'running', error: null, waitsFor: null };
    const waiting = (): Partial<StoredSummary> => {
      const found = summary.state === 'running' ? waits.now() : null;
      if (!found) return {};
      meter.hold();
      return { state: 'waiting', waitsFor: found.waitsFor, error: found.error?.toBody() ?? null };
    };
    const current = (): StoredSummary => ({
      ...summary,
      ...waiting(),
      updated: new Date().toISOString(),
      progress: meter.read(),
    });
    const keep = async (): Promise<void> => {
      await store.save(id, current());
      if (await store.stopAsked(id)) stop.abort();
    };
    async function run(): Promise<void> {
      let journal: Awaited<ReturnType<typeof openJournal>> | null = null;
      let saving: Promise<void> = Promise.resolve();
      const onDisk = setInterval(() => {
        saving = saving.then(keep).catch(() => undefined);
      }, saveEvery.disk);
      const toListeners = setInterval(() => void tell(id, stored.kind, current()), saveEvery.listeners);
      try {
        await keep();
        const engine = engines[stored.kind];
        journal = await openJournal(join(folder, journalName), engine.entry);
        const plan = engine.plan.parse(stored.plan);
        connected = services(plan.connection);
        const { untilAgain, untilGoing, ask } = waits;
        const context: EngineContext = {
          signal: stop.signal,
          services: waitingServices(connected, waits, (nextTryMs) => meter.report({ nextTryMs })),
          untilAgain,
          untilGoing,
          ...(ask ? { ask } : {}),
          report: (progress) => meter.report(progress),
          soFar: (result) => (summary = { ...summary, result }),
          made: async (kind, path) => {
            const others = summary.artifacts.filter((artifact) => artifact.path !== path);
            summary = { ...summary, artifacts: [...others, { kind, path }] };
          },
        };
        const result = await engine.run({ id, folder, plan, journal }, context);
        summary = { ...summary, state: 'done', result };
      } catch (thrown) {
        const error = appErrorFrom(thrown);
        summary = { ...summary, state: stateAfter(stop.signal, error), error: error.toBody() };
      } finally {
        clearInterval(onDisk);
        clearInterval(toListeners);
        meter.report({ nextTryMs: null, isVerifying: false });
        await saving;
        await journal?.close().catch(() => undefined);
        await store.save(id, current()).catch(() => undefined);
        locked.lock.release();
        running.delete(id);
        await tell(id, stored.kind, current());
      }
    }
    running.set(id, { stop, ended: run(), waits });
  }

  /** Lets the engine clear up behind a job that nobody works on; what can't be read any more is left as it is. */
  async function clearUp(id: string): Promise<void> {
    const { folder, stored, lock } = await store.open(id);
    let journal: Awaited<ReturnType<typeof openJournal>> | null = null;
    try {
      const engine = engines[stored.kind];
      if (!engine.discard || stored.format > engine.format) return;
      journal = await openJournal(join(folder, journalName), engine.entry);
      await engine.discard({ id, folder, plan: engine.plan.parse(stored.plan), journal });
    } catch {
      // A damaged journal must not keep the job in the list for ever.
    } finally {
      await journal?.close().catch(() => undefined);
      lock.release();
    }
  }

  const asJob = ({ id, kind, summary }: StoredJob): Promise<Job> => toJob(id, kind, summary);
  const show = async (id: string): Promise<Job> => asJob(await store.read(id));
  const list = async (): Promise<Job[]> => Promise.all((await store.list()).map(asJob));

  const isOurs = (id: string): boolean => running.has(id);
  const others = followOtherProcesses({ store, isOurs, tell, intervalMs: othersMs });

  return {
    /** Makes a job of the plan and sets it going. */
    async start(kind: JobKind, plan: PlanHead): Promise<{ id: string }> {
      const engine = engines[kind];
      const now = new Date().toISOString();
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
      begin(locked, summary);
      return { id: locked.id };
    },
    /** Goes on with a job that is not done, or that is paused or without a link here. @throws AppError job_unknown, job_busy, job_too_new, job_state */
    async resume(id: string): Promise<void> {
      if (running.get(id)?.waits.goOn() === true) return;
      const locked = await store.open(id);
      try {
        const { summary } = await store.read(id);
        const engine = engines[locked.stored.kind];
        if (locked.stored.format > engine.format)
          throw new AppError('job_too_new', { job: id, format: locked.stored.format });
        if (summary.state === 'done')
          throw new AppError('job_state', { job: id, state: 'done', wanted: 'stopped before its end' });
        await store.stopAsked(id);
        begin(locked, summary);
      } catch (error) {
        locked.lock.release();
        throw orUnknown(error, id);
      }
    },
    /** Has a job that runs here wait for a resume. @throws AppError job_state */
    pause(id: string): void {
      const waits = running.get(id)?.waits;
      if (!waits) throw new AppError('job_state', { job: id, state: 'at rest here', wanted: 'running here' });
      waits.pause();
    },
    /** Answers what a job that runs here asks. @throws AppError job_state */
    answer(id: string, answer: JobAnswer): void {
      if (running.get(id)?.waits.answer(answer) !== true)
        throw new AppError('job_state', { job: id, state: 'not asking', wanted: 'waiting for an answer' });
    },
    /** Stops a job, here or in whichever process works on it; it can be resumed. */
    async cancel(id: string): Promise<void> {
      const here = running.get(id);
      if (here) {
        here.stop.abort();
        await here.ended;
        return;
      }
      const { kind, summary } = await store.read(id);
      try {
        if (store.isBusy(id)) await store.askToStop(id);
        else if (summary.state !== 'done') {
          const cancelled: StoredSummary = { ...summary, state: 'cancelled' };
          await store.save(id, cancelled);
          await tell(id, kind, cancelled);
        }
      } catch (error) {
        throw orUnknown(error, id);
      }
    },
    /** Removes a job that nobody works on, with its folder. */
    async discard(id: string): Promise<void> {
      const { kind, summary } = await store.show(id);
      await clearUp(id).catch((error: unknown) => {
        // A damaged plan does not say what else the job left.
        if (!isAppError(error, 'file_unreadable')) throw error;
      });
      await store.remove(id);
      others.forget(id);
      await tell(id, kind, { ...summary, state: 'discarded' });
    },
    /** How many jobs this process works on that nobody has paused. */
    underWay: (): number =>
      [...running.values()].filter(({ waits }) => waits.now()?.waitsFor.for !== 'resume').length,
    list,
    show,
    /** All jobs once, then each as it changes, until the signal ends it. */
    watch: (signal: AbortSignal | undefined): AsyncGenerator<Job> =>
      others.beside(changes.listen(signal, list)),
    /** Waits until the job has come to rest in this process. */
    async settled(id: string): Promise<Job> {
      await running.get(id)?.ended;
      return show(id);
    },
    /** Stops everything, leaving jobs that can be resumed. */
    async close(): Promise<void> {
      const all = [...running.values()];
      for (const { stop } of all) stop.abort(closing);
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

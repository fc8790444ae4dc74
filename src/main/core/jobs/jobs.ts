import { basename, join } from 'node:path';
import * as z from 'zod';
import type { calls } from '../../../shared/contract/contract.ts';
import { datasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import {
  job as jobSchema,
  jobParent,
  type Job,
  type JobArtifact,
  type JobKind,
  type JobState,
} from '../../../shared/jobs/jobs.ts';
import type { JobAnswer } from '../../../shared/contract/jobs.ts';
import { createBroadcast } from '../broadcast.ts';
import { appErrorFrom } from '../files/file-errors.ts';
import type { Files } from '../files/files.ts';
import {
  type CheckClaim,
  mapBounded,
  discardedJob,
  missingAsUnknown,
  unreadableFile,
  type JobPage,
  type JobStore,
  type LockedFolder,
  type PageOptions,
  type Retention,
  type StoredJob,
  type StoredSummary,
} from './store.ts';
import type { ModuleHandlers } from '../handlers.ts';
import { systemClock, type Clock } from '../wire/http/retry.ts';
import type { Services } from '../wire/services/services.ts';
import { openJournal, readJournal, type Journal } from './journal.ts';
import {
  createProgressMeter,
  createWaits,
  noProgress,
  waitingServices,
  type JobWaits,
  type ProgressReport,
} from './waits.ts';
import { clearInterval, clearTimeout, elapsedMs, setInterval, setTimeout, wallMs } from '../../world/time.ts';

export { JobStore, type StoredJob } from './store.ts';
export type { ProgressReport } from './waits.ts';

/** The plan of a job: the request, decided once and stored in the job's folder. Never contains credentials. */
export const planHead = z.object({
  /** The connection, with its data URL, so a resume detects another service under the same id. */
  connection: z.object({ id: z.string(), name: z.string(), dataUrl: z.string() }),
  address: datasetAddress,
  /** File name for display, without its folder. */
  fileName: z.string(),
  /** Maximum number of concurrent requests. */
  concurrency: z.int(),
  /** The job whose rejected rows the file contains. */
  parent: jobParent.optional(),
});
export type PlanHead = z.infer<typeof planHead>;

/** A job whose lock this process holds. */
export interface OpenJob<P, E> {
  readonly id: string;
  /** Its folder, for spools, checkpoints, and results of the engine. */
  readonly folder: string;
  readonly plan: P;
  /** The entries of its journal when it was opened, in order. */
  readonly entries: readonly E[];
}

/**
 * What happens in a run. The runner writes entries to the journal, and folds the others into the summary of the job; then
 * the run continues.
 */
export type JobEvent<E = unknown, R = unknown> =
  /** With `flush` they are on disk when the run continues. */
  | { readonly kind: 'entries'; readonly entries: readonly E[]; readonly flush: boolean }
  /** `rows` and `bytes` count from the start of the job. */
  | { readonly kind: 'progress'; readonly progress: ProgressReport }
  /** The result at this point, so that a stopped job shows the state of its rows. */
  | { readonly kind: 'result'; readonly result: R }
  /** A file that the user can open or save. */
  | {
      readonly kind: 'artifact';
      readonly artifact: { readonly kind: JobArtifact['kind']; readonly path: string };
    };

export interface EngineContext {
  /** Aborted by cancel and when the process ends. The run then ends soon and leaves a journal that can be resumed. */
  readonly signal: AbortSignal;
  readonly isResumed: boolean;
  /** The services of the plan's connection. Reads wait while the job is paused, signed out, or offline. */
  readonly services: Services;
  readonly waits: Pick<JobWaits, 'waitForRecovery' | 'waitWhilePaused' | 'askUser'>;
  /**
   * Claims work that only one job of a data folder may do at a time.
   * @param key the same for the same work
   * @param check throws to refuse the work because of another job
   * @returns notes that the job did none of the work, so that it prevents no other
   * @throws AppError `job_busy` if another process keeps the claims locked; errors of `check`
   */
  readonly claim: (key: string, check: CheckClaim) => Promise<() => Promise<void>>;
}

/**
 * A kind of job. `run` starts and resumes a job: it reads the entries of its journal and does the rest. An
 * AppError that it throws becomes the error of the job, which can be resumed. It returns the result.
 */
export interface Engine<P extends PlanHead = PlanHead, E = unknown, R = unknown> {
  readonly kind: JobKind;
  /** Version of plan and journal; jobs of a newer version are refused. */
  readonly format: number;
  readonly plan: z.ZodType<P>;
  readonly entry: z.ZodType<E>;
  readonly result: z.ZodType<R>;
  run(job: OpenJob<P, E>, context: EngineContext): AsyncGenerator<JobEvent<E, R>, R, undefined>;
  /** Removes what only a running or stopped job needs from its folder, after the job is stored as done. */
  release?(folder: string): Promise<void>;
  /** Removes files outside the job's folder before the folder is removed. Finished results remain. */
  discard?(job: OpenJob<P, E>): Promise<void>;
}

/**
 * Takes the events of a run to its end. An error of taking one is thrown in the run, which ends as after errors of its own.
 * @param take resolves when the run may continue
 * @returns the result of the run
 * @throws what the run throws
 */
export async function takeEvents<E, R>(
  run: AsyncGenerator<JobEvent<E, R>, R, undefined>,
  take: (event: JobEvent<E, R>) => Promise<void>,
): Promise<R> {
  let step = await run.next();
  while (!step.done) {
    const failure = await take(step.value).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    step = await (failure ? run.throw(failure.error) : run.next());
  }
  return step.value;
}

function summaryAfter(
  summary: StoredSummary,
  event: Extract<JobEvent, { kind: 'result' | 'artifact' }>,
): StoredSummary {
  if (event.kind === 'result') return { ...summary, result: event.result };
  const { artifact } = event;
  const otherArtifacts = summary.artifacts.filter(({ path }) => path !== artifact.path);
  return { ...summary, artifacts: [...otherArtifacts, artifact] };
}

/** Sends an event. Resolves when the run may continue; rejects if the event couldn't be taken. */
type SendEvent<E, R> = (event: JobEvent<E, R>) => Promise<void>;

interface SentEvent<E, R> extends Omit<PromiseWithResolvers<void>, 'promise'> {
  readonly event: JobEvent<E, R>;
}

/**
 * The events of work whose parts run at the same time. Those that are sent while others are taken are taken together, so
 * that one flush serves all their entries.
 * @param work sends events
 * @returns what the work returns
 * @throws what the work throws
 */
export async function* mergeEvents<E, R, T = R>(
  work: (send: SendEvent<E, R>) => Promise<T>,
): AsyncGenerator<JobEvent<E, R>, T, undefined> {
  let sent: SentEvent<E, R>[] = [];
  let wake = Promise.withResolvers<void>();
  let isDone = false;
  const send: SendEvent<E, R> = (event) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Nothing waits for events of progress.
    promise.catch(() => undefined);
    sent.push({ event, resolve, reject });
    wake.resolve();
    return promise;
  };
  const result = work(send).finally(() => {
    isDone = true;
    wake.resolve();
  });
  // Awaited at the end; without a listener an earlier rejection would be unhandled.
  result.catch(() => undefined);
  for (;;) {
    await wake.promise;
    wake = Promise.withResolvers();
    const taken = sent;
    sent = [];
    try {
      // Not by `yield*`: a list has no `throw`, so the error of an event would be lost.
      for (const change of combined(taken.map(({ event }) => event))) yield change;
      for (const { resolve } of taken) resolve();
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
    if (isDone && sent.length === 0) return await result;
  }
}

/** All entries as one event, then the last state of everything else. */
function combined<E, R>(events: readonly JobEvent<E, R>[]): readonly JobEvent<E, R>[] {
  const added = events.filter((event) => event.kind === 'entries');
  const entries = added.flatMap((event) => event.entries);
  const progress: ProgressReport = {};
  for (const event of events) if (event.kind === 'progress') Object.assign(progress, event.progress);
  const result = events.findLast(({ kind }) => kind === 'result');
  return [
    ...(added.length > 0
      ? [{ kind: 'entries', entries, flush: added.some(({ flush }) => flush) } as const]
      : []),
    ...(Object.keys(progress).length > 0 ? [{ kind: 'progress', progress } as const] : []),
    ...(result ? [result] : []),
    ...events.filter(({ kind }) => kind === 'artifact'),
  ];
}

/** How often a running job's summary is saved and published, in milliseconds. */
const intervalsMs = { disk: 1000, listeners: 120 };
/** How long the removal of old jobs takes after a job, in milliseconds: a command ends only then. */
const maxTidyMs = 250;
export const journalName = 'journal.ndjson';

/** The abort reason when the application closes: the job is interrupted, not canceled. */
const closingError = new Error('the application is closing');

interface RunnerOptions {
  readonly store: JobStore;
  readonly engine: (kind: JobKind) => Promise<Engine>;
  readonly services: (connection: PlanHead['connection']) => Services;
  readonly files: Pick<Files, 'grantSource'>;
  /** Whether a user is present to sign in, answer, and wait for a link; a scheduled command fails instead. */
  readonly isAttended: boolean;
  readonly retention: () => Promise<Retention>;
  readonly clock?: Clock;
  /** Polling interval for jobs of other processes, in milliseconds. */
  readonly pollMs?: number;
}

type StoredArtifact = StoredSummary['artifacts'][number];

/** Jobs as the contract shows them, with tokens instead of paths. */
class JobView {
  readonly #files: RunnerOptions['files'];
  /** A running job is published several times a second: its drives aren't accessed each time. */
  readonly #granted = new WeakMap<StoredArtifact, JobArtifact>();

  constructor(files: RunnerOptions['files']) {
    this.#files = files;
  }

  async show({ id, kind, summary }: StoredJob): Promise<Job> {
    const artifacts = await Promise.all(summary.artifacts.map((artifact) => this.#grant(artifact)));
    const fields = { ...summary, id, kind, artifacts: artifacts.filter((artifact) => artifact !== null) };
    const parsed = jobSchema.safeParse(fields);
    if (parsed.success) return parsed.data;
    // A damaged result must not hide the job or the rest of the list.
    const error = unreadableFile('summary.json', id, 'its result is damaged', parsed.error);
    return jobSchema.parse({ ...fields, state: 'unreadable', error: error.toBody(), result: null });
  }

  async #grant(stored: StoredArtifact): Promise<JobArtifact | null> {
    const earlier = this.#granted.get(stored);
    if (earlier) return earlier;
    const { kind, path } = stored;
    const name = basename(path);
    const granted = await this.#files.grantSource({ place: 'path', path, name }).catch(() => null);
    if (!granted) return null;
    const artifact = { kind, name, bytes: granted.bytes ?? 0, token: granted.token };
    this.#granted.set(stored, artifact);
    return artifact;
  }
}

interface RunOptions extends RunnerOptions {
  readonly locked: LockedFolder;
  readonly previous: StoredSummary;
  readonly isResumed: boolean;
  /** Never rejects. */
  readonly publish: (job: StoredJob) => Promise<void>;
  /** Called when the job has stopped and its lock is released. */
  readonly ended: (job: StoredJob) => Promise<void>;
}

/** One run of one job, from its lock to its end. */
class Run {
  readonly waits: JobWaits;
  readonly stop = new AbortController();
  /** Never rejects. */
  readonly finished: Promise<void>;
  readonly #options: RunOptions;
  readonly #meter: ReturnType<typeof createProgressMeter>;
  #services: (() => Services) | null = null;
  #summary: StoredSummary;
  /** The save that runs; null: none. On a disk that is slower than the interval they would accumulate. */
  #saving: Promise<void> | null = null;

  constructor(options: RunOptions) {
    const { previous } = options;
    this.#options = options;
    this.#meter = createProgressMeter(previous.progress);
    this.#summary = { ...previous, state: 'running', error: null, waitsFor: null };
    this.waits = createWaits({
      isAttended: options.isAttended,
      signInWaiter: () => this.#services?.().waitForSignIn,
      clock: options.clock ?? systemClock,
      signal: this.stop.signal,
      onNextTry: (nextTryMs) => this.#meter.report({ nextTryMs }),
    });
    this.finished = this.#run();
  }

  read(): StoredJob {
    const { id, stored } = this.#options.locked;
    const wait = this.#summary.state === 'running' ? this.waits.current() : null;
    if (wait) this.#meter.resetRate();
    const summary: StoredSummary = {
      ...this.#summary,
      ...(wait && { state: 'waiting', waitsFor: wait.waitsFor, error: wait.error?.toBody() ?? null }),
      updated: new Date(wallMs()).toISOString(),
      progress: this.#meter.read(),
    };
    return { id, kind: stored.kind, summary };
  }

  async #run(): Promise<void> {
    const { store, locked, publish, ended } = this.#options;
    const saveTimer = setInterval(() => this.#saveInBackground(), intervalsMs.disk);
    const publishTimer = setInterval(() => void publish(this.read()), intervalsMs.listeners);
    try {
      await this.#save();
      const result = await this.#runEngine();
      this.#summary = { ...this.#summary, state: 'done', result };
    } catch (cause) {
      const error = appErrorFrom(cause);
      this.#summary = { ...this.#summary, state: this.#stateAfter(error), error: error.toBody() };
    } finally {
      clearInterval(saveTimer);
      clearInterval(publishTimer);
      this.#meter.report({ nextTryMs: null, isVerifying: false, existing: undefined });
      await this.#saving;
      await store.save(this.read()).then(
        () => this.#release(),
        () => undefined,
      );
      locked.lock.release();
      await ended(this.read());
    }
  }

  /** What stays is removed with the folder. */
  async #release(): Promise<void> {
    if (this.#summary.state !== 'done') return;
    const { folder, stored } = this.#options.locked;
    const engine = await this.#options.engine(stored.kind);
    await engine.release?.(folder).catch(() => undefined);
  }

  async #runEngine(): Promise<unknown> {
    const { store, services, isResumed, locked } = this.#options;
    const { id, folder, stored } = locked;
    const engine = await this.#options.engine(stored.kind);
    const journal: Journal<unknown> = await openJournal(join(folder, journalName), engine.entry);
    try {
      const { data: plan, error } = engine.plan.safeParse(stored.plan);
      if (!plan) throw unreadableFile('plan.json', id, 'it is damaged', error);
      this.#services = () => services(plan.connection);
      const context: EngineContext = {
        signal: this.stop.signal,
        isResumed,
        services: waitingServices(this.#services, this.waits, (nextTryMs) =>
          this.#meter.report({ nextTryMs }),
        ),
        waits: this.waits,
        claim: (key, check) => store.claim(id, key, check),
      };
      const run = engine.run({ id, folder, plan, entries: journal.entries }, context);
      return await takeEvents(run, async (event) => {
        if (event.kind === 'progress') this.#meter.report(event.progress);
        else if (event.kind === 'entries') await journal.append(event.entries, { flush: event.flush });
        else this.#summary = summaryAfter(this.#summary, event);
      });
    } finally {
      await journal.close().catch(() => undefined);
    }
  }

  async #save(): Promise<void> {
    const { store, locked } = this.#options;
    await store.save(this.read());
    if (await store.takeStopRequest(locked.id)) this.stop.abort();
  }

  #saveInBackground(): void {
    this.#saving ??= this.#save()
      .catch(() => undefined)
      .finally(() => (this.#saving = null));
  }

  #stateAfter(error: AppError): JobState {
    const { signal } = this.stop;
    if (signal.reason === closingError) return 'interrupted';
    return signal.aborted || error.is('cancelled') ? 'cancelled' : 'failed';
  }
}

/** Starts, resumes, pauses, cancels, lists, and removes jobs. */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #store: JobStore;
  readonly #view: JobView;
  readonly #running = new Map<string, Run>();
  readonly #changes = createBroadcast<Job>(({ id }) => id);
  /** How many listen to the jobs of all processes, which are polled meanwhile. */
  #listeners = 0;
  #pollTimer: NodeJS.Timeout | undefined;
  /** Jobs that other processes ran when they were last seen. */
  readonly #activeElsewhere = new Set<string>();
  #isPolling = false;
  #tidying: Promise<void> | null = null;
  #isClosing = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#view = new JobView(options.files);
  }

  /**
   * Creates a job from a plan and starts it.
   * @param signal aborted by the caller that no longer wants it: then no job starts
   * @throws AppError `cancelled`, `disk_full`, `file_unwritable`; other errors of the file system
   */
  async start(kind: JobKind, plan: PlanHead, signal: AbortSignal | undefined): Promise<{ id: string }> {
    const engine = await this.#options.engine(kind);
    const now = new Date(wallMs()).toISOString();
    const summary: StoredSummary = {
      state: 'running',
      address: plan.address,
      connection: plan.connection.name,
      connectionId: plan.connection.id,
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
    const locked = await this.#store.create(kind, engine.format, engine.plan.parse(plan), summary);
    if (signal?.aborted) {
      locked.lock.release();
      await this.#store.remove(locked.id);
      throw new AppError('cancelled', {});
    }
    this.#run(locked, summary, false);
    return { id: locked.id };
  }

  /**
   * Resumes a job that isn't done, or ends its pause or its wait for a link.
   * @param pause ends this pause only; absent: any
   * @throws AppError `job_unknown`, `job_busy`, `job_too_new`, `job_state`, `file_unreadable`
   */
  async resume(id: string, pause?: object): Promise<void> {
    const run = this.#running.get(id);
    if (run?.waits.resume(pause) === true || pause) return;
    // It was resumed just now, as by a second click.
    if (run && !run.stop.signal.aborted) return;
    const locked = await this.#store.open(id);
    try {
      const { summary } = await this.#store.read(id);
      const { format, kind } = locked.stored;
      if (format > (await this.#options.engine(kind)).format)
        throw new AppError('job_too_new', { job: id, format });
      if (summary.state === 'done')
        throw new AppError('job_state', { job: id, state: 'done', wanted: 'unfinished' });
      await this.#store.takeStopRequest(id);
      this.#run(locked, summary, true);
    } catch (error) {
      locked.lock.release();
      throw missingAsUnknown(error, id);
    }
  }

  /** Pauses a job of this process. @returns the pause, for `resume` @throws AppError `job_state` if it isn't running here */
  pause(id: string): object {
    const waits = this.#running.get(id)?.waits;
    if (!waits)
      throw new AppError('job_state', { job: id, state: 'not running here', wanted: 'running here' });
    return waits.pause();
  }

  /** Answers the question of a job of this process. @throws AppError `job_state` if it has none */
  answer(id: string, answer: JobAnswer): void {
    if (this.#running.get(id)?.waits.answer(answer) !== true)
      throw new AppError('job_state', { job: id, state: 'not waiting', wanted: 'waiting for an answer' });
  }

  /**
   * Stops a job of this or another process; it can be resumed.
   * @throws AppError `job_unknown`, `job_too_new`, `file_unreadable`
   */
  async cancel(id: string): Promise<void> {
    const run = this.#running.get(id);
    if (run) {
      run.stop.abort();
      return run.finished;
    }
    const job = await this.#store.read(id);
    try {
      if (this.#store.isBusy(id)) await this.#store.requestStop(id);
      else if (job.summary.state !== 'done') {
        const cancelled: StoredJob = { ...job, summary: { ...job.summary, state: 'cancelled' } };
        await this.#store.save(cancelled);
        await this.#publish(cancelled);
      }
    } catch (error) {
      throw missingAsUnknown(error, id);
    }
  }

  /** Removes a job that isn't running, with its folder. @throws AppError `job_unknown`, `job_busy`, `job_too_new` */
  async discard(id: string): Promise<void> {
    const { kind, summary } = await this.#store.show(id);
    await this.#discardResources(id).catch((error: unknown) => {
      // A damaged plan doesn't tell which other files the job has.
      if (!isAppError(error, 'file_unreadable')) throw error;
    });
    await this.#store.remove(id);
    await this.#publish({ id, kind, summary: { ...summary, state: 'discarded' } });
  }

  /**
   * Removes the finished jobs with which nothing is lost.
   * @param days only those that ended at least this number of days ago; absent: all
   * @returns how many were removed
   * @throws AppError `file_unreadable` when the folder of jobs can't be read
   */
  async discardDone(days = Number.NEGATIVE_INFINITY): Promise<number> {
    return this.#discardRemovable(
      { jobs: Number.POSITIVE_INFINITY, days, last: 0 },
      Number.POSITIVE_INFINITY,
    );
  }

  /**
   * Removes old jobs: some after each job, all when a window starts, which compares the whole index first. Never rejects.
   */
  tidy({ isStart = false } = {}): Promise<void> {
    const removeOld = async (): Promise<void> => {
      if (isStart) await this.#store.checkIndex();
      const kept = await this.#options.retention();
      await this.#discardRemovable(kept, isStart ? Number.POSITIVE_INFINITY : maxTidyMs);
    };
    this.#tidying ??= removeOld()
      .catch(() => undefined)
      .finally(() => (this.#tidying = null));
    return this.#tidying;
  }

  /** Number of running jobs of this process, without paused ones. */
  activeJobs(): number {
    return [...this.#running.values()].filter(({ waits }) => waits.current()?.waitsFor.for !== 'resume')
      .length;
  }

  /** The jobs that this process runs. */
  running(): Promise<Job[]> {
    return Promise.all([...this.#running.values()].map((run) => this.#view.show(run.read())));
  }

  /**
   * The newest finished jobs, and all others, oldest first.
   * @throws AppError `file_unreadable` when the folder of jobs can't be read
   */
  async list(page?: PageOptions): Promise<JobPage<Job>> {
    const { jobs, older } = await this.#store.page(page);
    return { jobs: await mapBounded(jobs, (stored) => this.#view.show(stored)), older };
  }

  /** @throws AppError `job_unknown` */
  async show(id: string): Promise<Job> {
    return this.#view.show(await this.#store.show(id));
  }

  /** Yields the jobs of a list once, then each change in any process, until the signal aborts. */
  async *watch(signal: AbortSignal | undefined): AsyncGenerator<Job> {
    this.#listeners += 1;
    if (this.#listeners === 1) void this.#pollRepeatedly();
    try {
      yield* this.#changes.listen(signal, async () => [...(await this.list()).jobs]);
    } finally {
      this.#listeners -= 1;
      if (this.#listeners === 0) clearTimeout(this.#pollTimer);
    }
  }

  /** Yields each change of one job of this process, until the signal aborts. */
  async *watchJob(id: string, signal: AbortSignal): AsyncGenerator<Job> {
    for await (const changed of this.#changes.listen(signal)) if (changed.id === id) yield changed;
  }

  /** Waits until the job stops in this process. @throws AppError `job_unknown` */
  async waitUntilStopped(id: string): Promise<Job> {
    await this.#running.get(id)?.finished;
    return this.show(id);
  }

  /** Stops all jobs; they can be resumed. */
  async close(): Promise<void> {
    const runs = [...this.#running.values()];
    for (const { stop } of runs) stop.abort(closingError);
    await Promise.all(runs.map(({ finished }) => finished));
    this.#isClosing = true;
    await this.#tidying;
  }

  handlers(): ModuleHandlers<(typeof calls)['jobs']> {
    const empty = {};
    return {
      list: (page) => this.list(page),
      show: ({ job }) => this.show(job),
      resume: ({ job }) => this.resume(job).then(() => empty),
      pause: async ({ job }) => {
        this.pause(job);
        return empty;
      },
      answer: async ({ job, answer }) => {
        this.answer(job, answer);
        return empty;
      },
      cancel: ({ job }) => this.cancel(job).then(() => empty),
      discard: ({ job }) => this.discard(job).then(() => empty),
      discardDone: async ({ days }) => ({ discarded: await this.discardDone(days) }),
    };
  }

  #run(locked: LockedFolder, previous: StoredSummary, isResumed: boolean): void {
    const { id } = locked;
    const publish = (job: StoredJob): Promise<void> => this.#publish(job);
    const ended = async (job: StoredJob): Promise<void> => {
      this.#running.delete(id);
      await publish(job);
      void this.tidy();
    };
    this.#running.set(id, new Run({ ...this.#options, locked, previous, isResumed, publish, ended }));
  }

  /** Never rejects: no caller waits for it, and the next change is published again. */
  #publish(job: StoredJob): Promise<void> {
    return this.#view.show(job).then(this.#changes.send, () => undefined);
  }

  /** Lets the engine remove files of a job that isn't running. Unreadable files remain. */
  async #discardResources(id: string): Promise<void> {
    const { folder, stored, lock } = await this.#store.open(id);
    try {
      const engine = await this.#options.engine(stored.kind);
      if (!engine.discard || stored.format > engine.format) return;
      const entries = await readJournal(join(folder, journalName), engine.entry);
      await engine.discard({ id, folder, plan: engine.plan.parse(stored.plan), entries });
    } catch {
      // A damaged journal must not prevent the removal of the job.
    } finally {
      lock.release();
    }
  }

  async #discardRemovable(kept: Retention, maxMs: number): Promise<number> {
    const ids = await this.#store.removable(kept);
    // At least one is removed, however slow the disk is.
    const startedAt = elapsedMs();
    let discarded = 0;
    for (const id of ids) {
      if (elapsedMs() - startedAt > (this.#isClosing ? maxTidyMs : maxMs)) break;
      try {
        if (!(await this.#store.isRemovable(id))) continue;
        await this.discard(id);
        discarded += 1;
      } catch (error) {
        // Another process uses it, or removes it as well.
        if (!(error instanceof AppError)) throw error;
      }
    }
    return discarded;
  }

  /**
   * Publishes jobs that other processes create, change, or discard in the same data folder. It is polled, and only while
   * somebody listens: file system events differ between systems, and network drives have none.
   */
  async #pollRepeatedly(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    // An unreadable folder is polled again.
    await this.#poll().catch(() => undefined);
    this.#isPolling = false;
    if (this.#listeners === 0) return;
    const { pollMs = 2000 } = this.#options;
    this.#pollTimer = setTimeout(() => void this.#pollRepeatedly(), pollMs).unref();
  }

  async #poll(): Promise<void> {
    const { changed, removed } = await this.#store.changes();
    const isOurs = (id: string): boolean => this.#running.has(id);
    for (const id of removed) if (!isOurs(id)) await this.#publish(discardedJob(id));
    // The job of a killed process changes no more; it only stops being active, because its lock is free.
    for (const id of new Set([...changed, ...this.#activeElsewhere])) {
      const job = isOurs(id) ? null : await this.#store.show(id).catch(() => null);
      const isNowActive = job !== null && isActive(job.summary.state);
      if (job && (changed.includes(id) || !isNowActive)) await this.#publish(job);
      if (isNowActive) this.#activeElsewhere.add(id);
      else this.#activeElsewhere.delete(id);
    }
  }
}

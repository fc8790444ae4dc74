import { createStore } from 'zustand/vanilla';
import { isAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { FileToken } from '../../../shared/files/files.ts';
import type { Job, JobArtifact, JobState, UploadJob } from '../../../shared/jobs/jobs.ts';
import type { JobAnswer } from '../../../shared/contract/jobs.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';
import { perform } from '../../state/resource.ts';
import { abortable, onAbort } from '../../../shared/abort.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { interruptedJobs, isCheck, isEnd, mergeJob } from './job-list.ts';
import { finishedJobs } from './job-words.ts';

export interface JobsState {
  /** The newest first. */
  readonly jobs: readonly Job[];
  /** How many finished jobs aren't listed; null: not requested yet. */
  readonly older: number | null;
  readonly isOpen: boolean;
  /** The job that stopped last, until the list is shown; null: none. */
  readonly stopped: string | null;
  /** Why the last action failed. */
  readonly error: AppError | null;
  /** The job of the last action; null: it was on several, or on a file. */
  readonly failedJob: string | null;
}

/** The delay before a job that couldn't be looked up is looked up again, in milliseconds. */
const retryMs = 2000;

const defaults: JobsState = {
  jobs: [],
  older: null,
  isOpen: false,
  stopped: null,
  error: null,
  failedJob: null,
};

export interface JobsApi {
  readonly jobs: Api['jobs'];
  readonly files: Pick<Api['files'], 'saveCopy'>;
  readonly events: Pick<Api['events'], 'jobs'>;
}

/**
 * @param download downloads a result where the host doesn't save it itself
 * @param onUploadStopped called with each upload that stopped and may have stored rows
 * @param opened when the window opened, in Unix milliseconds
 */
export function createJobs(
  api: JobsApi,
  download: (result: JobArtifact) => void,
  onUploadStopped: (upload: UploadJob) => void = () => undefined,
  opened: number = performance.timeOrigin,
) {
  /** The exports that this window started or resumed, whose results it downloads. */
  const awaited = new Set<string>();
  const store = createStore<JobsState>()(() => defaults);
  const act = (work: () => Promise<unknown>, job: string | null = null) =>
    perform(work, (error) => store.setState({ error, failedJob: job }));
  const find = (job: string) => store.getState().jobs.find(({ id }) => id === job);
  const unlist = (job: string) =>
    store.setState(({ jobs }) => ({ jobs: jobs.filter(({ id }) => id !== job) }));
  const remove = async (job: string) => {
    await api.jobs.discard({ job });
    unlist(job);
  };
  const downloadIfDone = () => {
    for (const { id, state, artifacts } of store.getState().jobs) {
      if (state !== 'done' || !awaited.delete(id)) continue;
      const result = artifacts.find(({ kind }) => kind === 'result');
      if (result) download(result);
    }
  };
  const receive = (job: Job) => {
    const { jobs, isOpen, stopped } = store.getState();
    const before = find(job.id);
    const hasStopped = isEnd(before, job, opened);
    store.setState({ jobs: mergeJob(jobs, job), stopped: hasStopped && !isOpen ? job.id : stopped });
    downloadIfDone();
    if (hasStopped && job.kind === 'upload' && !isCheck(job)) onUploadStopped(job);
  };
  /** Adds a job that was read, unless it is listed: what the list has of it is newer. */
  const add = (job: Job) => {
    if (!find(job.id)) receive(job);
  };
  async function request(job: string): Promise<boolean> {
    for (;;) {
      try {
        add(await api.jobs.show({ job }));
        return true;
      } catch (error) {
        if (isAppError(error, 'job_unknown')) {
          unlist(job);
          return false;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
  const lookUps = new Map<string, Promise<boolean>>();
  /**
   * Looks up a job that may be newer or older than those listed, until there is an answer; once for all who wait for it.
   * @returns whether the job exists: it is listed then, otherwise not
   */
  function lookUp(job: string): Promise<boolean> {
    const running = lookUps.get(job) ?? request(job).finally(() => lookUps.delete(job));
    lookUps.set(job, running);
    return running;
  }
  /** Removes the jobs that were discarded while the link was lost, and whose last event was lost, too. */
  async function removeDiscarded(): Promise<void> {
    const before = store.getState().jobs.map(({ id }) => id);
    const current = await api.jobs.list({ finished: before.length }).catch(() => null);
    if (!current) return;
    const newest = new Set(current.jobs.map(({ id }) => id));
    // Others may be older: a job is also listed because a tab looked it up.
    for (const id of before) if (!newest.has(id)) void lookUp(id);
  }
  /** Adds some finished jobs to those of the list, the newest first, and counts those that aren't listed. */
  async function addOlder(more: number): Promise<void> {
    const isDone = ({ state }: Job) => state === 'done';
    // Counted from the newest, not from the oldest listed: that one may be listed only because a tab looked it up.
    const wanted = more === 0 ? 0 : store.getState().jobs.filter(isDone).length + more;
    const page = await api.jobs.list({ finished: wanted });
    // Those that aren't done are listed already, as they are now.
    const done = page.jobs.filter(isDone);
    store.setState((before) => {
      const jobs = done.reduce(mergeJob, before.jobs);
      return { jobs, older: Math.max(0, page.older + done.length - jobs.filter(isDone).length) };
    });
  }
  const resume = async (job: string) => {
    awaited.add(job);
    await api.jobs.resume({ job });
  };
  /** Acts on all of some jobs; one failure doesn't stop the others. The list shows the first. */
  const actOnAll = (jobs: readonly Job[], actOn: (job: string) => Promise<void>) =>
    act(async () => {
      const results = await Promise.allSettled(jobs.map(({ id }) => actOn(id)));
      const failure = results.find((result) => result.status === 'rejected');
      if (!failure) return;
      store.setState({ isOpen: true });
      throw failure.reason;
    });
  const actions = {
    add,
    lookUp,
    /** Opens the results of a job; the list shows why they can't be opened. */
    openResults: (open: () => Promise<void>) => act(open),
    async follow(signal: AbortSignal): Promise<void> {
      let wasOpen = false;
      const open = async () => {
        const events = await api.events.jobs({}, { signal });
        if (wasOpen) await removeDiscarded();
        wasOpen = true;
        return events;
      };
      await followStream(open, receive, {
        signal,
        // A list that can't be read is not empty.
        onError: (error) => {
          if (isAppError(error, 'file_unreadable')) store.setState({ error, failedJob: null, isOpen: true });
        },
      });
    },
    /**
     * Waits until a job stops. Never rejects.
     * @returns its state; `discarded`: it was removed; `interrupted`: the signal aborted first
     */
    async waitForEnd(job: string, signal: AbortSignal): Promise<JobState> {
      if (!find(job) && !(await abortable(lookUp(job), signal).catch(() => true))) return 'discarded';
      const { promise, resolve } = Promise.withResolvers<JobState>();
      const check = () => {
        const state = signal.aborted ? 'interrupted' : (find(job)?.state ?? 'discarded');
        if (!isActive(state)) resolve(state);
      };
      const stops = [store.subscribe(check), onAbort(signal, check)];
      check();
      return promise.finally(() => stops.forEach((stop) => stop()));
    },
    cancel: (job: string) => act(() => api.jobs.cancel({ job }), job),
    resume: (job: string) => act(() => resume(job), job),
    resumeInterrupted: () => actOnAll(interruptedJobs(store.getState().jobs), resume),
    pause: (job: string) => act(() => api.jobs.pause({ job }), job),
    answer: (job: string, answer: JobAnswer) => act(() => api.jobs.answer({ job, answer }), job),
    discard: (job: string) => act(() => remove(job), job),
    clearFinished: () => actOnAll(finishedJobs(store.getState().jobs), remove),
    /** Cancels and removes a job that the window started itself. Never rejects. */
    async removeQuietly(job: string) {
      await api.jobs.cancel({ job }).catch(() => undefined);
      await remove(job).catch(() => undefined);
    },
    /** Saves a job's file through the system's dialog. */
    save: (token: FileToken) => act(() => api.files.saveCopy({ token })),
    show(isOpen: boolean): void {
      store.setState({ isOpen, stopped: null, ...(isOpen ? {} : { error: null }) });
      if (isOpen) void addOlder(0).catch(() => undefined);
    },
    showOlder: () => act(() => addOlder(100)),
    downloadWhenDone(job: string) {
      awaited.add(job);
      downloadIfDone();
    },
  };
  return { store, actions };
}

export type Jobs = ReturnType<typeof createJobs>;

import { abortable } from '../../../shared/abort.ts';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import type { JobProgress, JobQuestion, JobWait } from '../../../shared/jobs/jobs.ts';
import type { JobAnswer } from '../../../shared/contract/jobs.ts';
import type { RetryNotice } from '../../../shared/workspace/workspace.ts';
import { mayProxyRecover } from '../wire/http/failures.ts';
import { type Clock, maxWaitMs } from '../wire/http/retry.ts';
import type { CallOptions, Services } from '../wire/services/services.ts';
import { elapsedMs } from '../../world/time.ts';

/** Backoff while the link is lost, in milliseconds. */
export const linkWaits = { firstMs: 1000, maxMs: 30_000 } as const;
/**
 * After this many waits of a request in which the same credentials were accepted, they are accepted for others and refused
 * for this one; only a person can tell why.
 */
const maxVainWaits = 10;

/** How many waits for a sign-in a request had since other credentials were entered. */
export interface VainWaits {
  count: number;
}

interface JobWaitsOptions {
  /** Whether a user is present to sign in, answer, and wait; a scheduled command would hang. */
  readonly isAttended: boolean;
  /** Called when a sign-in is required; returns undefined if credentials can't be replaced. */
  readonly signInWaiter: () => Services['waitForSignIn'];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the delay of the next try, in milliseconds; null when it starts. */
  readonly onNextTry: (ms: number | null) => void;
}

export interface ActiveWait {
  readonly waitsFor: JobWait;
  readonly error: AppError | null;
}

/** Waits for a person come first. */
const kindsByPriority = ['answer', 'resume', 'login', 'link'] as const;

/** Whether the service may become reachable without any change by a person. An invalid certificate doesn't. */
function mayRecover(error: AppError): boolean {
  if (!error.is('unreachable') || error.details.reason === 'tls') return false;
  const { proxy } = error.details;
  return !proxy || mayProxyRecover(proxy);
}

export type JobWaits = ReturnType<typeof createWaits>;

/** Creates the waits of one job. */
export function createWaits(options: JobWaitsOptions) {
  const { isAttended, signInWaiter, clock, signal, onNextTry } = options;
  const activeWaits = new Map<JobWait['for'], ActiveWait>();
  const addWait = (waitsFor: JobWait, error: AppError | null = null): void =>
    void activeWaits.set(waitsFor.for, { waitsFor, error });
  const withJobSignal = (callSignal: AbortSignal | undefined): AbortSignal =>
    callSignal ? AbortSignal.any([signal, callSignal]) : signal;
  let signIns = 0;
  let linkWait: { readonly passed: Promise<void>; readonly wake: AbortController } | null = null;
  const linkLosses = { consecutive: 0, lastEnd: -Infinity };
  let pause: PromiseWithResolvers<void> | null = null;
  let openQuestion: PromiseWithResolvers<JobAnswer> | null = null;

  async function waitForSignIn(
    error: AppError,
    vain: VainWaits,
    callSignal: AbortSignal | undefined,
  ): Promise<void> {
    const waitForNewCredentials = isAttended ? signInWaiter() : undefined;
    if (!waitForNewCredentials || vain.count >= maxVainWaits) throw error;
    const waitSignal = withJobSignal(callSignal);
    signIns += 1;
    addWait({ for: 'login' }, error);
    try {
      const isReplaced = await waitForNewCredentials(waitSignal);
      vain.count = isReplaced ? 0 : vain.count + 1;
      // Responses to requests from before the refusal may still arrive.
      if (!isReplaced) await clock.wait(maxWaitMs(linkWaits, vain.count), waitSignal);
    } finally {
      signIns -= 1;
      if (signIns === 0) activeWaits.delete('login');
    }
  }

  /** All requests of the job wait for the same next try. */
  function waitForLink(error: AppError): Promise<void> {
    if (linkWait) return linkWait.passed;
    // A failure long after the last wait is a new loss of the link.
    if (clock.elapsed() - linkLosses.lastEnd > linkWaits.maxMs) linkLosses.consecutive = 0;
    const ms = maxWaitMs(linkWaits, ++linkLosses.consecutive);
    const wake = new AbortController();
    addWait({ for: 'link' }, error);
    onNextTry(ms);
    linkWait = { passed: passLinkWait(ms, wake.signal), wake };
    return linkWait.passed;
  }

  async function passLinkWait(ms: number, wakeSignal: AbortSignal): Promise<void> {
    try {
      await clock.wait(ms, withJobSignal(wakeSignal));
    } catch (error) {
      if (signal.aborted || !wakeSignal.aborted) throw error;
    } finally {
      linkLosses.lastEnd = clock.elapsed();
      linkWait = null;
      activeWaits.delete('link');
      onNextTry(null);
    }
  }

  return {
    /**
     * Waits until the cause of an error has passed.
     * @param vain counts the waits of a request
     * @returns false if the job doesn't wait for this error
     * @throws AppError the given error when nobody can sign in; `cancelled`
     */
    async waitForRecovery(error: AppError, vain: VainWaits, callSignal?: AbortSignal): Promise<boolean> {
      if (error.is('not_authenticated')) await waitForSignIn(error, vain, callSignal);
      else if (isAttended && mayRecover(error))
        await abortable(waitForLink(error), withJobSignal(callSignal));
      else return false;
      return true;
    },
    /**
     * Whether a failed read passes to `waitForRecovery` at once instead of being retried first, as after a reset
     * connection, which may be momentary.
     */
    isDeferred: (error: AppError): boolean =>
      isAttended && mayRecover(error) && error.is('unreachable') && error.details.reason !== 'reset',
    /** Waits while the job is paused. @throws AppError `cancelled` */
    async waitWhilePaused(callSignal?: AbortSignal): Promise<void> {
      for (let activePause = pause; activePause; activePause = pause)
        await abortable(activePause.promise, withJobSignal(callSignal));
    },
    /** Asks the user; absent when unattended. @throws AppError `cancelled` */
    askUser: isAttended
      ? async (question: JobQuestion, callSignal?: AbortSignal): Promise<JobAnswer> => {
          openQuestion = Promise.withResolvers();
          addWait({ for: 'answer', question });
          try {
            return await abortable(openQuestion.promise, withJobSignal(callSignal));
          } finally {
            openQuestion = null;
            activeWaits.delete('answer');
          }
        }
      : undefined,
    /** The current wait, those for a person first; null if there is none. */
    current(): ActiveWait | null {
      const firstKind = kindsByPriority.find((kind) => activeWaits.has(kind));
      return firstKind === undefined ? null : (activeWaits.get(firstKind) ?? null);
    },
    /** @returns the pause, for `resume` */
    pause(): object {
      pause ??= Promise.withResolvers();
      addWait({ for: 'resume' });
      return pause;
    },
    /**
     * Ends a pause, and retries a lost link at once.
     * @param only nothing happens in another pause than this; absent: in any
     * @returns false if the job waited for neither
     */
    resume(only?: object): boolean {
      if (only && only !== pause) return false;
      const wasWaiting = pause !== null || activeWaits.has('link');
      activeWaits.delete('resume');
      pause?.resolve();
      pause = null;
      linkLosses.consecutive = 0;
      linkWait?.wake.abort();
      return wasWaiting;
    },
    /** @returns false if there is no open question */
    answer(answer: JobAnswer): boolean {
      openQuestion?.resolve(answer);
      return openQuestion !== null;
    },
  };
}

/** Repeats what only reads, or what nothing was sent of, if its services were closed meanwhile and others are open. */
async function withOpenServices<T>(
  services: () => Services,
  call: (current: Services) => Promise<T>,
): Promise<T> {
  for (;;) {
    const current = services();
    try {
      return await call(current);
    } catch (error) {
      if (!isAppError(error, 'cancelled') || services() === current) throw error;
    }
  }
}

/**
 * Services whose reads wait for sign-in or the link and then retry, and that start nothing in a pause.
 * Inserts don't wait: first the journal must record that nothing was stored.
 * @param services those of the connection now: a change of its proxy or certificates closes them
 * @param onNextTry called before a retry with its delay in milliseconds, and with null when the read ends
 * @returns services for one job; reads throw as {@link Services} and `cancelled`
 */
export function waitingServices(
  services: () => Services,
  {
    waitForRecovery,
    waitWhilePaused,
    isDeferred,
  }: Pick<JobWaits, 'waitForRecovery' | 'waitWhilePaused' | 'isDeferred'>,
  onNextTry: (ms: number | null) => void,
): Services {
  const first = services();
  async function withWaits<T>(
    options: CallOptions | undefined,
    call: (current: Services, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    let hasWaited = false;
    const vain = { count: 0 };
    const isFinal = (error: AppError): boolean => isDeferred(error) || options?.isFinal?.(error) === true;
    const onRetry = ({ nextTryMs }: RetryNotice): void => {
      hasWaited = true;
      onNextTry(nextTryMs);
    };
    for (;;) {
      await waitWhilePaused(options?.signal);
      try {
        return await withOpenServices(services, (current) => call(current, { onRetry, ...options, isFinal }));
      } catch (error) {
        if (!(error instanceof AppError) || options?.isFinal?.(error) === true) throw error;
        if (!(await waitForRecovery(error, vain, options?.signal))) throw error;
      } finally {
        if (hasWaited) onNextTry(null);
        hasWaited = false;
      }
    }
  }
  return {
    ...first,
    data: {
      ...first.data,
      find: (address, find, options) =>
        withWaits(options, ({ data }, waiting) => data.find(address, find, waiting)),
      findUnchecked: (address, find, options) =>
        withWaits(options, ({ data }, waiting) => data.findUnchecked(address, find, waiting)),
      count: (address, query, options) =>
        withWaits(options, ({ data }, waiting) => data.count(address, query, waiting)),
      aggregate: (address, query, options) =>
        withWaits(options, ({ data }, waiting) => data.aggregate(address, query, waiting)),
      pipeline: (address, stages, options) =>
        withWaits(options, ({ data }, waiting) => data.pipeline(address, stages, waiting)),
      dataset: (address, options) =>
        withWaits(options, ({ data }, waiting) => data.dataset(address, waiting)),
      companyDatasets: (options) => withWaits(options, ({ data }, waiting) => data.companyDatasets(waiting)),
      insert: (...call) => withOpenServices(services, ({ data }) => data.insert(...call)),
      askNow: (...call) => withOpenServices(services, ({ data }) => data.askNow(...call)),
      now: () => services().data.now(),
    },
    platform: {
      ...first.platform,
      list: (resource, filter, options) =>
        withWaits(options, ({ platform }, waiting) => platform.list(resource, filter, waiting)),
    },
  };
}

export type ProgressReport = Partial<Omit<JobProgress, 'rate' | 'secondsLeft'>>;

export const noProgress: JobProgress = {
  rows: 0,
  totalRows: null,
  bytes: 0,
  rate: 0,
  secondsLeft: null,
  nextTryMs: null,
};

/**
 * Computes the rate (rows per second) and the time left (seconds) from the reports of an engine.
 * @param now monotonic time in milliseconds
 */
export function createProgressMeter(from: JobProgress, now = elapsedMs) {
  let current: JobProgress = { ...from, rate: 0, secondsLeft: null, nextTryMs: null };
  const meter = createRateMeter(from.rows, now);
  let nextTryAt: number | null = null;
  return {
    report(reported: ProgressReport): void {
      current = { ...current, ...reported };
      if (reported.nextTryMs !== undefined)
        nextTryAt = reported.nextTryMs === null ? null : now() + reported.nextTryMs;
      meter.add(current.rows);
    },
    /** The job waits; the time until it resumes doesn't count. */
    resetRate: () => meter.reset(),
    read(): JobProgress {
      const rate = meter.rate();
      const rowsLeft = current.totalRows === null ? null : Math.max(0, current.totalRows - current.rows);
      // Relative to now, not to the time of the report.
      const nextTryMs = nextTryAt === null ? null : Math.max(0, nextTryAt - now());
      return {
        ...current,
        nextTryMs,
        rate,
        secondsLeft: !rowsLeft || rate === 0 ? null : rowsLeft / rate,
      };
    },
  };
}

/** The time window of a rate, in milliseconds: long enough to be stable, short enough to follow the link. */
const windowMs = 10_000;
/** The minimum sample of a rate: number of steps, and milliseconds. Earlier it would be a guess. */
const minSample = { steps: 3, ms: 2000 };
/** Steps closer together than this, in milliseconds, are merged. */
const mergeMs = 200;

interface Step {
  readonly at: number;
  readonly rows: number;
}

/**
 * Measures how fast rows are settled: between steps, because rows arrive in batches and pages: the time before the first step is setup,
 * and the time after the last one counts only when the next step is overdue.
 * @param from rows settled before
 * @param now monotonic time in milliseconds
 */
function createRateMeter(from: number, now: () => number) {
  let steps: readonly Step[] = [];
  let rows = from;
  return {
    add(settledRows: number): void {
      if (settledRows === rows) return;
      rows = settledRows;
      const at = now();
      const last = steps.at(-1);
      if (last && at - last.at < mergeMs) return;
      const extended = [...steps, { at, rows }];
      // If steps are far apart, the window extends to the minimum sample.
      const firstIndex = extended.findIndex(
        (step, index) => at - step.at <= windowMs || extended.length - index <= minSample.steps,
      );
      steps = extended.slice(firstIndex);
    },
    reset(): void {
      steps = [];
    },
    /** Rows per second; 0 while the sample is too small. */
    rate(): number {
      const [first] = steps;
      const last = steps.at(-1);
      if (!first || !last || steps.length < minSample.steps || last.at - first.at < minSample.ms) return 0;
      const spanMs = last.at - first.at;
      const overdueMs = Math.max(0, now() - last.at - spanMs / (steps.length - 1));
      return Math.max(0, ((last.rows - first.rows) * 1000) / (spanMs + overdueMs));
    },
  };
}

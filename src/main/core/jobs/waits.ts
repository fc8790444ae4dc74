import { abortable } from '../../../shared/abort.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { JobAnswer, JobQuestion, JobWait } from '../../../shared/jobs/jobs.ts';
import { type Clock, maxWaitMs } from '../wire/http/retry.ts';
import type { Services } from '../wire/services/services.ts';
import { elapsedMs } from '../../world/time.ts';

/** Backoff while the link is lost, in milliseconds. */
export const linkWaits = { firstMs: 1000, maxMs: 30_000 } as const;
/** A wait for sign-in shorter than this, in milliseconds, was in vain: no credentials were entered. */
const minWaitMs = 50;
/**
 * After this many vain waits in a row, credentials are accepted by one service and refused by the other; only
 * a person can tell why.
 */
const maxVainWaits = 10;

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

/** What a job waits for, and the error that caused it. */
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
  if (!proxy) return true;
  // A refusal by a proxy is final; an unreachable or failing proxy may recover.
  return proxy.status === undefined ? proxy.kind !== 'socks' : proxy.status >= 500;
}

/** Everything a job can wait for. */
export type JobWaits = ReturnType<typeof createWaits>;

/** Creates the waits of one job. */
export function createWaits(options: JobWaitsOptions) {
  const { isAttended, signInWaiter, clock, signal, onNextTry } = options;
  const activeWaits = new Map<JobWait['for'], ActiveWait>();
  const addWait = (waitsFor: JobWait, error: AppError | null = null): void =>
    void activeWaits.set(waitsFor.for, { waitsFor, error });
  const withJobSignal = (callSignal: AbortSignal | undefined): AbortSignal =>
    callSignal ? AbortSignal.any([signal, callSignal]) : signal;
  const signIns = { count: 0, vainWaits: 0 };
  let linkWait: { readonly passed: Promise<void>; readonly wake: AbortController } | null = null;
  const linkLosses = { consecutive: 0, lastEnd: -Infinity };
  let pause: PromiseWithResolvers<void> | null = null;
  let openQuestion: PromiseWithResolvers<JobAnswer> | null = null;

  async function waitForSignIn(error: AppError, callSignal: AbortSignal | undefined): Promise<void> {
    const waitForNewCredentials = isAttended ? signInWaiter() : undefined;
    if (!waitForNewCredentials || signIns.vainWaits >= maxVainWaits) throw error;
    const startedAt = elapsedMs();
    signIns.count += 1;
    addWait({ for: 'login' }, error);
    try {
      await waitForNewCredentials(withJobSignal(callSignal));
    } finally {
      signIns.count -= 1;
      if (signIns.count === 0) activeWaits.delete('login');
    }
    signIns.vainWaits = elapsedMs() - startedAt < minWaitMs ? signIns.vainWaits + 1 : 0;
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
     * @returns false if the job doesn't wait for this error
     * @throws AppError the given error when nobody can sign in; `cancelled`
     */
    async waitForRecovery(error: AppError, callSignal?: AbortSignal): Promise<boolean> {
      if (error.is('not_authenticated')) await waitForSignIn(error, callSignal);
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
    pause(): void {
      pause ??= Promise.withResolvers();
      addWait({ for: 'resume' });
    },
    /** Ends a pause, and retries a lost link at once. @returns false if the job waited for neither */
    resume(): boolean {
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

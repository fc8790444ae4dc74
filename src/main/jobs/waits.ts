import { AppError } from '../../shared/errors/errors.ts';
import type { JobAnswer, JobQuestion, JobWait } from '../../shared/jobs/jobs.ts';
import { type Clock, longestWait } from '../http/retry.ts';
import type { Services } from '../services/services.ts';

/** The waits for a lost link, in milliseconds: each twice the one before. */
export const linkWaits = { firstMs: 1000, longestMs: 30_000 } as const;
/** A wait for a login that is over sooner than this, in milliseconds, was none: nobody has given anything. */
const noWaitMs = 50;
/** So many in a row, and the credential is good in one place and refused in another: only a person can tell why. */
const maxVainWaits = 10;

interface JobWaitsOptions {
  /** Whether somebody is there who can log in, answer and wait; a scheduled command would hang until somebody looks. */
  readonly attended: boolean;
  /** Asked for when a login is missing. What it gives, absent: nobody can give another key or login here. */
  readonly untilAuthenticated: () => Services['untilAuthenticated'];
  readonly clock: Clock;
  /** Of the job. */
  readonly signal: AbortSignal;
  /** Told when the next try is, in milliseconds from now. */
  readonly onNextTry: (ms: number | null) => void;
}

/** What a job waits for now, and the error behind it where there is one. */
export interface Waiting {
  readonly waitsFor: JobWait;
  readonly error: AppError | null;
}

/** All that one job may have to wait for. */
export interface JobWaits {
  /**
   * Waits until what kept a request away has passed. False: this is not waited for here.
   * @throws the error itself where a login is missing and nobody can give one; `cancelled`
   */
  untilAgain(error: AppError, signal?: AbortSignal): Promise<boolean>;
  /** Whether a read that fails so is given to `untilAgain` at once, instead of being tried again below it. */
  waitsOut(error: AppError): boolean;
  /** Waits while the job is paused. @throws `cancelled` */
  untilGoing(signal?: AbortSignal): Promise<void>;
  /** Absent where nobody is there. @throws `cancelled` */
  readonly ask: ((question: JobQuestion, signal?: AbortSignal) => Promise<JobAnswer>) | undefined;
  /** What it waits for, a person first; null: for nothing. */
  now(): Waiting | null;
  pause(): void;
  /** Ends a pause, and tries a lost link at once. False: it waited for neither. */
  goOn(): boolean;
  /** False: nothing was asked. */
  answer(answer: JobAnswer): boolean;
}

/** What is waited for, that of a person first. */
const kinds = ['answer', 'resume', 'login', 'link'] as const;

/** Whether the service may be reached again without anybody doing anything about it: a certificate stays wrong. */
function mayComeBack(error: AppError): boolean {
  if (!error.is('unreachable') || error.details.reason === 'tls') return false;
  const { proxy } = error.details;
  if (!proxy) return true;
  // A proxy that says no says so again; one that can't be reached, or fails, may be left behind or recover.
  return proxy.status === undefined ? proxy.kind !== 'socks' : proxy.status >= 500;
}

/** What the promise gives, unless the signal is aborted before. @throws AppError `cancelled` then */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(new AppError('cancelled', {}));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Where it lost the race, what becomes of it is nobody's.
    promise.catch(() => undefined);
    aborted.promise.catch(() => undefined);
  }
}

export function createWaits(options: JobWaitsOptions): JobWaits {
  const { attended, untilAuthenticated, clock, signal, onNextTry } = options;
  const waiting = new Map<JobWait['for'], Waiting>();
  const note = (waitsFor: JobWait, error: AppError | null = null): void =>
    void waiting.set(waitsFor.for, { waitsFor, error });
  const during = (own: AbortSignal | undefined): AbortSignal =>
    own ? AbortSignal.any([signal, own]) : signal;
  const logins = { waiting: 0, inVain: 0 };
  let link: { readonly over: Promise<void>; readonly wake: AbortController } | null = null;
  const losses = { inARow: 0, lastEnd: -Infinity };
  let pause: PromiseWithResolvers<void> | null = null;
  let asked: PromiseWithResolvers<JobAnswer> | null = null;

  async function waitForLogin(error: AppError, own: AbortSignal | undefined): Promise<void> {
    const until = attended ? untilAuthenticated() : undefined;
    if (!until || logins.inVain >= maxVainWaits) throw error;
    const began = performance.now();
    logins.waiting += 1;
    note({ for: 'login' }, error);
    try {
      await until(during(own));
    } finally {
      logins.waiting -= 1;
      if (logins.waiting === 0) waiting.delete('login');
    }
    logins.inVain = performance.now() - began < noWaitMs ? logins.inVain + 1 : 0;
  }

  /** All requests of the job wait for the same next try. */
  function waitForLink(error: AppError): Promise<void> {
    if (link) return link.over;
    // A try that failed long after the last wait is a new loss.
    if (clock.elapsed() - losses.lastEnd > linkWaits.longestMs) losses.inARow = 0;
    const ms = longestWait(linkWaits, ++losses.inARow);
    const wake = new AbortController();
    note({ for: 'link' }, error);
    onNextTry(ms);
    link = { over: passLinkWait(ms, wake.signal), wake };
    return link.over;
  }

  async function passLinkWait(ms: number, woken: AbortSignal): Promise<void> {
    try {
      await clock.wait(ms, during(woken));
    } catch (error) {
      if (signal.aborted || !woken.aborted) throw error;
    } finally {
      losses.lastEnd = clock.elapsed();
      link = null;
      waiting.delete('link');
      onNextTry(null);
    }
  }

  return {
    async untilAgain(error, own) {
      if (error.is('not_authenticated')) await waitForLogin(error, own);
      else if (attended && mayComeBack(error)) await orAborted(waitForLink(error), during(own));
      else return false;
      return true;
    },
    // A connection that breaks may be a moment's matter.
    waitsOut: (error) =>
      attended && mayComeBack(error) && error.is('unreachable') && error.details.reason !== 'reset',
    async untilGoing(own) {
      for (let held = pause; held; held = pause) await orAborted(held.promise, during(own));
    },
    ask: attended
      ? async (question, own) => {
          asked = Promise.withResolvers();
          note({ for: 'answer', question });
          try {
            return await orAborted(asked.promise, during(own));
          } finally {
            asked = null;
            waiting.delete('answer');
          }
        }
      : undefined,
    now() {
      const first = kinds.find((kind) => waiting.has(kind));
      return first === undefined ? null : (waiting.get(first) ?? null);
    },
    pause() {
      pause ??= Promise.withResolvers();
      note({ for: 'resume' });
    },
    goOn() {
      const waited = pause !== null || waiting.has('link');
      waiting.delete('resume');
      pause?.resolve();
      pause = null;
      losses.inARow = 0;
      link?.wake.abort();
      return waited;
    },
    answer(answer) {
      asked?.resolve(answer);
      return asked !== null;
    },
  };
}

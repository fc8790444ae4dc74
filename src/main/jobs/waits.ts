import type { AppError } from '../../shared/errors/errors.ts';
import type { JobAnswer, JobQuestion, JobWait } from '../../shared/jobs/jobs.ts';
import type { Clock } from '../http/clock.ts';
import type { Services } from '../services/services.ts';
import { createLinkWait, mayComeBack } from './link-wait.ts';
import { createLoginWait } from './login-wait.ts';
import type { LoginWait } from './login-wait.ts';
import { orAborted } from './or-aborted.ts';

export interface JobWaitsOptions {
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

const kinds = ['answer', 'resume', 'login', 'link'] as const;

export function createWaits(options: JobWaitsOptions): JobWaits {
  const { attended, clock, signal, onNextTry } = options;
  const waiting = new Map<JobWait['for'], Waiting>();
  const note = (waitsFor: JobWait, on: boolean, error: AppError | null = null): void => {
    if (on) waiting.set(waitsFor.for, { waitsFor, error });
    else waiting.delete(waitsFor.for);
  };
  let login: LoginWait | null = null;
  const theLogin = (): LoginWait =>
    (login ??= createLoginWait({
      until: attended ? options.untilAuthenticated() : undefined,
      signal,
      onChange: (error) => note({ for: 'login' }, error !== null, error),
    }));
  const link = createLinkWait({
    clock,
    signal,
    onChange(wait) {
      note({ for: 'link' }, wait !== null, wait?.error);
      onNextTry(wait?.ms ?? null);
    },
  });
  const during = (own: AbortSignal | undefined): AbortSignal =>
    own ? AbortSignal.any([signal, own]) : signal;
  let pause: PromiseWithResolvers<void> | null = null;
  let asked: PromiseWithResolvers<JobAnswer> | null = null;

  return {
    async untilAgain(error, own) {
      if (error.is('not_authenticated')) await theLogin()(error, own);
      else if (attended && mayComeBack(error)) await link.wait(error, own);
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
          const waitsFor: JobWait = { for: 'answer', question };
          asked = Promise.withResolvers();
          note(waitsFor, true);
          try {
            return await orAborted(asked.promise, during(own));
          } finally {
            asked = null;
            note(waitsFor, false);
          }
        }
      : undefined,
    now() {
      const first = kinds.find((kind) => waiting.has(kind));
      return first === undefined ? null : (waiting.get(first) ?? null);
    },
    pause() {
      pause ??= Promise.withResolvers();
      note({ for: 'resume' }, true);
    },
    goOn() {
      const waited = pause !== null || waiting.has('link');
      note({ for: 'resume' }, false);
      pause?.resolve();
      pause = null;
      link.wake();
      return waited;
    },
    answer(answer) {
      asked?.resolve(answer);
      return asked !== null;
    },
  };
}

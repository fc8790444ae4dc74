import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { openThread, type ServedFunctions, type Thread } from '../../../shared/threads.ts';
import type { ProcessPort, StartProcess } from '../../world/threads.ts';
import { clearTimeout, setTimeout } from '../../world/time.ts';

interface IdleProcessOptions {
  /** Starts the process. @param number of the process, from 0 */
  readonly start: (number: number) => ProcessPort;
  /** How long an idle process stays, in milliseconds; absent: until it is ended. */
  readonly idleMs?: number;
  /** The error of calls that run when it is ended. */
  readonly stopped?: AppError;
  /** The process has ended. `problem`: how, if nobody ended it; null: it was idle, or was ended. */
  readonly onEnd?: (problem: string | null) => void;
}

interface Listeners {
  message: Parameters<ProcessPort['onMessage']>[0];
  end: Parameters<ProcessPort['onEnd']>[0];
}

/**
 * A process that starts with its first call, and ends when it was idle for a while; then the next call starts another one.
 * While it is idle, it keeps nothing running.
 */
export function openIdleProcess<C extends ServedFunctions<C>>({
  start,
  idleMs,
  stopped = new AppError('sql_unavailable', { reason: 'stopped' }),
  onEnd = () => undefined,
}: IdleProcessOptions) {
  let thread: Thread<C> | null = null;
  let port: ProcessPort | null = null;
  let number = 0;
  let users = 0;
  let timer: NodeJS.Timeout | undefined;

  function ended(problem: string | null): void {
    port = null;
    number += 1;
    onEnd(problem);
  }

  function end(): void {
    clearTimeout(timer);
    const old = thread;
    thread = null;
    ended(null);
    old?.close(stopped);
  }

  const running = (): Thread<C> =>
    (thread ??= openThread<C>(() => {
      const started = start(number);
      port = started;
      started.onEnd((problem) => {
        if (port === started) ended(problem);
      });
      return started;
    }));

  /** Keeps the process. @returns the function that no longer does */
  function hold(): () => void {
    clearTimeout(timer);
    users += 1;
    port?.setReferenced(true);
    return () => {
      users -= 1;
      if (users > 0) return;
      port?.setReferenced(false);
      if (idleMs !== undefined) timer = setTimeout(end, idleMs).unref();
    };
  }

  return {
    /** The number of the process that runs, or starts next. */
    number: (): number => number,
    /** The number of calls, and of others that keep it. */
    users: (): number => users,
    hold,
    /** @throws AppError `sql_unavailable` if the process ended meanwhile; those of the call */
    async call<T>(call: (calls: Thread<C>['calls']) => Promise<T>): Promise<T> {
      const release = hold();
      try {
        const pending = call(running().calls);
        const used = port;
        used?.setReferenced(true);
        return await pending.catch((error: unknown) => {
          if (!isAppError(error, 'internal') || used === port) throw error;
          throw new AppError('sql_unavailable', { reason: 'stopped' }, { cause: error });
        });
      } finally {
        release();
      }
    },
    /** Ends the process; its calls fail. */
    end,
  };
}

/** How long a process waits for its next use, in milliseconds. */
const waitMs = 10_000;

/**
 * Starts processes of one kind. One whose use ended in order waits a moment for the next use, and keeps nothing running
 * meanwhile: to start and to load a native library takes longer than most uses.
 */
export function reusedProcesses(start: StartProcess): StartProcess {
  const waiting = new Set<() => ProcessPort>();

  function newUse(port: ProcessPort, listeners: Listeners): ProcessPort {
    let onEnd: readonly ((problem: string) => void)[] = [];
    let isClosed = false;
    listeners.end = (problem) => onEnd.forEach((listener) => listener(problem));
    return {
      send: port.send,
      setReferenced: port.setReferenced,
      onMessage: (listener) => void (listeners.message = listener),
      onEnd: (listener) => void (onEnd = [...onEnd, listener]),
      close(isIdle = false) {
        if (isClosed) return;
        isClosed = true;
        if (!isIdle) {
          port.close();
          return;
        }
        const stopWaiting = (): void => {
          clearTimeout(timer);
          waiting.delete(take);
        };
        const take = (): ProcessPort => {
          stopWaiting();
          return newUse(port, listeners);
        };
        const timer = setTimeout(() => {
          stopWaiting();
          port.close();
        }, waitMs).unref();
        port.setReferenced(false);
        listeners.message = () => undefined;
        listeners.end = stopWaiting;
        waiting.add(take);
      },
    };
  }

  return (...process) => {
    const [take] = waiting;
    if (take) return take();
    const port = start(...process);
    const listeners: Listeners = { message: () => undefined, end: () => undefined };
    port.onMessage((message) => listeners.message(message));
    port.onEnd((problem) => listeners.end(problem));
    return newUse(port, listeners);
  };
}

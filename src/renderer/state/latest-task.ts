import { toAppError, type AppError } from '../../shared/errors/errors.ts';

/** Handlers for the result of a task. A task that a newer one replaced calls none of them. */
export interface TaskHandlers<T> {
  onDone(value: T): void;
  onFailed(error: AppError): void;
  /** The user canceled the task. */
  onCanceled(): void;
}

/**
 * Runs one task at a time. A newer task aborts the one before it, whose handlers are not called. What is
 * requested by more than one place at a time has a task for each. State is written by handlers, so that an
 * answer never appears beside what was asked for later.
 */
export interface LatestTask {
  run<T>(task: (signal: AbortSignal) => Promise<T>, handlers: TaskHandlers<T>): Promise<void>;
  /** Aborts the current task and calls `onCanceled`. */
  readonly cancel: () => void;
  /** Aborts the current task without calling a handler. */
  readonly drop: () => void;
}

export function createLatestTask(): LatestTask {
  let current: AbortController | null = null;
  return {
    async run(task, outcome) {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      // Handlers run outside the try block: an error in `onDone` is not a failure of the task. A task that
      // throws synchronously fails like any other.
      const result = await (async () => task(controller.signal))().then(
        (value) => ({ value }),
        (error: unknown) => ({ error: toAppError(error) }),
      );
      if (current !== controller) return;
      current = null;
      if (controller.signal.aborted) outcome.onCanceled();
      else if ('value' in result) outcome.onDone(result.value);
      else outcome.onFailed(result.error);
    },
    cancel() {
      current?.abort();
    },
    drop() {
      current?.abort();
      current = null;
    },
  };
}

import { toAppError, type AppError } from '../../shared/errors/errors.ts';
import { useEffect, useState } from 'react';

/** Handlers for the result of a task. A task that a newer one replaced calls none of them. */
export interface TaskHandlers<T> {
  onDone(value: T): void;
  onFailed(error: AppError): void;
  /** The user canceled the task. Absent: nothing changes. */
  onCanceled?(): void;
}

/**
 * Runs one task at a time. A newer task aborts the one before it, whose handlers are not called. What is
 * requested by more than one place at a time has a task for each. State is written by handlers, so that an
 * answer never appears beside what was asked for later.
 */
export function createLatestTask() {
  let current: AbortController | null = null;
  return {
    async run<T>(task: (signal: AbortSignal) => Promise<T>, outcome: TaskHandlers<T>): Promise<void> {
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
      if (controller.signal.aborted) outcome.onCanceled?.();
      else if ('value' in result) outcome.onDone(result.value);
      else outcome.onFailed(result.error);
    },
    /** Aborts the current task and calls `onCanceled`. */
    cancel: () => current?.abort(),
    /** Aborts the current task without calling a handler. */
    drop(): void {
      current?.abort();
      current = null;
    },
  };
}

export type LatestTask = ReturnType<typeof createLatestTask>;

export interface Task<Input, Output> {
  readonly isRunning: boolean;
  readonly error: AppError | null;
  readonly value: Output | null;
  readonly start: (input: Input) => Promise<void>;
  /** Aborts the task and clears its result. */
  readonly reset: () => void;
}

/** An operation that a component starts, such as submitting a form. It is aborted when the component unmounts. */
export function useTask<Input, Output>(
  task: (input: Input, signal: AbortSignal) => Promise<Output>,
): Task<Input, Output> {
  const [state, setState] = useState<{ isRunning: boolean; error: AppError | null; value: Output | null }>(
    none,
  );
  const [currentTask] = useState(createLatestTask);
  useEffect(() => () => currentTask.drop(), [currentTask]);
  return {
    ...state,
    async start(input) {
      setState({ ...none, isRunning: true });
      await currentTask.run((signal) => task(input, signal), {
        onDone: (value) => setState({ ...none, value }),
        onFailed: (error) => setState({ ...none, error }),
        onCanceled: () => setState(none),
      });
    },
    reset() {
      currentTask.drop();
      setState(none);
    },
  };
}

const none = { isRunning: false, error: null, value: null };

import { useEffect, useState } from 'react';
import type { AppError } from '../../shared/errors/errors.ts';
import { createLatestTask } from './latest-task.ts';

export interface Task<Input, Output> {
  readonly isRunning: boolean;
  readonly error: AppError | null;
  readonly value: Output | null;
  readonly start: (input: Input) => Promise<void>;
  /** Aborts the task and clears its result. */
  readonly reset: () => void;
}

/**
 * An operation that a component starts, such as submitting a form. It is aborted when the component unmounts.
 */
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

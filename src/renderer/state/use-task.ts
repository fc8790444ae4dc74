import { useEffect, useState } from 'react';
import type { AppError } from '../../shared/errors/errors.ts';
import { latest } from './latest.ts';

export interface Task<Input, Output> {
  readonly running: boolean;
  readonly error: AppError | null;
  readonly value: Output | null;
  readonly start: (input: Input) => Promise<void>;
  /** Gives up what runs, and forgets how it went. */
  readonly reset: () => void;
}

/**
 * Something a component does once in a while, such as sending a form: whether it runs and how it went. It is given up
 * when the component goes.
 */
export function useTask<Input, Output>(
  task: (input: Input, signal: AbortSignal) => Promise<Output>,
): Task<Input, Output> {
  const [state, setState] = useState<{ running: boolean; error: AppError | null; value: Output | null }>(
    none,
  );
  const [running] = useState(latest);
  useEffect(() => () => running.drop(), [running]);
  return {
    ...state,
    async start(input) {
      setState({ ...none, running: true });
      await running.run((signal) => task(input, signal), {
        done: (value) => setState({ ...none, value }),
        failed: (error) => setState({ ...none, error }),
        cancelled: () => setState(none),
      });
    },
    reset() {
      running.drop();
      setState(none);
    },
  };
}

const none = { running: false, error: null, value: null };

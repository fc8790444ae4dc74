import { useState } from 'react';
import { toAppError, type AppError } from '../../shared/errors.ts';

export interface Task<Input, Output> {
  readonly running: boolean;
  readonly error: AppError | null;
  readonly value: Output | null;
  start(input: Input): Promise<void>;
  /** Forgets how it went. */
  reset(): void;
}

/** Something a component does once in a while, such as sending a form: whether it runs and how it went. */
export function useTask<Input, Output>(task: (input: Input) => Promise<Output>): Task<Input, Output> {
  const [state, setState] = useState<{ running: boolean; error: AppError | null; value: Output | null }>(
    none,
  );
  return {
    ...state,
    async start(input) {
      setState({ ...none, running: true });
      try {
        const value = await task(input);
        setState({ ...none, value });
      } catch (error) {
        setState({ ...none, error: toAppError(error) });
      }
    },
    reset: () => setState(none),
  };
}

const none = { running: false, error: null, value: null };

import { toAppError, type AppError } from '../../shared/errors/errors.ts';

/** What becomes of a task. A task that a newer one replaced reports nothing. */
export interface Outcome<T> {
  done(value: T): void;
  failed(error: AppError): void;
  /** The person gave it up. */
  cancelled(): void;
}

/** Runs one task at a time: a newer one aborts and silences the one before. */
export interface Latest {
  run<T>(task: (signal: AbortSignal) => Promise<T>, outcome: Outcome<T>): Promise<void>;
  /** Aborts what runs; its outcome is `cancelled`. */
  readonly cancel: () => void;
  /** Aborts what runs, which then reports nothing. */
  readonly drop: () => void;
}

/** A place where only the latest task counts, such as "the list of wells". */
export function latest(): Latest {
  let current: AbortController | null = null;
  return {
    async run(task, outcome) {
      current?.abort();
      const mine = new AbortController();
      current = mine;
      // The value is judged outside the try: a fault in `done` is not a failure of the task.
      // A task that throws before it begins has failed like any other.
      const result = await (async () => task(mine.signal))().then(
        (value) => ({ value }),
        (error: unknown) => ({ error: toAppError(error) }),
      );
      if (current !== mine) return;
      current = null;
      if (mine.signal.aborted) outcome.cancelled();
      else if ('value' in result) outcome.done(result.value);
      else outcome.failed(result.error);
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

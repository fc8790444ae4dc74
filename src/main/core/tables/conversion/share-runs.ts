import { abortable } from '../../../../shared/abort.ts';
import { AppError } from '../../../../shared/errors/errors.ts';

interface Run<T> {
  readonly controller: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}

/**
 * Runs work once for concurrent callers. It is aborted when all of them have stopped waiting.
 * @returns a function that starts work under a name, or joins the running work of that name
 */
export function shareRuns<T>() {
  const runs = new Map<string, Run<T>>();
  return async function share(
    name: string,
    start: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (signal?.aborted) throw new AppError('cancelled', {});
    const run = runs.get(name) ?? begin(runs, name, start);
    run.waiting += 1;
    try {
      return await abortable(run.result, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) {
        if (runs.get(name) === run) runs.delete(name);
        run.controller.abort();
      }
    }
  };
}

function begin<T>(
  runs: Map<string, Run<T>>,
  name: string,
  start: (signal: AbortSignal) => Promise<T>,
): Run<T> {
  const controller = new AbortController();
  const result = start(controller.signal);
  // Callers that stopped waiting must not cause an unhandled rejection.
  result.catch(() => undefined);
  const run = { controller, result, waiting: 0 };
  runs.set(name, run);
  return run;
}

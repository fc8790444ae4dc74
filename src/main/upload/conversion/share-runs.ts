import { AppError } from '../../../shared/errors/errors.ts';

interface Run<T> {
  readonly controller: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}

/**
 * Runs what several ask for once. It is aborted when none of them waits for it any more.
 * @returns a function that runs something under a name, or joins its run
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
    let onAbort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(new AppError('cancelled', {}));
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([run.result, aborted]);
    } finally {
      if (onAbort) signal?.removeEventListener('abort', onAbort);
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
  // Who gave up doesn't hear how it ends.
  result.catch(() => undefined);
  const run = { controller, result, waiting: 0 };
  runs.set(name, run);
  return run;
}

/** A task that can be aborted. */
type Task<Input> = (input: Input, signal: AbortSignal) => Promise<void>;

interface SharedTask {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/** Runs a task once for all concurrent callers; it is aborted when all of them aborted. */
export function shareTask<Input>(
  task: Task<Input>,
): (key: string, input: Input, signal: AbortSignal) => Promise<void> {
  const running = new Map<string, SharedTask>();

  function join(key: string, input: Input): SharedTask {
    const sharedTask = running.get(key);
    if (sharedTask) return sharedTask;
    const controller = new AbortController();
    const done = task(input, controller.signal).finally(() => {
      if (running.get(key) === started) running.delete(key);
    });
    const started: SharedTask = { done, controller, waiting: 0 };
    running.set(key, started);
    return started;
  }

  return async (key, input, signal) => {
    signal.throwIfAborted();
    const shared = join(key, input);
    shared.waiting += 1;
    const leave = (): void => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      running.delete(key);
      shared.controller.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await shared.done;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    signal.throwIfAborted();
  };
}

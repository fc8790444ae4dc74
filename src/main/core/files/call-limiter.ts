interface CallOptions<T> {
  /** Creates the error after the time limit. */
  readonly late: () => Error;
  /** Takes a result that came after the time limit, such as an open file. */
  readonly abandon?: (result: T) => Promise<unknown>;
}

/**
 * Node has four threads for all files and for the names of hosts; a call that the drive doesn't answer holds one, and can't
 * be stopped. The limiter bounds how many threads such calls hold, and how long a caller waits. A thread counts as held until
 * its call returns, whether or not somebody still waits for it.
 */
export function createCallLimiter({ maxRunning, limitMs }: { maxRunning: number; limitMs: number }) {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;

  function startNext(): void {
    if (running >= maxRunning) return;
    const start = waiting.shift();
    if (!start) return;
    running += 1;
    void start().finally(() => {
      running -= 1;
      startNext();
    });
  }

  /** Runs a call. @throws the error of the call, or that of `late` when the limit has passed */
  return function run<T>(call: () => Promise<T>, { late, abandon }: CallOptions<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(late());
      }, limitMs);
      waiting.push(async () => {
        if (isLate) return;
        try {
          const result = await call();
          if (isLate) await abandon?.(result);
          else resolve(result);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        } finally {
          clearTimeout(timer);
        }
      });
      startNext();
    });
  };
}

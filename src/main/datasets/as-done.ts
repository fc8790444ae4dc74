/**
 * Works on items a few at a time and gives each result as it is there, in whatever order. When one fails, or nobody
 * listens any more, what runs is aborted.
 * @throws what the work throws
 */
export async function* asDone<T, R>(
  items: Iterable<T>,
  atATime: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal | undefined,
): AsyncGenerator<R> {
  const own = new AbortController();
  const both = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const running = new Map<number, Promise<{ at: number; result: R }>>();
  const left = [...items].entries();
  try {
    for (;;) {
      while (running.size < atATime) {
        const next = left.next();
        if (next.done) break;
        const [at, item] = next.value;
        const task = work(item, both).then((result) => ({ at, result }));
        // A failure is heard of where it is waited for; that of one which nobody waits for any more is of no use.
        task.catch(() => undefined);
        running.set(at, task);
      }
      if (running.size === 0) return;
      const { at, result } = await Promise.race(running.values());
      running.delete(at);
      yield result;
    }
  } finally {
    own.abort();
  }
}

import type { HeardEvent } from './heard.ts';

/**
 * What a thread tells, to be read one by one.
 * @param run tells each event; it ends when there are no more, and rejects into what is read
 */
export async function* heardStream(
  run: (tell: (event: HeardEvent) => void, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): AsyncGenerator<HeardEvent> {
  const left = new AbortController();
  const heard: HeardEvent[] = [];
  let ended = false;
  let wake = Promise.withResolvers<void>();
  const tell = (event: HeardEvent): void => {
    heard.push(event);
    wake.resolve();
  };
  const running = run(tell, AbortSignal.any([signal, left.signal])).finally(() => {
    ended = true;
    wake.resolve();
  });
  // Whoever reads is told.
  running.catch(() => undefined);
  try {
    for (;;) {
      const event = heard.shift();
      if (event) yield event;
      else if (ended) {
        await running;
        return;
      } else {
        await wake.promise;
        wake = Promise.withResolvers();
      }
    }
  } finally {
    left.abort();
  }
}

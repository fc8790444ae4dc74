import type { ThreadPort } from '../../src/shared/threads.ts';

/** Two ends of a channel in one thread, whose messages are copied as between threads. */
export function portPair(): [ThreadPort, ThreadPort] {
  const listeners: Parameters<ThreadPort['onMessage']>[0][] = [];
  const port = (own: number): ThreadPort => ({
    send(message) {
      const copied = structuredClone(message);
      queueMicrotask(() => listeners[1 - own]?.(copied as never));
    },
    onMessage: (listener) => void (listeners[own] = listener),
    onEnd: () => undefined,
    close: () => void (listeners.length = 0),
  });
  return [port(0), port(1)];
}

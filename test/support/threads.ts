import type { ThreadPort } from '../../src/shared/threads.ts';

type Listener = Parameters<ThreadPort['onMessage']>[0];

/** Two ends of a channel on one thread: messages are copied, and arrive later, as between two. */
export function portPair() {
  let failed: (problem: string) => void = () => undefined;
  let closed = 0;
  const sent: object[] = [];
  const listeners: readonly [Listener[], Listener[]] = [[], []];
  const end = (own: 0 | 1): ThreadPort => ({
    send(message, transfer) {
      const copy: Parameters<Listener>[0] = structuredClone(message as never, { transfer: [...transfer] });
      sent.push(copy);
      queueMicrotask(() => listeners[own === 0 ? 1 : 0].forEach((listener) => listener(copy)));
    },
    onMessage: (listener) => void listeners[own].push(listener),
    onEnd: (listener) => void (failed = listener),
    close: () => void (closed += 1),
  });
  return {
    /** Of the caller, and of the thread. */
    ends: [end(0), end(1)] as const,
    sent,
    /** Crashes the thread. */
    fail: (problem: string) => failed(problem),
    closed: () => closed,
  };
}

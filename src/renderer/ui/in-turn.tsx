import { startTransition, useEffect, useRef, useState, type ReactNode } from 'react';

/** Settles when everything that asked for a turn so far has had it. */
let allBefore: Promise<void> = Promise.resolve();

/**
 * Draws what it holds a little later, in a task of its own, and after everything else that waits for its turn: a view
 * that comes whole would hold the window up for longer than a person should wait for a key.
 */
export function InTurn({ children }: { children: ReactNode }) {
  const [isDrawn, setDrawn] = useState(false);
  const over = useRef<() => void>(null);
  useEffect(() => {
    const turn = Promise.withResolvers<void>();
    const before = allBefore;
    allBefore = turn.promise;
    over.current = turn.resolve;
    void before.then(async () => {
      await scheduler.yield();
      startTransition(() => setDrawn(true));
    });
    return turn.resolve;
  }, []);
  useEffect(() => {
    if (isDrawn) over.current?.();
  }, [isDrawn]);
  return isDrawn ? children : null;
}

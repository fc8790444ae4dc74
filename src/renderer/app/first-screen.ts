import { useEffect } from 'react';

const firstScreen = Promise.withResolvers<void>();

/** Resolves after the first screen: work that it doesn't need waits for this. */
export const afterFirstScreen = firstScreen.promise;

export const endFirstScreen = (): void => firstScreen.resolve();

/**
 * Reports the first screen to {@link afterFirstScreen}. Idle time is not enough: the window is idle while it
 * waits for the connections.
 * @param screen null: not known yet; an open connection needs the whole window at once
 */
export function useFirstScreen(screen: 'start' | 'connection' | null): void {
  useEffect(() => {
    if (screen === 'connection') endFirstScreen();
    if (screen !== 'start') return undefined;
    const waiting = requestIdleCallback(endFirstScreen, { timeout: 500 });
    return () => cancelIdleCallback(waiting);
  }, [screen]);
}

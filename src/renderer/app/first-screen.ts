import { useEffect } from 'react';

const standing = Promise.withResolvers<void>();

/** Resolves when the first screen has had its time: what it does not need is fetched and run behind it. */
export const afterFirstScreen = standing.promise;

/** The first screen has had its time. */
export const endFirstScreen = (): void => standing.resolve();

/**
 * Tells {@link afterFirstScreen} of the first screen. Idle time alone does not say that it stands: the window is idle
 * while it waits to hear which screen that is, and what is fetched then comes before it.
 * @param screen null: it is not known yet; a connection needs the rest of the window at once
 */
export function useFirstScreen(screen: 'start' | 'connection' | null): void {
  useEffect(() => {
    if (screen === 'connection') endFirstScreen();
    if (screen !== 'start') return undefined;
    const waiting = requestIdleCallback(endFirstScreen, { timeout: 500 });
    return () => cancelIdleCallback(waiting);
  }, [screen]);
}

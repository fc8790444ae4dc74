import { createFinder, type Finder } from './finder.ts';

/** A finder on a worker of its own. */
export const startFinder = (): Finder =>
  createFinder(
    // Written out in one piece, for the build to see that this is a worker of its own.
    () => new Worker(new URL('./find-worker.ts', import.meta.url), { type: 'module', name: 'wells' }),
  );

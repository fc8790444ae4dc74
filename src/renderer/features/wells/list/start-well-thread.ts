import { createWellThread, type WellThread } from './client.ts';

/** The wells of a connection on a worker of their own. */
export const startWellThread = (): WellThread =>
  createWellThread(
    // Written out in one piece, for the build to see that this is a worker of its own.
    () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'wells' }),
  );

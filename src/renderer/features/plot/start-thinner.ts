import { createThinner } from './thinner.ts';

// Written out in one piece, for the build to see that this is a worker of its own.
const startThinning = () =>
  new Worker(new URL('./thinning-worker.ts', import.meta.url), { type: 'module', name: 'plots' });

/** The one thread that thins all plots of the window; it is loaded, and started, with the first of them. */
export const thinner = createThinner(startThinning);

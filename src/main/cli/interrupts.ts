import type { ExitCode } from './exit-codes.ts';

/** One Ctrl-C can arrive twice, from the terminal and passed on by a parent: closer together, they are one (ms). */
const same = 1000;

const cancelled: ExitCode = 130;

/**
 * The signal that Ctrl-C aborts, as do a hang-up and a request to end: what runs stops so that it can be resumed.
 * A second one, later, ends the process at once.
 */
export function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  let first: number | null = null;
  const interrupt = (): void => {
    if (first === null) {
      first = performance.now();
      controller.abort();
    } else if (performance.now() - first > same) process.exit(cancelled);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  return controller.signal;
}

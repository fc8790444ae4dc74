import { createInterface } from 'node:readline';

/**
 * Calls `act` each time Enter is pressed in the terminal of this process, until the signal aborts.
 * @returns false where there is nobody to press it: stdin is closed, or the process runs in the background
 */
export async function onEnter(act: () => void, signal: AbortSignal): Promise<boolean> {
  const { stdin } = process;
  const isTerminal = stdin.isTTY;
  if (isTerminal && !(await isInForeground())) return false;
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on('line', act);
  // A terminal that has gone is no reason to end.
  stdin.on('error', () => lines.close());
  const watch = (): void => void isInForeground().then((is) => (is ? lines.resume() : lines.pause()));
  if (isTerminal && process.platform !== 'win32') process.on('SIGCONT', watch);
  const stop = (): void => {
    process.off('SIGCONT', watch);
    lines.close();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return isTerminal;
}

/** Whether the terminal is this process's now: a background process that reads it is stopped by the system (SIGTTIN). */
async function isInForeground(): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'stat=', '-p', String(process.pid)], (error, state) =>
      resolve(error === null && state.includes('+')),
    );
  });
}

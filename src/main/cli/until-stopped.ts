/** Waits until Ctrl-C, or whatever else ends the process kindly. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  // A signal listener alone does not keep a process running; a server that is open does.
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

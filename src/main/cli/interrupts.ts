/** One Ctrl-C can arrive twice, from the terminal and passed on by a parent: closer together, they are one (ms). */
const same = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupts {
  /** Aborted by Ctrl-C, a hang-up and a request to end: what runs stops so that it can be resumed. */
  readonly signal: AbortSignal;
  /** Leaves further ones to the system, which ends the process at once, whatever it is doing. */
  ignore(): void;
}

/** Listens for the first interrupt; a second one, later, is the system's. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController();
  const ignore = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  const interrupt = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(ignore, same).unref();
  };
  for (const signal of signals) process.on(signal, interrupt);
  return { signal: controller.signal, ignore };
}

/** What is used of Electron's app. */
export interface Quitting {
  on(event: 'will-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'second-instance' | 'window-all-closed' | 'activate', listener: () => void): unknown;
  quit(): void;
  relaunch(): void;
}

export interface LifeOptions {
  readonly app: Quitting;
  readonly platform: NodeJS.Platform;
  /** Shows the window, or opens one where there is none. */
  readonly show: () => void;
  /** Stops jobs so that they can be resumed, and writes down what is still to be kept. */
  readonly close: () => Promise<void>;
  /** Resolves when waiting for {@link close} has lasted too long; jobs survive that as they survive a kill. */
  readonly tooLong: () => Promise<void>;
  readonly log: (sentence: string) => void;
}

/** How the application lives and ends: one instance, jobs stopped in order, nothing left behind. */
export function liveAndQuit({ app, platform, show, close, tooLong, log }: LifeOptions): void {
  let state: 'running' | 'closing' | 'closed' = 'running';
  app.on('second-instance', () => {
    if (state === 'running') show();
    // It came while we were going, and has gone because we were there: start anew for it.
    else app.relaunch();
  });
  app.on('activate', () => {
    if (state === 'running') show();
  });
  app.on('window-all-closed', () => {
    // macOS keeps applications without a window, and our jobs go on.
    if (platform !== 'darwin') app.quit();
  });
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void Promise.race([
      close(),
      tooLong().then(() => log('Stopping the jobs took too long; they can be resumed.')),
    ])
      .catch((error: unknown) => log(`Wellbench did not close in order: ${String(error)}`))
      .then(() => {
        state = 'closed';
        app.quit();
      });
  });
}

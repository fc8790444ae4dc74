import type { BrowserWindow, Dialog } from 'electron';
import { showQuestion } from './dialogs.ts';

interface Preventable {
  preventDefault(): void;
}

/** What is used of Electron's app. */
export interface Quitting {
  on(event: 'before-quit' | 'will-quit', listener: (event: Preventable) => void): unknown;
  on(event: 'window-all-closed' | 'activate', listener: () => void): unknown;
  on(event: 'second-instance', listener: (...args: unknown[]) => void): unknown;
  quit(): void;
  relaunch(): void;
}

export interface LifecycleOptions {
  readonly app: Quitting;
  readonly platform: NodeJS.Platform;
  /** Shows the window, or opens one. */
  readonly show: () => void;
  readonly onSecondInstance: (...args: unknown[]) => void;
  readonly activeJobs: () => number;
  readonly confirmQuit: (jobs: number) => Promise<boolean>;
  /** Called when quitting is decided and windows begin to close. */
  readonly onQuit: () => void;
  /** Stops jobs so they can be resumed, and saves pending changes. */
  readonly close: () => Promise<void>;
  /** Resolves when waiting for {@link close} has lasted too long; jobs survive that as they survive a kill. */
  readonly tooLong: () => Promise<void>;
  readonly log: (sentence: string) => void;
}

/** The application's lifecycle: one instance, confirmation before jobs are stopped, and an orderly end. */
export function manageLifecycle(options: LifecycleOptions) {
  const { app, platform, show, onSecondInstance, activeJobs, confirmQuit, onQuit, close, tooLong, log } =
    options;
  let state: 'running' | 'asking' | 'settled' | 'closing' | 'closed' = 'running';
  const isClosing = (): boolean => state === 'closing' || state === 'closed';
  app.on('second-instance', (...args) => {
    // A start during quitting ended because of this instance, so it is repeated.
    if (isClosing()) app.relaunch();
    else onSecondInstance(...args);
  });
  app.on('activate', () => {
    if (!isClosing()) show();
  });
  app.on('window-all-closed', () => {
    // macOS keeps applications without windows, and jobs continue.
    if (platform !== 'darwin') app.quit();
  });
  app.on('before-quit', (event) => {
    if (state === 'running' && activeJobs() === 0) state = 'settled';
    if (state === 'settled') onQuit();
    if (state === 'asking') event.preventDefault();
    if (state !== 'running') return;
    event.preventDefault();
    state = 'asking';
    void confirmQuit(activeJobs())
      .catch((error: unknown) => {
        // Without a possible confirmation, quitting must not be blocked.
        log(`The question before quitting could not be shown: ${String(error)}`);
        return true;
      })
      .then((quit) => {
        state = quit ? 'settled' : 'running';
        if (quit) app.quit();
      });
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
      .catch((error: unknown) => log(`Wellbench did not close cleanly: ${String(error)}`))
      .then(() => {
        state = 'closed';
        app.quit();
      });
  });
  return {
    /**
     * Closing the last window quits, except on macOS: while jobs run, the window stays until that is
     * confirmed.
     */
    closeLast(event: Preventable): void {
      if (platform === 'darwin' || isClosing() || state === 'settled' || activeJobs() === 0) return;
      event.preventDefault();
      app.quit();
    },
    /** The system shuts down, so nobody can confirm. */
    shutDown(): void {
      if (!isClosing()) state = 'settled';
    },
    /** Quitting ended, because the user keeps a window: the next time, it is confirmed again. */
    stay(): void {
      if (state === 'settled') state = 'running';
    },
  };
}

/** Confirms quitting although jobs would stop. They can be resumed. */
export const showQuitQuestion = (
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow | null,
  jobs: number,
): Promise<boolean> =>
  showQuestion(dialog, window, {
    message: jobs === 1 ? 'A job is still running.' : `${jobs} jobs are still running.`,
    detail: 'Jobs stop when Wellbench quits. You can resume them after the next start.',
    buttons: ['Quit', 'Stay'],
    defaultId: 1,
    cancelId: 1,
  });

import type { BrowserWindow, Dialog } from 'electron';
import { askOver } from './dialogs.ts';

interface Preventable {
  preventDefault(): void;
}

/** What is used of Electron's app. */
export interface Quitting {
  on(event: 'before-quit' | 'will-quit', listener: (event: Preventable) => void): unknown;
  on(event: 'window-all-closed' | 'activate', listener: () => void): unknown;
  on(event: 'second-instance', listener: (...told: unknown[]) => void): unknown;
  quit(): void;
  relaunch(): void;
}

export interface LifeOptions {
  readonly app: Quitting;
  readonly platform: NodeJS.Platform;
  /** Shows the window, or opens one where there is none. */
  readonly show: () => void;
  /** Another start of the application was told to open something, or nothing. */
  readonly second: (...told: unknown[]) => void;
  /** How many jobs would be stopped. */
  readonly underWay: () => number;
  /** Asks the person whether to quit although so many jobs would be stopped. */
  readonly ask: (jobs: number) => Promise<boolean>;
  /** It is settled that we go: windows begin to close. */
  readonly leave: () => void;
  /** Stops jobs so that they can be resumed, and writes down what is still to be kept. */
  readonly close: () => Promise<void>;
  /** Resolves when waiting for {@link close} has lasted too long; jobs survive that as they survive a kill. */
  readonly tooLong: () => Promise<void>;
  readonly log: (sentence: string) => void;
}

export type Life = ReturnType<typeof liveAndQuit>;

/** How the application lives and ends: one instance, nobody's jobs stopped unasked, nothing left behind. */
export function liveAndQuit(options: LifeOptions) {
  const { app, platform, show, second, underWay, ask, leave, close, tooLong, log } = options;
  let state: 'running' | 'asking' | 'settled' | 'closing' | 'closed' = 'running';
  const going = (): boolean => state === 'closing' || state === 'closed';
  app.on('second-instance', (...told) => {
    // One that came while we were going has gone because we were there: start anew for it.
    if (going()) app.relaunch();
    else second(...told);
  });
  app.on('activate', () => {
    if (!going()) show();
  });
  app.on('window-all-closed', () => {
    // macOS keeps applications without a window, and our jobs go on.
    if (platform !== 'darwin') app.quit();
  });
  app.on('before-quit', (event) => {
    if (state === 'running' && underWay() === 0) state = 'settled';
    if (state === 'settled') leave();
    if (state === 'asking') event.preventDefault();
    if (state !== 'running') return;
    event.preventDefault();
    state = 'asking';
    void ask(underWay())
      .catch((error: unknown) => {
        // Somebody who can't be asked must not be kept here.
        log(`Whether to quit could not be asked: ${String(error)}`);
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
      .catch((error: unknown) => log(`Wellbench did not close in order: ${String(error)}`))
      .then(() => {
        state = 'closed';
        app.quit();
      });
  });
  return {
    /** The last window is about to close, which quits but on macOS: while jobs run, the window stays until it is settled. */
    closeLast(event: Preventable): void {
      if (platform === 'darwin' || going() || state === 'settled' || underWay() === 0) return;
      event.preventDefault();
      app.quit();
    },
    /** The system shuts down: nobody is there to be asked. */
    shutDown(): void {
      if (!going()) state = 'settled';
    },
  };
}

/** Asks whether to quit although jobs would stop. What is said is true: they can be resumed. */
export async function askToQuit(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow | null,
  jobs: number,
): Promise<boolean> {
  const asked = {
    type: 'question' as const,
    message:
      jobs === 1 ? 'An export or upload is still running.' : `${jobs} exports and uploads are still running.`,
    detail: 'They stop when Wellbench quits. You can resume them after the next start.',
    buttons: ['Quit', 'Stay'],
    defaultId: 1,
    cancelId: 1,
  };
  return (await askOver(dialog, window, asked)) === 0;
}

import type { BrowserWindow, BrowserWindowConstructorOptions, Dialog, Screen } from 'electron';
import { recoverFromCrashes } from './crashes.ts';
import { askBeforeLeaving } from './leaving.ts';
import { pageAddress } from './scheme.ts';
import { placeFor, type WindowState } from './window-state.ts';
import { windowOptions } from './window.ts';

export interface OpenWindowOptions {
  /** Electron's BrowserWindow. */
  readonly make: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly dialog: Pick<Dialog, 'showMessageBox' | 'showMessageBoxSync'>;
  readonly quit: () => void;
  /** The preload script. */
  readonly preload: string;
  readonly log: (sentence: string) => void;
}

async function askAfterCrashes(
  window: BrowserWindow,
  dialog: OpenWindowOptions['dialog'],
): Promise<'reload' | 'quit'> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window keeps crashing.',
    detail: 'Your exports and uploads are not lost: they go on, or can be resumed after a restart.',
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0 ? 'reload' : 'quit';
}

/** Opens a window where it last stood, and brings it back when it crashes. */
export function openWindow(options: OpenWindowOptions, state: WindowState | null): BrowserWindow {
  const { make, screen, dialog, quit, preload, log } = options;
  const place = placeFor(
    state,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = make(windowOptions(preload, place));
  const load = (): void => {
    if (window.isDestroyed()) return;
    window
      .loadURL(pageAddress)
      .catch((error: unknown) => log(`The page could not be loaded: ${String(error)}`));
  };
  recoverFromCrashes({
    contents: window.webContents,
    // Not from inside the event: the process it tells of is still being cleared away.
    reload: () => setImmediate(load),
    ask: () => askAfterCrashes(window, dialog),
    quit,
    log,
    now: Date.now,
  });
  askBeforeLeaving({
    contents: window.webContents,
    ask: (question) => dialog.showMessageBoxSync(window, question),
  });
  window.once('ready-to-show', () => {
    if (state?.maximized) window.maximize();
    window.show();
  });
  load();
  return window;
}

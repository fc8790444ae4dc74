import type {
  BrowserWindowConstructorOptions,
  Rectangle,
  WebPreferences,
  BrowserWindow,
  Dialog,
  Screen,
  RenderProcessGoneDetails,
  MessageBoxSyncOptions,
} from 'electron';
import { pageAddress } from './guard.ts';
import { placeFor, type WindowState } from './windows.ts';

/**
 * The web preferences of every window. Several are Electron's defaults, set explicitly so they can't change.
 */
export const webPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
} as const satisfies WebPreferences;

/** The options of a window. It is shown once its page is ready, to avoid a blank flash. */
export function windowOptions(preload: string, place: Partial<Rectangle>): BrowserWindowConstructorOptions {
  return {
    ...place,
    minWidth: 720,
    minHeight: 480,
    title: 'Wellbench',
    show: false,
    webPreferences: { ...webPreferences, preload },
  };
}

interface OpenWindowOptions {
  readonly createBrowserWindow: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly dialog: Pick<Dialog, 'showMessageBox' | 'showMessageBoxSync'>;
  readonly quit: () => void;
  /** Called when the user keeps a window that was about to close: quitting ends. */
  readonly onStay: () => void;
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
    detail: 'Your exports and uploads are safe: they continue, or can be resumed after a restart.',
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0 ? 'reload' : 'quit';
}

/** Opens a window at its last position, and recovers it after a crash. */
export function openWindow(options: OpenWindowOptions, state: WindowState | null): BrowserWindow {
  const { createBrowserWindow, screen, dialog, quit, onStay, preload, log } = options;
  const place = placeFor(
    state,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = createBrowserWindow(windowOptions(preload, place));
  const load = (): void => {
    if (window.isDestroyed()) return;
    window
      .loadURL(pageAddress)
      .catch((error: unknown) => log(`The page could not be loaded: ${String(error)}`));
  };
  recoverFromCrashes({
    contents: window.webContents,
    // Not inside the event: the crashed process is still being cleaned up.
    reload: () => setImmediate(load),
    askUser: () => askAfterCrashes(window, dialog),
    quit,
    log,
    now: Date.now,
  });
  askBeforeLeaving({
    contents: window.webContents,
    askUser: (question) => dialog.showMessageBoxSync(window, question),
    onStay,
  });
  window.once('ready-to-show', () => {
    if (state?.maximized) window.maximize();
    window.show();
  });
  load();
  return window;
}

interface CrashOptions {
  readonly contents: {
    on(
      event: 'render-process-gone',
      listener: (event: unknown, details: RenderProcessGoneDetails) => void,
    ): unknown;
  };
  /** Loads the page again. */
  readonly reload: () => void;
  /** Asks the user after repeated crashes. */
  readonly askUser: () => Promise<'reload' | 'quit'>;
  readonly quit: () => void;
  readonly log: (sentence: string) => void;
  /** Milliseconds of a clock. */
  readonly now: () => number;
}

/** Number of crashes within a period, in milliseconds, that are recovered from without asking. */
const patience = { crashes: 3, withinMs: 60_000 };

/** Reloads the page after its process crashed; jobs run in main and continue. */
export function recoverFromCrashes({ contents, reload, askUser, quit, log, now }: CrashOptions): void {
  let recent: number[] = [];
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log(`The process of the window is gone (${reason}, exit code ${exitCode}).`);
    recent = [...recent.filter((time) => now() - time < patience.withinMs), now()];
    if (recent.length <= patience.crashes) {
      reload();
      return;
    }
    recent = [];
    void askUser().then((answer) => (answer === 'reload' ? reload() : quit()));
  });
}

interface LeavingOptions {
  readonly contents: {
    on(event: 'will-prevent-unload', listener: (event: { preventDefault(): void }) => void): unknown;
  };
  /**
   * Shows a modal question.
   * @returns index of the pressed button
   */
  readonly askUser: (question: MessageBoxSyncOptions) => number;
  readonly onStay: () => void;
}

const question: MessageBoxSyncOptions = {
  type: 'question',
  message: 'An upload is running. Close the window?',
  detail:
    'Uploaded rows stay uploaded, and you can resume the upload later without duplicates. Files that are still being copied or queued must be chosen again.',
  buttons: ['Stay', 'Leave'],
  defaultId: 0,
  cancelId: 0,
};

/**
 * Asks the user if the page objects to leaving, as browsers do. Electron alone would keep the window open
 * silently.
 */
export function askBeforeLeaving({ contents, askUser, onStay }: LeavingOptions): void {
  contents.on('will-prevent-unload', (event) => {
    // What is prevented is the page's objection.
    if (askUser(question) === 1) event.preventDefault();
    else onStay();
  });
}

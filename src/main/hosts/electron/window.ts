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

/** What every window of ours runs with. Several are Electron's defaults; they are said here so that they stay. */
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

/** How a window is made. It shows itself when its page is there, so that nothing blank flashes up. */
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
  readonly make: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly dialog: Pick<Dialog, 'showMessageBox' | 'showMessageBoxSync'>;
  readonly quit: () => void;
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

interface CrashOptions {
  readonly contents: {
    on(
      event: 'render-process-gone',
      listener: (event: unknown, details: RenderProcessGoneDetails) => void,
    ): unknown;
  };
  /** Loads the page again. */
  readonly reload: () => void;
  /** Asks the person, when it keeps happening. */
  readonly ask: () => Promise<'reload' | 'quit'>;
  readonly quit: () => void;
  readonly log: (sentence: string) => void;
  /** Milliseconds of a clock. */
  readonly now: () => number;
}

/** So many crashes within so many milliseconds are recovered from without a question. */
const patience = { crashes: 3, withinMs: 60_000 };

/** Brings the page back when its process crashed or was killed; jobs run in main and go on meanwhile. */
export function recoverFromCrashes({ contents, reload, ask, quit, log, now }: CrashOptions): void {
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
    void ask().then((answer) => (answer === 'reload' ? reload() : quit()));
  });
}

interface LeavingOptions {
  readonly contents: {
    on(event: 'will-prevent-unload', listener: (event: { preventDefault(): void }) => void): unknown;
  };
  /** Asks the person, and waits; gives the place of the button that was pressed. */
  readonly ask: (question: MessageBoxSyncOptions) => number;
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
 * Where the page would rather not go, the person is asked, as a browser asks of itself. Electron without this keeps the
 * window open and says nothing.
 */
export function askBeforeLeaving({ contents, ask }: LeavingOptions): void {
  contents.on('will-prevent-unload', (event) => {
    // What is prevented is the page's objection.
    if (ask(question) === 1) event.preventDefault();
  });
}

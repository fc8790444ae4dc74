import type {
  BrowserWindow,
  Rectangle,
  BrowserWindowConstructorOptions,
  WebPreferences,
  Dialog,
  Screen,
  RenderProcessGoneDetails,
  MessageBoxSyncOptions,
} from 'electron';
import * as z from 'zod';
import { writeWhole } from '../../core/files/disk.ts';
import { readOwnJson } from '../../core/files/regular-file.ts';
import { pageAddress } from './guard.ts';

export type Windows = ReturnType<typeof createWindows>;

interface WindowsOptions {
  /** Creates a window at a position, or at the default one. */
  readonly open: (state: WindowState | null) => BrowserWindow;
  /** The windows of the last time. */
  readonly read: () => Promise<WindowState[]>;
  readonly keep: (windows: readonly WindowState[]) => Promise<void>;
  /** The last window is about to close; may be prevented. */
  readonly onLast: (event: { preventDefault(): void }) => void;
  /** Called when a window is closed, with the id of its contents. */
  readonly onGone: (contents: number) => void;
}

/** The windows of the application. The core assigns tabs to them (`tabs/`). */
export function createWindows(options: WindowsOptions) {
  const contents = new Set<number>();
  /** The most recently focused one is last. */
  let open: BrowserWindow[] = [];
  let pendingOpen: Promise<BrowserWindow> | null = null;
  let leaving = false;
  /** The windows that were closed and open again at the next start. */
  let closedStates: WindowState[] = [];
  let keeping = Promise.resolve();

  function onClosed(window: BrowserWindow, id: number, state: WindowState): void {
    contents.delete(id);
    open = open.filter((other) => other !== window);
    options.onGone(id);
    // A window closed while others stay is closed for good; the position of the last one is saved.
    if (!leaving && open.length > 0) return;
    closedStates = leaving ? [...closedStates, state] : [state];
    const states = closedStates;
    keeping = keeping.then(() => options.keep(states));
  }

  function openOne(state: WindowState | null): BrowserWindow {
    const window = options.open(state);
    const { id } = window.webContents;
    let last = stateOf(window);
    contents.add(id);
    open = [...open, window];
    window.on('focus', () => {
      if (open.includes(window)) open = [...open.filter((other) => other !== window), window];
    });
    window.on('close', (event) => {
      last = stateOf(window);
      if (!leaving && open.length === 1) options.onLast(event);
    });
    window.on('closed', () => onClosed(window, id, last));
    return window;
  }

  async function restoreWindows(): Promise<BrowserWindow> {
    await keeping;
    const [first = null, ...otherStates] = await options.read();
    let window = openOne(first);
    for (const state of otherStates) window = openOne(state);
    return window;
  }

  return {
    /** The most recently focused window; null before the first and, on macOS, after the last. */
    current: () => open.at(-1) ?? null,
    /** Ids of the contents of our windows: only they are listened to. */
    contents,
    /** Focuses the most recent window, or restores the windows of the last session. */
    async show(): Promise<BrowserWindow> {
      const window = open.at(-1);
      if (!window) {
        // Callers during the restore wait for it.
        pendingOpen ??= restoreWindows().finally(() => (pendingOpen = null));
        return pendingOpen;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      return window;
    },
    async add(): Promise<BrowserWindow> {
      const from = open.at(-1);
      if (from) return openOne(besideOf(stateOf(from)));
      return this.show();
    },
    /** The application quits: the windows that close from now on are there again at the next start. */
    markQuitting(): void {
      if (!leaving && open.length > 0) closedStates = [];
      leaving = true;
    },
    /** Quitting ended, because the user keeps a window. */
    stay(): void {
      leaving = false;
    },
    /** Resolves when the window states are saved. */
    storedWindows: (): Promise<void> => keeping,
  };
}

const windowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(200).max(20_000),
  height: z.int().min(150).max(20_000),
  maximized: z.boolean(),
});
/** The normal bounds of a window, in display pixels, and whether it is maximized. */
export type WindowState = z.infer<typeof windowState>;

/** Maximum number of windows; a file with more is not trusted. */
const maxWindows = 20;
const storedWindows = z.object({ windows: z.array(windowState).min(1).max(maxWindows) });

/** How a window opens the first time. */
const firstSize = { width: 1280, height: 800 };
/** Offset of a new window from the one it was opened from, in display pixels. */
const offsetPx = 28;

/** Minimum visible part of a window, in display pixels, so it can be moved. */
const grip = { width: 120, height: 60 };

/** The saved windows, the focused one last; empty without a readable file, because a window opens anyway. */
export const readWindowStates = async (path: string): Promise<WindowState[]> =>
  (await readOwnJson(path, storedWindows))?.windows ?? [];

/** Saves the windows for the next start. Never rejects. */
export async function saveWindowStates(
  path: string,
  windows: readonly WindowState[],
  log: (sentence: string) => void,
): Promise<void> {
  await writeWhole(path, JSON.stringify({ windows: windows.slice(-maxWindows) })).catch((error: unknown) =>
    log(`Window positions weren't saved: ${String(error)}`),
  );
}

const stateOf = (window: Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'>): WindowState => ({
  ...window.getNormalBounds(),
  maximized: window.isMaximized(),
});

/** Where a further window opens, so that the one it was opened from is still seen. */
export const besideOf = (state: WindowState): WindowState => ({
  ...state,
  x: state.x + offsetPx,
  y: state.y + offsetPx,
  maximized: false,
});

function shared(a: Rectangle, b: Rectangle): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  };
}

/** The size of a window and, if visible, its position. @param areas work areas of the current displays */
export function placeFor(state: WindowState | null, areas: readonly Rectangle[]): Partial<Rectangle> {
  if (!state) return firstSize;
  const { maximized: _, ...bounds } = state;
  const isVisible = areas.some((area) => {
    const part = shared(bounds, area);
    return part.width >= grip.width && part.height >= grip.height;
  });
  return isVisible ? bounds : { width: bounds.width, height: bounds.height };
}

/** Several are Electron's defaults, set explicitly so they can't change. */
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
  readonly reload: () => void;
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
  /** @returns index of the pressed button */
  readonly askUser: (question: MessageBoxSyncOptions) => number;
  readonly onStay: () => void;
}

const question: MessageBoxSyncOptions = {
  type: 'question',
  message: 'Close the window? An upload isn’t finished.',
  detail:
    'Uploaded rows stay uploaded, and you can resume a running upload later without duplicates. Corrections of rejected rows that aren’t sent are lost, and files that are queued or being copied must be chosen again.',
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

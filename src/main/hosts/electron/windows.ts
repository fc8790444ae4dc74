import type { BrowserWindow } from 'electron';
import { besideOf, stateOf, type WindowState } from './window-state.ts';

export interface Windows {
  /** The window that the person looked at last; null before the first and, on macOS, after the last. */
  readonly current: () => BrowserWindow | null;
  /** Ids of the contents of our windows: only they are listened to. */
  readonly contents: ReadonlySet<number>;
  /** Brings the window that was looked at last to the front; where there is none, opens those of the last time. */
  show(): Promise<BrowserWindow>;
  /** Opens a further window. */
  add(): Promise<BrowserWindow>;
  /** The application quits: the windows that close from now on are there again at the next start. */
  leave(): void;
  /** Resolves when what there was to keep of windows is kept. */
  kept(): Promise<void>;
}

export interface WindowsOptions {
  /** Makes a window at a place, or where windows stand first. */
  readonly open: (state: WindowState | null) => BrowserWindow;
  /** The windows of the last time. */
  readonly read: () => Promise<WindowState[]>;
  readonly keep: (windows: readonly WindowState[]) => Promise<void>;
  /** The last window is about to close; may be prevented. */
  readonly onLast: (event: { preventDefault(): void }) => void;
  /** A window is gone; given the id of its contents. */
  readonly onGone: (contents: number) => void;
}

/** The windows of this application. Which tabs belong to which of them is the core's to know (`tabs/`). */
export function createWindows(options: WindowsOptions): Windows {
  const contents = new Set<number>();
  /** The one that was looked at last stands last. */
  let open: BrowserWindow[] = [];
  let opening: Promise<BrowserWindow> | null = null;
  let leaving = false;
  /** What is to be there at the next start of the windows that are closed already. */
  let closed: WindowState[] = [];
  let keeping = Promise.resolve();

  function gone(window: BrowserWindow, id: number, state: WindowState): void {
    contents.delete(id);
    open = open.filter((other) => other !== window);
    options.onGone(id);
    // One that is closed while others stay was closed for good; of the last one the place is kept.
    if (!leaving && open.length > 0) return;
    closed = leaving ? [...closed, state] : [state];
    const states = closed;
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
    window.on('closed', () => gone(window, id, last));
    return window;
  }

  async function openThoseOfLastTime(): Promise<BrowserWindow> {
    await keeping;
    const [first = null, ...others] = await options.read();
    let window = openOne(first);
    for (const state of others) window = openOne(state);
    return window;
  }

  return {
    current: () => open.at(-1) ?? null,
    contents,
    async show() {
      const window = open.at(-1);
      if (!window) {
        // Whoever asks while they are being opened waits for them.
        opening ??= openThoseOfLastTime().finally(() => (opening = null));
        return opening;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      return window;
    },
    async add() {
      const from = open.at(-1);
      if (from) return openOne(besideOf(stateOf(from)));
      return this.show();
    },
    leave() {
      if (!leaving && open.length > 0) closed = [];
      leaving = true;
    },
    kept: () => keeping,
  };
}

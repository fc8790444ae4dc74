import type { BrowserWindow, Rectangle } from 'electron';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { writeWhole } from '../../files/disk.ts';

export type Windows = ReturnType<typeof createWindows>;

interface WindowsOptions {
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
export function createWindows(options: WindowsOptions) {
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
    /** The window that the person looked at last; null before the first and, on macOS, after the last. */
    current: () => open.at(-1) ?? null,
    /** Ids of the contents of our windows: only they are listened to. */
    contents,
    /** Brings the window that was looked at last to the front; where there is none, opens those of the last time. */
    async show(): Promise<BrowserWindow> {
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
    /** Opens a further window. */
    async add(): Promise<BrowserWindow> {
      const from = open.at(-1);
      if (from) return openOne(besideOf(stateOf(from)));
      return this.show();
    },
    /** The application quits: the windows that close from now on are there again at the next start. */
    leave(): void {
      if (!leaving && open.length > 0) closed = [];
      leaving = true;
    },
    /** Resolves when what there was to keep of windows is kept. */
    kept: (): Promise<void> => keeping,
  };
}

const windowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(200).max(20_000),
  height: z.int().min(150).max(20_000),
  maximized: z.boolean(),
});
/** Where a window stands when it is not maximised, in display pixels, and whether it is. */
export type WindowState = z.infer<typeof windowState>;

/** More windows than a person keeps open; a file that says more is not believed. */
const mostWindows = 20;
const kept = z.object({ windows: z.array(windowState).min(1).max(mostWindows) });

/** How a window opens the first time. */
const firstSize = { width: 1280, height: 800 };
/** How far a further window stands from the one it was opened from, in display pixels. */
const beside = 28;

/** The least of a window that must be seen on a display, in display pixels, so that it can be taken hold of. */
const grip = { width: 120, height: 60 };

/** The windows there were, the one in front last; none when there is no file or it can't be read: a window opens anyway. */
export async function readWindowStates(path: string): Promise<WindowState[]> {
  try {
    return kept.parse(JSON.parse(await readFile(path, 'utf8'))).windows;
  } catch {
    return [];
  }
}

/** Keeps the windows that are to be there at the next start. Never rejects. */
export async function keepWindowStates(
  path: string,
  windows: readonly WindowState[],
  log: (sentence: string) => void,
): Promise<void> {
  await writeWhole(path, JSON.stringify({ windows: windows.slice(-mostWindows) })).catch((error: unknown) =>
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
  x: state.x + beside,
  y: state.y + beside,
  maximized: false,
});

function shared(a: Rectangle, b: Rectangle): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  };
}

/**
 * Size and, where it still can be seen, place of a window.
 * @param areas work areas of the displays there are now
 */
export function placeFor(state: WindowState | null, areas: readonly Rectangle[]): Partial<Rectangle> {
  if (!state) return firstSize;
  const { maximized: _, ...bounds } = state;
  const seen = areas.some((area) => {
    const part = shared(bounds, area);
    return part.width >= grip.width && part.height >= grip.height;
  });
  return seen ? bounds : { width: bounds.width, height: bounds.height };
}

import type { BrowserWindow } from 'electron';
import type { OurWindow } from './open-window.ts';

export interface Windows {
  /** The window there is; null before the first and, on macOS, after the last. */
  readonly current: () => BrowserWindow | null;
  /** Ids of the contents of our windows: only they are listened to. */
  readonly contents: ReadonlySet<number>;
  /** Brings the window to the front, or opens one. */
  show(): Promise<void>;
  /** Resolves when what there was to keep of windows is kept. */
  kept(): Promise<void>;
}

/** The windows of this application: one at a time. */
export function createWindows(open: () => Promise<OurWindow>): Windows {
  const contents = new Set<number>();
  let opening: Promise<OurWindow> | null = null;
  let current: OurWindow | null = null;
  let kept: () => Promise<void> = () => Promise.resolve();

  async function openOne(): Promise<OurWindow> {
    const opened = await open();
    const { id } = opened.window.webContents;
    contents.add(id);
    kept = opened.kept;
    opened.window.on('closed', () => {
      contents.delete(id);
      current = null;
    });
    return opened;
  }

  return {
    current: () => current?.window ?? null,
    contents,
    async show() {
      if (current) {
        if (current.window.isMinimized()) current.window.restore();
        current.window.show();
        current.window.focus();
        return;
      }
      // Whoever asks while the window is being opened waits for that one.
      opening ??= openOne();
      try {
        current = await opening;
      } finally {
        opening = null;
      }
    },
    kept: () => kept(),
  };
}

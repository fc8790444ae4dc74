import { readFile } from 'node:fs/promises';
import type { BrowserWindow, Rectangle } from 'electron';
import * as z from 'zod';
import { writeWhole } from '../../files/disk.ts';

const windowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(200).max(20_000),
  height: z.int().min(150).max(20_000),
  maximized: z.boolean(),
});
/** Where a window stands when it is not maximised, in display pixels, and whether it is. */
export type WindowState = z.infer<typeof windowState>;

/** How a window opens the first time. */
const firstSize = { width: 1280, height: 800 };

/** The least of a window that must be seen on a display, in display pixels, so that it can be taken hold of. */
const grip = { width: 120, height: 60 };

/** The state as it was kept; null when there is none or it can't be read: a window opens anyway. */
export async function readWindowState(path: string): Promise<WindowState | null> {
  try {
    return windowState.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

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

/** Keeps a window's state when it closes. Gives a function that waits until what was kept is on the disk. */
export function keepWindowState(
  window: Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'> & {
    on(event: 'close', listener: () => void): unknown;
  },
  path: string,
  log: (sentence: string) => void,
): () => Promise<void> {
  let kept = Promise.resolve();
  window.on('close', () => {
    const state: WindowState = { ...window.getNormalBounds(), maximized: window.isMaximized() };
    kept = writeWhole(path, JSON.stringify(state)).catch((error: unknown) =>
      log(`The window's place was not kept: ${String(error)}`),
    );
  });
  return () => kept;
}

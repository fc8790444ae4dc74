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

/** More windows than a person keeps open; a file that says more is not believed. */
const mostWindows = 20;
// The first versions kept one window.
const kept = z.union([
  z.object({ windows: z.array(windowState).min(1).max(mostWindows) }).transform(({ windows }) => windows),
  windowState.transform((one) => [one]),
]);

/** How a window opens the first time. */
const firstSize = { width: 1280, height: 800 };
/** How far a further window stands from the one it was opened from, in display pixels. */
const beside = 28;

/** The least of a window that must be seen on a display, in display pixels, so that it can be taken hold of. */
const grip = { width: 120, height: 60 };

/** The windows there were, the one in front last; none when there is no file or it can't be read: a window opens anyway. */
export async function readWindowStates(path: string): Promise<WindowState[]> {
  try {
    return kept.parse(JSON.parse(await readFile(path, 'utf8')));
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
    log(`The places of the windows were not kept: ${String(error)}`),
  );
}

/** How a window stands now. */
export const stateOf = (window: Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'>): WindowState => ({
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

import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import {
  type WindowState,
  createWindows,
  besideOf,
  saveWindowStates,
  placeFor,
  readWindowStates,
  webPreferences,
  windowOptions,
} from '../../../../src/main/hosts/electron/windows.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolders } from '../../../support/folders.ts';

const place = (x: number): WindowState => ({ x, y: 10, width: 900, height: 600, maximized: false });

describe('the windows of the application', () => {
  let next = 1;
  /** The part of a BrowserWindow that is in use. */
  class FakeWindow extends EventEmitter {
    readonly webContents = { id: next++ };
    state: WindowState;
    minimized = false;
    prevented = false;
    constructor(state: WindowState | null) {
      super();
      this.state = state ?? place(0);
    }
    isMinimized = () => this.minimized;
    isMaximized = () => this.state.maximized;
    getNormalBounds = () => this.state;
    restore = vi.fn<() => void>();
    show = vi.fn<() => void>();
    focus = () => this.emit('focus');
    close(): void {
      this.emit('close', { preventDefault: () => (this.prevented = true) });
      if (!this.prevented) this.emit('closed');
    }
  }

  function start(lastTime: WindowState[] = []) {
    const made: FakeWindow[] = [];
    let kept = lastTime;
    const closedIds: number[] = [];
    const onLast = vi.fn<(event: { preventDefault(): void }) => void>();
    const windows = createWindows({
      open(state) {
        const window = new FakeWindow(state);
        made.push(window);
        return window as unknown as BrowserWindow; // only the members in use
      },
      read: async () => kept,
      keep: async (states) => void (kept = [...states]),
      onLast,
      onGone: (id) => void closedIds.push(id),
    });
    const ids = () => made.map(({ webContents }) => webContents.id);
    return { windows, made, ids, closedIds, onLast, kept: () => kept };
  }

  it('start as one, even when several requests arrive at once', async () => {
    const { windows, ids } = start();
    await Promise.all([windows.show(), windows.show(), windows.show()]);
    expect([windows.current()?.webContents.id]).toEqual(ids());
    expect([...windows.contents]).toEqual(ids());
  });

  it('come to the front, the most recent one last, even when minimized', async () => {
    const { windows, made } = start();
    await windows.show();
    await windows.add();
    made[0]?.focus();
    if (made[0]) made[0].minimized = true;
    expect((await windows.show()).webContents.id).toBe(made[0]?.webContents.id);
    expect(made[0]?.restore).toHaveBeenCalled();
    expect(made[1]?.restore).not.toHaveBeenCalled();
  });

  it('have no maximum number, and each opens next to its opener', async () => {
    const { windows, made, ids } = start();
    await windows.show();
    if (made[0]) made[0].state = place(100);
    await windows.add();
    expect(made[1]?.state).toMatchObject({ x: 128, y: 38, width: 900 });
    expect([...windows.contents]).toEqual(ids());
  });

  it('receive no events once they are closed; one closed while others stay open is not restored', async () => {
    const { windows, made, ids, closedIds, kept, onLast } = start();
    await windows.show();
    await windows.add();
    made[1]?.close();
    expect(closedIds).toEqual([ids()[1]]);
    expect(windows.current()?.webContents.id).toBe(ids()[0]);
    expect(onLast).not.toHaveBeenCalled();
    await windows.storedWindows();
    expect(kept()).toEqual([]);
    made[0]?.close();
    expect(onLast).toHaveBeenCalledTimes(1);
    await windows.storedWindows();
    expect(kept()).toEqual([place(0)]);
    expect(windows.current()).toBeNull();
    expect(windows.contents.size).toBe(0);
    await windows.add();
    expect(made).toHaveLength(3);
  });

  it('stay open when the page of the last one prevents closing', async () => {
    const { windows, made, onLast, kept } = start();
    onLast.mockImplementation((event) => event.preventDefault());
    await windows.show();
    made[0]?.close();
    expect(windows.current()).not.toBeNull();
    await windows.storedWindows();
    expect(kept()).toEqual([]);
  });

  it('that were open when the application quit are restored at their positions', async () => {
    const first = start();
    await first.windows.show();
    await first.windows.add();
    if (first.made[1]) first.made[1].state = place(500);
    first.windows.markQuitting();
    for (const window of first.made) window.close();
    await first.windows.storedWindows();
    expect(first.onLast).not.toHaveBeenCalled();
    expect(first.kept()).toEqual([place(0), place(500)]);
    const second = start(first.kept());
    await second.windows.show();
    expect(second.made.map(({ state }) => state)).toEqual([place(0), place(500)]);
  });

  it('are closed for good again after the user kept one while quitting', async () => {
    const { windows, made, kept } = start();
    await windows.show();
    await windows.add();
    await windows.add();
    windows.markQuitting();
    made[0]?.close();
    windows.stay();
    made[1]?.close();
    made[2]?.close();
    await windows.storedWindows();
    expect(kept()).toEqual([made[2]?.state]);
  });
});

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const state = { x: 100, y: 50, width: 1000, height: 700, maximized: false };

describe('the position of the window', () => {
  const folder = useFolders();
  const windows = [state, { ...state, x: 500, maximized: true }];

  it('is stored for each window, and read again', async () => {
    const path = join(await folder(), 'window.json');
    await saveWindowStates(path, windows, () => undefined);
    expect(await readWindowStates(path)).toEqual(windows);
  });

  it('is reported in the log when it can’t be stored', async () => {
    const logged: string[] = [];
    await saveWindowStates(join(await folder(), 'gone', 'window.json'), windows, (line) => logged.push(line));
    expect(logged).toHaveLength(1);
  });

  it('of a further window leaves its opener in view', () => {
    expect(besideOf({ ...state, maximized: true })).toEqual({ ...state, x: 128, y: 78 });
  });

  it.each([
    '',
    '{',
    '[]',
    '{"x":1}',
    JSON.stringify({ ...state, width: -5 }),
    JSON.stringify({ ...state, x: 'left' }),
    JSON.stringify({ windows: [] }),
    JSON.stringify({ windows: [state, 7] }),
    JSON.stringify({ windows: Array.from({ length: 21 }, () => state) }),
  ])('is undefined when the file contains %j', async (text) => {
    const path = join(await folder(), 'window.json');
    await writeFile(path, text);
    expect(await readWindowStates(path)).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is the default without a stored state, and the stored one where it is visible', () => {
    expect(placeFor(null, [screen])).toEqual({ width: 1280, height: 800 });
    expect(placeFor(state, [screen])).toEqual({ x: 100, y: 50, width: 1000, height: 700 });
    expect(placeFor({ ...state, x: 2000 }, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2000 });
  });

  it('is left to the system when its display no longer exists', () => {
    for (const lost of [{ x: 2500 }, { y: 1079 }, { x: -990 }, { y: -690 }])
      expect(placeFor({ ...state, ...lost }, [screen])).toEqual({ width: 1000, height: 700 });
  });
});

describe('a window', () => {
  it('is sandboxed, isolated, and without Node integration', () => {
    expect(windowOptions('/preload.cjs', {}).webPreferences).toEqual({
      ...webPreferences,
      preload: '/preload.cjs',
    });
    expect(webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
    });
  });

  it('is shown only when its page has loaded', () => {
    expect(windowOptions('/preload.cjs', { width: 900 })).toMatchObject({ show: false, width: 900 });
  });
});

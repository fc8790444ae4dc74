import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  besideOf,
  keepWindowStates,
  placeFor,
  readWindowStates,
} from '../../../../src/main/hosts/electron/window-state.ts';
import { webPreferences, windowOptions } from '../../../../src/main/hosts/electron/window.ts';
import { useFolders } from '../../../support/folders.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const state = { x: 100, y: 50, width: 1000, height: 700, maximized: false };

describe('the place of the window', () => {
  const folder = useFolders();
  const windows = [state, { ...state, x: 500, maximized: true }];

  it('is kept for each window, and read again', async () => {
    const path = join(await folder(), 'window.json');
    await keepWindowStates(path, windows, () => undefined);
    expect(await readWindowStates(path)).toEqual(windows);
  });

  it('is read as the first versions kept it, for one window', async () => {
    const path = join(await folder(), 'window.json');
    await writeFile(path, JSON.stringify(state));
    expect(await readWindowStates(path)).toEqual([state]);
  });

  it('is said in the log when it can’t be kept', async () => {
    const logged: string[] = [];
    await keepWindowStates(join(await folder(), 'gone', 'window.json'), windows, (line) => logged.push(line));
    expect(logged).toHaveLength(1);
  });

  it('of a further window leaves the one it was opened from in view', () => {
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
  ])('is none when the file says %j', async (text) => {
    const path = join(await folder(), 'window.json');
    await writeFile(path, text);
    expect(await readWindowStates(path)).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is the first size without a state, and the kept one where it can be seen', () => {
    expect(placeFor(null, [screen])).toEqual({ width: 1280, height: 800 });
    expect(placeFor(state, [screen])).toEqual({ x: 100, y: 50, width: 1000, height: 700 });
    expect(placeFor({ ...state, x: 2000 }, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2000 });
  });

  it('is left to the system when its display is gone', () => {
    for (const lost of [{ x: 2500 }, { y: 1079 }, { x: -990 }, { y: -690 }])
      expect(placeFor({ ...state, ...lost }, [screen])).toEqual({ width: 1000, height: 700 });
  });
});

describe('a window', () => {
  it('is sandboxed, isolated, and without anything of Node', () => {
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

  it('shows itself only when its page is there', () => {
    expect(windowOptions('/preload.cjs', { width: 900 })).toMatchObject({ show: false, width: 900 });
  });
});

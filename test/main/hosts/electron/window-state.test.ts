import { EventEmitter } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  keepWindowState,
  placeFor,
  readWindowState,
} from '../../../../src/main/hosts/electron/window-state.ts';
import { webPreferences, windowOptions } from '../../../../src/main/hosts/electron/window.ts';
import { useFolders } from '../../../support/folders.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const state = { x: 100, y: 50, width: 1000, height: 700, maximized: false };

describe('the place of the window', () => {
  const folder = useFolders();
  const window = (maximized: boolean) =>
    Object.assign(new EventEmitter(), {
      getNormalBounds: () => ({ x: 100, y: 50, width: 1000, height: 700 }),
      isMaximized: () => maximized,
    });

  it('is kept when the window closes, and read again', async () => {
    const path = join(await folder(), 'window.json');
    const closing = window(true);
    const kept = keepWindowState(closing, path, () => undefined);
    closing.emit('close');
    await kept();
    expect(await readWindowState(path)).toEqual({ ...state, maximized: true });
  });

  it('is said in the log when it can’t be kept', async () => {
    const logged: string[] = [];
    const closing = window(false);
    const kept = keepWindowState(closing, join(await folder(), 'gone', 'window.json'), (line) =>
      logged.push(line),
    );
    closing.emit('close');
    await kept();
    expect(logged).toHaveLength(1);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"x":1}',
    JSON.stringify({ ...state, width: -5 }),
    JSON.stringify({ ...state, x: 'left' }),
  ])('is none when the file says %j', async (text) => {
    const path = join(await folder(), 'window.json');
    await writeFile(path, text);
    expect(await readWindowState(path)).toBeNull();
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

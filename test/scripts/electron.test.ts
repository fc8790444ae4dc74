import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { electronProgram, ensureElectron, electronProblem } from '../../scripts/lib/electron.mjs';
import { useFolders } from '../support/folders.ts';

describe('the Electron runtime', () => {
  const folder = useFolders();

  async function start() {
    const home = await folder();
    const electron = join(home, 'electron');
    await mkdir(electron);
    await writeFile(join(electron, 'package.json'), '{"version":"45.4.1"}');
    /** The files of an installation. */
    const install = async (version = 'v45.4.1'): Promise<void> => {
      await mkdir(join(electron, 'dist'), { recursive: true });
      await writeFile(join(electron, 'dist', 'version'), version);
      await writeFile(join(electron, 'dist', 'electron'), '');
      await writeFile(join(electron, 'path.txt'), 'electron');
    };
    return { home, electron, install, memory: join(home, '.no-electron'), env: {} };
  }

  it('is found where it is installed, in the version of the package', async () => {
    const { electron, install, env } = await start();
    expect(electronProgram({ folder: electron, env })).toBeUndefined();
    await install();
    expect(electronProgram({ folder: electron, env })).toBe(join(electron, 'dist', 'electron'));
    await install('v44.0.0');
    expect(electronProgram({ folder: electron, env })).toBeUndefined();
  });

  it('is found at the path that the user sets', async () => {
    const { home, electron } = await start();
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(home, 'mine') };
    expect(electronProgram({ folder: electron, env })).toBeUndefined();
    await mkdir(join(home, 'mine'));
    await writeFile(join(home, 'mine', 'electron'), '');
    expect(electronProgram({ folder: electron, env })).toBe(join(home, 'mine', 'electron'));
  });

  it('is not downloaded when it exists', async () => {
    const { electron, install, memory, env } = await start();
    await install();
    const fetch = vi.fn<() => Promise<void>>();
    const found = await ensureElectron({ folder: electron, memory, env, fetch });
    expect(found.program).toBe(join(electron, 'dist', 'electron'));
    expect(fetch).not.toHaveBeenCalled();
  });

  it('is downloaded when it is missing, with a message', async () => {
    const { electron, install, memory, env } = await start();
    const announce = vi.fn<() => void>();
    const { program } = await ensureElectron({
      folder: electron,
      memory,
      env,
      announce,
      fetch: () => install(),
    });
    expect(program).toBe(join(electron, 'dist', 'electron'));
    expect(announce).toHaveBeenCalledTimes(1);
    expect(existsSync(memory)).toBe(false);
  });

  it('is not requested again for a day after a failed download', async () => {
    const { electron, memory, env } = await start();
    const fetch = vi.fn<() => Promise<number>>(async () => 1);
    const attempt = (now: number) => ensureElectron({ folder: electron, memory, env, fetch, now });
    const day = 24 * 60 * 60 * 1000;
    const first = Date.now();
    expect(await attempt(first)).toEqual({ reason: 'its runtime couldn’t be downloaded' });
    await utimes(memory, first / 1000, first / 1000);
    expect(await attempt(first + day - 60_000)).toEqual({
      reason: 'its runtime couldn’t be downloaded earlier today',
    });
    expect(fetch).toHaveBeenCalledTimes(1);
    await attempt(first + day + 60_000);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('is tried again each time when the failure can’t be recorded', async () => {
    const { home, electron, env } = await start();
    const fetch = vi.fn<() => Promise<number>>(async () => 1);
    const attempt = () =>
      ensureElectron({ folder: electron, memory: join(home, 'gone', 'memory'), env, fetch });
    expect(await attempt()).toEqual({ reason: 'its runtime couldn’t be downloaded' });
    await attempt();
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

describe('the reason that Electron can’t show a window', () => {
  it.each([
    ['linux', {}, 1000, 'this computer has no screen'],
    ['linux', { DISPLAY: ':0' }, 0, 'doesn’t run as root'],
    ['linux', { DISPLAY: ':0' }, 1000, undefined],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 1000, undefined],
    ['darwin', {}, 501, undefined],
    ['win32', {}, undefined, undefined],
  ] as const)('on %s with %j is %s', (platform, env, uid, expected) => {
    const found = electronProblem({ platform, env, ...(uid === undefined ? {} : { uid }) });
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(expected);
  });
});

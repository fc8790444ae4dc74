import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAppWindow } from '../../../../src/main/hosts/browser/app.ts';
import { installFakeBrowser } from '../../../support/fake-browser.ts';
import { useFolders } from '../../../support/folders.ts';

const link = 'http://127.0.0.1:4711/?token=secret-token';

// Names and paths of browsers differ by operating system.
describe.skipIf(process.platform === 'win32' || process.platform === 'darwin')(
  'the window of the application',
  () => {
    const newFolder = useFolders();
    afterEach(() => void vi.useRealTimers());

    async function setUp(behavior: 'window' | number) {
      const folder = await newFolder();
      const folders = { link: join(folder, 'serving'), profile: join(folder, 'browser') };
      return { folders, ...(await installFakeBrowser(folder, behavior)) };
    }

    it('gets the sign-in link in a file that only the user can read, deleted soon after', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { env, log, folders } = await setUp(0);
      expect(await openAppWindow(link, folders, env)).not.toBeNull();
      const args = (await log()).join('\n');
      expect(args).not.toContain('secret-token');
      expect(args).toContain(`--user-data-dir=${folders.profile}`);
      const path = fileURLToPath(/^--app=(.+)$/m.exec(args)?.[1] ?? '');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).toContain(`content="0; url=${link}"`);
      vi.advanceTimersByTime(60_000);
      vi.useRealTimers();
      await expect.poll(() => readdir(folders.link)).toEqual([]);
    });

    it('keeps its file when an earlier window closes, or its time is over', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { env, folders } = await setUp(0);
      const first = await openAppWindow(link, folders, env);
      vi.advanceTimersByTime(29_000);
      const later = `${link}2`;
      expect(await openAppWindow(later, folders, env)).not.toBeNull();
      vi.advanceTimersByTime(2000);
      vi.useRealTimers();
      await first?.close();
      expect(await readFile(join(folders.link, 'open.html'), 'utf8')).toContain(`url=${later}"`);
    });

    it('can be brought to the front, and closed, by its own browser', async () => {
      const { env, log, folders } = await setUp('window');
      const window = await openAppWindow(link, folders, env);
      expect(await window?.focus()).toBe(true);
      expect(await log()).toContain('Target.activateTarget');
      await window?.close();
      await window?.closed;
      expect(await window?.focus()).toBe(false);
    });

    it('has ended when its last page is closed, though the browser runs on', async () => {
      const { env, close, folders } = await setUp('window');
      const window = await openAppWindow(link, folders, env);
      await close();
      await window?.closed;
      await window?.close();
    });

    it('can’t be followed when a browser that already runs took it over', async () => {
      const { env, folders } = await setUp(0);
      expect(await openAppWindow(link, folders, env)).toMatchObject({ closed: null });
    });

    it('is one of the default browser where no other starts', async () => {
      const { env, log, folders } = await setUp(1);
      const opener = join(env.PATH, 'xdg-open');
      await writeFile(opener, `#!/bin/sh\necho "$@" > '${folders.profile}'\n`);
      await chmod(opener, 0o700);
      expect(await openAppWindow(link, folders, env)).toMatchObject({ closed: null });
      expect(await readFile(folders.profile, 'utf8')).toBe(`${join(folders.link, 'open.html')}\n`);
      expect((await log()).length).toBeGreaterThan(0);
    });

    it('leaves no files when no browser can start, and needs a screen', async () => {
      const { env, log, folders } = await setUp(1);
      expect(await openAppWindow(link, folders, { PATH: env.PATH })).toBeNull();
      expect(await log()).toEqual([]);
      expect(await openAppWindow(link, folders, env)).toBeNull();
      await expect.poll(() => readdir(folders.link)).toEqual([]);
    });

    it('gets none of our own variables', async () => {
      const { env, folders } = await setUp(0);
      const program = join(env.PATH, 'google-chrome');
      await writeFile(program, `#!/bin/sh\n/usr/bin/env > '${folders.profile}'\n`);
      await openAppWindow(link, folders, { ...env, WELLBENCH_API_KEY: 'demo-key' });
      expect(await readFile(folders.profile, 'utf8')).not.toContain('demo-key');
    });
  },
);

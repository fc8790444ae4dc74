import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAppWindow } from '../../../../src/main/hosts/browser/app-window.ts';
import { useFolders } from '../../../support/folders.ts';

const link = 'http://127.0.0.1:4711/?token=secret-token';

// Names and paths of browsers differ by operating system.
describe.skipIf(process.platform === 'win32' || process.platform === 'darwin')(
  'the browser that wellbench serve --open starts',
  () => {
    const newFolder = useFolders();
    afterEach(() => void vi.useRealTimers());

    /** A browser that writes its arguments to a file and exits with a code. */
    async function browser(code: number) {
      const folder = await newFolder();
      const [programs, heard, own] = ['bin', 'arguments', 'serving'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await mkdir(programs);
      const program = join(programs, 'google-chrome');
      await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${heard}'\nexit ${code}\n`);
      await chmod(program, 0o700);
      return { env: { PATH: programs, DISPLAY: ':1' }, heard, own };
    }

    it('gets the sign-in link in a file that only the user can read, deleted soon after', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { env, heard, own } = await browser(0);
      expect(await openAppWindow(link, own, env)).toBe(true);
      const args = await readFile(heard, 'utf8');
      expect(args).not.toContain('secret-token');
      const path = fileURLToPath(/^--app=(.+)$/m.exec(args)?.[1] ?? '');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).toContain(`content="0; url=${link}"`);
      vi.advanceTimersByTime(60_000);
      vi.useRealTimers();
      await expect.poll(() => readdir(own)).toEqual([]);
    });

    it('leaves no files when it can’t start', async () => {
      const { env, own } = await browser(1);
      expect(await openAppWindow(link, own, env)).toBe(false);
      await expect.poll(() => readdir(own)).toEqual([]);
    });
  },
);

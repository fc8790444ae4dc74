import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { installFakeBrowser } from '../../../support/fake-browser.ts';
import { cliEnd, firstLine, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

const isBuilt = existsSync(join(import.meta.dirname, '../../../../out/renderer/index.html'));

// Names and paths of browsers differ by operating system.
describe.skipIf(!isBuilt || process.platform === 'win32' || process.platform === 'darwin')(
  'wellbench without a command',
  () => {
    const newFolder = useFolders();
    const running: ReturnType<typeof startCli>[] = [];
    afterEach(() => {
      for (const child of running.splice(0)) child.kill('SIGKILL');
    });

    async function setUp(opensAfterMs = 0) {
      const folder = await newFolder();
      const browser = await installFakeBrowser(folder, 'window', opensAfterMs);
      const env = { ...browser.env, WELLBENCH_DATA_DIR: join(folder, 'data') };
      const start = (...args: string[]) => {
        const child = startCli(args, env);
        running.push(child);
        return child;
      };
      return { folder, browser, env, start };
    }

    it('opens the app in a window, and ends when that is closed', { timeout: 20_000 }, async () => {
      const { folder, browser, start } = await setUp();
      const child = start();
      const end = cliEnd(child);
      expect(await firstLine(child)).toMatchObject({ url: expect.stringContaining('127.0.0.1') });
      expect((await browser.log()).join()).not.toContain('token=');
      await browser.close();
      expect(await end).toMatchObject({ code: 0 });
      const serving = await readdir(join(folder, 'data', 'serving'));
      expect(serving.filter((name) => name.endsWith('.json'))).toEqual([]);
    });

    it('runs once: another start hands its files over, and ends', { timeout: 20_000 }, async () => {
      const { folder, browser, start } = await setUp();
      const first = start();
      await firstLine(first);
      const [a, b] = ['a.csv', 'b.las'].map((name) => join(folder, name)) as [string, string];
      await writeFile(a, 'x\n1\n');
      await writeFile(b, '~V\n');
      const others = await Promise.all([cliEnd(start('app', a, b)), cliEnd(start())]);
      expect(others).toMatchObject([
        { code: 0, stdout: '' },
        { code: 0, stdout: '' },
      ]);
      expect((await browser.log()).filter((line) => line === 'Target.activateTarget')).toHaveLength(2);
      first.kill('SIGTERM');
      expect(await cliEnd(first)).toMatchObject({ code: 0 });
      expect(await browser.log()).toContain('Browser.close');
    });

    it('opens one window, although another start comes while it opens', { timeout: 20_000 }, async () => {
      const { browser, start } = await setUp(3000);
      const first = start();
      const lines = async (name: string) => (await browser.log()).filter((line) => line === name);
      await expect.poll(() => lines('Target.setDiscoverTargets'), { timeout: 10_000 }).toHaveLength(1);
      expect(await cliEnd(start())).toMatchObject({ code: 0, stdout: '' });
      expect(await lines('Target.setDiscoverTargets')).toHaveLength(1);
      expect(await lines('Target.activateTarget')).toHaveLength(1);
      await firstLine(first);
    });

    it('prints the address where no window can be opened', { timeout: 20_000 }, async () => {
      const { env } = await setUp();
      const child = startCli([], { ...env, DISPLAY: '' });
      running.push(child);
      const end = cliEnd(child);
      expect(await firstLine(child)).toMatchObject({ url: expect.stringContaining('token=') });
      child.kill('SIGTERM');
      expect((await end).stderr).toContain('Open the address above in a browser');
    });
  },
);

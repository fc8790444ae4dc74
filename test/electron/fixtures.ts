import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { electronProgram } from '../../scripts/lib/electron.mjs';
import { words } from '../../src/renderer/words/words.ts';
import type { Bridge } from '../../src/shared/bridge.ts';
import { AppWindow } from '../e2e/support/app.ts';
import { test as base } from '../e2e/support/steady.ts';
import type { Desktop, LaunchOptions } from '../support/electron/desktop.ts';
import { launchElectron } from '../support/electron/launch-electron.ts';
import { launchStandIn } from '../support/electron/launch.ts';

export { expect };

declare global {
  interface Window {
    readonly wellbench?: Bridge<File>;
  }
}

export interface DesktopFixtures {
  /** The runtime of the application: Electron, or the stand-in (support/electron/electron.ts). */
  runtime: 'electron' | 'stand-in';
}

interface Fixtures {
  /** An empty folder, deleted after the test. */
  folder: string;
  /** Starts the built application, with the same data folder unless another is named; ended after the test. */
  launch: (options?: Partial<LaunchOptions>) => Promise<Desktop>;
  /** The application, started with its own data folder. */
  desktop: Desktop;
  /** Its window, on the start screen. */
  app: AppWindow;
}

const launchers = { electron: launchElectron, 'stand-in': launchStandIn };

/** The same tests for both: behavior on the stand-in must also hold in Electron, where its runtime is available. */
export const test = base.extend<Fixtures & DesktopFixtures>({
  runtime: ['stand-in', { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this parameter
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'wellbench-desktop-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  launch: async ({ runtime, folder }, use, { skip }) => {
    // Where the runtime is required, its absence is a failure.
    const needed = Boolean(process.env['WELLBENCH_NEED_ELECTRON']);
    const absent = runtime === 'electron' && !electronProgram();
    skip(absent && !needed, 'Not run: the Electron runtime is not installed here.');
    const running: Desktop[] = [];
    await use(async (options) => {
      const desktop = await launchers[runtime]({ dataFolder: join(folder, 'data'), ...options });
      running.push(desktop);
      return desktop;
    });
    await Promise.all(running.map((desktop) => desktop.kill()));
  },
  desktop: async ({ launch }, use) => use(await launch()),
  app: async ({ desktop }, use) => use(await openedWindow(desktop)),
});

/** The window once it shows its first screen. */
export async function openedWindow(desktop: Desktop): Promise<AppWindow> {
  // The page opens a moment after the application.
  await expect.poll(() => desktop.page().then(Boolean, () => false)).toBe(true);
  const app = new AppWindow(await desktop.page());
  await expect(app.page.getByRole('heading', { name: words.app })).toBeVisible();
  return app;
}

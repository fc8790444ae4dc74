import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { electronProgram } from './scripts/lib/electron.mjs';
import type { DesktopFixtures } from './test/electron/fixtures.ts';

// Where the runtime has to be there, its absence is a failure.
const hasElectron = Boolean(electronProgram() ?? process.env['WELLBENCH_NEED_ELECTRON']);

/**
 * Browser tests of the built app in a real Chromium; `WELLBENCH_SCREENSHOTS=1` takes pictures instead, `WELLBENCH_TASKS=1`
 * counts clicks and keys of everyday tasks. The Electron host
 * is tested in the true runtime where it is installed, elsewhere on the stand-in (test/support/electron/electron.ts).
 */
export default defineConfig<DesktopFixtures>({
  projects: [
    { name: 'browser host', testDir: 'test/e2e', use: { reuseContext: true } },
    { name: 'desktop', testDir: 'test/electron', use: { runtime: hasElectron ? 'electron' : 'stand-in' } },
  ],
  testMatch: process.env['WELLBENCH_SCREENSHOTS']
    ? ['screenshots.ts', 'pictures.ts']
    : process.env['WELLBENCH_TASKS']
      ? 'tasks.ts'
      : '*.spec.ts',
  // `npm run soak -- cases` runs long ones, too.
  ...(process.env['WELLBENCH_LONG'] ? {} : { grepInvert: /@long/ }),
  outputDir: join('out', 'reports', 'browser'),
  // One more than there are cores: a browser test waits for a third of its time.
  workers: Math.min(2, availableParallelism()) + 1,
  fullyParallel: true,
  // A second try tells what is broken from what a busy machine did; `npm test` names each that needed it. A test that
  // hangs gets none (test/e2e/support/fixtures.ts).
  retries: 1,
  // A test that hangs costs three minutes; a slow machine takes more than one for the longest journeys.
  timeout: process.env['WELLBENCH_SCREENSHOTS'] || process.env['WELLBENCH_TASKS'] ? 300_000 : 180_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  forbidOnly: Boolean(process.env['CI']),
  use: {
    viewport: { width: 1360, height: 860 },
    locale: 'en-GB',
    timezoneId: 'America/Chicago',
    screenshot: 'only-on-failure',
    // Pictures of each moment cost as much as the test itself, and copies of the page a seventh of it.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions: {
      executablePath: process.env['WELLBENCH_CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        // The page that tests reuse keeps its process, which has compiled the code of the window.
        '--disable-site-isolation-trials',
        '--process-per-site',
      ],
    },
  },
});

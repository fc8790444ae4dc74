import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import type { DesktopFixtures } from './test/electron/fixtures.ts';

/**
 * End-to-end tests of the built app in a real Chromium; `WELLBENCH_SCREENSHOTS=1` takes pictures instead. The Electron
 * host is tested twice by the same tests: on the stand-in, and in the true runtime where it is installed.
 */
export default defineConfig<DesktopFixtures>({
  projects: [
    { name: 'browser host', testDir: 'test/e2e' },
    { name: 'stand-in', testDir: 'test/electron', use: { runtime: 'stand-in' } },
    { name: 'electron', testDir: 'test/electron', use: { runtime: 'electron' } },
  ],
  testMatch: process.env['WELLBENCH_SCREENSHOTS'] ? ['screenshots.ts', 'pictures.ts'] : '*.spec.ts',
  workers: Math.min(2, availableParallelism()),
  fullyParallel: true,
  // A second try tells what is broken from what a busy machine did; `npm test` names each that needed it.
  retries: 1,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  forbidOnly: Boolean(process.env['CI']),
  use: {
    viewport: { width: 1360, height: 860 },
    locale: 'en-GB',
    timezoneId: 'America/Chicago',
    launchOptions: {
      executablePath: process.env['WELLBENCH_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
});

import { defineConfig } from '@playwright/test';

/** End-to-end tests of the built app in a real Chromium; `WELLBENCH_SCREENSHOTS=1` takes pictures instead. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: process.env['WELLBENCH_SCREENSHOTS'] ? 'screenshots.ts' : '*.spec.ts',
  workers: 1,
  retries: 0,
  timeout: 180_000,
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

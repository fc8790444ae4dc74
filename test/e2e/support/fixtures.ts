import { expect } from '@playwright/test';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { AppWindow } from './app.ts';
import { startHost, type Host } from './host.ts';
import { startSharedHost, type SharedHost } from './shared-host.ts';
import { test as base } from './steady.ts';

export { expect };

export interface Fixtures {
  /** The browser host: the worker's, without stored data, or one of this test alone (`isNew`). */
  host: Host;
  /** The window, on its start screen. */
  app: AppWindow;
  /** Two services of this test alone, accessed as remote ones, whose faults the test may set. */
  demo: Demo;
  /** Whether there are no settings, as on a first start; otherwise opened queries don't run by themselves. */
  isNew: boolean;
  /** Expected console errors of the page in this test. */
  mayComplain: RegExp;
}

/**
 * Every test starts without stored data, and fails on any console error, including policy violations, and on any
 * request of the window to another host than its own.
 */
export const test = base.extend<Fixtures, { sharedHost: SharedHost }>({
  isNew: [false, { option: true }],
  mayComplain: [/^(?!)/, { option: true }],
  sharedHost: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this parameter
    async ({}, use) => {
      const shared = await startSharedHost();
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
  host: async ({ isNew, sharedHost, context }, use) => {
    if (isNew) {
      const host = await startHost({ isNew });
      await use(host);
      await host.close();
    } else {
      await use(await sharedHost.signIn(context));
      // An open page would store deleted data again. The next test has the same page.
      for (const page of context.pages()) await page.goto('about:blank');
      await sharedHost.reset();
    }
  },
  app: async ({ host, page, mayComplain }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    const { origin } = new URL(host.url);
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin && protocol !== 'data:' && protocol !== 'blob:')
        complaints.push(`The window requested ${request.url()}.`);
    });
    await page.goto(host.url);
    await expect(page.getByRole('heading', { name: words.app })).toBeVisible();
    await use(new AppWindow(page));
    expect(complaints.filter((text) => !mayComplain.test(text))).toEqual([]);
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this parameter
  demo: async ({}, use) => {
    const demo = await startDemo({ wells: 8, records: 5000 });
    await use(demo);
    await demo.close();
  },
});

/** The values of the connection form for a demo. */
export function addressOf(demo: Demo) {
  return { dataUrl: demo.dataUrl, platformUrl: demo.platformUrl, apiKey: demo.apiKeys.write };
}

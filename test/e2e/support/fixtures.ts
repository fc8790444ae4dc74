import { expect } from '@playwright/test';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { AppWindow } from './app.ts';
import { startHost, type Host } from './host.ts';
import { startSharedHost, type SharedHost } from './shared-host.ts';
import { test as base } from './steady.ts';

export { expect };

export interface Fixtures {
  /** The browser host: that of the worker, without anything kept, or one of this test alone (`tour`). */
  host: Host;
  /** The window, on its start screen. */
  app: AppWindow;
  /** Two services of this test alone, reached like any remote, whose faults the test may set. */
  demo: Demo;
  /** Whether the window offers its tour, as it does to whoever is new; elsewhere somebody has left it before. */
  tour: boolean;
  /** What the page's console may complain of in this test. */
  mayComplain: RegExp;
}

/** Every test begins with nothing kept, and fails when the page complains of anything, its policy included. */
export const test = base.extend<Fixtures, { sharedHost: SharedHost }>({
  tour: [false, { option: true }],
  mayComplain: [/^(?!)/, { option: true }],
  sharedHost: [
    // oxlint-disable-next-line no-empty-pattern -- the form in which fixtures say what they need
    async ({}, use) => {
      const shared = await startSharedHost();
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
  host: async ({ tour, sharedHost, context }, use) => {
    if (tour) {
      const host = await startHost({ tour });
      await use(host);
      await host.close();
    } else {
      await use(await sharedHost.signIn(context));
      // A page that is open would keep what is removed.
      await context.close();
      await sharedHost.reset();
    }
  },
  app: async ({ host, page, mayComplain }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(host.url);
    await expect(page.getByRole('heading', { name: words.app })).toBeVisible();
    await use(new AppWindow(page));
    expect(complaints.filter((text) => !mayComplain.test(text))).toEqual([]);
  },
  // oxlint-disable-next-line no-empty-pattern -- the form in which fixtures say what they need
  demo: async ({}, use) => {
    const demo = await startDemo({ wells: 8, records: 5000 });
    await use(demo);
    await demo.close();
  },
});

/** What the connection form asks for, of a demo. */
export function addressOf(demo: Demo) {
  return { dataUrl: demo.dataUrl, platformUrl: demo.platformUrl, apiKey: demo.apiKeys.write };
}

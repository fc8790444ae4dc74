import type { Page } from '@playwright/test';

declare global {
  // All that came to the page over ports.
  var heardByPage: string[] | undefined;
}

/** From its next load on, which follows at once, the page keeps all that comes to it over ports. */
export async function overhear(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard: string[] = (globalThis.heardByPage = []);
    window.addEventListener('message', ({ ports }) => {
      for (const port of ports) port.addEventListener('message', ({ data }) => heard.push(String(data)));
    });
  });
  await page.reload();
}

/** What came over ports since {@link overhear}. */
export const overheard = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.heardByPage ?? []);

const pathOfAnySystem = /"(?:\/(?:home|root|tmp|var|private|Users)\/|[A-Za-z]:\\\\)/;

/** The messages that hold a path: below a folder, or of a form that paths have. */
export const withPaths = (messages: readonly string[], folder: string): string[] =>
  messages.filter((message) => message.includes(folder) || pathOfAnySystem.test(message));

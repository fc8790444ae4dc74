import type { Page } from '@playwright/test';

declare global {
  // All messages to the page over ports.
  var heardByPage: string[] | undefined;
}

/** From its next load on, which follows immediately, the page records all messages over ports. */
export async function recordMessages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const received: string[] = (globalThis.heardByPage = []);
    window.addEventListener('message', ({ ports }) => {
      for (const port of ports) port.addEventListener('message', ({ data }) => received.push(String(data)));
    });
  });
  await page.reload();
}

/** Messages over ports since {@link recordMessages}. */
export const recordedMessages = (page: Page): Promise<string[]> =>
  page.evaluate(() => globalThis.heardByPage ?? []);

const pathOfAnySystem = /"(?:\/(?:home|root|tmp|var|private|Users)\/|[A-Za-z]:\\\\)/;

/** The messages that contain a path: below a folder, or in the form of a path. */
export const withPaths = (messages: readonly string[], folder: string): string[] =>
  messages.filter((message) => message.includes(folder) || pathOfAnySystem.test(message));

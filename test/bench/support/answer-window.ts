import type { Browser } from '@playwright/test';
import { words } from '../../../src/renderer/words/words.ts';
import { AppWindow } from '../../e2e/support/app.ts';
import { startHost } from '../../e2e/support/host.ts';
import { watchLongTasks } from './long-tasks.ts';
import type { ServiceProcess } from './processes.ts';

/** How long any step in a window may take on a loaded machine, in milliseconds. */
const timeoutMs = 60_000;

/** A window with its own host on the one dataset of a service, with this limit of records, oldest first. */
export async function openAnswerWindow(browser: Browser, service: ServiceProcess, limit: number) {
  const host = await startHost();
  const context = await browser.newContext({ viewport: { width: 1360, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  await watchLongTasks(page);
  await page.goto(host.url);
  const app = new AppWindow(page);
  const url = `http://127.0.0.1:${service.port}`;
  await app.connect({ dataUrl: url, platformUrl: url, apiKey: 'bench:key' });
  await app.openDataset('bench/time');
  await app.typeQuery('{}');
  await page.getByLabel(words.query.sort).fill('{ timestamp: 1 }');
  await page.getByLabel(words.query.limit).fill(String(limit));
  return {
    app,
    async close(): Promise<void> {
      await context.close();
      await host.close();
    },
  };
}

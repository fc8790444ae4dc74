import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { startingLike } from '../support/wording.ts';
import { AppWindow } from './support/app.ts';
import { startHost } from './support/host.ts';
import { expect, test, UploadWindow } from './support/upload.ts';

/** The state of the window that is stored. */
function keepingIn(page: Page) {
  const app = new AppWindow(page);
  const panel = page.locator('.tab-panel:not([data-inert])');
  const tabs = page.getByRole('tablist', { name: words.tabs.label }).getByRole('tab');
  return {
    app,
    tabs,
    text: async () =>
      (await panel.locator('.code-editor .view-lines').innerText()).replaceAll('\u00a0', ' ').trim(),
    type: (text: string) =>
      app.pasteInto(panel.getByRole('textbox', { name: startingLike(words.query.editor) }), text),
    async openQuery() {
      const before = await tabs.count();
      await app.openDataset('demo/wits').catch(() => undefined);
      await expect(tabs).toHaveCount(before + 1);
      await expect(panel.locator('.code-editor .view-lines')).toBeVisible();
    },
    async openSample(url: string) {
      await page.goto(url);
      await app.openSample();
    },
  };
}

/** Two tabs with an unfinished query each, for different wells. */
async function typeIntoTwoTabs(window: ReturnType<typeof keepingIn>) {
  const { app } = window;
  await app.well('Badger Creek A-117H').click();
  await window.openQuery();
  await window.type('{ first: 1');
  await app.well('Cottonwood A-105H').click();
  await window.openQuery();
  await window.type('{ second: 2');
}

async function expectTwoTabs(window: ReturnType<typeof keepingIn>) {
  const { app, tabs, text } = window;
  const two = [{ name: 'Badger Creek A-117H' }, { name: 'Cottonwood A-105H' }];
  await expect(tabs).toHaveText([1, 2].map((number) => words.tabs.query('wits', number, two)));
  await expect.poll(text).toBe('{ second: 2');
  await expect(app.selectedWells).toHaveCount(2);
  await tabs.first().click();
  await expect.poll(text).toBe('{ first: 1');
  await tabs.last().click();
  await expect.poll(text).toBe('{ second: 2');
}

test('a window keeps its content when its host crashes; typed text and selected wells are restored after a reload and with the next host', async ({
  browser,
  fileWith,
}) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-keeping-'));
  try {
    let host = await startHost({ dataFolder });
    const page = await browser.newPage();
    const window = keepingIn(page);
    const { tabs } = window;
    await window.openSample(host.url);
    await typeIntoTwoTabs(window);

    await test.step('the page is reloaded immediately', async () => {
      await page.reload();
      await expectTwoTabs(window);
    });

    await test.step('the host is killed a second after the last character, and another one is started', async () => {
      const upload = new UploadWindow(page);
      await page.getByRole('button', { name: words.upload.button, exact: true }).click();
      await tabs.nth(1).click();
      await page.waitForTimeout(1000);
      await host.kill();
      await expect(page.getByText(words.link.reconnecting)).toBeVisible();
      await expect(window.app.wells.getByRole('row').first()).toBeVisible();
      await tabs.last().click();
      await upload.hand(await fileWith('late.csv', 'a\n1\n'));
      await expect(upload.tab.getByRole('alert')).toBeVisible();
      await expect(upload.button(words.upload.choose.button)).toBeVisible();
      await page.close();
      host = await startHost({ dataFolder });
      const again = await browser.newPage();
      const next = keepingIn(again);
      await next.openSample(host.url);
      await next.tabs.last().focus();
      await again.keyboard.press('Delete');
      await expectTwoTabs(next);
      await again.close();
    });
    await host.close();
  } finally {
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 3 });
  }
});

test('tabs are dragged; forty of them do not draw forty editors, and all are found', async ({
  app,
  page,
}) => {
  const { tabs, openQuery } = keepingIn(page);
  await app.openSample();
  await openQuery();
  await page.keyboard.press('Alt+T');
  await expect(tabs).toHaveText([words.tabs.query('wits', 1, []), words.tabs.query('wits', 2, [])]);
  await test.step('by dragging', async () => {
    const [from, to] = [await tabs.nth(1).boundingBox(), await tabs.first().boundingBox()];
    if (!from || !to) throw new Error('the tabs are not drawn');
    await page.mouse.move(from.x + 20, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 12, { steps: 5 });
    await page.mouse.move(to.x + 5, to.y + 12, { steps: 3 });
    await page.mouse.up();
    await expect(tabs).toHaveText([words.tabs.query('wits', 2, []), words.tabs.query('wits', 1, [])]);
  });
  for (let opened = 2; opened < 40; opened += 1) await page.keyboard.press('Alt+T');
  await expect(tabs).toHaveCount(40);
  await expect.poll(() => page.locator('.code-editor').count()).toBeLessThanOrEqual(4);
  await expect(tabs.last()).toBeInViewport();
  await app.button(words.tabs.all(40)).click();
  await page.getByRole('menuitemradio', { name: words.tabs.query('wits', 1, []), exact: true }).click();
  await expect(tabs.nth(1)).toBeInViewport();
});

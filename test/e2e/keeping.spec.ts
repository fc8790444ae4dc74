import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { AppWindow } from './support/app.ts';
import { findings } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';
import { startHost } from './support/host.ts';

/** The window, as far as what it keeps goes. */
function keepingIn(page: Page) {
  const app = new AppWindow(page);
  const panel = page.locator('.tab-panel:not([data-inert])');
  const tabs = page.getByRole('tablist', { name: 'Open queries and uploads' }).getByRole('tab');
  return {
    app,
    tabs,
    text: async () => (await panel.locator('.code .view-lines').innerText()).replaceAll('\u00a0', ' ').trim(),
    type: (text: string) => app.pasteInto(panel.getByRole('textbox', { name: /^Query/ }), text),
    async openQuery() {
      const before = await tabs.count();
      await app.openDataset('demo/wits').catch(() => undefined);
      await expect(tabs).toHaveCount(before + 1);
      await expect(panel.locator('.code .view-lines')).toBeVisible();
    },
    async openSample(url: string) {
      await page.goto(url);
      await app.openSample();
    },
    section: (name: string) => page.getByRole('button', { name, exact: true }),
  };
}

/** Two tabs with half a query each, for wells of their own. */
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
  await expect(tabs).toHaveText(['wits · query 1', 'wits · query 2']);
  await expect.poll(text).toBe('{ second: 2');
  await expect(app.scope.getByRole('row')).toHaveText(['Badger Creek A-117H', 'Cottonwood A-105H']);
  await tabs.first().click();
  await expect.poll(text).toBe('{ first: 1');
  await tabs.last().click();
  await expect.poll(text).toBe('{ second: 2');
}

test('what is typed is there after a reload and after a crash of the host, with its wells', async ({
  browser,
}) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-keeping-'));
  try {
    let host = await startHost({ dataFolder });
    const page = await browser.newPage();
    const window = keepingIn(page);
    await window.openSample(host.url);
    await typeIntoTwoTabs(window);

    await test.step('the page is loaded again, at once', async () => {
      await page.reload();
      await expectTwoTabs(window);
    });

    await test.step('the host is killed a second after the last letter, and another one is started', async () => {
      await page.waitForTimeout(1000);
      await host.kill();
      await page.close();
      host = await startHost({ dataFolder });
      const again = await browser.newPage();
      const next = keepingIn(again);
      await next.openSample(host.url);
      await expectTwoTabs(next);
      await again.close();
    });
    await host.close();
  } finally {
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 3 });
  }
});

test('tabs are renamed, doubled, moved, closed and opened again', async ({ app, page }) => {
  const { tabs, type, text, openQuery } = keepingIn(page);
  await app.openSample();
  await openQuery();
  await type('{ mine: 1 }');

  await tabs.first().focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await page.keyboard.press('Enter');
  await expect(tabs).toHaveText(['Mine']);

  await tabs.first().click({ button: 'right' });
  expect(await findings(page, ['region', 'aria-hidden-focus', 'page-has-heading-one'])).toEqual([]);
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(tabs).toHaveText(['Mine', 'Mine']);
  await expect.poll(text).toBe('{ mine: 1 }');
  await page.keyboard.press('Alt+T');
  await expect(tabs).toHaveText(['Mine', 'Mine', 'wits · query 2']);
  await page.keyboard.press('Alt+Shift+PageUp');
  await expect(tabs).toHaveText(['Mine', 'wits · query 2', 'Mine']);

  await test.step('by dragging', async () => {
    const [from, to] = [await tabs.nth(1).boundingBox(), await tabs.first().boundingBox()];
    if (!from || !to) throw new Error('the tabs are not drawn');
    await page.mouse.move(from.x + 20, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 12, { steps: 5 });
    await page.mouse.move(to.x + 5, to.y + 12, { steps: 3 });
    await page.mouse.up();
    await expect(tabs).toHaveText(['wits · query 2', 'Mine', 'Mine']);
  });

  await tabs.last().click({ button: 'middle' });
  await expect(tabs).toHaveText(['wits · query 2', 'Mine']);
  await page.keyboard.press('Alt+W');
  await expect(tabs).toHaveCount(1);
  await page.keyboard.press('Alt+Shift+T');
  await page.keyboard.press('Alt+Shift+T');
  await expect(tabs).toHaveCount(3);
});

test('forty tabs do not draw forty editors, and all are found', async ({ app, page }) => {
  const { tabs, openQuery } = keepingIn(page);
  await app.openSample();
  await openQuery();
  for (let opened = 1; opened < 40; opened += 1) await page.keyboard.press('Alt+T');
  await expect(tabs).toHaveCount(40);
  await expect.poll(() => page.locator('.code').count()).toBeLessThanOrEqual(4);
  await expect(tabs.last()).toBeInViewport();
  await app.button('40 open tabs').click();
  await page.getByRole('menuitemradio', { name: 'wits · query 1', exact: true }).click();
  await expect(tabs.first()).toBeInViewport();
});

test('what was asked is found in the history and asked again; queries are saved, handed on and taken over', async ({
  app,
  page,
}) => {
  const { tabs, type, text, openQuery, section } = keepingIn(page);
  await app.openSample();
  await app.well('Badger Creek A-117H').click();
  await openQuery();
  await app.run();
  await type('{ asset_id: 5005, "data.rop": { $gt: 50 } }');
  await app.run();

  await test.step('the history', async () => {
    await section('History').click();
    const runs = page.getByRole('grid', { name: 'History' }).getByRole('row');
    await expect(runs).toHaveCount(2);
    await page.getByRole('searchbox', { name: 'Search the history' }).fill('badger data.rop');
    await expect(runs).toHaveCount(1);
    await expect(runs.first()).toContainText('Badger Creek A-117H');
    await runs.getByRole('button', { name: 'Actions for demo/wits' }).click();
    await page.getByRole('menuitem', { name: 'Run again' }).click();
    await expect(tabs).toHaveCount(2);
    await expect.poll(text).toBe('{ asset_id: 5005, "data.rop": { $gt: 50 } }');
    await page.getByRole('searchbox', { name: 'Search the history' }).fill('');
    await expect(runs).toHaveCount(3);
    await app.button('More of the history').click();
    await page.getByRole('menuitem', { name: 'Remove all' }).click();
    await expect(page.getByText('3 runs removed.')).toBeVisible();
    await app.button('Undo').click();
    await expect(runs).toHaveCount(3);
  });

  const queries = page.getByRole('grid', { name: 'Saved' });
  await test.step('saved in a folder', async () => {
    await page.keyboard.press('ControlOrMeta+S');
    await page.getByRole('textbox', { name: 'Name' }).fill('Fast drilling');
    await page.getByRole('combobox', { name: 'Folder' }).fill('drilling/rop');
    await page.keyboard.press('Enter');
    await expect(tabs.last()).toHaveText('Fast drilling');
    await section('History').click();
    await section('Saved').click();
    await expect(queries.getByRole('row')).toHaveCount(3);
    expect(await findings(page, [], '[data-section=saved]')).toEqual([]);
  });

  const file = await test.step('exported', async () => {
    await app.button('More of the saved queries').click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export all…' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('queries.wellbench');
    return readFile(await download.path(), 'utf8');
  });

  const folder = await mkdtemp(join(tmpdir(), 'wellbench-queries-'));
  const take = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    await page.locator('input[type=file][accept*=json]').setInputFiles(join(folder, name));
  };
  await test.step('deleted, and taken over again from the file', async () => {
    await app.button('Actions for drilling').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(queries).toBeHidden();
    await take('queries.wellbench', file);
    await expect(page.getByText('1 query imported.')).toBeVisible();
    await queries.getByRole('row', { name: 'Fast drilling' }).click();
    await expect(tabs).toHaveCount(3);
    await expect.poll(text).toBe('{ asset_id: 5005, "data.rop": { $gt: 50 } }');
  });

  await test.step('one of the same name that asks something else is offered', async () => {
    await take('other.json', file.replace('50', '90'));
    await expect(page.getByText('“Fast drilling” is saved already, but asks something else.')).toBeVisible();
    await app.button('Keep both').click();
    await expect(queries.getByRole('row', { name: 'Fast drilling (2)' })).toBeVisible();
  });

  await test.step('and one that is no such file is refused with the place', async () => {
    await take('bad.json', file.replace('"Fast drilling"', '7'));
    await expect(page.getByRole('alert').filter({ hasText: 'queries.0.name' })).toBeVisible();
  });
  await rm(folder, { recursive: true, force: true });
});

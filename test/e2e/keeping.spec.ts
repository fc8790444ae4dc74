import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { startingLike } from '../support/wording.ts';
import { AppWindow } from './support/app.ts';
import { findings } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';
import { startHost } from './support/host.ts';

/** The window, as far as what it keeps goes. */
function keepingIn(page: Page) {
  const app = new AppWindow(page);
  const panel = page.locator('.tab-panel:not([data-inert])');
  const tabs = page.getByRole('tablist', { name: words.tabs.label }).getByRole('tab');
  return {
    app,
    tabs,
    text: async () =>
      (await panel.locator('.query-code .view-lines').innerText()).replaceAll('\u00a0', ' ').trim(),
    type: (text: string) =>
      app.pasteInto(panel.getByRole('textbox', { name: startingLike(words.query.editor) }), text),
    async openQuery() {
      const before = await tabs.count();
      await app.openDataset('demo/wits').catch(() => undefined);
      await expect(tabs).toHaveCount(before + 1);
      await expect(panel.locator('.query-code .view-lines')).toBeVisible();
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
  await expect(tabs).toHaveText([words.tabs.query('wits', 1), words.tabs.query('wits', 2)]);
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
  await page.getByRole('textbox', { name: words.tabs.name }).fill('Rig 12');
  await page.keyboard.press('Enter');
  await expect(tabs).toHaveText(['Rig 12']);

  await tabs.first().click({ button: 'right' });
  expect(await findings(page, ['region', 'aria-hidden-focus', 'page-has-heading-one'])).toEqual([]);
  await page.getByRole('menuitem', { name: words.tabs.actions.duplicate }).click();
  await expect(tabs).toHaveText(['Rig 12', 'Rig 12']);
  await expect.poll(text).toBe('{ mine: 1 }');
  await page.keyboard.press('Alt+T');
  await expect(tabs).toHaveText(['Rig 12', 'Rig 12', words.tabs.query('wits', 2)]);
  await page.keyboard.press('Alt+Shift+PageUp');
  await expect(tabs).toHaveText(['Rig 12', words.tabs.query('wits', 2), 'Rig 12']);

  await test.step('by dragging', async () => {
    const [from, to] = [await tabs.nth(1).boundingBox(), await tabs.first().boundingBox()];
    if (!from || !to) throw new Error('the tabs are not drawn');
    await page.mouse.move(from.x + 20, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 12, { steps: 5 });
    await page.mouse.move(to.x + 5, to.y + 12, { steps: 3 });
    await page.mouse.up();
    await expect(tabs).toHaveText([words.tabs.query('wits', 2), 'Rig 12', 'Rig 12']);
  });

  await tabs.last().click({ button: 'middle' });
  await expect(tabs).toHaveText([words.tabs.query('wits', 2), 'Rig 12']);
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
  await expect.poll(() => page.locator('.query-code').count()).toBeLessThanOrEqual(4);
  await expect(tabs.last()).toBeInViewport();
  await app.button(words.tabs.all(40)).click();
  await page.getByRole('menuitemradio', { name: words.tabs.query('wits', 1), exact: true }).click();
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
    await section(words.history.heading).click();
    const runs = page.getByRole('grid', { name: words.history.heading }).getByRole('row');
    await expect(runs).toHaveCount(2);
    await page.getByRole('searchbox', { name: words.history.search }).fill('badger data.rop');
    await expect(runs).toHaveCount(1);
    await expect(runs.first()).toContainText('Badger Creek A-117H');
    await runs.getByRole('button', { name: words.saved.menu('demo/wits') }).click();
    await page.getByRole('menuitem', { name: words.history.again }).click();
    await expect(tabs).toHaveCount(2);
    await expect.poll(text).toBe('{ asset_id: 5005, "data.rop": { $gt: 50 } }');
    await page.getByRole('searchbox', { name: words.history.search }).fill('');
    await expect(runs).toHaveCount(3);
    await app.button(words.history.more).click();
    await page.getByRole('menuitem', { name: words.history.removeAll }).click();
    await expect(page.getByText(words.history.removed(3))).toBeVisible();
    await app.button(words.history.undo).click();
    await expect(runs).toHaveCount(3);
  });

  const queries = page.getByRole('grid', { name: words.saved.heading });
  await test.step('saved in a folder', async () => {
    await page.keyboard.press('ControlOrMeta+S');
    await page.getByRole('textbox', { name: words.saved.name }).fill('Fast drilling');
    await page.getByRole('combobox', { name: words.saved.folder }).fill('drilling/rop');
    await page.keyboard.press('Enter');
    await expect(tabs.last()).toHaveText('Fast drilling');
    await section(words.history.heading).click();
    await section(words.saved.heading).click();
    await expect(queries.getByRole('row')).toHaveCount(3);
    expect(await findings(page, [], '[data-section=saved]')).toEqual([]);
  });

  const file = await test.step('exported', async () => {
    await app.button(words.saved.more).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: words.saved.exportAll }).click();
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
    await app.button(words.saved.menu('drilling')).click();
    await page.getByRole('menuitem', { name: words.saved.remove }).click();
    await expect(queries).toBeHidden();
    await take('queries.wellbench', file);
    await expect(page.getByText(words.saved.imported(1))).toBeVisible();
    await queries.getByRole('row', { name: 'Fast drilling' }).click();
    await expect(tabs).toHaveCount(3);
    await expect.poll(text).toBe('{ asset_id: 5005, "data.rop": { $gt: 50 } }');
  });

  await test.step('one of the same name that asks something else is offered', async () => {
    await take('other.json', file.replace('50', '90'));
    await expect(page.getByText(words.saved.conflicts(1, 'Fast drilling'))).toBeVisible();
    await app.button(words.saved.keepBoth).click();
    await expect(queries.getByRole('row', { name: 'Fast drilling (2)' })).toBeVisible();
  });

  await test.step('and one that is no such file is refused with the place', async () => {
    await take('bad.json', file.replace('"Fast drilling"', '7'));
    await expect(page.getByRole('alert').filter({ hasText: 'queries.0.name' })).toBeVisible();
  });
  await rm(folder, { recursive: true, force: true });
});

import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { any, like, startingLike } from '../support/wording.ts';
import { expect, test } from './support/fixtures.ts';

/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, role: string, name: RegExp): Promise<void> {
  const target = page.getByRole(role as 'button', { name }).and(page.locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.count()) > 0) return;
  }
  throw new Error(`Tab does not lead to the ${role} ${String(name)}`);
}

/** The focus is on a visible element. */
async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
}

test('the journey by keyboard alone', async ({ app, page }) => {
  await tabTo(page, 'button', like(words.start.openSample));
  await page.keyboard.press('Enter');
  await expect(app.wells.getByRole('row').first()).toBeVisible();
  await expectFocusKept(page);

  await tabTo(page, 'searchbox', like(words.wells.search));
  await page.keyboard.type('cottonwood');
  await expect(app.wells.getByRole('row')).toHaveCount(3);
  await tabTo(page, 'row', /^Cottonwood/);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(app.selectedWells).toHaveCount(2);

  await app.showSection('datasets');
  await tabTo(page, 'searchbox', like(words.datasets.search));
  await page.keyboard.type('demo/wits');
  await expect(app.datasets.getByRole('row')).toHaveCount(2);
  await tabTo(page, 'row', /demo\/wits$/);
  await page.keyboard.press('Enter');
  await expect(app.button(words.query.run)).toBeFocused();

  await tabTo(page, 'tab', /^WITS/);
  await tabTo(page, 'button', startingLike(words.query.fold));
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', startingLike(words.query.editor));
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.answer.getByRole('gridcell').first()).toBeVisible();
  // Tab leads out of the editor.
  await tabTo(page, 'textbox', /^Limit$/);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(app.answer.getByRole('status').filter({ hasText: words.results.records(5) })).toBeVisible();
  await expectFocusKept(page);

  // Tab passes the grid in a few steps, however many cells it has.
  await tabTo(page, 'button', startingLike(words.jobs.toggle));

  for (let presses = 0; presses < 20; presses += 1) await page.keyboard.press('Shift+Tab');
  await tabTo(page, 'button', like(words.query.export));
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', like(words.export.fileName));
  await page.keyboard.press('Enter');
  await expect(app.jobs).toContainText(words.jobs.states.done);
  await expectFocusKept(page);
  const download = like(words.jobs.download(`${any}wits${any}`));
  await expect(page.getByRole('link', { name: download }).first()).toBeVisible();
  await tabTo(page, 'link', download);

  await test.step('a run is removed from the history by the menu key, and restored', async () => {
    await app.showSection('history');
    const runs = page.getByRole('grid', { name: words.history.heading }).getByRole('row');
    await expect(runs).toHaveCount(2);
    await runs.first().focus();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(runs.first()).toBeFocused();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: words.history.remove }).press('Enter');
    await expect(runs).toHaveCount(1);
    await runs.first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: words.history.remove }).click();
    await expect(runs).toHaveCount(0);
    await expectFocusKept(page);
    await app.button(words.undo).press('Enter');
    await expect(runs).toHaveCount(1);
    await expectFocusKept(page);
  });
});

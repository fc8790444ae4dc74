import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { findings, popover } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';

const choose = async (page: Page, name: string) => {
  await page.getByRole('menuitem', { name, exact: true }).click();
  await expect(page.getByRole('menu')).toHaveCount(0);
};
const expectFocusKept = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

test('what stands at the left has its menu, by the right mouse button and by the menu key', async ({
  app,
  page,
}) => {
  await app.openSample();
  const well = app.wells.getByRole('row').first();

  await test.step('a well is pinned, and the focus is back on it', async () => {
    await well.click({ button: 'right' });
    expect(await findings(page, popover)).toEqual([]);
    await choose(page, words.wells.pin);
    await expect(well).toContainText(words.wells.pinned);
    await expect(well).toBeFocused();
    await expect(well).toHaveAttribute('aria-selected', 'false');
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menuitem', { name: words.wells.unpin })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(well).toBeFocused();
  });

  await test.step('a dataset is asked', async () => {
    await page.getByRole('searchbox', { name: words.datasets.search }).fill('demo/wits');
    await app.datasets.getByRole('row', { name: /demo\/wits$/ }).click({ button: 'right' });
    await choose(page, words.datasets.rowMenu.query);
    await expect(app.editor()).toBeAttached();
    await app.run();
  });

  await test.step('a run is removed from the history, and brought back', async () => {
    await page.getByRole('button', { name: words.history.heading, exact: true }).click();
    const runs = page.getByRole('grid', { name: words.history.heading }).getByRole('row');
    await expect(runs).toHaveCount(1);
    await runs.first().click({ button: 'right' });
    await choose(page, words.history.remove);
    await expect(runs).toHaveCount(0);
    await expectFocusKept(page);
    await page.getByRole('button', { name: words.saved.undo, exact: true }).press('Enter');
    await expect(runs).toHaveCount(1);
    await expectFocusKept(page);
  });
});

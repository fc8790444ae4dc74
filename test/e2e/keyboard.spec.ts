import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { like, startingLike } from '../support/wording.ts';
import { expect, test } from './support/fixtures.ts';

/** Goes on with Tab until what has the focus is called so. */
async function tabTo(page: Page, role: string, name: RegExp): Promise<void> {
  const target = page.getByRole(role as 'button', { name }).and(page.locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.count()) > 0) return;
  }
  throw new Error(`Tab does not lead to the ${role} ${String(name)}`);
}

/** The focus is on something that a person can see. */
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
  await expect(app.scope.getByRole('row')).toHaveCount(2);

  await tabTo(page, 'searchbox', like(words.datasets.search));
  await page.keyboard.type('demo/wits');
  await expect(app.datasets.getByRole('row')).toHaveCount(2);
  await tabTo(page, 'row', /demo\/wits$/);
  await page.keyboard.press('Enter');
  await expect(app.editor()).toBeAttached();

  await tabTo(page, 'tab', /^wits/);
  await tabTo(page, 'textbox', /^Query/);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.answer.getByRole('gridcell').first()).toBeVisible();
  // Tab leads out of the editor.
  await tabTo(page, 'textbox', /^Limit$/);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(app.answer.getByRole('status').filter({ hasText: words.results.records(5) })).toBeVisible();
  await expectFocusKept(page);

  // Tab goes through the grid in a few steps, however many cells it has.
  await tabTo(page, 'button', startingLike(words.jobs.toggle));

  for (let presses = 0; presses < 20; presses += 1) await page.keyboard.press('Shift+Tab');
  await tabTo(page, 'button', like(words.query.export));
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', like(words.export.fileName));
  await page.keyboard.press('Enter');
  await expect(app.jobs).toContainText(words.jobs.states.done);
  await expectFocusKept(page);
  await tabTo(page, 'link', startingLike(words.jobs.download('wits')));
});

test('the focus is never lost when a view changes under it', async ({ app, demo, page }) => {
  await app.connect({ dataUrl: demo.dataUrl, platformUrl: demo.platformUrl, apiKey: demo.apiKeys.write });
  await expectFocusKept(page);
  await app.openDataset('demo/wits');
  demo.faults.latency_ms = 60_000;
  await app.button(words.query.run).press('Enter');
  const query = page.getByRole('region', { name: words.query.region });
  await query.getByRole('button', { name: words.cancel }).press('Enter');
  await expect(app.button(words.query.run)).toBeFocused();
  await app.answer.getByRole('button', { name: words.tryAgain }).press('Enter');
  await expect(app.answer.getByRole('progressbar')).toBeVisible();
  await expectFocusKept(page);
  await app.answer.getByRole('button', { name: words.cancel }).press('Enter');
  await expect(app.answer).toContainText(words.results.cancelled);
  await expectFocusKept(page);
  await page.getByRole('tab').press('Delete');
  await expect(page.getByText(words.tabs.emptyHeading)).toBeVisible();
  await expectFocusKept(page);
});

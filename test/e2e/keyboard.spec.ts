import type { Page } from '@playwright/test';
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
  await tabTo(page, 'button', /^Open the sample workspace$/);
  await page.keyboard.press('Enter');
  await expect(app.wells.getByRole('row').first()).toBeVisible();
  await expectFocusKept(page);

  await tabTo(page, 'searchbox', /^Search wells$/);
  await page.keyboard.type('cottonwood');
  await expect(app.wells.getByRole('row')).toHaveCount(3);
  await tabTo(page, 'row', /^Cottonwood/);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(app.scope.getByRole('row')).toHaveCount(2);

  await tabTo(page, 'searchbox', /^Search datasets$/);
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
  await expect(app.answer.getByRole('status').filter({ hasText: '5 records' })).toBeVisible();
  await expectFocusKept(page);

  // Tab goes through the grid in a few steps, however many cells it has.
  await tabTo(page, 'button', /^Jobs/);

  for (let presses = 0; presses < 20; presses += 1) await page.keyboard.press('Shift+Tab');
  await tabTo(page, 'button', /^Export$/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', /^File name$/);
  await page.keyboard.press('Enter');
  await expect(app.jobs).toContainText('done');
  await expectFocusKept(page);
  await tabTo(page, 'link', /^Download wits/);
});

test('the focus is never lost when a view changes under it', async ({ app, demo, page }) => {
  await app.connect({ dataUrl: demo.dataUrl, platformUrl: demo.platformUrl, apiKey: demo.apiKeys.write });
  await expectFocusKept(page);
  await app.openDataset('demo/wits');
  demo.faults.latency_ms = 60_000;
  await app.button('Run').press('Enter');
  const query = page.getByRole('region', { name: 'Query' });
  await query.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(app.button('Run')).toBeFocused();
  await app.answer.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(app.answer.getByRole('progressbar')).toBeVisible();
  await expectFocusKept(page);
  await app.answer.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(app.answer).toContainText('Cancelled');
  await expectFocusKept(page);
  await page.getByRole('tab').press('Delete');
  await expect(page.getByText('Ask a dataset')).toBeVisible();
  await expectFocusKept(page);
});

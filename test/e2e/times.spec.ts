import type { Page } from '@playwright/test';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { words } from '../../src/renderer/words/words.ts';
import { including } from '../support/wording.ts';
import type { AppWindow } from './support/app.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

const times = (page: Page) => page.getByRole('button', { name: including(words.results.zones.label) });

async function chooseTimes(page: Page, name: RegExp): Promise<void> {
  await times(page).click();
  await page.getByRole('option', { name }).click();
}

test('times are shown in UTC, in the zone of their wells, and in any other by its name', async ({
  app,
  page,
}) => {
  // The last of them lies in another zone.
  const demo = await startDemo({ wells: 12, records: 4000 });
  try {
    await timesJourney(app, demo, page);
  } finally {
    await demo.close();
  }
});

async function timesJourney(app: AppWindow, demo: Demo, page: Page): Promise<void> {
  await app.connect(addressOf(demo));
  await app.searchWells('Cottonwood A');
  await app.well(/Cottonwood A/).click();
  await app.openDataset('demo/wits');
  await app.run();
  const head = app.answer.getByRole('columnheader', { name: /^timestamp/ });
  const first = app.column('timestamp').first();
  await expect(head).toContainText('(UTC)');
  const utc = await first.innerText();

  await test.step('the platform tells the zone of a well', async () => {
    await chooseTimes(page, /^Well’s: America\/Chicago/);
    await expect(head).toContainText('(America/Chicago)');
    await expect(first).not.toHaveText(utc);
  });

  await test.step('another zone is found by typing, and the plot shows it too', async () => {
    await chooseTimes(page, /^Another zone/);
    await expect(page.getByRole('combobox', { name: words.results.zones.zone })).toBeFocused();
    await page.keyboard.type('anchor');
    await expect(page.getByRole('option', { name: 'America/Anchorage' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(head).toContainText('(America/Anchorage)');
    await expect(times(page)).toBeFocused();
    await page.getByRole('radio', { name: words.results.views.plot }).check({ force: true });
    await expect(page.getByRole('application', { name: /timestamp \(America\/Anchorage\)/ })).toBeVisible();
    await page.getByRole('radio', { name: words.results.views.table }).check({ force: true });
  });

  await test.step('wells in several zones are told apart by their names', async () => {
    await app.typeQuery('{ asset_id: { $in: [5005, 5012] } }');
    await app.run();
    await times(page).click();
    await expect(page.getByRole('option', { name: /^America\/Denver: Åsgard/ })).toBeVisible();
    await page.keyboard.press('Escape');
  });
}

test('what takes a field that is dragged shows it', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.run();
  await page.getByRole('radio', { name: words.results.views.both }).check({ force: true });
  const plot = page.getByRole('region', { name: words.results.views.plot, exact: true });
  await expect(plot.getByRole('application')).toBeVisible();
  const head = app.answer.locator('.ag-header-cell[col-id="data.hole_depth"]');
  await expect(head).toBeInViewport();
  const [from, to] = [await head.boundingBox(), await plot.boundingBox()];
  if (!from || !to) throw new Error('there is nothing to drag, or no plot');
  await expect(plot).toHaveCSS('outline-style', 'none');
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 40, { steps: 4 });
  await expect(plot).toHaveCSS('outline-style', 'dashed');
  await page.mouse.move(to.x + 60, to.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect(plot).toHaveCSS('outline-style', 'none');
});

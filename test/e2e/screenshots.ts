import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { words } from '../../src/renderer/words/words.ts';
import { plainName } from '../../src/shared/channels/plain-names.ts';
import { anyCount, including } from '../support/wording.ts';
import { check } from './support/app.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

/** Pictures of each step of the journey and of each of its views, in both themes and narrow. */
const folder = resolve('screenshots');

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 1024, height: 700 } },
] as const;

function camera(page: Page, look: string) {
  mkdirSync(join(folder, look), { recursive: true });
  let taken = 0;
  return async (name: string) => {
    taken += 1;
    // The pointer would highlight the element under it.
    await page.mouse.move(0, 0);
    await page.screenshot({
      path: join(folder, look, `${String(taken).padStart(2, '0')}-${name}.png`),
      animations: 'disabled',
      caret: 'hide',
    });
  };
}

for (const { name, ...look } of looks) {
  test.describe(name, () => {
    test.use({ ...look, reducedMotion: 'reduce' });

    test('the journey', async ({ app, page }) => {
      const take = camera(page, name);
      await take('start');
      await app.openSample();
      await app.showSection('datasets');
      await expect(app.datasets.getByText(including(words.datasets.count(anyCount))).first()).toBeVisible();
      await take('datasets');
      await app.showSection('wells');
      await take('wells');
      await app.searchWells('cotton');
      await app.well('Cottonwood A-105H').click();
      await app.well('Cottonwood B-106H').click();
      await take('wells-found');
      await app.button(words.wells.details('Cottonwood A-105H')).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await take('well-details');
      await page.keyboard.press('Escape');
      await app.searchWells('');
      await app.openDataset('demo/wits');
      await take('query');
      await app.run();
      // In other sizes the count is in the menu.
      if (name !== 'narrow') await app.count();
      await take('answer');
      for (const view of ['plot', 'both'] as const) {
        await check(page.getByRole('radio', { name: words.results.views[view] }));
        await expect(
          page.getByRole('region', { name: plotWords.region }).getByRole('application'),
        ).toBeVisible();
        await expect(page.getByText(plotWords.loading)).toHaveCount(0);
        await expect(page.getByText(plotWords.drawing)).toHaveCount(0);
        await take(view);
      }
      await check(page.getByRole('radio', { name: words.results.views.table }));
      await app.column('timestamp').nth(2).dblclick();
      await expect(page.getByRole('region', { name: words.record.region })).toContainText(
        plainName('timestamp'),
      );
      await take('record');
      await app.button(words.query.export).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await take('export');
      await app.button(words.export.start).click();
      await expect(app.jobs.getByRole('link').first()).toBeVisible();
      await take('exported');
    });

    test('when things are empty, slow or wrong', async ({ app, demo, page }) => {
      const take = camera(page, `${name}-faces`);
      await app.button(words.connection.connect).click();
      await take('start-problems');
      await app.fillConnection({ ...addressOf(demo), apiKey: 'wrong' });
      await app.button(words.connection.test).click();
      await expect(page.getByRole('status').filter({ hasText: words.connection.dataService })).toBeVisible();
      await take('start-test-failed');
      await app.fillConnection(addressOf(demo));
      // The services are tested first, then the wells load.
      demo.faults.latency_ms = 6000;
      await app.button(words.connection.connect).click();
      await expect(page.getByText(words.wells.loading).first()).toBeVisible({ timeout: 60_000 });
      await take('loading');
      await page.getByRole('button', { name: words.cancel }).first().click();
      await take('loading-cancelled');
      demo.faults.latency_ms = 0;
      await app.button(words.wells.load).click();
      await app.searchWells('nothing like it');
      await expect(page.getByText(words.wells.noMatch('nothing like it'))).toBeVisible();
      await take('no-match');
      await app.searchWells('');
      await app.openDataset('demo/wits');
      demo.faults.latency_ms = 60_000;
      await app.button(words.query.run).click();
      await expect(app.answer.getByRole('progressbar')).toBeVisible();
      await take('running');
      await page
        .getByRole('region', { name: words.query.region })
        .getByRole('button', { name: words.cancel })
        .click();
      await take('cancelled');
      demo.faults.latency_ms = 0;
      await app.typeQuery('{\n  asset_id: { $in: [5001, 5002 }\n}');
      await app.button(words.query.run).click();
      await expect(app.answer.getByRole('alert')).toBeVisible();
      await take('broken-query');
      await app.typeQuery('{ asset_id: 1 }');
      await app.button(words.query.run).click();
      await expect(page.getByText(words.results.none)).toBeVisible();
      await take('no-records');
      Object.assign(demo.faults, { rate_5xx: 1 });
      await app.button(words.query.run).click();
      await expect(app.jobs).toContainText(including(words.jobs.nextTry(anyCount)));
      await take('retrying');
    });
  });
}

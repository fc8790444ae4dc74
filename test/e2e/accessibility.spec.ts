import { words } from '../../src/renderer/words/words.ts';
import { any, like } from '../support/wording.ts';
import { findings, popover } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });

  test('the window has no findings in any of its faces', async ({ app, demo, page }) => {
    await app.button(words.connection.connect).click();
    expect(await findings(page)).toEqual([]);
    await app.connect(addressOf(demo));
    await expect(app.wells.getByRole('row')).toHaveCount(8);
    expect(await findings(page)).toEqual([]);

    await app.well(/./).first().click();
    await app.openDataset('demo/wits');
    expect(await findings(page)).toEqual([]);

    demo.faults.latency_ms = 60_000;
    await app.button(words.query.run).click();
    await expect(app.answer.getByRole('progressbar')).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await page
      .getByRole('region', { name: words.query.region })
      .getByRole('button', { name: words.cancel })
      .click();
    demo.faults.latency_ms = 0;

    await app.run();
    await app.count();
    await app.column('timestamp').first().click();
    await expect(page.getByRole('region', { name: words.record.region })).toContainText('timestamp');
    expect(await findings(page)).toEqual([]);

    await app.typeQuery('{ asset_id: ');
    await page.getByLabel(words.query.limit).fill('0');
    await app.button(words.query.run).click();
    await app.button(words.query.count).click();
    for (const region of [words.query.region, words.results.region])
      await expect(page.getByRole('region', { name: region }).getByRole('alert').first()).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });

  test('popovers, menus and jobs have no findings', async ({ app, demo, page }) => {
    await app.connect(addressOf(demo));
    await app.openDataset('demo/wits');
    await app.button(words.theme.label).click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await findings(page, popover)).toEqual([]);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: like(words.wells.details(any)) })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await findings(page, popover)).toEqual([]);
    await page.keyboard.press('Escape');
    await app.button(words.query.export).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await findings(page, popover)).toEqual([]);
    await app.button(words.export.start).click();
    await expect(app.jobs.getByRole('link').first()).toBeVisible({ timeout: 30_000 });
    expect(await findings(page)).toEqual([]);
  });
});

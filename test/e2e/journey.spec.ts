import { readFile } from 'node:fs/promises';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf, expect, fullSample, test } from './support/fixtures.ts';

test.describe('with the sample workspace in its full size', () => {
  test.use({ ownHost: fullSample });
  test('from the sample workspace to a well’s records and a CSV of all that match', async ({ app, page }) => {
    await app.openSample();

    await test.step('wells are found by name, API number and asset id', async () => {
      await app.searchWells('cottonwood');
      await expect(app.wells.getByRole('row')).toHaveCount(3);
      const text = await app.well('Cottonwood A-105H').innerText();
      const [apiNumber = ''] = /\d\d-\d{3}-\d{5}/.exec(text) ?? [];
      const [, assetId = ''] = /asset (\d+)/.exec(text) ?? [];
      for (const wanted of [apiNumber, apiNumber.replaceAll('-', ''), assetId]) {
        await app.searchWells(wanted);
        await expect(app.well('Cottonwood A-105H')).toBeVisible();
      }
    });

    await test.step('several are chosen, also across searches', async () => {
      await app.well('Cottonwood A-105H').click();
      await app.searchWells('badger creek');
      await app.well('Badger Creek C-119H').click();
      await app.searchWells('');
      await expect(app.scope.getByRole('row')).toHaveText(['Cottonwood A-105H', 'Badger Creek C-119H']);
    });

    await test.step('a dataset opens with the scope of its type, newest first', async () => {
      await app.openDataset('demo/wits');
      expect(await app.query()).toBe('{ asset_id: { $in: [5005, 5019] } }');
      await expect(page.getByLabel(words.query.sort)).toHaveValue('{ timestamp: -1 }');
      await expect(page.getByLabel(words.query.limit)).toHaveValue('1000');
    });

    await test.step('it runs, and its records stand in the grid with their parts under their parents', async () => {
      await app.run();
      await expect(app.answer.getByRole('columnheader', { name: /^data$/ })).toBeVisible();
      await expect(app.answer.getByRole('columnheader', { name: /^rop\b/ })).toBeVisible();
      const times = await app.column('timestamp').allInnerTexts();
      expect(times.length).toBeGreaterThan(5);
      expect(times).toEqual(times.toSorted().toReversed());
      await expect(app.column('asset_id').first()).toHaveText(/^50(05|19)$/);
    });

    const matching = await app.count();
    expect(matching).toBeGreaterThan(1000);

    await test.step('everything that matches is exported, not only what was shown', async () => {
      await app.button(words.query.export).click();
      await page.getByLabel(words.export.fileName).fill('two wells.csv');
      await app.button(words.export.start).click();
      const job = app.job('export', 'two wells.csv');
      await expect(job).toContainText(words.jobs.states.done, { timeout: 30_000 });
      await expect(job).toContainText(words.jobs.rows(matching));

      const downloading = page.waitForEvent('download');
      await job.getByRole('link', { name: words.jobs.download('two wells.csv'), exact: true }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe('two wells.csv');
      const [head = '', ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split(/\r?\n/);
      expect(lines).toHaveLength(matching);
      expect(new Set(lines).size).toBe(matching);
      expect(head.split(',')).toEqual(expect.arrayContaining(['asset_id', 'timestamp', 'data.rop']));
      await expect(job.getByRole('link')).toHaveCount(2);
    });
  });
});

test('a connection of one’s own: tested, opened, and still there after a reload', async ({
  app,
  demo,
  page,
}) => {
  await app.fillConnection(addressOf(demo));
  await expect(page.getByLabel(words.connection.apiKey)).toHaveAttribute('type', 'password');
  await expect(page.getByText(words.connection.noKeychain)).toBeVisible();
  await app.button(words.connection.test).click();
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: `${words.connection.dataService}: ${words.connection.works}` }),
  ).toContainText(`${words.connection.platformService}: ${words.connection.works}`);
  await app.button(words.connection.connect).click();
  await expect(app.wells.getByRole('row')).toHaveCount(8);
  await page.reload();
  await expect(app.wells.getByRole('row')).toHaveCount(8);

  await page.getByRole('button', { name: words.connection.menu('Test bed') }).click();
  await page.getByRole('menuitemradio', { name: words.connection.leave }).click();
  await app.button(words.start.open('Test bed')).click();
  await expect(app.wells.getByRole('row')).toHaveCount(8);
});

test('each type of dataset opens with a query that its service understands', async ({ app }) => {
  await app.openSample();
  await app.well('Cottonwood A-105H').click();
  const queries: Record<string, string> = {};
  for (const address of [
    'demo/wits',
    'demo/drilling.wits.depth',
    'demo/data.actual_survey',
    'demo/sensors.pad',
  ]) {
    await app.openDataset(address);
    queries[address] = await app.query();
    await app.run();
    const tab = app.page.getByRole('tab', { selected: true });
    await tab.focus();
    await app.page.keyboard.press('Delete');
    await expect(app.page.getByRole('tab')).toHaveCount(0);
  }
  expect(queries).toEqual({
    'demo/wits': '{ asset_id: 5005 }',
    'demo/drilling.wits.depth': '{ asset_id: 5005 }',
    'demo/data.actual_survey': '{ asset_id: 5005 }',
    'demo/sensors.pad': '{ "metadata.asset_id": 5005 }',
  });
});

test('the chosen wells are put into an open query on request', async ({ app }) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  await expect(app.page.getByText(words.query.noScope)).toBeVisible();
  expect(await app.query()).toBe('{}');
  await app.well('Cottonwood A-105H').click();
  await app.button(words.query.takeWells).click();
  expect(await app.query()).toBe('{ asset_id: 5005 }');
  await app.scope.getByRole('row', { name: 'Cottonwood A-105H' }).getByRole('button').click();
  await expect(app.page.getByText(words.query.otherWells)).toBeVisible();
});

test('the platform id of a well is shown as such and never asked for', async ({ app, page }) => {
  await app.openSample();
  await app.button(words.wells.details('Cottonwood A-105H')).click();
  const details = page.getByRole('dialog', { name: 'Cottonwood A-105H' });
  await expect(details).toContainText(`5005 (${words.wells.assetIdNote})`);
  await expect(details).toContainText(`(${words.wells.platformIdNote})`);
});

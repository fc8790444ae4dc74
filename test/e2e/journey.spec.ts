import { readFile } from 'node:fs/promises';
import { words } from '../../src/renderer/words/words.ts';
import { expect, test } from './support/fixtures.ts';

test('from the sample workspace to a well’s records and a CSV of all matching records', async ({
  app,
  page,
}) => {
  await app.openSample();

  await test.step('wells are found by name, API number, and asset id', async () => {
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

  await test.step('several are selected, even across searches', async () => {
    await app.well('Cottonwood A-105H').click();
    await app.searchWells('badger creek');
    await app.well('Badger Creek C-119H').click();
    await app.searchWells('');
    await expect(app.selectedWells).toHaveCount(2);
  });

  await test.step('a dataset opens with the scope of its type, newest first', async () => {
    await app.openDataset('demo/wits');
    expect(await app.query()).toBe('{ asset_id: {{wells}} }');
    await expect(app.scope).toContainText('Cottonwood A-105H, Badger Creek C-119H');
    await expect(page.getByLabel(words.query.sort, { exact: true })).toHaveValue('{ timestamp: -1 }');
    await expect(page.getByLabel(words.query.limit)).toHaveValue('1000');
    await page.getByLabel(words.query.limit).fill('50');
  });

  await test.step('it runs, and the grid shows its records with a column for each measurement', async () => {
    await app.run();
    await expect(app.answer.getByRole('columnheader', { name: /^rop\b/ })).toBeVisible();
    const times = await app.column('timestamp').allInnerTexts();
    expect(times.length).toBeGreaterThan(5);
    expect(times).toEqual(times.toSorted().toReversed());
    await expect(app.column('asset_id').first()).toHaveText(/^50(05|19)$/);
  });

  const matching = await app.count();
  expect(matching).toBeGreaterThan(50);

  await test.step('all matching records are exported, not only those shown', async () => {
    await app.button(words.query.export).click();
    await page.getByText(words.export.uses.pandas, { exact: true }).click();
    await page.getByLabel(words.export.fileName).fill('two wells.csv');
    const downloading = page.waitForEvent('download');
    await app.button(words.export.start).click();
    const job = app.job('export', 'two wells.csv');
    await expect(job).toContainText(words.jobs.states.done, { timeout: 30_000 });
    await expect(job).toContainText(words.jobs.rows(matching));

    // The download starts automatically; the link repeats it.
    await expect(
      job.getByRole('link', { name: words.jobs.download('two wells.csv'), exact: true }),
    ).toBeVisible();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('two wells.csv');
    const [head = '', ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split(/\r?\n/);
    expect(lines).toHaveLength(matching);
    expect(new Set(lines).size).toBe(matching);
    const names = head.split(',');
    expect(names).toEqual(expect.arrayContaining(['asset_id', 'timestamp', 'data.rop']));
    await expect(job.getByRole('link')).toHaveCount(2);
  });
});

import { readFile } from 'node:fs/promises';
import { words } from '../../src/renderer/words/words.ts';
import { expect, test } from './support/fixtures.ts';

test('from the sample workspace to a well’s records and a CSV of all matching records; the window requests only its own host', async ({
  app,
  page,
}) => {
  await app.openSample();
  const rows = app.wells.getByRole('row');

  await test.step('a partly visible row takes the first click', async () => {
    const list = await app.wells.boundingBox();
    if (!list) throw new Error('there is no list');
    await page.mouse.click(list.x + 60, list.y + list.height - 4);
    await expect(app.selectedWells).toHaveCount(1);
    await app.button(words.wells.removeAll).click();
  });

  await test.step('Shift and arrow keys select a range', async () => {
    await rows.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(page.getByText(`${words.wells.shown(30, 30)} · ${words.wells.chosen(3)}`)).toBeVisible();
    await page.keyboard.press('End');
    await expect(rows.last()).toBeFocused();
    await expect(rows.last()).toBeInViewport();
    await app.button(words.wells.removeAll).click();
  });

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
    await expect(app.answer.getByRole('columnheader', { name: /^ROP\b/ })).toBeVisible();
    const times = await app.column('timestamp').allInnerTexts();
    expect(times.length).toBeGreaterThan(5);
    expect(times).toEqual(times.toSorted().toReversed());
    // The names of the wells stand for their asset IDs.
    await expect(app.column('well_name').first()).toHaveText(/^(Cottonwood A-105H|Badger Creek C-119H)$/);
    await expect(app.column('asset_id')).toHaveCount(0);
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

  await test.step('the theme applies to editor and grid, and stays', async () => {
    const background = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    const choose = async (theme: string) => {
      await app.button(words.theme.label).click();
      await page.getByRole('menuitemradio', { name: theme }).click();
    };
    await choose(words.theme.dark);
    await expect.poll(() => background('.monaco-editor')).toBe('rgb(28, 30, 33)');
    await expect.poll(() => background('.ag-root-wrapper')).toBe('rgb(28, 30, 33)');
    // An editor that opens later has the theme of that time.
    await app.textToggle().click();
    await choose(words.theme.light);
    await app.openText();
    await expect.poll(() => background('.monaco-editor')).toBe('rgb(255, 255, 255)');
    await choose(words.theme.dark);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });
});

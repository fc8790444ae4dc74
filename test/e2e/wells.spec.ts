import { addressOf, expect, test } from './support/fixtures.ts';
import { findings, popover, openList } from './support/findings.ts';

test('wells are found by filters with names, by what they belong to, and by a pasted list', async ({
  app,
  page,
}) => {
  await app.openSample();
  const rows = app.wells.getByRole('row');
  await app.button('Filter wells').click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  expect(await findings(page, popover)).toEqual([]);
  await filters.getByRole('combobox', { name: 'Rig', exact: true }).click();
  await expect(page.getByRole('option', { name: 'Patriot 101' })).toBeVisible();
  expect(await findings(page, openList)).toEqual([]);
  await page.getByRole('option', { name: 'Patriot 101' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByText('8 of 30 wells · 0 chosen')).toBeVisible();

  await test.step('a row that is half in view takes the first click', async () => {
    const list = await app.wells.boundingBox();
    if (!list) throw new Error('there is no list');
    await page.mouse.click(list.x + 60, list.y + list.height - 4);
    await expect(app.scope.getByRole('row')).toHaveCount(1);
    await app.button('Remove all wells').click();
  });

  await test.step('by keyboard, with Shift a range', async () => {
    await rows.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(page.getByText('8 of 30 wells · 3 chosen')).toBeVisible();
    await page.keyboard.press('End');
    await expect(rows.last()).toBeFocused();
    await expect(rows.last()).toBeInViewport();
  });

  await test.step('a pad leads to its wells', async () => {
    await app.button('All wells as a table').click();
    await page.getByRole('radio', { name: 'Pads' }).check({ force: true });
    const pads = page.getByRole('region', { name: 'Pads' });
    await pads.getByRole('gridcell', { name: 'Cottonwood Pad', exact: true }).click();
    await app.button('Show its wells').click();
    await expect(page.getByText('Pad: Cottonwood Pad')).toBeVisible();
    await expect(rows).toHaveCount(4);
    expect(await findings(page)).toEqual([]);
  });

  await test.step('a list is settled: found, ambiguous, not found', async () => {
    await app.button('Paste a list of wells').click();
    const paste = page.getByRole('dialog', { name: 'Paste a list of wells' });
    await paste.getByRole('textbox').fill('42-329-30028-00-00\ncottonwood b-106h\n4232930\n99-999-99999');
    await paste.getByRole('button', { name: 'Find these wells' }).click();
    await expect(paste.getByText('2 of 4 lines found')).toBeVisible();
    await expect(paste.getByRole('region', { name: 'Not found: 2' })).toContainText('99-999-99999');
    expect(await findings(page, popover)).toEqual([]);
    await paste.getByRole('button', { name: 'Choose 2 wells' }).click();
    await expect(app.scope.getByRole('row')).toHaveCount(2);
    await expect(app.scope.getByRole('row', { name: 'Cottonwood A-105H' })).toBeVisible();
  });
});

test('with no link the wells are there as they were, and say how old they are', async ({
  app,
  demo,
  page,
}) => {
  await app.connect(addressOf(demo));
  // The service has said them all, and they are kept.
  await expect(page.getByText('8 wells · 0 chosen')).toBeVisible();
  await demo.close();
  await page.reload();
  await expect(app.wells.getByRole('row')).toHaveCount(8);
  await expect(app.button('Ask again').first()).toBeVisible();
  await expect(page.getByText(/^As of .* · /)).toHaveCount(2);
  await app.searchWells('5003');
  await expect(app.wells.getByRole('row')).toHaveCount(1);
  await app.wells.getByRole('row').click();
  await expect(app.scope.getByRole('row')).toHaveCount(1);
  expect(await findings(page)).toEqual([]);
});

test('filters say when the names to pick from are being fetched', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await expect(app.well(/./).first()).toBeVisible();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  const rig = filters.getByRole('combobox', { name: 'Rig', exact: true });
  demo.faults.rate_5xx = 1;
  await app.button('Filter wells').click();
  await expect(rig).toHaveAttribute('placeholder', 'Any (fetching names…)');
  await expect(filters.getByRole('status')).toHaveText(/^Names are being fetched/);
  expect(await findings(page, popover)).toEqual([]);
  demo.faults.rate_5xx = 0;
  await expect(filters.getByRole('status')).toBeEmpty();
  await rig.click();
  await expect(page.getByRole('option', { name: /^Patriot/ })).toBeVisible();
});

import { findings, popover } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

test('from wells to the datasets that hold their data, and to what is known of one', async ({
  app,
  page,
}) => {
  await app.openSample();
  const only = app.button(/^With data/);
  await expect(only).toBeDisabled();
  await app.well('Cottonwood B-106H').click();
  await expect(app.datasets.getByRole('row', { name: /^Bluebonnet Energy, provider demo/ })).toBeVisible();
  await only.click();
  await expect(page.getByText(/^\d+ of \d+ datasets$/)).toBeVisible();
  await expect(page.getByText('You may not read 1 dataset.')).toBeVisible();

  // The size comes with the single definition, which is asked for as the row comes into view.
  await page.getByRole('searchbox', { name: 'Search datasets' }).fill('demo/wits');
  await expect(app.datasets.getByRole('row', { name: /demo\/wits$/ })).toContainText(/[\d,]+ records/);
  await app.button('About demo/wits').click();
  const about = page.getByRole('region', { name: 'About demo/wits', exact: true });
  await expect(about.getByRole('heading', { name: 'Records of 1 chosen well' })).toBeVisible();
  await expect(about.getByText(/^First$/)).toBeVisible();
  await expect(about.getByText('asset_id ↑, timestamp ↓')).toBeVisible();
  const fields = about.getByRole('grid', { name: 'Fields' });
  await about.getByRole('searchbox', { name: 'Search fields' }).fill('klbf');
  await expect(fields.getByRole('row', { name: /^data\.weight_on_bit, number, klbf, 100 %/ })).toBeVisible();
  await expect(fields.getByRole('row', { name: /rop/ })).toHaveCount(0);

  // Other wells are followed without being asked to.
  await app.well('Cottonwood A-105H').click();
  await expect(about.getByRole('heading', { name: 'Records of 2 chosen wells' })).toBeVisible();

  await about.getByRole('searchbox', { name: 'Search fields' }).fill('data.hook_load');
  await about.getByRole('button', { name: 'Query by data.hook_load' }).click();
  await expect(app.editor()).toBeAttached();
  expect(await app.query()).toMatch(/asset_id: \{ \$in: \[5006, 5005\] \}, "data\.hook_load": \{ \$gte: /);
  await app.run();

  // The tab is there again after a reload, and asks anew.
  await page.reload();
  await page.getByRole('tab', { name: 'About wits' }).click();
  await expect(about.getByRole('heading', { name: 'Records of 2 chosen wells' })).toBeVisible();
  await expect(about.getByRole('grid', { name: 'Fields' }).getByRole('row').first()).toBeVisible();
});

test('one dataset that may not be read blanks nothing, and says why', async ({ app, page }) => {
  await app.openSample();
  await page.getByRole('searchbox', { name: 'Search datasets' }).fill('confidential');
  const row = app.datasets.getByRole('row', { name: /frac\.confidential$/ });
  await expect(row.getByText('Reading and Writing on request')).toBeAttached();
  await app.button('About demo/frac.confidential').click();
  const about = page.getByRole('region', { name: 'About demo/frac.confidential', exact: true });
  await expect(about.getByRole('row', { name: /^timestamp, integer, ms$/ })).toBeVisible();
  await expect(about.getByText(/have no permission for/).first()).toBeVisible();
  await expect(about.getByText('on request').first()).toBeVisible();
});

test('filters say when they leave nothing, and a slow or failing list says so', async ({
  app,
  demo,
  page,
}) => {
  demo.faults.latency_ms = 1500;
  await app.connect(addressOf(demo));
  await expect(page.getByText('Loading the datasets…')).toBeVisible();
  demo.faults.latency_ms = 0;
  await expect(app.datasets.getByRole('row').first()).toBeVisible();
  await app.button(/^Dataset filters/).click();
  await page.getByRole('radiogroup', { name: 'Temporary' }).getByText('Yes', { exact: true }).click();
  expect(await findings(page, popover)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^1 of \d+ datasets$/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search datasets' }).fill('wits');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(page.getByText(/^\d+ datasets$/).last()).toBeVisible();
});

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });

  test('a dataset and its fields have no findings', async ({ app, demo, page }) => {
    await app.connect(addressOf(demo));
    await app.well(/./).first().click();
    await app.button(/^With data/).click();
    await page.getByRole('searchbox', { name: 'Search datasets' }).fill('demo/wits');
    await app.button('About demo/wits').click();
    await expect(page.getByRole('grid', { name: 'Fields' }).getByRole('row').first()).toBeVisible();
    await expect(page.getByText(/^First$/)).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });
});

import { addressOf } from './support/fixtures.ts';
import { expect, test } from './support/upload.ts';

const rows = (first: number) =>
  ['When,ROP', ...[0, 1, 2].map((row) => `2026-01-0${first + row}T00:00:00Z,${row}`)].join('\n');

test('files with one header are mapped once and sent one after another; the mapping is offered for the next', async ({
  app,
  demo,
  page,
  upload,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.drop([
    ['week 1.csv', rows(1)],
    ['week 2.csv', rows(4)],
    ['other.csv', 'a,b\n1,2\n'],
  ]);
  await page.getByRole('tab', { name: 'Upload week 1.csv' }).click();
  await upload.next('columns');
  await upload.button('Use “When”').click();
  await upload.button('Templates').click();
  const dialog = page.getByRole('dialog', { name: 'Templates' });
  await dialog.getByRole('textbox', { name: 'Keep this mapping as' }).fill('Weekly');
  await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name of the template “Weekly”' })).toBeVisible();
  await page.keyboard.press('Escape');
  await upload.next('check');
  await expect(
    upload.tab.getByRole('heading', { name: '1 other open file has the same header' }),
  ).toBeVisible();
  await test.step('the jobs say which file waits behind which', async () => {
    await app.jobs.getByRole('button', { name: /^Jobs/ }).click();
    // The first is kept from its end for as long as it takes to look.
    Object.assign(demo.faults, { rate_429: 1, retry_after: 2 });
    await upload.button('Send all 2 files').click();
    const waits = app.jobs.getByRole('listitem', { name: 'week 2.csv waits its turn' });
    await expect(waits).toContainText('behind week 1.csv');
    demo.faults.rate_429 = 0;
    await expect(waits).toHaveCount(0);
  });
  await upload.atRest();
  expect(await upload.books()).toMatchObject({ accepted: 3, rows: 3 });
  await page.getByRole('tab', { name: 'Upload week 2.csv' }).click();
  await upload.atRest();
  expect(await upload.books()).toMatchObject({ accepted: 3, rows: 3 });

  await upload.open('demo/uploads.time');
  await upload.drop([['week 3.csv', rows(7)]]);
  await upload.next('columns');
  await upload.button('Use “Weekly”').click();
  await expect(upload.tab.getByText('All required fields are filled.')).toBeVisible();
});

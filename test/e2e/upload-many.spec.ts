import { words } from '../../src/renderer/words/words.ts';
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
  await page.getByRole('tab', { name: words.upload.tab('week 1.csv') }).click();
  await upload.next('columns');
  await upload.button(words.upload.columns.likely('When')).click();
  await upload.button(words.upload.templates.heading).click();
  const dialog = page.getByRole('dialog', { name: words.upload.templates.heading });
  await dialog.getByRole('textbox', { name: words.upload.templates.name }).fill('Weekly');
  await dialog.getByRole('button', { name: words.upload.templates.keep, exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: words.upload.templates.rename('Weekly') })).toBeVisible();
  await page.keyboard.press('Escape');
  await upload.next('check');
  await expect(upload.tab.getByRole('heading', { name: words.upload.alike.heading(1) })).toBeVisible();
  await test.step('the jobs say which file waits behind which', async () => {
    await app.jobsToggle().click();
    // The first is kept from its end for as long as it takes to look.
    Object.assign(demo.faults, { rate_429: 1, retry_after: 2 });
    await upload.button(words.upload.alike.send(2)).click();
    const waits = app.jobs.getByRole('listitem', { name: words.jobs.waitsNamed('week 2.csv') });
    await expect(waits).toContainText(words.jobs.waitsBehind('week 1.csv'));
    demo.faults.rate_429 = 0;
    await expect(waits).toHaveCount(0);
  });
  await upload.atRest();
  expect(await upload.books()).toMatchObject({ accepted: 3, rows: 3 });
  await page.getByRole('tab', { name: words.upload.tab('week 2.csv') }).click();
  await upload.atRest();
  expect(await upload.books()).toMatchObject({ accepted: 3, rows: 3 });

  await upload.open('demo/uploads.time');
  await upload.drop([['week 3.csv', rows(7)]]);
  await upload.next('columns');
  await upload.button(words.upload.columns.likely('Weekly')).click();
  await expect(upload.tab.getByText(words.upload.columns.filled)).toBeVisible();
});

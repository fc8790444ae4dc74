import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

/** Real files are stored next to the checkout. */
const shared = join(import.meta.dirname, '../../../shared/data');
const volve = join(shared, 'time/volve_15_9-F-4_GenTime2_2016.csv');

test('a clean file is uploaded from the window into its dataset, and its records are shown', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  const rows = rigRows(2500).map((row, at) => `${Date.UTC(2026, 0, 1) + at * 1000}${row.slice(24)},5002`);
  const path = await fileWith('clean.csv', ['timestamp,data.rop,data.wob,asset_id', ...rows].join('\n'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await expect(upload.tab.getByText(uploadWords.file.noWarnings)).toBeVisible();
  await expect(page.getByRole('tab', { name: uploadWords.tab('clean.csv') })).toBeVisible();
  await upload.next('columns');
  await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();
  await upload.next('check');
  await upload.send();
  await expect(upload.tab.getByRole('heading', { name: uploadWords.ledger.headings.done })).toBeVisible();
  expect(await upload.books()).toEqual({ accepted: 2500, rejected: 0, unknown: 0, pending: 0, rows: 2500 });

  await upload.button(uploadWords.ledger.lookAt).click();
  await expect(
    app.answer.getByRole('status').filter({ hasText: words.results.records(1_000) }),
  ).toBeVisible();
  await app.openText();
  await expect
    .poll(() => app.query())
    .toBe('{ asset_id: 5002, timestamp: { $gte: 1767225600000, $lte: 1767228099000 } }');
  await expect(app.column('data.rop').first()).toHaveText('100');
  expect(await app.count()).toBe(2500);
});

test.describe('the real file of a Volve well', () => {
  test.skip(!existsSync(volve), 'the Volve file is not beside the checkout');

  test('is uploaded completely from the window and shown in the grid', async ({
    app,
    demo,
    page,
    upload,
  }) => {
    await app.connect(addressOf(demo));
    await app.well('Ridge C-103H').click();
    await upload.open();
    await upload.pick(volve);
    await upload.into('demo/uploads.time');
    await upload.next('columns');

    await test.step('the time column and the selected well are filled in', async () => {
      await expect(upload.field('asset_id').getByRole('combobox')).toHaveValue(
        uploadWords.wells.named('Ridge C-103H', 5003),
      );
      await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();
      await expect(upload.column('Time')).toContainText('2016-09-30 10:04:01 UTC');
      await upload.button(uploadWords.columns.firstRows).click();
      await expect(page.getByRole('columnheader', { name: 'timestamp', exact: true })).toBeVisible();
    });

    await test.step('the dry run validates all rows and sends none', async () => {
      await upload.next('check');
      await expect(upload.tab.getByText(/100,000 rows can be sent/)).toBeVisible({ timeout: 60_000 });
    });

    await upload.send();
    expect(await upload.books()).toMatchObject({ accepted: 100_000, rows: 100_000 });

    await upload.button(uploadWords.ledger.lookAt).click();
    await expect(app.column('timestamp').first()).toHaveText('2016-09-30 10:04:01');
    await expect(app.column('data.righeave3').first()).toBeAttached();
    expect(await app.count()).toBe(100_000);
  });
});

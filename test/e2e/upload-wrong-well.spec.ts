import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

const rows = (well: (row: number) => string) =>
  ['Time,ROP,WOB,Well Name', ...rigRows(300).map((row, at) => `${row},${well(at)}`)].join('\n');

test('a file that names other wells than the selected one is not sent before the person has decided', async ({
  app,
  demo,
  upload,
  fileWith,
}, info) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  const names = ['Ridge B-102H', 'Ridge C-103H', 'Ridge A-101H'];
  await upload.open('demo/uploads.time');
  await upload.pick(
    await fileWith(
      'three wells.csv',
      rows((at) => names[at % 3] ?? ''),
    ),
  );
  await upload.next('columns');
  await upload.button('Use “Time”').click();

  const question = upload.tab.getByText(
    'Ridge A-101H (asset 5001) is selected, but the file names 2 other wells. Select which is meant:',
  );
  await expect(question).toBeVisible();
  await expect(upload.tab.getByText('Ridge B-102H (asset 5002)')).toBeVisible();
  await expect(upload.button('Next: Check')).toBeDisabled();
  await expect(upload.tab.getByText('Select which wells are meant to go on.')).toBeVisible();
  await info.attach('wells', { body: await upload.page.screenshot(), contentType: 'image/png' });
  await upload.button('Use the wells of the file').click();
  await expect(question).toBeHidden();
  await upload.next('check');
  await upload.send();
  expect(await upload.books()).toMatchObject({ accepted: 300, rows: 300 });
  await upload.button('Look at it').click();
  await expect(app.column('asset_id').first()).toHaveText('5002');
  expect(await app.query()).toContain('$in: [');
});

test('the same file sent again is said to be stored already, and nothing suspicious goes by in green', async ({
  app,
  demo,
  upload,
  fileWith,
}, info) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge D-104H').click();
  const clean = ['timestamp,ROP', ...rigRows(400).map((row) => row.split(',').slice(0, 2).join(','))];
  const path = await fileWith('clean.csv', clean.join('\n'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await upload.next('columns');
  await upload.next('check');
  await expect(upload.tab.getByText('All 400 rows can be sent.')).toBeVisible();
  await upload.send();
  await upload.button('Upload another file').click();
  await upload.pick(path);
  await upload.next('columns');
  await upload.next('check');
  await expect(upload.tab.getByText('400 already stored, 0 new.')).toBeVisible();
  await expect(upload.button('Send 0 rows')).toBeDisabled();

  const damaged = clean.map((row, at) => (at % 40 === 7 ? row.replace(/,.*/, ',-9999') : row));
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('damaged.csv', [...damaged, ...damaged.slice(5, 8)].join('\n')));
  await upload.next('columns');
  await upload.next('check');
  await expect(upload.tab.getByRole('heading', { name: /^Suspicious \(\d\)$/ })).toBeVisible();
  await expect(upload.tab.getByText(/findings are suspicious\./)).toBeVisible();
  await expect(upload.tab.getByText(/rows repeat the well and the time of an earlier row/)).toBeVisible();
  await info.attach('check', { body: await upload.page.screenshot(), contentType: 'image/png' });
  await upload.button('Take “-9999” as no value').click();
  await expect(upload.tab.getByText(/-9999, which often stands/)).toBeHidden();
});

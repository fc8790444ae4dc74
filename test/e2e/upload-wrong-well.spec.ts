import { words } from '../../src/renderer/words/words.ts';
import { anyCount, anyOtherCount, including, like } from '../support/wording.ts';
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
  await upload.button(words.upload.columns.likely('Time')).click();

  const question = upload.tab.getByText(
    words.upload.wells.otherThanSelected(words.upload.wells.named('Ridge A-101H', 5_001), 2),
  );
  await expect(question).toBeVisible();
  await expect(upload.tab.getByText(words.upload.wells.named('Ridge B-102H', 5002))).toBeVisible();
  await expect(upload.button(words.upload.next(words.upload.steps.check))).toBeDisabled();
  await expect(upload.tab.getByText(words.upload.notYet.wells)).toBeVisible();
  await info.attach('wells', { body: await upload.page.screenshot(), contentType: 'image/png' });
  await upload.button(words.upload.wells.fileWells).click();
  await expect(question).toBeHidden();
  await upload.next('check');
  await upload.send();
  expect(await upload.books()).toMatchObject({ accepted: 300, rows: 300 });
  await upload.button(words.upload.ledger.lookAt).click();
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
  await expect(upload.tab.getByText(words.upload.check.good(400))).toBeVisible();
  await upload.send();
  await upload.button(words.upload.ledger.another).click();
  await upload.pick(path);
  await upload.next('columns');
  await upload.next('check');
  await expect(upload.tab.getByText(words.upload.check.stored(400, 0))).toBeVisible();
  await expect(upload.button(words.upload.check.send(0))).toBeDisabled();

  const damaged = clean.map((row, at) => (at % 40 === 7 ? row.replace(/,.*/, ',-9999') : row));
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('damaged.csv', [...damaged, ...damaged.slice(5, 8)].join('\n')));
  await upload.next('columns');
  await upload.next('check');
  await expect(
    upload.tab.getByRole('heading', { name: like(words.upload.check.groups.suspicious(anyCount)) }),
  ).toBeVisible();
  await expect(
    upload.tab.getByText(including(words.upload.check.suspicious(anyCount, anyOtherCount))),
  ).toBeVisible();
  await expect(upload.tab.getByText(/rows repeat the well and the time of an earlier row/)).toBeVisible();
  await info.attach('check', { body: await upload.page.screenshot(), contentType: 'image/png' });
  await upload.button(words.upload.warnings.takeAsNull('-9999')).click();
  await expect(upload.button(words.upload.warnings.takeAsNull('-9999'))).toBeHidden();
});

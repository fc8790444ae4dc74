import { words } from '../../src/renderer/words/words.ts';
import { startingLike } from '../support/wording.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, marked, test } from './support/upload.ts';

test('a messy file is read right, and where it can’t be known it is asked', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  const lines = [
    'Rig report;;;',
    'Datum;Förderrate;Druck;Bohrung',
    ...Array.from({ length: 300 }, (_, row) => {
      const day = String((row % 28) + 1).padStart(2, '0');
      const hour = String(Math.floor(row / 28)).padStart(2, '0');
      return `${day}.03.2026 ${hour}:30;${row},5;${row % 3 === 0 ? '-999,25' : '3500'};Ridge ${row % 2 === 0 ? 'A-101H' : 'C103H'}`;
    }),
  ];
  const path = await fileWith('Schicht.csv', Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  for (const detected of [
    words.upload.file.detected('UTF-16LE'),
    words.upload.file.detected(words.upload.file.delimiters[';'] ?? ''),
    words.upload.file.detected(words.upload.file.line(2)),
  ])
    await expect(
      upload.tab.getByRole('button', { name: new RegExp(detected.replace(/[()]/g, '\\$&')) }),
    ).toBeVisible();
  await expect(upload.tab.getByText('The header is on line 2')).toBeVisible();
  await expect(upload.rawLine(1)).toHaveText(marked('left_out', 'Rig report;;;'));
  await expect(upload.rawLine(2)).toHaveText(marked('header', 'Datum;Förderrate;Druck;Bohrung'));
  await expect(upload.tab.getByText('is read with a comma as the decimal sign').first()).toBeVisible();
  await expect(upload.tab.getByRole('gridcell', { name: '01.03.2026 00:30' })).toBeVisible();

  await test.step('times: the format and the zone are the person’s to say; what is worth knowing leads there', async () => {
    await upload.button(words.upload.warnings.chooseReading('Datum')).click();
    const dialog = page.getByRole('dialog', { name: words.upload.columns.change('Datum') });
    await upload.typeInto(dialog.getByRole('combobox', { name: words.upload.columns.target }), 'timestamp');
    await expect(dialog.getByRole('combobox', { name: words.upload.columns.format })).toHaveValue(
      'd.M.yyyy H:mm',
    );
    await upload.typeInto(
      dialog.getByRole('combobox', { name: startingLike(words.upload.columns.zone) }),
      'Houston',
    );
    await expect(dialog.getByRole('row').nth(1)).toContainText('2026-03-01 06:30:00');
    await dialog.getByRole('button', { name: words.close }).click();
  });

  await test.step('wells come by their names', async () => {
    await upload
      .field('asset_id')
      .getByRole('button', { name: words.upload.columns.filledByNamed('asset_id') })
      .click();
    await page.getByRole('option', { name: words.upload.columns.fromColumn('Bohrung') }).click();
    const dialog = await upload.place('Bohrung');
    await expect(dialog.getByRole('button', { name: words.upload.columns.wellsBy })).toContainText(
      words.upload.columns.by.name,
    );
    await dialog.getByRole('button', { name: words.close }).click();
    await expect(upload.tab.getByText(words.upload.wells.left(1, 2))).toBeVisible();
    await upload
      .button(startingLike(words.upload.wells.use('Ridge C-103H', null)))
      .first()
      .click();
    await expect(upload.tab.getByText(words.upload.wells.allKnown(2))).toBeVisible();
  });

  await test.step('a text that stands for no value is named; a column is called otherwise, another left out', async () => {
    const nulls = upload.tab.getByLabel(words.upload.columns.nulls);
    await nulls.fill('-999.25');
    await nulls.press('Tab');
    const dialog = await upload.place('Förderrate');
    await upload.typeInto(dialog.getByRole('combobox', { name: words.upload.columns.target }), 'data.rate');
    await dialog.getByRole('button', { name: words.close }).click();
    await expect(upload.column('Druck')).toContainText(words.upload.columns.noValue);
  });

  await upload.next('check');
  await upload.send();
  // On 8 March 2026 the clocks of Chicago were put forward over 02:30.
  expect(await upload.books()).toMatchObject({ accepted: 299, rejected: 1, rows: 300 });
  await expect(upload.tab.getByRole('table', { name: words.upload.ledger.problems })).toContainText(
    '“08.03.2026 02:30” does not exist in its zone',
  );
  await upload.button(words.upload.ledger.lookAt).click();
  expect(await app.count()).toBe(299);
  await expect(app.column('data.rate').first()).toBeVisible();
});

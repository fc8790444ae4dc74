import { words } from '../../src/renderer/words/words.ts';
import { including } from '../support/wording.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, test } from './support/upload.ts';

test('a date and a time of day make one timestamp, and the focus follows the steps', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  const rows = ['03/14/2024,10:00:05,15/9-F-4,1.5', '03/15/2024,11:30:00,15/9-F-4,2.5'];
  const path = await fileWith('split.csv', ['Date,Time,Hole,ROP', ...rows].join('\n'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await upload.button(words.upload.next(words.upload.steps.columns)).press('Enter');
  await expect(
    upload.tab.getByRole('region', { name: words.upload.steps.columns, exact: true }),
  ).toBeFocused();
  await upload.button(words.upload.back).press('Enter');
  await expect(upload.tab.getByRole('region', { name: words.upload.steps.file, exact: true })).toBeFocused();
  await upload.next('columns');

  await test.step('the date alone falls on midnight, which is said; the time of day is offered beside it', async () => {
    const field = upload.field('timestamp');
    await expect(
      field.getByRole('button', { name: words.upload.columns.dateWithTime('Date', 'Time') }),
    ).toBeVisible();
    await field.getByRole('button', { name: words.upload.columns.filledByNamed('timestamp') }).click();
    await page.getByRole('option', { name: words.upload.columns.fromColumn('Date') }).click();
    await expect(field).toContainText(words.upload.columns.onMidnight('Date'));
    await field.getByRole('button', { name: words.upload.columns.dateWithTime('Date', 'Time') }).click();
    await expect(upload.column('Date')).toContainText('2024-03-14 10:00:05 UTC');
    await expect(upload.column('Time')).toContainText(words.upload.columns.joinedTo('Date'));
  });

  await test.step('the zone of the well is the default', async () => {
    await upload
      .field('asset_id')
      .getByRole('button', { name: words.upload.columns.filledByNamed('asset_id') })
      .click();
    await page.getByRole('option', { name: words.upload.columns.oneValue }).click();
    await upload.typeInto(upload.field('asset_id').getByRole('combobox'), '5003');
    await expect(upload.column('Date')).toContainText('2024-03-14 15:00:05 UTC');
    const dialog = await upload.place('Date');
    await expect(dialog).toContainText(words.upload.columns.zoneOfWell('Ridge C-103H'));
    await expect(
      dialog.getByRole('button', { name: including(words.upload.columns.timeOfDay) }),
    ).toContainText(words.query.range.time);
  });
});

test('a format that is selected keeps the focus, and opens nothing', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  const path = await fileWith('dates.csv', 'Date,ROP\n03/04/2024 10:00,1\n05/06/2024 10:00,2\n');
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await upload.next('columns');
  await upload
    .field('timestamp')
    .getByRole('button', { name: words.upload.columns.filledByNamed('timestamp') })
    .click();
  await page.getByRole('option', { name: words.upload.columns.fromColumn('Date') }).click();
  const dialog = await upload.place('Date');
  const american = dialog.getByRole('radio', { name: /^4 March 2024/ });
  await american.focus();
  await american.press('Space');
  await expect(dialog.getByRole('row').nth(1)).toContainText('2024-03-04 10:00:00');
  await expect(american).toBeFocused();
  await expect(page.getByRole('listbox')).toHaveCount(0);
});

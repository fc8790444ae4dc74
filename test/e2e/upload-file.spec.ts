import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from './support/fixtures.ts';
import { expect, test } from './support/upload.ts';

/** Real files lie beside the checkout, not in it. */
const messy = join(import.meta.dirname, '../../../shared/data/messy');

test('each guess can be corrected, and lines and table follow at once', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await upload.open('demo/uploads.reference');
  const data = Array.from({ length: 40 }, (_, row) => `${row},5;A\t${row}`);
  const lines = ['Höhe;Name ', 'm;-', ...data.with(7, 'stuck;\u00a0B'), 'Summe'];
  await upload.pick(await fileWith('heights.csv', Buffer.from(lines.join('\r\n'), 'latin1')));
  const choose = async (what: string, option: string) => {
    await upload.tab.getByRole('button', { name: what }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await expect(upload.tab.getByRole('button', { name: 'Windows-1252 (detected)' })).toBeVisible();
  await expect(upload.rawLine(1)).toHaveText(/header\s*Höhe;Name\s*·/);
  await expect(upload.rawLine(3)).toHaveText(/0,5;A\s*→\s*tab\s*0/);
  await expect(upload.rawLine(10)).toHaveText(/stuck;\s*⍽\s*no-break space\s*B/);

  await choose('Encoding', 'UTF-8');
  await expect(upload.rawLine(1)).toContainText('H\uFFFDhe;Name');
  await choose('Encoding', 'Windows-1252');
  await expect(upload.rawLine(1)).toContainText('Höhe;Name');

  await choose('Units', 'No unit row');
  await expect(upload.rawLine(2)).toHaveText(/^2\s*m;-/);
  await expect(upload.tab.getByRole('gridcell', { name: 'm', exact: true })).toBeVisible();
  await choose('Units', 'Line 2');
  await expect(upload.rawLine(2)).toHaveText(/units\s*m;-/);
  await expect(page.getByRole('columnheader', { name: 'Höhe [m]' })).toBeVisible();
  await choose('Header', 'No header');
  await expect(upload.rawLine(1)).toHaveText(/left out\s*Höhe/);
  await choose('Header', 'Line 1');
  await choose('Delimiter', 'Vertical bar');
  await expect(upload.tab.getByRole('gridcell', { name: /^0,5;A\s0$/ })).toBeVisible();
  await choose('Delimiter', 'Semicolon');

  await expect(upload.tab.getByText('40 rows, 2 columns')).toBeVisible();
  await upload.button('Count as rows').click();
  await expect(upload.tab.getByText('41 rows, 2 columns')).toBeVisible();
  await choose('Footer rows', '1');
  await expect(upload.tab.getByText('40 rows, 2 columns')).toBeVisible();
  await expect(upload.rawLine(43)).toHaveText(/no data\s*Summe/);
  await choose('Footer rows', '2');
  await expect(upload.tab.getByText('39 rows, 2 columns')).toBeVisible();

  await test.step('a text that stands for no value is taken where it is found, or named', async () => {
    await upload.button('Take “stuck” as no value').click();
    await expect(upload.tab.getByText('“stuck” is null in 1 row.')).toBeVisible();
    const nulls = upload.tab.getByLabel('Treat as null');
    await expect(nulls).toHaveValue('stuck');
    await expect(upload.tab.getByRole('gridcell', { name: 'stuck' })).toHaveClass(/cell-null/);
    await nulls.fill('');
    await nulls.press('Enter');
    await expect(upload.button('Take “stuck” as no value')).toBeVisible();
    await expect(nulls).toBeFocused();
  });

  await test.step('where there is little room, one of the two is shown', async () => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await expect(upload.rawLine(1)).toBeHidden();
    await upload.tab.getByText('Raw lines', { exact: true }).click();
    await expect(upload.rawLine(1)).toBeVisible();
    await expect(upload.tab.getByRole('gridcell').first()).toBeHidden();
  });
});

test.describe('files from everywhere', () => {
  test.skip(!existsSync(messy), 'the messy files are not beside the checkout');

  test('are shown with what is worth knowing, or refused in words', async ({ app, demo, page, upload }) => {
    await app.connect(addressOf(demo));
    await upload.open('demo/uploads.reference');
    const names = (await readdir(messy)).filter((name) => /\.(csv|psv)$/.test(name));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      await upload.hand(join(messy, name));
      const shown = upload.tab.getByText(/^[\d,]+ rows?, \d+ columns?$/);
      await expect(shown.or(upload.tab.getByRole('alert')).first()).toBeVisible();
      await expect(page.getByText('Something went wrong in Wellbench')).toHaveCount(0);
    }
  });
});

test.describe('a file that can’t be taken', () => {
  test.use({ mayComplain: /WebSocket|ERR_CONNECTION|Failed to load/, ownHost: {} });

  test('is refused in words, and another can be chosen; so is one that is picked when the application has ended', async ({
    app,
    demo,
    host,
    upload,
    fileWith,
  }) => {
    await app.connect(addressOf(demo));
    await upload.open();
    const book = await fileWith('book.csv', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0]));
    await upload.hand(book);
    await expect(upload.tab.getByRole('alert')).toContainText('Excel workbook (save the sheet as CSV first)');
    await expect(upload.button('Next: Columns')).toBeDisabled();
    await expect(upload.tab.getByText('Choose another file to go on.')).toBeVisible();
    const empty = await fileWith('empty.csv', '');
    await upload.tab.getByRole('button', { name: 'Choose another file' }).last().click();
    await upload.page.locator('input[type=file]').last().setInputFiles(empty);
    await expect(upload.tab.getByRole('alert')).toContainText('it is empty');
    await upload.page
      .locator('input[type=file]')
      .last()
      .setInputFiles(await fileWith('good.csv', 'a,b\n1,2\n'));
    await expect(upload.tab.getByText('1 row, 2 columns')).toBeVisible();

    await upload.open('demo/uploads.time');
    await host.kill();
    await upload.hand(await fileWith('late.csv', 'a\n1\n'));
    await expect(upload.tab.getByRole('alert')).toContainText('the window lost its link to the application');
    await expect(upload.button('Choose a file')).toBeVisible();
  });
});

test('files that are dropped anywhere open an upload each', async ({ app, demo, page, upload }) => {
  await upload.hold('Open a connection first, then drop the file');
  await page.reload();
  await app.connect(addressOf(demo));
  await upload.hold('Drop the CSV file to upload it');
  await upload.drop([
    ['first.csv', 'a,b\n1,2\n'],
    ['second.csv', 'asset_id,timestamp,data.x\n5001,1767225600000,1\n5001,1767225601000,2\n'],
  ]);
  await expect(page.getByText('Drop the CSV file to upload it')).toHaveCount(0);
  await expect(page.getByRole('tab')).toHaveText(['Upload first.csv', 'Upload second.csv']);
  await expect(upload.tab.getByText('2 rows, 3 columns')).toBeVisible();

  await test.step('an upload that waits for a file takes the first', async () => {
    await upload.open('demo/uploads.time');
    await upload.drop([['third.csv', 'asset_id,timestamp,data.x\n5001,1767225600000,1\n']]);
    await expect(page.getByRole('tab')).toHaveText([
      'Upload first.csv',
      'Upload second.csv',
      'Upload third.csv',
    ]);
    await upload.next('columns');
    await upload.next('check');
    await upload.send();
    expect(await upload.books()).toMatchObject({ accepted: 1, rows: 1 });
  });
});

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callHost } from './support/call-host.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

/** Real files lie beside the checkout, not in it. */
const shared = join(import.meta.dirname, '../../../shared/data');
const volve = join(shared, 'time/volve_15_9-F-4_GenTime2_2016.csv');
const messy = join(shared, 'messy');

test('a clean file goes from the window into its dataset, and is looked at', async ({
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
  await expect(upload.tab.getByText('Nothing odd was found in the file.')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Upload clean.csv' })).toBeVisible();
  await upload.next('Columns');
  await expect(upload.tab.getByText('All required fields are filled.')).toBeVisible();
  await upload.next('Check');
  await upload.send();
  await expect(upload.tab.getByRole('heading', { name: 'Uploaded' })).toBeVisible();
  expect(await upload.books()).toEqual({ accepted: 2500, rejected: 0, unknown: 0, pending: 0, rows: 2500 });

  await upload.button('Look at it').click();
  await expect(app.answer.getByRole('status').filter({ hasText: '1,000 records' })).toBeVisible();
  expect(await app.query()).toBe(
    '{ asset_id: 5002, timestamp: { $gte: 1767225600000, $lte: 1767228099000 } }',
  );
  await expect(app.column('data.rop').first()).toHaveText('100');
  expect(await app.count()).toBe(2500);
});

test.describe('the real file of a Volve well', () => {
  test.skip(!existsSync(volve), 'the Volve file is not beside the checkout');

  test('goes up whole from the window and is seen in the grid', async ({ app, demo, page, upload }) => {
    await app.connect(addressOf(demo));
    await app.well('Ridge C-103H').click();
    await upload.open();
    await upload.pick(volve);
    await upload.into('demo/uploads.time');
    await upload.next('Columns');

    await test.step('what is missing is said, and filled with one press; the chosen well is there already', async () => {
      await expect(upload.tab.getByRole('status').filter({ hasText: 'Missing: timestamp.' })).toBeVisible();
      await expect(upload.button('Next: Check')).toBeDisabled();
      await expect(upload.field('asset_id').getByRole('combobox')).toHaveValue('5003');
      await upload.button('Use “Time”').click();
      await expect(upload.tab.getByText('All required fields are filled.')).toBeVisible();
      await expect(upload.column('Time')).toContainText('2016-09-30 10:04:01 UTC');
      await expect(page.getByRole('columnheader', { name: 'timestamp', exact: true })).toBeVisible();
    });

    await test.step('the trial goes over all rows and sends none', async () => {
      await upload.next('Check');
      await upload.button('Check all rows first').click();
      await expect(upload.tab.getByText('All 100,000 rows can be sent.')).toBeVisible({ timeout: 60_000 });
    });

    await upload.send();
    expect(await upload.books()).toMatchObject({ accepted: 100_000, rows: 100_000 });

    await upload.button('Look at it').click();
    await expect(app.column('timestamp').first()).toHaveText('2016-09-30 10:04:01');
    await expect(app.column('data.RIGHEAVE3').first()).toBeAttached();
    expect(await app.count()).toBe(100_000);
  });
});

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
  for (const detected of ['UTF-16LE (detected)', 'Semicolon (detected)', 'Line 2 (detected)'])
    await expect(
      upload.tab.getByRole('button', { name: new RegExp(detected.replace(/[()]/g, '\\$&')) }),
    ).toBeVisible();
  await expect(upload.tab.getByText('The header is on line 2')).toBeVisible();
  await expect(upload.rawLine(1)).toHaveText(/left out\s*Rig report;;;/);
  await expect(upload.rawLine(2)).toHaveText(/header\s*Datum;Förderrate;Druck;Bohrung/);
  await expect(upload.tab.getByText('is read with a comma as the decimal sign').first()).toBeVisible();
  await expect(upload.tab.getByRole('gridcell', { name: '01.03.2026 00:30' })).toBeVisible();

  await test.step('times: the format and the zone are the person’s to say; what is worth knowing leads there', async () => {
    await upload.button('Choose how “Datum” is read').click();
    const dialog = page.getByRole('dialog', { name: 'Where “Datum” goes' });
    await upload.typeInto(dialog.getByRole('combobox', { name: 'Goes to' }), 'timestamp');
    await expect(dialog).toContainText('How “01.03.2026 00:30” is written can’t be told for certain.');
    await upload.typeInto(dialog.getByRole('combobox', { name: 'Format of the times' }), 'dd.MM.yyyy HH:mm');
    await upload.typeInto(dialog.getByRole('combobox', { name: /^Time zone/ }), 'America/Chicago');
    await expect(dialog.getByRole('row').nth(1)).toContainText('2026-03-01 06:30:00');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('wells come by their names', async () => {
    await upload.field('asset_id').getByRole('button', { name: 'asset_id is filled by' }).click();
    await page.getByRole('option', { name: 'column “Bohrung”' }).click();
    const dialog = await upload.place('Bohrung');
    await expect(dialog.getByRole('button', { name: 'Wells by' })).toContainText('Name');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(upload.tab.getByText('1 of 2 wells to settle.')).toBeVisible();
    await upload
      .button(/^Use Ridge C-103H/)
      .first()
      .click();
    await expect(upload.tab.getByText('All 2 wells are known.')).toBeVisible();
  });

  await test.step('a text that stands for no value is named; a column is called otherwise, another left out', async () => {
    const nulls = upload.tab.getByLabel('Texts that stand for no value');
    await nulls.fill('-999.25');
    await nulls.press('Tab');
    const dialog = await upload.place('Förderrate');
    await upload.typeInto(dialog.getByRole('combobox', { name: 'Goes to' }), 'data.rate');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(upload.column('Druck')).toContainText('no value');
  });

  await upload.next('Check');
  await upload.send();
  // On 8 March 2026 the clocks of Chicago were put forward over 02:30.
  expect(await upload.books()).toMatchObject({ accepted: 299, rejected: 1, rows: 300 });
  await expect(upload.tab.getByRole('table', { name: 'Why rows were rejected' })).toContainText(
    '“08.03.2026 02:30” does not exist in its zone',
  );
  await upload.button('Look at it').click();
  expect(await app.count()).toBe(299);
  await expect(app.column('data.rate').first()).toBeVisible();
});

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

  await upload.button('Leave out the last row').click();
  await expect(upload.tab.getByText('40 rows, 2 columns')).toBeVisible();
  await expect(upload.rawLine(43)).toHaveText(/no data\s*Summe/);

  await test.step('a text that stands for no value is taken where it is found, or named', async () => {
    await upload.button('Take “stuck” as no value').click();
    await expect(upload.tab.getByText('“stuck” stands for no value in 1 row.')).toBeVisible();
    const nulls = upload.tab.getByLabel('Texts that stand for no value');
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

  test('one of them goes up whole: letters of Windows-1252, commas between thousands, a source note at its end', async ({
    app,
    demo,
    upload,
  }) => {
    await app.connect(addressOf(demo));
    await upload.open('demo/uploads.reference');
    await upload.pick(join(messy, 'spanish_chars.csv'));
    await expect(upload.tab.getByRole('button', { name: 'Windows-1252 (detected)' })).toBeVisible();
    await expect(upload.rawLine(3)).toContainText(',0,,,Legislación,,"10,105.40"');
    await upload.button('Leave out the last 2').click();
    await expect(upload.tab.getByText('114 rows, 8 columns')).toBeVisible();
    await upload.next('Columns');
    await expect(upload.column('Gasto total 2011')).toContainText('229932.5');
    await upload.next('Check');
    await upload.button('Check all rows first').click();
    await expect(upload.tab.getByText('All 114 rows can be sent.')).toBeVisible();
    await upload.send();
    expect(await upload.books()).toEqual({ accepted: 114, rejected: 0, unknown: 0, pending: 0, rows: 114 });
    await upload.button('Look at it').click();
    expect(await app.count()).toBe(114);
  });

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

test('two rows of a hundred are rejected: why is said before and after, and they come back as a file', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  const lines = rigRows(5000, (row) => (row % 50 === 7 ? 'stuck' : String(row)));
  const path = await fileWith('two in a hundred.csv', ['Time,ROP,WOB', ...lines].join('\n'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await expect(upload.tab.getByText('is mostly numbers, but not “stuck”')).toBeVisible();
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  const dialog = await upload.place('ROP');
  await dialog.getByRole('button', { name: 'Read as' }).click();
  await page.getByRole('option', { name: 'Number', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await upload.next('Check');
  await expect(upload.tab.getByText('The dataset has no records where these rows belong.')).toBeVisible();
  await upload.button('Check all rows first').click();
  await expect(upload.tab.getByText('4,900 rows can be sent, 100 would be rejected.')).toBeVisible();
  await expect(upload.button('Send 4,900 rows, leave out 100')).toBeEnabled();

  await test.step('a line of the list is gone to; the text is taken as no value, and the rows are checked again', async () => {
    await upload.button('Show line 109').click();
    await expect(upload.tab.getByText('Line 109 and the rows around it')).toBeVisible();
    await expect(upload.tab.getByRole('gridcell', { name: 'stuck' }).first()).toBeFocused();
    await upload.button('Correct: “stuck” is not a number.').click();
    await page.getByRole('button', { name: 'Take “stuck” as no value, in every column' }).click();
    await expect(upload.tab.getByText('All 5,000 rows can be sent.')).toBeVisible();
    await upload.button('Back').click();
    const nulls = upload.tab.getByLabel('Texts that stand for no value');
    await expect(nulls).toHaveValue('stuck');
    await nulls.fill('');
    await nulls.press('Tab');
    await upload.next('Check');
  });

  await upload.send();
  expect(await upload.books()).toEqual({ accepted: 4900, rejected: 100, unknown: 0, pending: 0, rows: 5000 });
  const problems = upload.tab.getByRole('table', { name: 'Why rows were rejected' });
  await expect(problems.getByRole('row').nth(1)).toHaveText(
    /ROP\s*“stuck” is not a number\.\s*100\s*9\s*59\s*109/,
  );

  const downloading = page.waitForEvent('download');
  await upload.tab.getByRole('link', { name: 'Download two in a hundred.rejects.csv' }).click();
  const rejects = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n');
  expect(rejects).toHaveLength(101);
  expect(rejects[0]).toContain('Time,ROP,WOB');
  for (const [at, line] of rejects.slice(1).entries()) {
    expect(line).toContain(lines[at * 50 + 7]);
    expect(line).toContain(String(at * 50 + 9));
    expect(line).toContain('not_a_number');
  }
  // The trial has left nothing behind.
  await app.jobs.getByRole('button', { name: /^Jobs/ }).click();
  await expect(app.jobs.getByRole('listitem', { name: /two in a hundred/ })).toHaveCount(1);
});

test('what is no table is refused in words, and another file can be chosen', async ({
  app,
  demo,
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
});

test('a header that was guessed wrong is corrected, and the preview follows', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await upload.open('demo/uploads.reference');
  await upload.pick(await fileWith('codes.csv', 'one;two\n1,5;2\n3,5;4\ntotal;\n'));
  await upload.tab.getByRole('button', { name: 'Header' }).click();
  await page.getByRole('option', { name: 'No header' }).click();
  await expect(upload.tab.getByText('4 rows, 2 columns')).toBeVisible();
  await expect(upload.tab.getByRole('gridcell', { name: 'one', exact: true })).toBeVisible();
  await upload.tab.getByRole('button', { name: 'Rows at the end' }).click();
  await page.getByRole('option', { name: '1', exact: true }).click();
  await expect(upload.tab.getByText('3 rows, 2 columns')).toBeVisible();
  await upload.tab.getByRole('button', { name: 'Delimiter' }).click();
  await page.getByRole('option', { name: 'Comma' }).click();
  await expect(upload.tab.getByRole('gridcell', { name: 'one;two' })).toBeVisible();
});

test('an upload that is cancelled goes on later, and stores each row once', async ({
  app,
  demo,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  const path = await fileWith('long.csv', ['Time,ROP,WOB', ...rigRows(60_000)].join('\n'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  await upload.next('Check');
  demo.faults.latency_ms = 1000;
  await upload.button('Send 60,000 rows').click();
  await expect(upload.tab.getByText(/of 60,000 rows · [\d,]+ rows\/s · .+ left/)).toBeVisible();
  await expect(upload.tab.getByRole('progressbar', { name: 'Progress of long.csv' })).toBeVisible();
  await upload.button('Cancel').click();
  await expect(upload.tab.getByRole('heading', { name: 'Cancelled' })).toBeVisible();
  const books = await upload.books();
  expect(books.pending).toBeGreaterThan(0);
  expect(books.accepted + books.rejected + books.unknown + books.pending).toBe(60_000);

  demo.faults.latency_ms = 0;
  await upload.button('Resume').click();
  await expect(upload.tab.getByRole('heading', { name: 'Uploaded' })).toBeVisible({ timeout: 60_000 });
  expect(await upload.books()).toMatchObject({ accepted: 60_000, pending: 0 });
  await upload.button('Look at it').click();
  expect(await app.count()).toBe(60_000);
});

test('while the service asks for patience, the clock of the next try runs', async ({
  app,
  demo,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('patience.csv', ['Time,ROP,WOB', ...rigRows(50_000)].join('\n')));
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  await upload.next('Check');
  demo.faults.latency_ms = 1000;
  await upload.button('Send 50,000 rows').click();
  await expect(upload.tab.getByText(/of 50,000 rows · [\d,]+ rows\/s/)).toBeVisible();
  Object.assign(demo.faults, { rate_429: 1, retry_after: 4, fault_times: 2 });
  await expect(upload.tab.getByText(/Next try in [234] s\./)).toBeVisible();
  await expect(upload.tab.getByText('Next try in 1 s.')).toBeVisible();
  demo.faults.latency_ms = 0;
  await upload.atRest();
  expect(await upload.books()).toMatchObject({ accepted: 50_000 });
});

test('without permission it stops at the first refusal and says whom to ask', async ({
  app,
  demo,
  upload,
  fileWith,
}) => {
  await app.connect({ ...addressOf(demo), apiKey: demo.apiKeys.read });
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('refused.csv', ['Time,ROP,WOB', ...rigRows(5000)].join('\n')));
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  await upload.next('Check');
  await upload.send();
  await expect(upload.tab.getByRole('heading', { name: 'Stopped by an error' })).toBeVisible();
  await expect(upload.tab.getByRole('alert')).toContainText('Ask your administrator for access.');
  // What the refused request held is all that was tried; nothing of it, and nothing after it, was stored.
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect({ accepted, rejected, rows, all: unknown + pending }).toEqual({
    accepted: 0,
    rejected: 0,
    rows: 5000,
    all: 5000,
  });
  expect(unknown).toBeLessThan(100);
  await expect(upload.button('Look at it')).toHaveCount(0);
  await app.openDataset('demo/uploads.time');
  await app.typeQuery('{}');
  expect(await app.count()).toBe(0);
});

test('rows whose fate can’t be known stand as unknown or are settled; the books add up', async ({
  app,
  demo,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('cut.csv', ['Time,ROP,WOB', ...rigRows(4000)].join('\n')));
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  await upload.next('Check');
  Object.assign(demo.faults, { reset_after_write: 1, fault_times: 1 });
  await upload.send();
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect(accepted + rejected + unknown + pending).toBe(rows);
  expect(rows).toBe(4000);
});

test('the system tells of a job that ends elsewhere, once the person has asked for it', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  // In place of the browser's own, which shows its question and its notices to nobody here.
  await page.addInitScript(() => {
    const told: string[] = [];
    class Notice extends EventTarget {
      static permission: NotificationPermission = 'default';
      static async requestPermission() {
        told.push('asked');
        Notice.permission = 'granted';
        return Notice.permission;
      }
      constructor(title: string, options: NotificationOptions) {
        super();
        told.push(`${title}: ${options.body ?? ''}`);
      }
    }
    Object.assign(window, { Notification: Notice, told });
    document.hasFocus = () => false;
  });
  const told = () => page.evaluate(() => Reflect.get(window, 'told') as string[]);
  await page.reload();
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('told.csv', ['Time,ROP,WOB', ...rigRows(3000)].join('\n')));
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  await upload.next('Check');
  demo.faults.latency_ms = 1000;
  await upload.button('Send 3,000 rows').click();
  const wanted = upload.tab.getByRole('checkbox', { name: 'Tell me when it is done' });
  await expect(wanted).not.toBeChecked();
  expect(await told()).toEqual([]);
  await upload.tab.getByText('Tell me when it is done').click();
  await expect(wanted).toBeChecked();
  demo.faults.latency_ms = 0;
  await upload.atRest();
  await expect.poll(told).toEqual(['asked', 'told.csv is done: 3,000 accepted']);
});

test('closing the window asks where an upload would lose something; one that was begun goes on', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('left.csv', ['Time,ROP,WOB', ...rigRows(20_000)].join('\n')));
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  await upload.next('Check');
  demo.faults.latency_ms = 2000;
  const asks = page.waitForEvent('dialog');
  await upload.button('Send 20,000 rows').click();
  await expect(upload.tab.getByText('Preparing…')).toBeVisible();
  await page.close({ runBeforeUnload: true });
  const question = await asks;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();

  // The person stayed. Once the job has begun, nobody is asked, and it does not go with the page.
  await expect(upload.tab.getByText(/of 20,000 rows/)).toBeVisible();
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  await page.reload();
  demo.faults.latency_ms = 0;
  await app.jobs.getByRole('button', { name: /^Jobs/ }).click();
  const job = app.jobs.getByRole('listitem', { name: 'Upload left.csv' });
  await expect(job).toContainText('20,000 accepted', { timeout: 60_000 });
  expect(asked).toBe(0);
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
    await upload.next('Columns');
    await upload.next('Check');
    await upload.send();
    expect(await upload.books()).toMatchObject({ accepted: 1, rows: 1 });
  });
});

test('a read-only connection says so before the first step', async ({ app, demo, host, page, upload }) => {
  await expect(app.button('Connect')).toBeVisible();
  const { dataUrl, platformUrl, apiKey } = addressOf(demo);
  await callHost(page, host, (api) =>
    api.connections.add({
      name: 'Only to look at',
      dataUrl,
      platformUrl,
      credential: { method: 'api_key', apiKey },
      readOnly: true,
    }),
  );
  await page.reload();
  await page.getByRole('button', { name: 'Open Only to look at' }).click();
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(upload.tab).toContainText('The connection “Only to look at” is read-only');
  await expect(upload.button('Choose a file')).toHaveCount(0);
  await upload.hold('This connection is read-only: nothing can be uploaded by it');
});

test('a service that is gone is asked again and again; the rest is sent when it is back', async ({
  app,
  demo,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('gone.csv', ['Time,ROP,WOB', ...rigRows(50_000)].join('\n')));
  await upload.next('Columns');
  await upload.button('Use “Time”').click();
  await upload.next('Check');
  demo.faults.latency_ms = 1000;
  await upload.button('Send 50,000 rows').click();
  await expect(upload.tab.getByText(/of 50,000 rows · [\d,]+ rows\/s/)).toBeVisible();
  await demo.close();
  // What was under way when the link went can't be known; what is left waits for the link, or for the person.
  await expect(
    upload.tab
      .getByText(/Next try in \d+ s\./)
      .or(upload.tab.getByRole('alert'))
      .first(),
  ).toBeVisible({ timeout: 60_000 });
  const cancel = upload.button('Cancel');
  if (await cancel.isVisible()) await cancel.click();
  await upload.atRest();
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect(accepted + rejected + unknown + pending).toBe(rows);
  expect(unknown + pending).toBeGreaterThan(0);
  await expect(upload.button('Resume')).toBeVisible();
});

test.describe('when the application ends under the window', () => {
  test.use({ mayComplain: /WebSocket|ERR_CONNECTION|Failed to load/ });

  test('a file that is picked then says so', async ({ app, demo, host, upload, fileWith }) => {
    await app.connect(addressOf(demo));
    await upload.open('demo/uploads.time');
    await host.kill();
    await upload.hand(await fileWith('late.csv', 'a\n1\n'));
    await expect(upload.tab.getByRole('alert')).toContainText('the window lost its link to the application');
    await expect(upload.button('Choose a file')).toBeVisible();
  });
});

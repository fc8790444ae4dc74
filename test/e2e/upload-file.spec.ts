import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { words } from '../../src/renderer/words/words.ts';
import { sentenceFor } from '../../src/shared/errors/sentences.ts';
import { any, including } from '../support/wording.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, marked, readWhole, test } from './support/upload.ts';

/** Real files lie beside the checkout, not in it. */
const messy = join(import.meta.dirname, '../../../shared/data/messy');

const { file: fileWords, raw } = words.upload;

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
    await upload.tab.getByRole('button', { name: including(what) }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await expect(upload.tab.getByRole('button', { name: fileWords.detected('Windows-1252') })).toBeVisible();
  await expect(upload.rawLine(1)).toHaveText(marked('header', 'Höhe;Name'));
  await expect(upload.rawLine(3)).toHaveText(new RegExp(`0,5;A\\s*→\\s*${raw.signs['U+0009']}\\s*0`));
  await expect(upload.rawLine(10)).toHaveText(new RegExp(`stuck;\\s*⍽\\s*${raw.signs['U+00A0']}\\s*B`));

  await choose(fileWords.encoding, 'UTF-8');
  await expect(upload.rawLine(1)).toContainText('H\uFFFDhe;Name');
  await choose(fileWords.encoding, 'Windows-1252');
  await expect(upload.rawLine(1)).toContainText('Höhe;Name');

  await choose(fileWords.units, fileWords.noUnits);
  await expect(upload.rawLine(2)).toHaveText(/^2\s*m;-/);
  await expect(upload.tab.getByRole('gridcell', { name: 'm', exact: true })).toBeVisible();
  await choose(fileWords.units, fileWords.line(2));
  await expect(upload.rawLine(2)).toHaveText(marked('units', 'm;-'));
  await expect(page.getByRole('columnheader', { name: 'Höhe [m]' })).toBeVisible();
  await choose(fileWords.header, fileWords.noHeader);
  await expect(upload.rawLine(1)).toHaveText(marked('left_out', 'Höhe'));
  await choose(fileWords.header, fileWords.line(1));
  await choose(fileWords.delimiter, fileWords.delimiters['|'] ?? '');
  await expect(upload.tab.getByRole('gridcell', { name: /^0,5;A\s0$/ })).toBeVisible();
  await choose(fileWords.delimiter, fileWords.delimiters[';'] ?? '');

  await expect(upload.tab.getByText(fileWords.rowsAndColumns(40, 2))).toBeVisible();
  await upload.button(words.upload.warnings.countFooter).click();
  await expect(upload.tab.getByText(fileWords.rowsAndColumns(41, 2))).toBeVisible();
  await choose(fileWords.foot, '1');
  await expect(upload.tab.getByText(fileWords.rowsAndColumns(40, 2))).toBeVisible();
  await expect(upload.rawLine(43)).toHaveText(marked('foot', 'Summe'));
  await choose(fileWords.foot, '2');
  await expect(upload.tab.getByText(fileWords.rowsAndColumns(39, 2))).toBeVisible();

  await test.step('a text that stands for no value is taken where it is found, or named', async () => {
    await upload.button(words.upload.warnings.takeAsNull('stuck')).click();
    await expect(upload.tab.getByText('“stuck” is null in 1 row.')).toBeVisible();
    const nulls = upload.tab.getByLabel(words.upload.columns.nulls);
    await expect(nulls).toHaveValue('stuck');
    await expect(upload.tab.getByRole('gridcell', { name: 'stuck' })).toHaveClass(/cell-null/);
    await nulls.fill('');
    await nulls.press('Enter');
    await expect(upload.button(words.upload.warnings.takeAsNull('stuck'))).toBeVisible();
    await expect(nulls).toBeFocused();
  });

  await test.step('where there is little room, one of the two is shown', async () => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await expect(upload.rawLine(1)).toBeHidden();
    await upload.tab.getByText(raw.lines, { exact: true }).click();
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
      const shown = upload.tab.getByText(readWhole);
      await expect(shown.or(upload.tab.getByRole('alert')).first()).toBeVisible();
      await expect(page.getByText(including(sentenceFor('internal', { problem: any })))).toHaveCount(0);
    }
  });
});

test('files that are dropped anywhere open an upload each', async ({ app, demo, page, upload }) => {
  await upload.hold(words.upload.drop.noConnection);
  await page.reload();
  await app.connect(addressOf(demo));
  await upload.hold(words.upload.drop.here);
  await upload.drop([
    ['first.csv', 'a,b\n1,2\n'],
    ['second.csv', 'asset_id,timestamp,data.x\n5001,1767225600000,1\n5001,1767225601000,2\n'],
  ]);
  await expect(page.getByText(words.upload.drop.here)).toHaveCount(0);
  await expect(page.getByRole('tab')).toHaveText([
    words.upload.tab('first.csv'),
    words.upload.tab('second.csv'),
  ]);
  await expect(upload.tab.getByText(fileWords.rowsAndColumns(2, 3))).toBeVisible();

  await test.step('an upload that waits for a file takes the first', async () => {
    await upload.open('demo/uploads.time');
    await upload.drop([['third.csv', 'asset_id,timestamp,data.x\n5001,1767225600000,1\n']]);
    await expect(page.getByRole('tab')).toHaveText([
      words.upload.tab('first.csv'),
      words.upload.tab('second.csv'),
      words.upload.tab('third.csv'),
    ]);
    await upload.next('columns');
    await upload.next('check');
    await upload.send();
    expect(await upload.books()).toMatchObject({ accepted: 1, rows: 1 });
  });
});

import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { sentenceFor } from '../../../src/shared/errors/sentences.ts';
import { any, anyCount, anyOtherCount, including, like, startingLike } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openTabs } from './support/tabs.ts';
import { openWindow, waitForWells } from './support/open-window.tsx';
import { openUpload, uploadIn } from './support/upload.ts';
import { sampleOf } from '../../support/sample.ts';

const w = uploadWords;
const { columns, file } = w;

/** Real files are stored next to the checkout. */
const messy = join(import.meta.dirname, '../../../../shared/data/messy');

it('shows no delimiter of one of several tables as that of JSON lines', async () => {
  const { upload, tab } = await openUpload();
  const months = (node: string, depth: number) =>
    [1, 2, 3].map((month) => `${node},2020-0${month}-01,${depth},386.${month}`);
  const tables = ['Node,Date,Depth (m),P (bara)', ...months('A', 2735), 'Node,Date,Depth (ft),P (psia)'];
  await upload.hand('tables.csv', [...tables, ...months('B', 8973)].join('\n'));
  fireEvent.click(await within(await tab()).findByRole('radio', { name: including('line 5') }));
  await within(await tab()).findByRole('columnheader', { name: 'Depth (ft)' });
  await expect.poll(() => upload.button(including(file.delimiter))).toHaveTextContent(file.asDetected);
});

it('reads a messy file correctly, and prompts for what can’t be detected', async () => {
  const { upload, press, tab, answer } = await openUpload();
  const lines = [
    'Rig report;;;',
    'Datum;Förderrate;Druck;Bohrung',
    ...Array.from({ length: 84 }, (_, row) => {
      const day = String((row % 28) + 1).padStart(2, '0');
      const hour = String(Math.floor(row / 28)).padStart(2, '0');
      return `${day}.03.2026 ${hour}:30;${row},5;${row % 3 === 0 ? '-999,25' : '3500'};Ridge ${row % 2 === 0 ? 'A-101H' : 'C103H'}`;
    }),
  ];
  await upload.hand('Schicht.csv', Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le'));
  await upload.text(file.rowsAndColumns(84, 4));
  for (const detected of ['UTF-16LE', file.delimiters[';'] ?? '', file.line(2)])
    await upload.button(including(file.detected(detected)));
  await upload.text(/The header is on line 2/);
  expect(await upload.rawLine(1)).toHaveTextContent(new RegExp(`${w.raw.kinds.left_out}\\s*Rig report;;;`));
  expect(await upload.rawLine(2)).toHaveTextContent(
    new RegExp(`${w.raw.kinds.header}\\s*Datum;Förderrate;Druck;Bohrung`),
  );
  const decimalComma = String(w.inColumns.of.decimal_comma?.({ count: 1 })).replace(/\.$/, '');
  expect(await within(await tab()).findAllByText(including(decimalComma))).not.toHaveLength(0);
  await within(await tab()).findByRole('gridcell', { name: '01.03.2026 00:30' });

  // Times: the user sets format and zone; an issue leads there.
  await upload.press(w.warnings.chooseReading('Datum'));
  const dates = await screen.findByRole('dialog', { name: columns.change('Datum') });
  await upload.typeInto(await within(dates).findByRole('combobox', { name: columns.target }), 'timestamp');
  await expect
    .poll(() => within(dates).getByRole('combobox', { name: columns.format }))
    .toHaveDisplayValue('d.M.yyyy H:mm');
  await upload.typeInto(
    await within(dates).findByRole('combobox', { name: startingLike(columns.zone) }),
    'Houston',
  );
  await expect.poll(() => within(dates).getAllByRole('row')[1]).toHaveTextContent('2026-03-01 06:30:00');
  await press(words.close, dates);

  // Wells are matched by their names.
  await upload.fillField('asset_id', columns.fromColumn('Bohrung'));
  const wells = await upload.place('Bohrung');
  expect(await within(wells).findByRole('button', { name: new RegExp(columns.wellsBy) })).toHaveTextContent(
    columns.by.name,
  );
  await press(words.close, wells);
  await upload.text(w.wells.left(1, 2));
  await upload.press(startingLike(w.wells.use('Ridge C-103H', null)));
  await upload.text(w.wells.allKnown(2));

  // A null value is set; a column is renamed.
  await upload.nulls('-999.25');
  const rate = await upload.place('Förderrate');
  await upload.typeInto(await within(rate).findByRole('combobox', { name: columns.target }), 'data.rate');
  await press(words.close, rate);
  await expect.poll(() => upload.column('Druck')).toHaveTextContent(columns.noValue);

  await upload.next('check');
  await upload.send();
  // On 8 March 2026 the clocks of Chicago skipped 02:30.
  await expect.poll(upload.books).toMatchObject({ accepted: 83, rejected: 1, rows: 84 });
  expect(await within(await tab()).findByRole('table', { name: w.ledger.problems })).toHaveTextContent(
    /“08\.03\.2026 02:30” doesn.t exist/,
  );
  await upload.press(w.ledger.lookAt);
  const heads = async () =>
    (await within(await answer()).findAllByRole('columnheader')).map((head) => head.textContent);
  await expect.poll(heads).toContainEqual(expect.stringContaining('rate'));
  await press(words.query.count);
  await screen.findByText(words.query.counted(83));
});

it('applies each correction of a detected property, in lines and table at once, counts a footer as rows or not, and treats a text as null', async () => {
  const { upload, tab } = await openUpload(undefined, 'demo/uploads.reference');
  // Heights with units below the header, a text among the numbers, and a sum at the end.
  const data = Array.from({ length: 40 }, (_, row) => `${row},5;A\t${row}`);
  const lines = ['Höhe;Name ', 'm;-', ...data.with(7, 'stuck;\u00a0B'), 'Summe'];
  await upload.hand('heights.csv', Buffer.from(lines.join('\r\n'), 'latin1'));
  await upload.text(file.rowsAndColumns(40, 2));
  const line = (at: number) => expect.poll(() => upload.rawLine(at));
  const cell = async (name: string | RegExp) => within(await tab()).findAllByRole('gridcell', { name });
  await upload.button(including(file.detected('Windows-1252')));
  await line(1).toHaveTextContent(new RegExp(`${w.raw.kinds.header}\\s*Höhe;Name`));
  await line(3).toHaveTextContent(new RegExp(`0,5;A\\s*→\\s*${w.raw.signs['U+0009']}\\s*0`));
  await line(10).toHaveTextContent(new RegExp(`stuck;\\s*⍽\\s*${w.raw.signs['U+00A0']}\\s*B`));

  await upload.guess(file.encoding, 'UTF-8');
  await line(1).toHaveTextContent('H\uFFFDhe;Name');
  await upload.guess(file.encoding, 'Windows-1252');
  await line(1).toHaveTextContent('Höhe;Name');

  await upload.guess(file.units, file.noUnits);
  await line(2).toHaveTextContent(/^2\s*m;-/);
  await cell('m');
  await upload.guess(file.units, file.line(2));
  await line(2).toHaveTextContent(new RegExp(`${w.raw.kinds.units}\\s*m;-`));
  await within(await tab()).findByRole('columnheader', { name: 'Höhe [m]' });
  await upload.guess(file.header, file.noHeader);
  await line(1).toHaveTextContent(new RegExp(`${w.raw.kinds.left_out}\\s*Höhe`));
  await upload.guess(file.header, file.line(1));
  await upload.guess(file.delimiter, file.delimiters['|'] ?? '');
  await cell(/^0,5;A\s0$/);
  await upload.guess(file.delimiter, file.delimiters[';'] ?? '');
  await upload.text(file.rowsAndColumns(40, 2));

  await upload.press(w.warnings.countFooter);
  await upload.text(file.rowsAndColumns(41, 2));
  await upload.guess(file.foot, '1');
  await upload.text(file.rowsAndColumns(40, 2));
  await line(43).toHaveTextContent(new RegExp(`${w.raw.kinds.foot}\\s*Summe`));
  await upload.guess(file.foot, '2');
  await upload.text(file.rowsAndColumns(39, 2));

  // A null value is set where it is found, or by typing it.
  await upload.press(w.warnings.takeAsNull('stuck'));
  await upload.text(/“stuck” is treated as null/);
  expect(await within(await tab()).findByLabelText(columns.nulls)).toHaveDisplayValue('stuck');
  expect((await cell('stuck'))[0]).toHaveClass('cell-null');
  await upload.nulls('');
  await upload.button(w.warnings.takeAsNull('stuck'));
  expect(await within(await tab()).findByLabelText(columns.nulls)).toHaveFocus();
});

const names = existsSync(messy) ? readdirSync(messy).filter((name) => /\.(csv|psv)$/.test(name)) : [];
const shares = [0, 1, 2, 3].map((share) => names.filter((_, at) => at % 4 === share));

it.skipIf(names.length === 0).each(sampleOf(shares, 1))(
  'shows files of many origins with their issues, or rejects them with a reason: %s and others',
  async (...share) => {
    const { upload, tab } = await openUpload(undefined, 'demo/uploads.reference');
    for (const [at, name] of share.entries()) {
      await upload.hand(
        name,
        await readFile(join(messy, name)),
        at === 0 ? w.choose.button : w.choose.another,
      );
      await upload.text(name);
      await expect
        .poll(async () => {
          const shown = within(await tab());
          const read = [1, anyCount].flatMap((rows) =>
            [1, anyOtherCount].map((count) => file.rowsAndColumns(rows, count)),
          );
          return read.some((text) => shown.queryByText(like(text))) || shown.queryByRole('alert') !== null;
        })
        .toBe(true);
      expect(screen.queryByText(including(sentenceFor('internal', { problem: any })))).toBeNull();
    }
  },
);

it('offers the sample file in the sample workspace, which is sent as any other', async () => {
  const opened = await openWindow();
  await opened.press(words.start.openSample);
  const [well] = await waitForWells(8);
  await opened.user.click(well ?? document.body);
  const upload = uploadIn(opened);
  await upload.open('demo/uploads.time');
  expect(await findings()).toEqual([]);
  await opened.press(uploadWords.choose.sample, await opened.tab());
  await upload.next('columns');
  await upload.next('check');
  await upload.send();
});

it('opens an upload for each dropped file, and explains where that isn’t possible', async () => {
  const opened = await openWindow();
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file' }], files: [] };
  const hold = async () => fireEvent.dragOver(await screen.findByRole('main'), { dataTransfer });
  await screen.findByRole('button', { name: words.start.openSample });
  await hold();
  await screen.findByText(words.drop.noConnection, { selector: 'strong' });
  await opened.reload();
  await opened.press(words.start.openSample);
  await screen.findByRole('grid', { name: words.datasets.heading });
  await hold();
  await screen.findByText(words.drop.here, { selector: 'strong' });
  const upload = uploadIn(opened);
  await upload.drop([
    ['first.csv', 'a,b\n1,2\n'],
    ['second.csv', 'asset_id,timestamp,data.x\n5001,1767225600000,1\n5001,1767225601000,2\n'],
  ]);
  await expect.poll(() => screen.queryByText(words.drop.here)).toBeNull();
  const tabs = () => openTabs().map(({ textContent }) => textContent);
  await expect.poll(tabs).toEqual([w.tab('first.csv'), w.tab('second.csv')]);
  await upload.text(file.rowsAndColumns(2, 3));

  // An upload that waits for a file takes the first.
  await upload.open('demo/uploads.time');
  await upload.drop([['third.csv', 'asset_id,timestamp,data.x\n5001,1767225600000,1\n']]);
  await expect.poll(tabs).toEqual([w.tab('first.csv'), w.tab('second.csv'), w.tab('third.csv')]);
  await upload.next('columns');
  await upload.next('check');
  await upload.press(w.check.send(1));
  await upload.atRest();
  await expect.poll(upload.books).toMatchObject({ accepted: 1, rows: 1 });
});

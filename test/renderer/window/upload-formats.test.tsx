import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { dlisFile, numbersChannel } from '../../main/features/upload/support/dlis-files.ts';
import { workbook } from '../../main/features/upload/support/workbooks.ts';
import { any, like } from '../../support/wording.ts';
import { openUpload } from './support/upload.ts';

const { source, file, preview, ledger, columns, check, wells, alike } = uploadWords;

/** Real files are stored next to the checkout. */
const las3 = join(import.meta.dirname, '../../../../shared/data/formats/las/sample_las3.0_spec.las');

const cellOf = (text: string, at: string): string =>
  /^\d+(?:\.\d+)?$/.test(text)
    ? `<c r="${at}"><v>${text}</v></c>`
    : `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

const rowsOf = (rows: readonly string[]): string =>
  rows
    .map((line, row) => {
      const cells = line.split(',').map((text, at) => cellOf(text, `${'ABCDE'[at] ?? ''}${row + 1}`));
      return `<row r="${row + 1}">${cells.join('')}</row>`;
    })
    .join('');

it('shows the lists of a JSON file as tables, and uploads the rows of one; a GeoJSON file has the columns that are uploaded; the frames of a DLIS file are tables, with its header, and its arrays are columns or a list', async () => {
  const { upload, user, tab } = await openUpload('Ridge A-101H', 'demo/uploads.time');
  const days = [0, 1, 2].map((day) => ({
    timestamp: `2026-01-0${day + 1}T00:00:00Z`,
    deep: { rop: day + 0.5 },
  }));
  await upload.hand('answer.json', JSON.stringify({ wells: [{ id: 1 }, { id: 2 }], days }));
  await upload.text(source.formats.json);
  await upload.text(file.rowsAndColumns(3, 2));
  const select = async (name: RegExp) => {
    const tables = await within(await tab()).findByRole('radiogroup', { name: source.tables(3) });
    await user.click(await within(tables).findByRole('radio', { name }));
  };
  const heading = async (name: string) => within(await tab()).findByRole('columnheader', { name });
  expect(await heading('deep.rop')).toBeInTheDocument();
  await select(/^wells/);
  await upload.text(file.rowsAndColumns(2, 1));
  expect(await heading('id')).toBeInTheDocument();
  await select(/^days/);
  await upload.text(file.rowsAndColumns(3, 2));
  await upload.next('columns');
  await upload.next('check');
  await upload.send();
  await expect.poll(upload.books).toMatchObject({ rows: 3, accepted: 3 });

  await upload.open('demo/uploads.reference');
  const features = [1, 2].map((n) => ({
    type: 'Feature',
    properties: { 'pad.name': `Pad ${n}` },
    geometry: { type: 'Point', coordinates: [-102.5 - n, 31.5] },
  }));
  await upload.hand('pads.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  await upload.text(file.rowsAndColumns(2, 3));
  for (const name of ['pad.name', 'longitude', 'latitude'])
    expect(await within(await tab()).findByRole('columnheader', { name })).toBeInTheDocument();
  await expect.poll(async () => (await tab()).textContent).toContain('-103.5');
  await upload.next('columns');
  await upload.next('check');
  await upload.send();
  await expect.poll(upload.books).toMatchObject({ rows: 2, accepted: 2 });

  await upload.open('demo/uploads.depth');
  const frame = (name: string, rows: readonly number[]) => ({
    name,
    indexType: 'BOREHOLE-DEPTH',
    channels: [
      numbersChannel('DEPT', rows, 'ft'),
      { name: 'AMP', code: 'USHORT', dimensions: [3], samples: rows.map((row) => Buffer.alloc(3, row)) },
    ],
  });
  const frames = [frame('60B', [1, 2, 3]), frame('10B', [4, 5])];
  await upload.hand('run.dlis', Buffer.from(dlisFile([{ well: 'Ridge A-101H', run: '2', frames }])));
  await upload.text(source.formats.dlis);
  await upload.text(file.rowsAndColumns(3, 4));
  const frameTables = await within(await tab()).findByRole('radiogroup', { name: source.tables(2) });
  await user.click(within(frameTables).getByRole('radio', { name: /^Ridge A-101H, run 2, 10B/ }));
  await upload.text(file.rowsAndColumns(2, 4));
  expect(await within(await tab()).findByText('Logical file 1, frame 60B')).toBeInTheDocument();
  await upload.guess(file.arrays, file.arrayKinds.list);
  await upload.text(file.rowsAndColumns(2, 2));
  expect(await within(await tab()).findByText('[4,4,4]')).toBeInTheDocument();
});

it('lists the sheets of a workbook, and sends several with one mapping, each with the sheet that is selected for it', async () => {
  const { upload, user, tab } = await openUpload('Ridge A-101H');
  const day = (first: number) =>
    rowsOf(['timestamp,rop', ...[0, 1, 2].map((row) => `2026-01-0${first + row}T00:00:00Z,${first + row}`)]);
  const bookOf = (first: number) =>
    Buffer.from(
      workbook({
        sheets: {
          Summary: rowsOf(['a,b,c', '1,2,x']),
          Week1: day(first),
          Week2: day(first + 3),
          Lookup: rowsOf(['code,text', '1,a']),
        },
        hidden: ['Lookup'],
      }),
    );
  await upload.hand('one.xlsx', bookOf(1));
  await upload.text(source.formats.xlsx);
  await upload.text(file.rowsAndColumns(1, 3));
  const tables = await within(await tab()).findByRole('radiogroup', { name: source.tables(4) });
  const radio = (name: string, rows: number, isHidden: boolean) =>
    within(tables).getByRole('radio', { name: source.tableText({ name, rows, columns: 2, isHidden }) });
  expect(radio('Lookup', 1, true)).not.toBeChecked();
  await user.click(radio('Week1', 3, false));
  await upload.text(file.rowsAndColumns(3, 2));
  expect(
    within(await tab()).getByRole('columnheader', { name: source.placeTitle('row') }),
  ).toBeInTheDocument();
  await upload.open('demo/uploads.time');
  await upload.hand('two.xlsx', bookOf(1));
  await upload.text(file.rowsAndColumns(1, 3));
  await user.click(await screen.findByRole('tab', { name: uploadWords.tab('one.xlsx') }));
  await upload.next('columns');
  await upload.next('check');
  await upload.text(alike.heading(1));
  const list = await within(await tab()).findByRole('list', { name: alike.heading(1) });
  await user.click(await within(list).findByRole('checkbox', { name: 'two.xlsx' }));
  expect(within(await tab()).getByRole('button', { name: alike.send(1) })).toBeDisabled();
  await user.click(await within(list).findByRole('checkbox', { name: 'two.xlsx' }));
  await user.click(
    await within(list).findByRole('button', { name: new RegExp(alike.tableOfFile('two.xlsx')) }),
  );
  await user.click(await screen.findByRole('option', { name: /^Week2/ }));
  await upload.press(alike.send(2));
  await upload.atRest();
  await user.click(await screen.findByRole('tab', { name: uploadWords.tab('two.xlsx') }));
  await upload.atRest();
  await expect.poll(upload.books).toMatchObject({ accepted: 3, rows: 3 });
  await expect.poll(async () => (await tab()).textContent).toContain('2026-01-04T00:00:00Z');
});

it.skipIf(!existsSync(las3))(
  'uploads a table of a LAS 3.0 file, whose header names another well',
  async () => {
    const { upload, user, tab } = await openUpload('Ridge A-101H', 'demo/uploads.depth');
    await upload.hand('spec.las', await readFile(las3));
    await upload.text(source.formats.las);
    const header = await within(await tab()).findByRole('region', { name: source.header });
    expect(await within(header).findByRole('rowheader', { name: 'UWI' })).toBeInTheDocument();
    const tables = await within(await tab()).findByRole('radiogroup', { name: source.tables(8) });
    await user.click(await within(tables).findByRole('radio', { name: /^Inclinometry/ }));
    await upload.text(file.rowsAndColumns(7, 4));
    expect(screen.queryByText(uploadWords.raw.lines)).toBeNull();
    expect([preview.none, ledger.noResult].some((text) => screen.queryByText(text))).toBe(false);
    await upload.next('columns');
    await upload.fillField('log_identifier', columns.oneValue);
    const log = await upload.field('log_identifier');
    await upload.typeInto(await within(log).findByRole('textbox'), 'survey');
    await upload.press(like(wells.oneWell(any)));
    await upload.next('check');
    await upload.send();
    await expect.poll(upload.books).toMatchObject({ rows: 7, accepted: 7 });
  },
);

it('makes one record of a survey listing, read by its columns; combines the rows of each survey into a record, shows the first one, and rejects rows that aren’t adjacent', async () => {
  const { upload, user, tab } = await openUpload('Ridge A-101H', 'demo/uploads.reference');
  const stations = Array.from({ length: 20 }, (_, n) =>
    [`${n * 30}.00`, (n / 10).toFixed(3), (100 + n).toFixed(3)].map((text) => text.padStart(10)).join(''),
  );
  const lines = [
    'Directional survey',
    '',
    '        MD      Incl       Azi',
    '         m       deg       deg',
    ...stations,
  ];
  await upload.hand('survey.txt', `${lines.join('\r\n')}\r\n`);
  await upload.text(source.formats.text);
  await upload.text(file.rowsAndColumns(20, 3));
  expect(await within(await tab()).findByRole('columnheader', { name: 'MD [m]' })).toBeInTheDocument();
  expect(await upload.rawLine(3)).toHaveAttribute('data-kind', 'header');
  await upload.next('columns');
  await upload.press(new RegExp(columns.recordFor));
  await user.click(await screen.findByRole('option', { name: columns.perFile }));
  await upload.text(columns.folded(20, 1));
  const record = await within(await tab()).findByLabelText(columns.firstRecord);
  await expect.poll(() => record.textContent).toContain('{"MD":0,"Incl":0,"Azi":100}');
  await upload.next('check');
  await upload.text(check.good(1, true));
  await upload.press(check.send(1, true));
  await upload.atRest();
  await upload.text(ledger.totalRecords(20));

  await upload.open('demo/uploads.reference');
  const rows = Array.from({ length: 5 }, (_, n) => `Gyro,${n * 95}.5,${n},North`);
  await upload.pick('surveys.csv', ['Survey,MD,Inc,Crew', ...rows, 'MWD,10.5,1,South', 'MWD,20.5,2,South']);
  await upload.next('columns');
  const choose = async (option: string) => {
    await upload.press(new RegExp(columns.recordFor));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  await choose(columns.perValue('Crew'));
  await upload.text(columns.folded(7, 2));
  await choose(columns.perValue('Survey'));
  const first = await within(await tab()).findByLabelText(columns.firstRecord);
  await expect.poll(() => first.textContent).toContain('{"MD":95.5,"Inc":1}');
  expect(first.textContent).toContain(columns.moreItems(2));
  await user.clear(within(await tab()).getByRole('textbox', { name: columns.into }));
  await user.type(within(await tab()).getByRole('textbox', { name: columns.into }), 'data.survey{Enter}');
  const depth = await upload.column('MD');
  await expect.poll(() => depth.textContent).toContain('data.survey.MD');
  await choose(columns.perFile);
  await upload.text(columns.folded(7, 1));
  await choose(columns.perValue('Survey'));
  await upload.next('check');
  await upload.text(check.good(2, true));
  await upload.press(check.send(2, true));
  await upload.atRest();
  await upload.text(ledger.totalRecords(7));
});

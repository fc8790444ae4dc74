import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { write, utils } from '@e965/xlsx';
import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import { plotWords } from '../../../src/renderer/words/plot.ts';
import { recipeWords } from '../../../src/renderer/words/recipes.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { sourceAt } from '../../../src/main/core/files/files.ts';
import { useFolders } from '../../support/folders.ts';
import { findings } from './support/findings.ts';
import { openConnected, type TestWindow } from './support/open-window.tsx';
import { drillingOf, openSeveralWells } from './support/several-wells.ts';
import { openTabs } from './support/tabs.ts';

const w = words.sql;
const newFolder = useFolders();
/** Of the dataset. */
const records = 344;

/** Opens a dataset with its first records, and switches its query to SQL. */
async function openSql(): Promise<TestWindow> {
  const opened = await openConnected();
  await opened.openDataset('demo/wits');
  await opened.press(words.query.run);
  await within(await opened.answer()).findAllByRole('gridcell');
  await opened.user.click(await screen.findByRole('radio', { name: words.query.modes.sql }));
  await screen.findByRole('region', { name: w.tables });
  return opened;
}
const editor = () => screen.findByRole('textbox', { name: `${w.editor}. ${w.editorHint}` });
const tables = () => screen.findByRole('region', { name: w.tables });

async function type({ user }: TestWindow, statement: string): Promise<void> {
  await user.clear(await editor());
  await user.click(await editor());
  await user.paste(statement);
}

/** The table of the first query's result. */
const table = 'wits';

it('makes a table of a query result, and runs statements on it', async () => {
  const opened = await openSql();
  const { press, answer, pick } = opened;
  await within(await tables()).findByText(w.none);
  await press(/^WITS.*rows/, await tables());
  await expect.poll(editor).toHaveTextContent(table);
  const rows = await within(await tables()).findByText(table);
  await opened.user.click(rows);
  await within(await tables()).findByText('data_rop');
  expect(await findings('region')).toEqual([]);

  await type(opened, 'SELECT count(*) AS total, {{ask:factor:number}} * 2 AS twice FROM wits');
  await opened.fill('factor', '1234321');
  await press(words.query.run);
  await within(await answer()).findByRole('gridcell', { name: '2468642' });

  // The history has the statement, and says that it is SQL.
  await opened.user.click(await screen.findByRole('tab', { name: words.history.heading }));
  const past = await screen.findByRole('row', { name: new RegExp(`^${words.query.modes.sql} .*total`) });
  expect(past.textContent).not.toContain('demo/wits');

  await type(opened, 'SELECT *\nFROM nowhere');
  await press(words.query.run);
  await expect.poll(editor).toHaveAttribute('aria-invalid', 'true');
  await screen.findByText(new RegExp(`^${words.query.at(2, 6)}`));

  await pick(w.menu('wits'), w.remove);
  await within(await tables()).findByText(w.none);
});

it('shows the columns of a statement in its order, also without rows, whatever is hidden for records', async () => {
  const opened = await openConnected();
  await opened.openDataset('demo/wits');
  await opened.press(words.query.run);
  const heads = async () =>
    within(await opened.answer())
      .getAllByRole('columnheader')
      .toSorted((a, b) => Number(a.ariaColIndex) - Number(b.ariaColIndex))
      .map(({ textContent }) => textContent.trim())
      .filter((text) => text !== '#' && text !== words.results.well);
  await within(await opened.answer()).findAllByRole('gridcell');
  const head = await within(await opened.answer()).findByRole('columnheader', { name: /^asset_id/ });
  await opened.user.pointer({ keys: '[MouseRight]', target: head });
  await opened.takeItem(words.results.menu.hide);
  await expect.poll(heads).not.toContainEqual(expect.stringContaining('asset_id'));
  await opened.user.click(await screen.findByRole('radio', { name: words.query.modes.sql }));
  const orders: readonly (readonly string[])[] = [
    ['zeta', 'timestamp', 'asset_id'],
    ['asset_id', 'zeta', 'alpha'],
  ];
  for (const names of orders) {
    for (const rows of [1, 0]) {
      await type(
        opened,
        `SELECT ${names.map((name, at) => `${at} AS ${name}`).join(', ')} FROM range(${rows})`,
      );
      await opened.press(words.query.run);
      await expect.poll(heads).toEqual(names.map((name) => expect.stringContaining(name)));
    }
  }
});

it('makes a table of a file that is selected or dropped, with a note about its assumptions, and writes a statement for it', async () => {
  const opened = await openSql();
  const picker = (await tables()).querySelector<HTMLInputElement>('input[type=file]');
  if (!picker) throw new Error('no field for files');
  const lines = ['time,well,rop', '2026-01-31 10:00:00,5003,10', '2026-01-31 10:00:30,5003,20', ''];
  await opened.user.upload(picker, new File([lines.join('\n')], 'stage times.csv'));
  await within(await tables()).findByText('stage_times');
  await within(await tables()).findByLabelText(w.notes(1));

  await opened.press(recipeWords.button);
  const form = await screen.findByRole('dialog', { name: recipeWords.heading });
  await expect
    .poll(() => within(form).getByLabelText(recipeWords.statement).textContent)
    .toContain('avg(rop) AS rop_mean');
  await opened.press(recipeWords.use, form);
  await within(await opened.answer()).findByRole('gridcell', { name: '15' });

  // A file is dropped as well; the window is no target for it any more.
  const place = (await editor()).closest('.sql-form') ?? document.body;
  const file = new File(['time,rop\n1,2\n'], 'dropped.csv');
  const dataTransfer = { types: ['Files'], files: [file], items: [file], dropEffect: 'none' };
  const overlay = () => screen.queryByText(words.drop.here);
  fireEvent.dragEnter(document.body, { dataTransfer });
  await expect.poll(overlay).not.toBeNull();
  fireEvent.dragOver(place, { dataTransfer });
  await expect.poll(overlay).toBeNull();
  fireEvent.drop(place, { dataTransfer });
  await within(await tables()).findByText('dropped');
  expect(overlay()).toBeNull();
  expect(openTabs()).toHaveLength(1);
});

it('says in the form of a recipe why its table can’t be read', async () => {
  const opened = await openSql();
  const path = join(await newFolder(), 'gone.parquet');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`COPY (SELECT 1 AS asset_id, 2.5 AS rop) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  const { client, files } = opened.application;
  await client.sql.addFile({ source: (await files.grantSource(sourceAt(path))).token });
  await opened.user.click(await screen.findByRole('radio', { name: words.query.modes.find }));
  await opened.user.click(await screen.findByRole('radio', { name: words.query.modes.sql }));
  await within(await tables()).findByText('gone');
  await rm(path);
  await opened.press(recipeWords.button);
  const form = await screen.findByRole('dialog', { name: recipeWords.heading });
  expect(await within(form).findByRole('alert')).toHaveTextContent('gone');
});

it('offers mirrors and exports as tables, and loads all records of a limited result', async () => {
  const opened = await openConnected();
  const { application, connection, press, pick, fill } = opened;
  const { client } = application;
  const dataset = { connection, provider: 'demo', dataset: 'wits' } as const;
  const folder = await client.files.chooseFolder({ name: 'mudlog3' });
  const file = await client.files.chooseTarget({ suggestedName: 'month7.parquet' });
  const partition = ['asset_id', 'day'] as const;
  const common = { ...dataset, format: 'parquet' } as const;
  await client.export.start({ ...common, partition: [...partition], target: folder?.token ?? '' });
  await client.export.start({ ...common, target: file?.token ?? '' });
  await expect
    .poll(async () => (await client.jobs.list({})).jobs.map(({ state }) => state))
    .toEqual(['done', 'done']);

  await opened.openDataset('demo/wits');
  await fill(words.query.limit, '50');
  await press(words.query.run);
  await within(await opened.answer()).findAllByRole('gridcell');
  await opened.user.click(await screen.findByRole('radio', { name: words.query.modes.sql }));
  const list = await tables();
  await pick(w.add, w.offer('month7.parquet', records));
  await within(list).findByText('month7');
  await pick(w.add, w.offer('mudlog3', records));
  await within(list).findByText('mudlog3');

  await pick(w.add, /^WITS/);
  await within(list).findByText(w.loaded(50, records));
  expect(await findings('region')).toEqual([]);
  await press(w.loadAllOf('wits'));
  await expect.poll(() => within(list).queryByText(w.loaded(50, records))).toBeNull();
  await expect.poll(() => within(list).getAllByText(w.rows(records))).toHaveLength(3);
  // Its export is removed from the jobs.
  expect((await client.jobs.list({})).jobs).toHaveLength(2);
});

it('joins a dropped workbook of stages with time data, plots the result, and saves it as a workbook', async () => {
  const opened = await openSql();
  const { press, pick, select, user } = opened;
  await pick(w.add, /^WITS/);
  await within(await tables()).findByText(table);
  const sheet = utils.aoa_to_sheet([
    ['frac_run', 'begin'],
    [1, new Date(Date.UTC(2000, 0, 1))],
    [2, new Date(Date.UTC(2026, 10, 20))],
  ]);
  const bytes: unknown = write({ SheetNames: ['Stages'], Sheets: { Stages: sheet } }, { type: 'array' });
  if (!(bytes instanceof ArrayBuffer)) throw new Error('the workbook has no bytes');
  const file = new File([bytes], 'frac7.xlsx');
  fireEvent.drop(await editor(), { dataTransfer: { types: ['Files'], files: [file] } });
  await within(await tables()).findByText('frac7');

  await press(recipeWords.button);
  const form = await screen.findByRole('dialog', { name: recipeWords.heading });
  await select(new RegExp(recipeWords.kind), recipeWords.kinds.join, form);
  await expect
    .poll(() => within(form).getByLabelText(recipeWords.statement).textContent)
    .toMatch(/ASOF (LEFT )?JOIN frac7/);
  await press(recipeWords.use, form);
  await within(await opened.answer()).findByRole('columnheader', { name: /frac_run/ });
  await user.click(await screen.findByRole('radio', { name: words.results.views.plot }));
  await within(await opened.answer()).findByRole('radio', { name: plotWords.kinds.lines });

  await pick(w.save, w.formats.xlsx);
  await screen.findByText(w.saved(`${w.fileName}.xlsx`, records));
});

it('saves a number such as -999.25 that a statement returns, and says what a file has only in part', async () => {
  const opened = await openSql();
  const links: HTMLElement[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    links.push(this);
  });
  await type(opened, `SELECT -999.25 AS rop, repeat('x', 40000) AS note`);
  await opened.pick(w.save, w.formats.csv);
  await screen.findByText(w.saved(`${w.fileName}.csv`, 1));
  const [link] = links;
  expect(link && (await opened.jobFile(link))).toMatch(/^rop,note\r\n-999.25,xx/);
  await opened.pick(w.save, w.formats.xlsx);
  await screen.findByText(/32,767/);
});

it('calculates from the records of the query at a press, and uses their table again', async () => {
  const opened = await openSql();
  const starts = await screen.findByRole('region', { name: recipeWords.start });
  await opened.press(recipeWords.kinds.states, starts);
  await within(starts).findByText(recipeWords.starting);
  await expect.poll(async () => (await editor()).textContent.length).toBeGreaterThan(50);
  await within(await opened.answer()).findAllByRole('gridcell');
  await within(await tables()).findByText(w.rows(records));
  expect(screen.queryByRole('region', { name: recipeWords.start })).toBeNull();
  expect(await findings('region')).toEqual([]);

  // The next question reads nothing, and the one about formations the tops only.
  const start = async (kind: string) => {
    await opened.user.clear(await editor());
    await opened.press(kind, await screen.findByRole('region', { name: recipeWords.start }));
  };
  const names = async () =>
    [...(await tables()).querySelectorAll('summary')].map(({ textContent }) => textContent);
  await start(recipeWords.kinds.days);
  await expect.poll(editor).toHaveTextContent(/86400/);
  expect(await names()).toHaveLength(1);
  await start(recipeWords.kinds.tops);
  await within(await opened.answer()).findByRole('columnheader', { name: /^data_formation_name/ });
  expect(await names()).toHaveLength(2);

  // A table of another query with the same name is not one of these records.
  const { sql } = opened.application.client;
  await sql.removeTable({ name: table });
  const { connection } = opened.session();
  const other = { connection, provider: 'demo', dataset: 'wits', query: '{ asset_id: 5001 }' };
  const { job } = await sql.readDataset({ ...other, name: table, label: 'one well' });
  const { name, allOf, rows } = await sql.exportedTable({ job });
  expect(allOf).toMatchObject(other);
  expect(rows).toBeLessThan(records);
  // Its own records replace it when they are read again.
  const again = await sql.readDataset({ ...other, label: 'read again' });
  expect(await sql.exportedTable(again)).toMatchObject({ name, label: 'read again' });
  await start(recipeWords.kinds.days);
  await expect.poll(names).toHaveLength(3);
  await within(await tables()).findByText(w.rows(records));
});

it('calculates from the records of the selected wells, whatever mode names them', async () => {
  const opened = await openSeveralWells();
  const all = await Promise.all([5001, 5005].map((well) => drillingOf(opened, well)));
  await opened.user.click(await screen.findByRole('radio', { name: words.query.modes.sql }));
  for (const kind of [recipeWords.kinds.states, recipeWords.kinds.tops]) {
    await opened.press(kind, await screen.findByRole('region', { name: recipeWords.start }));
    await within(await opened.answer()).findAllByRole('gridcell');
    await opened.user.clear(await editor());
  }
  await within(await tables()).findByText(w.rows(all.flat().length));
  expect(within(await tables()).queryByRole('alert')).toBeNull();
});

it('calculates from the records of a well in its menu, and of no other one', async () => {
  const opened = await openSeveralWells();
  for (const [well, name] of [
    [5005, 'Cottonwood A-105H'],
    [5001, 'Ridge A-101H'],
  ] as const) {
    const list = await screen.findByRole('grid', { name: words.wells.heading });
    fireEvent.contextMenu(within(list).getByRole('row', { name }), { button: 2 });
    await opened.user.click(await screen.findByRole('menuitem', { name: recipeWords.kinds.states }));
    await expect.poll(async () => (await editor()).textContent.length).toBeGreaterThan(50);
    await within(await opened.answer()).findAllByRole('gridcell');
    const { length } = await drillingOf(opened, well);
    await within(await tables()).findByText(w.rows(length));
  }
});

it('calculates from the records of a table, and from one of its columns, at a press, and keeps their text in SQL', async () => {
  const opened = await openSeveralWells();
  const { user } = opened;
  await opened.press(words.query.run);
  await opened.press(recipeWords.start, await opened.answer());
  await user.click(await screen.findByRole('menuitem', { name: recipeWords.kinds.days }));
  await expect.poll(editor).toHaveTextContent(/86400/);
  await within(await opened.answer()).findAllByRole('gridcell');

  // Of the column whose menu it is in, which isn't the usual one.
  await user.click(await screen.findByRole('radio', { name: words.query.modes.find }));
  await opened.press(words.query.run);
  const head = await within(await opened.answer()).findByRole('columnheader', { name: /^weight_on_bit/ });
  fireEvent.contextMenu(head.querySelector('.head') ?? head);
  await user.click(await screen.findByRole('menuitem', { name: recipeWords.kinds.tops }));
  await within(await opened.answer()).findByRole('columnheader', { name: /^data_weight_on_bit_mean/ });
});

it('reads another sheet of a workbook, in place of the first', async () => {
  const opened = await openSql();
  const sheet = (...rows: unknown[][]) => utils.aoa_to_sheet(rows);
  const Sheets = {
    Stages: sheet(['stage', 'rate'], [1, 50], [2, 60]),
    Directional: sheet(['md', 'inc', 'azi'], [1, 1, 0], [2, 2, 0], [3, 3, 0]),
  };
  const bytes: unknown = write({ SheetNames: Object.keys(Sheets), Sheets }, { type: 'array' });
  if (!(bytes instanceof ArrayBuffer)) throw new Error('the workbook has no bytes');
  for (const name of ['first_book.xlsx', 'second_book.xlsx'])
    fireEvent.drop(await editor(), { dataTransfer: { types: ['Files'], files: [new File([bytes], name)] } });
  const list = await tables();
  const rowsOf = (name: string) => within(list).getByText(name).closest('summary')?.textContent;
  // Both are read at once, and either can be first.
  for (const name of ['first_book', 'second_book']) await within(list).findByText(name);
  expect([rowsOf('first_book'), rowsOf('second_book')]).toEqual([
    `first_book${w.rows(2)}`,
    `second_book${w.rows(2)}`,
  ]);
  await opened.pick(w.menu('second_book'), w.fileTable({ name: 'Directional', rows: 3 }), list);
  await expect.poll(() => rowsOf('second_book')).toBe(`second_book${w.rows(3)}`);
  expect(rowsOf('first_book')).toBe(`first_book${w.rows(2)}`);
  await opened.press(w.menu('second_book'), list);
  const current = await screen.findByRole('menuitemradio', { checked: true });
  expect(current).toHaveTextContent(/Directional/);
});

it('reads a dataset into a table, for a range and a name, after it says how many records match', async () => {
  const opened = await openSql();
  const { press, pick, fill } = opened;
  const { dataset } = w;
  // It offers none while their list isn’t loaded.
  const { store } = opened.session().datasets;
  const { list } = store.getState();
  store.setState({ list: { status: 'loading' } });
  await pick(w.add, w.addDataset);
  const dialog = await screen.findByRole('dialog', { name: dataset.heading });
  const box = await within(dialog).findByRole('combobox', { name: dataset.dataset });
  store.setState({ list });
  await opened.user.type(box, 'wits');
  await opened.user.click(await screen.findByRole('option', { name: /^demo\/wits\b(?!\.)/ }));
  await within(dialog).findByText(dataset.count(records));
  expect(await findings('region')).toEqual([]);
  await fill(dataset.from, 'soon');
  await press(dataset.add, dialog);
  await within(dialog).findByText(words.query.range.badTime);
  await fill(dataset.from, '2026-11-19 23:59:59');
  await within(dialog).findByText(dataset.count(8));
  await fill(dataset.name, 'all_wits');
  await press(dataset.add, dialog);
  await within(await tables()).findByText('all_wits');

  // The same dataset again, without a name, is another table.
  await pick(w.add, w.addDataset);
  const again = await screen.findByRole('dialog', { name: dataset.heading });
  await opened.user.type(await within(again).findByRole('combobox', { name: dataset.dataset }), 'wits');
  await opened.user.click(await screen.findByRole('option', { name: /^demo\/wits\b(?!\.)/ }));
  await press(dataset.add, again);
  await within(await tables()).findByText(w.rows(records));
  await type(
    opened,
    'SELECT (SELECT count(*) FROM all_wits) + (SELECT count(*) FROM wits) + 1000000 AS total',
  );
  await press(words.query.run);
  await within(await opened.answer()).findByRole('gridcell', { name: String(8 + records + 1_000_000) });
});

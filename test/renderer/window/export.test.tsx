import { screen, within } from '@testing-library/dom';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { findings } from './support/findings.ts';
import { hasAssetId } from '../../../src/shared/wells/wells.ts';
import { listedWells } from '../../../src/renderer/features/wells/wells-state.ts';
import { openConnected } from './support/open-window.tsx';
import { queryOf, shownTab } from './support/several.ts';
import { addColumn, cellsOf, openSeveralWells } from './support/several-wells.ts';

const w = words.export;

async function openExport() {
  const opened = await openConnected();
  await opened.openDataset('demo/wits');
  await opened.press(words.query.run);
  await within(await opened.answer()).findAllByRole('gridcell');
  await opened.press(words.query.export);
  const form = await screen.findByRole('dialog');
  /** The lines of the preview. */
  const sample = async () =>
    ((await within(form).findByRole('region', { name: w.sample })).textContent ?? '').split(/\r?\n/);
  return { ...opened, form, sample };
}

it('proposes a name with the wells of the query, not of those that are selected', async () => {
  const opened = await openConnected();
  await opened.openDataset('demo/wits');
  const { store, actions: wellActions } = opened.session().wells;
  const wells = () => listedWells(store.getState()).wellsBy('assetId', [5001, 5002]).filter(hasAssetId);
  await expect.poll(wells).toHaveLength(2);
  const [asked, selected] = wells();
  const { actions } = queryOf(shownTab(opened));
  actions.type('find', { query: `{ asset_id: ${asked?.assetId} }` });
  wellActions.selectWells(selected ? [selected] : []);
  await opened.press(words.query.export);
  const form = await screen.findByRole('dialog');
  const name = await within(form).findByLabelText(w.fileName);
  await expect.poll(() => name).toHaveDisplayValue(new RegExp(`^${asked?.name} wits`));
});

it('shows three records as each preset writes them, in the tab’s time zone by default; has each option under Custom, and no preview of a binary file', async () => {
  const { form, sample, tick, press, select, user } = await openExport();
  expect(await within(form).findByLabelText(w.uses.excel)).toBeChecked();
  await expect.poll(async () => (await sample()).length).toBe(4);
  await expect
    .poll(async () => (await sample())[0])
    .toMatch(/^timestamp \(UTC\)\tasset_id\t.*data\.rop \(ft\/h\)/);
  expect((await sample())[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?\t\d+\t/);
  await select(new RegExp(w.unitSystem), w.unitSystems.metric, form);
  await expect.poll(async () => (await sample())[0]).toMatch(/data\.rop \(m\/h\)/);

  await tick(w.uses.pandas, form);
  await expect.poll(async () => (await sample())[0]).toMatch(/^timestamp,asset_id,/);
  expect((await sample())[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00),/);

  await tick(w.uses.reimport, form);
  await expect.poll(async () => (await sample())[2]).toMatch(/^\{"_id":.*"timestamp":\d+/);
  expect(await sample()).toHaveLength(3);
  expect(await within(form).findByLabelText(w.fileName)).toHaveDisplayValue(/\.ndjson$/);

  await tick(w.uses.custom, form);
  await expect.poll(async () => (await sample())[0]).toMatch(/^timestamp,asset_id,/);
  await tick(w.raw, form);
  await expect.poll(async () => (await sample())[1]).toMatch(/^\d{13},/);
  await tick(w.readable, form);
  await expect.poll(async () => (await sample())[0]).toMatch(/^_id,/);
  await tick(w.formats.xlsx, form);
  // A workbook has real dates, which have no other format.
  await expect.poll(async () => (await sample())[1]).toMatch(/\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?\t/);
  expect(await within(form).findByLabelText(w.dates('UTC'))).toBeChecked();
  expect(within(form).queryByLabelText(w.raw)).toBeNull();
  await tick(w.formats.parquet, form);
  expect(within(form).queryByText(w.times)).toBeNull();
  await expect.poll(() => within(form).queryByRole('region', { name: w.sample })).toBeNull();
  expect(await within(form).findByLabelText(w.fileName)).toHaveDisplayValue(/\.parquet$/);
  await select(new RegExp(w.partition), w.partitions.day, form);
  await within(form).findByText(w.folderText);
  await select(new RegExp(w.columnNames), w.columnStyles.underscore, form);
  expect(await findings('region')).toEqual([]);
  await press(w.start, form);
  // The form closes when the job has started; until then no shortcut acts behind it.
  await expect.poll(() => form.isConnected).toBe(false);
  // The folder is in the list of mirrors.
  await user.keyboard('{Control>}k{/Control}');
  await user.click(await screen.findByRole('menuitem', { name: words.commands.titles.mirrors }));
  const mirrors = await screen.findByRole('list', { name: words.mirrors.list });
  await expect.poll(() => mirrors).toHaveTextContent(words.mirrors.rows(344));
});

it('offers LAS for a dataset with depths, and not for one beside it with times; exports a workbook', async () => {
  const { openDataset, press, tick, user, jobFile } = await openConnected();
  const offered: string[][] = [];
  for (const dataset of ['demo/wits', 'demo/drilling.wits.depth']) {
    await openDataset(dataset);
    await press(words.query.export);
    const form = await screen.findByRole('dialog');
    await tick(w.uses.custom, form);
    offered.push(Object.values(w.formats).filter((text) => within(form).queryByLabelText(text) !== null));
    await user.keyboard('{Escape}');
  }
  const all = Object.values(w.formats);
  expect(offered).toEqual([all.filter((text) => text !== w.formats.las), all]);

  // The last form again: a workbook is an archive.
  await press(words.query.export);
  const form = await screen.findByRole('dialog');
  await tick(w.uses.excel, form);
  await press(w.start, form);
  expect(await jobFile(await screen.findByRole('link', { name: /\.xlsx$/ }))).toMatch(/^PK/);
});

it('has the calculated columns of both wells in the file, with their units, as the table shows them', async () => {
  const opened = await openSeveralWells();
  const { press, tick, jobFile } = opened;
  await press(words.query.run);
  await addColumn(opened, 'ratio', 'rop / weight_on_bit');
  await addColumn(opened, 'step', 'difference(rop)');
  // One that doesn’t fit the result is neither offered nor exported.
  const { calculated } = queryOf(shownTab(opened)).results;
  await calculated.actions.set([
    ...calculated.store.getState().columns,
    { name: 'lost', expression: 'no_such_channel * 2' },
  ]);
  await expect.poll(async () => (await cellsOf(opened, 'ratio')).some((text) => text !== '')).toBe(true);

  await press(words.query.export);
  const form = await screen.findByRole('dialog');
  const sample = async () =>
    (await within(form).findByRole('region', { name: w.sample })).textContent?.split('\n')[0];
  await within(form).findByText(w.calculatedNotes.ordered);
  await expect.poll(sample).toMatch(/ratio \(ft\/\(h·klbf\)\)\tstep \(ft\/h\)/);
  expect(await findings('region')).toEqual([]);
  await tick(w.calculated(['ratio', 'step']), form);
  await expect.poll(sample).not.toMatch(/ratio/);
  await tick(w.calculated(['ratio', 'step']), form);
  await tick(w.uses.pandas, form);
  await press(w.start, form);
  const text = await jobFile(await screen.findByRole('link', { name: /\.csv$/ }));
  const { data } = Papa.parse<Record<string, string>>(text.trim(), { header: true });
  const numberIn = (row: Record<string, string> | undefined, name: string) => Number(row?.[name]);
  for (const well of ['5001', '5005']) {
    const rows = data.filter((row) => row['asset_id'] === well);
    expect(rows.length).toBeGreaterThan(20);
    for (const [at, row] of rows.entries()) {
      const [rop, weight] = [numberIn(row, 'data.rop'), numberIn(row, 'data.weight_on_bit')];
      expect(row['ratio']).toBe(weight === 0 ? '' : String(rop / weight));
      expect(row['step']).toBe(at === 0 ? '' : String(rop - numberIn(rows[at - 1], 'data.rop')));
    }
  }
});

import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { calculatedWords } from '../../../src/renderer/words/results.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { any, anyCount, including, like } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openConnected, openDemo, type TestWindow } from './support/open-window.tsx';
import { openSeveralWells } from './support/several-wells.ts';
import { queryOf, shownTab } from './support/several.ts';

const w = words.results;

/** The cells of a column, in the rows that are drawn. */
async function column({ answer }: TestWindow, path: string): Promise<HTMLElement[]> {
  const cells = await within(await answer()).findAllByRole('gridcell');
  return cells.filter((cell) => cell.getAttribute('col-id') === path);
}
const texts = async (window: TestWindow, path: string) =>
  (await column(window, path)).map(({ textContent }) => textContent.trimEnd());
async function cell(window: TestWindow, path: string, row = 0): Promise<HTMLElement> {
  return waitFor(async () => {
    const found = (await column(window, path))[row];
    // A row is redrawn when its record arrives.
    if (!found?.textContent) throw new Error(`there is no ${path}`);
    return found;
  });
}

/** Clicks a cell until it has the focus: the grid is redrawn when units and columns arrive. */
const focus = (window: TestWindow, path: string, row = 0): Promise<void> =>
  waitFor(async () => {
    const found = await cell(window, path, row);
    await window.user.click(found);
    if (!found.contains(document.activeElement)) throw new Error(`${path} has not the focus`);
  });

/** The cells of the copied table, and whether they are texts for a spreadsheet. */
async function copiedCells(): Promise<readonly (readonly [string, boolean])[]> {
  const [item] = await navigator.clipboard.read();
  const html = await item?.getType('text/html');
  const page = new DOMParser().parseFromString((await html?.text()) ?? '', 'text/html');
  return [...page.querySelectorAll('td')].map(({ textContent, className }) => [
    textContent,
    className === 'text',
  ]);
}

// Written as text, because the first value exceeds JavaScript's number precision.
const records = `[
  {"version": 1, "asset_id": 5001, "timestamp": 1700000000000, "data": {"big": 9007199254740993, "note": null, "list": [1, 2, 3]}},
  {"version": 1, "asset_id": 5001, "timestamp": 1700000001500, "data": {"big": -9007199254740995}}
]`;

it('shows values exactly as received', async () => {
  const demo = await openDemo();
  const stored = await fetch(`${demo.dataUrl}/api/v1/data/demo/wits/`, {
    method: 'POST',
    headers: { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' },
    body: records,
  });
  expect(stored.status).toBe(200);
  const opened = await openConnected(demo);
  const { press, fill, typeQuery, openDataset, query, user, select } = opened;
  await openDataset('demo/wits');
  await typeQuery('{ asset_id: 5001, timestamp: { $lt: 1700000009000 } } // what was just stored');
  await fill(words.query.sort, '{ timestamp: 1 }');
  await press(words.query.run);
  await expect.poll(() => texts(opened, 'data.big')).toEqual(['9007199254740993', '-9007199254740995']);
  expect(await texts(opened, 'data.note')).toEqual([w.nullCell, '']);
  const [isNull, absent] = await column(opened, 'data.note');
  expect(isNull).toHaveClass('cell-null');
  expect(absent).toHaveClass('cell-absent');
  expect(await texts(opened, 'data.list')).toEqual([w.items(3), '']);

  expect(await texts(opened, 'timestamp')).toEqual(['2023-11-14 22:13:20', '2023-11-14 22:13:21.500']);
  await select(including(w.zones.label), like(w.zones.local(any)));
  const local = (ms: number) => new Date(ms).toLocaleString('sv-SE');
  await expect
    .poll(() => texts(opened, 'timestamp'))
    .toEqual([local(1_700_000_000_000), `${local(1_700_000_001_500)}.500`]);

  // One complete record, with every digit.
  await user.dblClick(await cell(opened, 'data.big'));
  const record = await screen.findByRole('region', { name: words.record.region });
  await within(record).findByRole('row', { name: 'big 9007199254740993' });
  await within(record).findByRole('row', { name: 'note null' });
  await user.click(await within(record).findByRole('row', { name: /^list/ }));
  await user.keyboard('{ArrowRight}');
  await within(record).findByRole('row', { name: '2 3' });
  await user.click(await within(record).findByRole('row', { name: 'big 9007199254740993' }));
  await press(w.menu.filter, record);
  await expect.poll(query).toContain('"data.big": 9007199254740993');
  await press(words.record.close);
  await expect.poll(() => screen.queryByRole('region', { name: words.record.region })).toBeNull();

  // The text of a cell is copied.
  await user.click(await cell(opened, 'data.big'));
  await user.keyboard('{Control>}c{/Control}');
  await within(await opened.answer()).findByText(w.copiedCells(1));
  await expect.poll(() => navigator.clipboard.readText()).toBe('9007199254740993');
  // So that a spreadsheet keeps the digits.
  expect(await copiedCells()).toEqual([['9007199254740993', true]]);
  await focus(opened, 'data.big');
  opened.pressMenuKey();
  await opened.takeItem(w.menu.copyRows(1, null, 'tsv'));
  await expect.poll(copiedCells).toContainEqual(['9007199254740993', true]);
  expect(await copiedCells()).toContainEqual(['5001', false]);
});

it('copies rows, hides columns, sums them, searches texts, and sorts, by menu and by keyboard', async () => {
  const opened = await openConnected();
  const { press, fill, typeQuery, openDataset, user, answer, pickOn } = opened;
  await openDataset('demo/wits');
  await fill(words.query.limit, '50');
  await press(words.query.run);
  const heads = async () =>
    (await within(await answer()).findAllByRole('columnheader')).map(({ textContent }) => textContent);
  const inAnswer = async (text: string) => within(await answer()).findByText(text);
  // Units are in the column headers.
  const depth = expect.stringContaining('hole_depth (ft)');
  await expect.poll(heads).toContainEqual(depth);

  await focus(opened, 'data.hole_depth', 1);
  opened.pressMenuKey();
  await opened.takeItem(w.menu.copyRows(1, null, 'json'));
  await inAnswer(w.copied(1, null));
  expect(JSON.parse(await navigator.clipboard.readText())).toMatchObject({
    provider: 'demo',
    data: { state: expect.any(String) },
  });
  // The palette copies too.
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('searchbox', { name: words.commands.search }), 'rows markdown');
  await user.keyboard('{Enter}');
  await expect.poll(() => navigator.clipboard.readText()).toMatch(/^\| .*hole_depth/);
  await focus(opened, 'data.hole_depth');
  opened.pressMenuKey();
  await opened.takeItem(w.menu.hide);
  await expect.poll(heads).not.toContainEqual(depth);

  // The column selector shows it again, by its name.
  await press(w.columns.some(1));
  await fill(w.columns.search, 'hole');
  await user.click(await screen.findByRole('row', { name: 'hole_depth' }));
  expect(await findings('region')).toEqual([]);
  await user.keyboard('{Escape}');
  await expect.poll(heads).toContainEqual(depth);

  // The layout of columns is stored for the dataset.
  await pickOn(await cell(opened, 'asset_id'), w.menu.hide);
  await press(words.query.run);
  await expect.poll(heads).toContainEqual(depth);
  expect(await heads()).not.toContainEqual(expect.stringContaining('asset_id'));

  // A column is summed, and the service sums all matching records.
  await typeQuery('{ asset_id: 5001 }');
  await press(words.query.run);
  await focus(opened, 'data.hole_depth');
  opened.pressMenuKey();
  await opened.takeItem(w.menu.summary);
  const summary = await screen.findByRole('region', { name: w.summary.region });
  await within(summary).findByRole('heading', { name: w.summary.loaded(50) });
  await press(w.summary.askWhole, summary);
  await within(summary).findByText(w.summary.records);
  expect(await findings()).toEqual([]);
  await press(w.summary.close, summary);

  // A text is found.
  await user.type(await fill(w.find.label, 'DEMO', await answer()), '{Enter}');
  await inAnswer(w.find.place(1, 50, 50));

  // Enter goes to the next match, and the focus stays in the box.
  await user.keyboard('{Enter}');
  await inAnswer(w.find.place(2, 50, 50));

  // A count is that of the text in the box, from its first letter.
  const box = within(await answer()).getByLabelText(w.find.label);
  const bar = box.closest('search');
  fireEvent.change(box, { target: { value: 'no such text' } });
  expect(bar).toHaveTextContent(w.find.searching(0, 0));
  expect(bar).not.toHaveTextContent(w.find.place(2, 50, 50));
  await inAnswer(w.find.hits(0, 50));

  // The service sorts.
  await user.click(await within(await answer()).findByRole('columnheader', { name: /^provider/ }));
  await expect.poll(() => screen.getByLabelText(words.query.sort)).toHaveDisplayValue('{ provider: 1 }');
  await expect.poll(heads).toContainEqual(expect.stringContaining('provider ↑'));
});

it('shows numbers in the units of the setting or of a column, and copies them as they are stored, or as shown', async () => {
  const opened = await openConnected();
  const { press, fill, openDataset, user, answer, application } = opened;
  // Copies have no separators.
  await application.client.settings.change({ set: { numbers: 'plain' } });
  await openDataset('demo/wits');
  await fill(words.query.limit, '5');
  await press(words.query.run);
  const field = 'data.hole_depth';
  const head = async () => within(await answer()).findByRole('columnheader', { name: /hole_depth/ });
  await expect.poll(head).toHaveTextContent('(ft)');
  const [stored = ''] = await texts(opened, field);
  await application.client.settings.change({ set: { units: 'metric' } });
  await expect.poll(head).toHaveTextContent('(m)');
  const [shown = ''] = await texts(opened, field);
  expect(Number(shown)).toBeCloseTo(Number(stored) * 0.3048, 2);

  // A column can keep its unit, for the dataset.
  await focus(opened, field);
  opened.pressMenuKey();
  await opened.takeItem(w.menu.showIn('ft', true));
  await expect.poll(head).toHaveTextContent('(ft)');
  expect((await texts(opened, field))[0]).toBe(stored);
  await focus(opened, field);
  opened.pressMenuKey();
  await opened.takeItem(w.menu.showIn('m', false));
  await expect.poll(head).toHaveTextContent('(m)');

  // Copies have the stored values, and say so; searches and sums use the displayed ones.
  await user.click(await cell(opened, field));
  await user.keyboard('{Control>}c{/Control}');
  await within(await answer()).findByText(`${w.copiedCells(1)} ${w.copiedStored('ft')}`);
  await expect.poll(() => navigator.clipboard.readText()).toBe(String(Number(stored)));
  await opened.pick(w.copying.label, w.copying.unitChoices.shown, await answer());
  await expect.poll(async () => (await application.client.settings.get({})).values.copies).toBe('shown');
  await user.click(await cell(opened, field));
  await user.keyboard('{Control>}c{/Control}');
  await within(await answer()).findByText(`${w.copiedCells(1)} ${w.copiedShown('m')}`);
  await expect.poll(() => navigator.clipboard.readText()).toBe(String(Number(shown)));
  // Tables with a header name the unit; JSON has what is stored.
  await user.click(document.body);
  await opened.pick(w.copying.label, w.copying.formats.csv, await answer());
  await expect.poll(() => navigator.clipboard.readText()).toContain('hole_depth (m)');
  // So does the zone of times, which uploads read.
  expect(await navigator.clipboard.readText()).toMatch(/^timestamp \(UTC\),/);
  expect(await navigator.clipboard.readText()).toContain(`,${Number(shown)},`);
  await opened.pick(w.copying.label, w.copying.formats.json, await answer());
  await expect.poll(() => navigator.clipboard.readText()).toContain(`"hole_depth": ${Number(stored)}`);
  await fill(w.find.label, shown, await answer());
  await within(await answer()).findByText(like(w.find.hits(anyCount, 5)));
});

it('does what an item of a menu says, also if units come while the menu is open; proposes columns and functions while an expression is typed, by keyboard', async () => {
  const opened = await openSeveralWells();
  const { press, answer, user } = opened;
  await press(words.query.run);
  const head = await within(await answer()).findByRole('columnheader', { name: /^rop/ });
  const { store } = queryOf(shownTab(opened)).results;
  await expect.poll(() => store.getState().units.get('data.rop')).toBe('ft/h');
  const { units } = store.getState();
  store.setState({ units: new Map() });
  fireEvent.contextMenu(head, { button: 2 });
  const menu = await screen.findByRole('menu', { name: w.menu.label });
  const itemTexts = () =>
    within(menu)
      .getAllByRole('menuitem')
      .map(({ textContent }) => textContent);
  const before = itemTexts();
  const item = await within(menu).findByRole('menuitem', { name: w.menu.calculate });
  store.setState({ units });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(itemTexts()).toEqual(before);
  await user.click(item);
  const form = await screen.findByRole('dialog', { name: calculatedWords.add });
  expect(store.getState().grid.units).toEqual({});

  const field = await within(form).findByRole('combobox', { name: calculatedWords.expression });
  await user.clear(field);
  await user.type(field, 'rolling_me');
  await screen.findByRole('option', { name: /^rolling_mean/ });
  await user.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => field).toHaveValue('rolling_mean(');
  await user.keyboard('weight_o');
  await screen.findByRole('option', { name: /^weight_on_bit/ });
  await user.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => field).toHaveValue('rolling_mean(weight_on_bit');
  // Without a selected proposal, Enter is that of the form, and Escape closes the list only.
  await user.keyboard(', 10) + ro');
  await screen.findAllByRole('option');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('option')).toBeNull();
  expect(form.isConnected).toBe(true);
  await user.keyboard('{Backspace}{Backspace}0');
  await user.keyboard('{Enter}');
  await within(await answer()).findByRole('columnheader', {
    name: new RegExp(`^${calculatedWords.unnamed(1)}`),
  });
});

it('has a unit that the user sets for a field, in each unit system, until it is removed; shows the units of the table in the record, and in the tiles and the table of a live view', async () => {
  const opened = await openConnected();
  const { press, fill, openDataset, user, answer, application } = opened;
  await application.client.settings.change({ set: { units: 'metric', numbers: 'plain' } });
  await openDataset('demo/wits.summary-1ft');
  await fill(words.query.limit, '5');
  await press(words.query.run);
  const measured = 'measured_depth';
  const measuredHead = async () =>
    within(await answer()).findByRole('columnheader', { name: new RegExp(`^${measured}`) });
  await expect.poll(measuredHead).toHaveTextContent(w.storedUnit);
  const [stored = ''] = await texts(opened, measured);
  await focus(opened, measured);
  opened.pressMenuKey();
  await opened.takeItem(w.menu.setField);
  const form = await screen.findByRole('dialog', { name: words.datasets.fieldForm.heading(measured) });
  await fill(words.datasets.fieldForm.unit, 'ft', form);
  await press(words.datasets.fieldForm.set, form);
  await expect.poll(measuredHead).toHaveTextContent('(m)');
  expect(Number((await texts(opened, measured))[0])).toBeCloseTo(Number(stored) * 0.3048, 2);
  const { fieldUnits } = await application.client.settings.get({});
  expect(fieldUnits).toEqual({ 'demo/wits.summary-1ft': { measured_depth: 'ft' } });

  await focus(opened, measured);
  opened.pressMenuKey();
  await opened.takeItem(w.menu.setField);
  await press(words.datasets.fieldForm.reset);
  await expect.poll(measuredHead).toHaveTextContent(w.storedUnit);

  await openDataset('demo/wits');
  await fill(words.query.limit, '5', await opened.tab());
  await press(words.query.run, await opened.tab());
  const field = 'data.hole_depth';
  const head = async () => within(await answer()).findByRole('columnheader', { name: /hole_depth/ });
  await expect.poll(head).toHaveTextContent('(m)');
  const [shown = ''] = await texts(opened, field);
  // A click selects the cell only; Enter opens its record. Cells are drawn again when units arrive.
  await expect
    .poll(async () => {
      const depth = await cell(opened, field);
      await user.click(depth);
      return document.activeElement === depth;
    })
    .toBe(true);
  expect(screen.queryByRole('region', { name: words.record.region })).toBeNull();
  await user.keyboard('{Enter}');
  const record = await screen.findByRole('region', { name: words.record.region });
  await expect.poll(() => record).toHaveTextContent(including(`hole_depth ${Number(shown)} m`));
  await user.click(await within(record).findByRole('button', { name: words.record.copyRecord }));
  await within(await answer()).findByText(including(w.copiedStored(null)));
  // The next record keeps the selected part.
  await user.click(await within(record).findByRole('row', { name: /^hole_depth/ }));
  await user.click(await cell(opened, field, 1));
  await within(record).findByText(words.record.number(2));
  expect(within(record).getByRole('row', { name: /^hole_depth/, selected: true })).toBeVisible();

  await press(words.live.follow);
  const latest = await screen.findByRole('region', { name: words.live.latest });
  const button = { name: words.live.limits.open('hole_depth (m)') };
  const heading = (await within(latest).findByRole('button', button)).closest('th');
  const index = [...(heading?.parentElement?.children ?? [])].findIndex((each) => each === heading);
  const depths = within(latest)
    .getAllByRole('row')
    .map(({ children }) => Number(children[index]?.textContent).toFixed(2));
  // Of the wells, one has the newest record.
  expect(depths).toContain(Number(shown).toFixed(2));
});

it('accepts 10,000 records, the maximum of one page; marks results and counts of an earlier query', async () => {
  const opened = await openConnected(await openDemo({ records: 20_000 }));
  const { press, fill, typeQuery, openDataset, answer, tab } = opened;
  await openDataset('demo/wits');
  await fill(words.query.limit, '10000');
  await press(words.query.run);
  await within(await answer()).findByText(including(w.records(10_000)));
  expect(await cell(opened, 'timestamp')).toHaveTextContent(/^\d{4}-/);

  await fill(words.query.limit, '100');
  await typeQuery('{}');
  await press(words.query.run);
  await cell(opened, 'timestamp');
  await press(words.query.count);
  const counted = async () => within(await tab()).queryByText(like(words.query.counted(7_777_777)));
  await expect.poll(counted).not.toBeNull();
  await typeQuery('{ asset_id: 1 }');
  await expect.poll(counted).toBeNull();
  expect(await answer()).toHaveTextContent(w.earlier.loaded);
  await typeQuery('{}');
  await expect.poll(counted).not.toBeNull();
  expect(await answer()).not.toHaveTextContent(w.earlier.loaded);
});

import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { including } from '../../support/wording.ts';
import { watchDownloads } from './support/downloads.ts';
import { findings } from './support/findings.ts';
import { openTabs, selectedWells } from './support/tabs.ts';
import { openConnected, openDemo, waitForWells } from './support/open-window.tsx';

const w = words.wells;

it('finds wells by filters with names', async () => {
  const { press, user } = await openConnected(await openDemo({ wells: 30 }));
  await screen.findByText(`${w.shown(30, 30)} · ${w.chosen(0)}`);
  await press(w.filterWells);
  const filters = await screen.findByRole('dialog', { name: w.filters });
  const rig = await within(filters).findByRole('combobox', { name: w.fields.rigId });
  await user.click(rig);
  await user.click((await screen.findAllByRole('option', { name: /^Patriot/ }))[0] ?? rig);
  await expect.poll(() => rig).toHaveDisplayValue(/^Patriot/);
  await user.keyboard('{Escape}');
  await waitForWells(8);
  await screen.findByText(`${w.shown(8, 30)} · ${w.chosen(0)}`);
  await press(w.filtersSet(1));
  await press(w.clearFilters);
  await screen.findByText(`${w.shown(30, 30)} · ${w.chosen(0)}`);
});

it('matches a pasted list: found and not found', async () => {
  const { press, user } = await openConnected();
  await waitForWells(8);
  await press(w.paste.open);
  const paste = await screen.findByRole('dialog', { name: w.paste.open });
  await user.click(await within(paste).findByRole('textbox'));
  await user.paste('42-329-30028-00-00\ncottonwood b-106h\n4232930\n99-999-99999');
  await within(paste).findByText(words.list.values(4));
  await press(w.paste.resolve, paste);
  await within(paste).findByText(w.paste.found(2, 4));
  const missing = await within(paste).findByRole('region', { name: w.paste.notFound(2) });
  expect(missing).toHaveTextContent('99-999-99999');
  expect(await findings('region')).toEqual([]);
  await press(w.paste.take(2), paste);
  await expect.poll(selectedWells).toHaveLength(2);
  expect(
    selectedWells()
      .map(({ textContent }) => textContent)
      .join('\n'),
  ).toContain('Cottonwood A-105H');
});

it('filters assets by API numbers as a spreadsheet copies them, and names those that no asset has', async () => {
  const { press, tick, user } = await openConnected();
  await waitForWells(8);
  await press(w.browse.open);
  await tick(w.browse.title.assets);
  await press(w.filters);
  const numbers = await screen.findByRole('textbox', { name: w.fields.apiNumber });
  await user.click(numbers);
  await user.paste('42-329-30028-00-00\r\n99-999-99999\r\n');
  expect(numbers).toHaveDisplayValue('42-329-30028-00-00, 99-999-99999');
  expect(numbers).toHaveAccessibleDescription(including(words.list.values(2)));
  await expect
    .poll(() => numbers)
    .toHaveAccessibleDescription(including(words.list.notFound('99-999-99999')));
  await screen.findByText(w.browse.count.assets(1));
});

it('goes from a pad to its wells', async () => {
  const { press, tick, user } = await openConnected();
  await waitForWells(8);
  await press(w.browse.open);
  await tick(w.browse.title.pads);
  const pads = await screen.findByRole('region', { name: w.browse.title.pads });
  await user.click(await within(pads).findByRole('gridcell', { name: 'Cottonwood Pad' }));
  await press(w.browse.itsWells);
  await screen.findByText(/Cottonwood Pad$/, { selector: '.chip, .chip *' });
  await waitForWells(4);
});

it('selects rows of the table of wells: adds them to the selection, marks them, copies them, and saves them; sorts it without sorting the list', async () => {
  const { press, pickOn, user } = await openConnected();
  const downloads = watchDownloads();
  await waitForWells(8);
  await press(w.browse.open);
  const table = await screen.findByRole('region', { name: w.browse.table });
  const names = () =>
    within(table)
      .queryAllByRole('gridcell')
      .filter((cell) => cell.getAttribute('col-id') === 'name');
  await expect.poll(names).toHaveLength(8);
  const name = (row: number) => names()[row] ?? table;
  const bar = (text: string) => screen.findByText(text, { selector: 'strong' });
  await user.click(name(0));
  await bar(name(0).textContent);
  await user.keyboard('{Control>}');
  await user.click(name(2));
  await user.keyboard('{/Control}');
  await bar(w.browse.rows(2));
  await press(w.browse.choose);
  await expect.poll(selectedWells).toHaveLength(2);
  await expect.poll(() => within(table).getAllByText(w.browse.inScopeMark)).toHaveLength(2);
  expect(await findings()).toEqual([]);

  name(2).focus();
  await user.keyboard('{Control>}c{/Control}');
  await screen.findByText(w.browse.copied(2));
  const [header, ...rows] = (await navigator.clipboard.readText()).trimEnd().split('\r\n');
  expect(header?.split('\t')[0]).toBe(w.fields.name);
  const active = header?.split('\t').indexOf(w.fields.lastActiveAt) ?? -1;
  for (const row of rows) expect(row.split('\t')[active]).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(rows.map((row) => row.split('\t')[0])).toEqual([0, 2].map((row) => name(row).textContent));
  // A spreadsheet keeps the digits of API numbers.
  const [item] = await navigator.clipboard.read();
  const html = await (await item?.getType('text/html'))?.text();
  expect(html?.match(/<td class="text">\d[\d-]{9,}<\/td>/g)).toHaveLength(2);
  await press(w.browse.saveRows);
  await screen.findByText(w.browse.saved(2));
  expect((await downloads[0]?.content.text())?.trimEnd().split('\r\n')).toHaveLength(3);

  await press(w.browse.saveGeoJson);
  await expect.poll(() => downloads[1]?.name).toMatch(/\.geojson$/);
  const map: unknown = JSON.parse((await downloads[1]?.content.text()) ?? '');
  expect(map).toMatchObject({
    type: 'FeatureCollection',
    features: [{ geometry: { type: 'Point' }, properties: { name: name(0).textContent } }, {}],
  });

  // The menu of a row that isn't selected is for that row.
  await pickOn(name(4), w.browse.chooseOnly);
  await expect.poll(selectedWells).toHaveLength(1);
  await bar(name(4).textContent);
  name(4).focus();
  await user.keyboard('{Escape}');
  await screen.findByText(w.browse.selectHint);

  const [top] = await waitForWells(8);
  const listed = top?.textContent ?? '';
  const texts = () => names().map(({ textContent }) => textContent);
  const before = texts();
  const head = await within(table).findByRole('columnheader', { name: w.fields.name });
  await user.click(await within(head).findByText(w.fields.name));
  await user.click(await within(head).findByText(w.fields.name));
  await expect.poll(texts).toEqual(before.toReversed());
  expect((await waitForWells(8))[0]).toHaveTextContent(listed);
});

it('shows the stored wells and their age when offline', async () => {
  const demo = await openDemo();
  const { user, reload, fill } = await openConnected(demo);
  // The service has sent all of them, and they are stored.
  await screen.findByText(`${w.shown(8, 8)} · ${w.chosen(0)}`);
  await demo.close();
  await reload();
  await waitForWells(8);
  expect(await screen.findAllByRole('button', { name: words.kept.refresh })).not.toHaveLength(0);
  await expect
    .poll(() => screen.getAllByText(words.kept.stale(words.kept.justNow), { exact: false }))
    .toHaveLength(2);
  await fill(w.search, '5003');
  const [row] = await waitForWells(1);
  await user.click(row ?? document.body);
  await expect.poll(selectedWells).toHaveLength(1);
  expect(await findings()).toEqual([]);
});

it('shows that the names to select from are loading, and clears typed coordinates with the other filters', async () => {
  const { press, user, demo, fill } = await openConnected();
  await waitForWells(8);
  demo.faults.rate_5xx = 1;
  await press(w.filterWells);
  const filters = await screen.findByRole('dialog', { name: w.filters });
  const rig = await within(filters).findByRole('combobox', { name: w.fields.rigId });
  await expect.poll(() => rig).toHaveAttribute('placeholder', w.anyComing);
  await within(filters).findByText(w.namesComing);
  demo.faults.rate_5xx = 0;
  await expect.poll(() => within(filters).queryByText(w.namesComing)).toBeNull();
  await user.click(rig);
  await user.click(await screen.findByRole('option', { name: /^Patriot/ }));

  await press(w.box.open, filters);
  await fill(w.box.south, '-89', filters);
  await fill(w.box.north, '89', filters);
  await fill(w.box.west, '-179', filters);
  await fill(w.box.east, '179', filters);
  await press(w.box.apply, filters);
  await press(w.clearFilters, filters);
  await expect.poll(() => within(filters).getByRole('textbox', { name: w.box.south })).toHaveDisplayValue('');
  await expect.poll(() => rig).toHaveDisplayValue('');
});

it('selects all rows of the table of wells, those that the grid has not loaded too', async () => {
  const { press, user } = await openConnected(await openDemo({ wells: 230 }));
  await screen.findByText(`${w.shown(230, 230)} · ${w.chosen(0)}`);
  await press(w.browse.open);
  const table = await screen.findByRole('region', { name: w.browse.table });
  const first = () => within(table).queryAllByRole('gridcell', { name: 'Antelope 2 A-241H' })[0] ?? table;
  await expect.poll(first).not.toBe(table);
  await user.click(first());
  await screen.findByText('Antelope 2 A-241H', { selector: 'strong' });
  first().focus();
  await user.keyboard('{Control>}a{/Control}');
  await screen.findByText(w.browse.rows(230), { selector: 'strong' });
  await user.keyboard('{Control>}c{/Control}');
  await screen.findByText(w.browse.copied(230));
  expect((await navigator.clipboard.readText()).trimEnd().split('\r\n')).toHaveLength(231);
});

it('a range begins at the well that was selected last, and not at its place before a search', async () => {
  const { user, fill } = await openConnected();
  await waitForWells(8);
  const list = () => screen.getByRole('grid', { name: words.wells.heading });
  const rowOf = (name: RegExp) => within(list()).getByRole('row', { name });
  await user.click(rowOf(/^Cottonwood B-106H/));
  await fill(words.wells.search, 'Ridge');
  await expect.poll(() => within(list()).getAllByRole('row').length).toBeGreaterThan(2);
  const last = within(list()).getAllByRole('row').at(-1) ?? document.body;
  await user.keyboard('{Shift>}');
  await user.click(last);
  await user.keyboard('{/Shift}');
  await expect.poll(selectedWells).toHaveLength(1);
  // A range within the result.
  const first = within(list()).getAllByRole('row')[0] ?? document.body;
  await user.keyboard('{Shift>}');
  await user.click(first);
  await user.keyboard('{/Shift}');
  await fill(words.wells.search, '');
  await expect.poll(() => selectedWells().length).toBeGreaterThan(1);
});

it('opens the data of the only well that a search finds by Enter, and nothing while it finds several', async () => {
  const { user, fill } = await openConnected(await openDemo({ wells: 4 }));
  const rows = await waitForWells(4);
  const names = rows.map((row) => row.getAttribute('aria-label') ?? '');
  await fill(words.wells.search, 'H');
  await user.keyboard('{Enter}');
  await fill(words.wells.search, names[1] ?? '');
  await expect.poll(() => screen.queryByRole('row', { name: names[0] ?? '' })).toBeNull();
  expect(openTabs()).toHaveLength(0);
  await user.keyboard('{Enter}');
  await expect.poll(() => openTabs().length).toBe(1);
  await expect.poll(() => selectedWells().map((row) => row.getAttribute('aria-label'))).toEqual([names[1]]);
});

it('opens the data of a well by a double-click or Enter, and from its details what it really has', async () => {
  const { press, user, query } = await openConnected(await openDemo({ wells: 4 }));
  const [first, second] = await waitForWells(4);
  if (!first || !second) throw new Error('there are no two wells');
  const nameOf = (row: HTMLElement) => row.getAttribute('aria-label') ?? '';
  const [one, other] = [nameOf(first), nameOf(second)];

  // The selection of the tab in view stays as it was; the new tab has the well that was opened.
  await user.dblClick(await within(first).findByText(one));
  await expect.poll(() => openTabs().length).toBe(1);
  await expect.poll(selectedWells).toHaveLength(1);
  expect(selectedWells()[0]).toHaveAccessibleName(one);
  await expect.poll(query).toContain('{{wells}}');
  await user.click(await within(second).findByText(other));
  await user.keyboard('{Enter}');
  // Wells that are looked at one after the other have one tab, until it is kept.
  await expect.poll(() => selectedWells().map((row) => row.getAttribute('aria-label'))).toEqual([other]);
  expect(openTabs()).toHaveLength(1);
  const [tab] = openTabs();
  expect(tab).toHaveAccessibleName(words.tabs.preview(tab?.textContent ?? ''));
  if (tab) await user.dblClick(tab);
  await expect.poll(() => openTabs()[0]).toHaveAccessibleName(tab?.textContent ?? '');

  await press(w.details(one));
  const data = await screen.findByRole('region', { name: w.data.heading(one) });
  const wits = await within(data).findByRole('button', { name: w.data.openDataset('demo/wits') });
  await within(data).findByText(w.data.found(within(data).getAllByRole('listitem').length));
  await within(data).findByText(words.datasets.notAsked(['forbidden']));
  expect(await findings('region')).toEqual([]);
  await user.click(wits);
  await expect.poll(() => openTabs().length).toBe(2);
  await expect.poll(() => selectedWells().map((row) => row.getAttribute('aria-label'))).toEqual([one]);
  expect(screen.queryByRole('region', { name: w.data.heading(one) })).toBeNull();
});

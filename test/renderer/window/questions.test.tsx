import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { firstTab, openTabs, selectedWells } from './support/tabs.ts';
import { findings } from './support/findings.ts';
import type { ResultsLook } from '../../../src/shared/tabs/plot.ts';
import { queryOf, shownTab } from './support/several.ts';
import { openConnected, openDemo, waitForWells } from './support/open-window.tsx';
import { addColumn, cellsOf, openSeveralWells } from './support/several-wells.ts';

const choose = async (well: string) => screen.findByRole('row', { name: new RegExp(`^${well}`) });

it('opens each type of dataset with a query that its service accepts', async () => {
  const { user, press, openDataset, query, answer } = await openConnected(await openDemo({ records: 5000 }));
  await user.click(await choose('Cottonwood A-105H'));
  const queries: Record<string, string> = {};
  for (const address of [
    'demo/wits',
    'demo/drilling.wits.depth',
    'demo/data.actual_survey',
    'demo/sensors.pad',
  ]) {
    await openDataset(address);
    queries[address] = await query();
    await press(words.query.run);
    await within(await answer()).findAllByRole('gridcell');
    (await firstTab()).focus();
    await user.keyboard('{Delete}');
    await expect.poll(openTabs).toEqual([]);
  }
  expect(queries).toEqual({
    'demo/wits': '{ asset_id: {{wells}} }',
    'demo/drilling.wits.depth': '{ asset_id: {{wells}} }',
    'demo/data.actual_survey': '{ asset_id: {{wells}} }',
    'demo/sensors.pad': '{ "metadata.asset_id": {{wells}} }',
  });
});

it('has one selection of wells: a new query follows it, and one that names wells says so', async () => {
  const { user, press, openDataset, query, typeQuery, answer } = await openConnected();
  await openDataset('demo/wits');
  expect(await query()).toBe('{}');
  await user.click(await choose('Cottonwood A-105H'));
  await expect.poll(query).toBe('{ asset_id: {{wells}} }');
  const scope = (names: string) =>
    screen.findByRole('button', { name: `${words.query.scope.wells}: ${names}` });
  await user.click(await scope('Cottonwood A-105H'));
  const wells = await screen.findByRole('grid', { name: words.query.scope.pickWells });
  const [first, other] = within(wells).getAllByRole('row');
  expect(first).toHaveTextContent('Cottonwood A-105H');
  const name = other?.textContent?.replace(/\s*\d+$/, '') ?? '';
  if (other) await user.click(other);
  await user.keyboard('{Escape}');
  await scope(`Cottonwood A-105H, ${name}`);
  expect(selectedWells()).toHaveLength(2);
  await press(words.query.run);
  await within(await answer()).findAllByRole('gridcell');

  await typeQuery('{ asset_id: 5012 }');
  // One line has the notice that concerns the result; the other one is there for screen readers.
  const otherWells = await screen.findByText(words.query.otherWells);
  const status = otherWells.closest('[role=status]');
  await expect.poll(() => status).toHaveClass('visually-hidden');
  expect(screen.getByText(words.results.earlier.loaded).closest('[role=status]')).toHaveClass('alert-strip');
  expect(screen.queryByRole('button', { name: words.query.takeWells })).toBeNull();
  await press(words.notices(2));
  expect(status).toHaveClass('alert-strip');
  expect(await findings()).toEqual([]);
  await press(words.query.takeWells);
  await expect.poll(() => screen.queryByRole('button', { name: words.notices(2) })).toBeNull();
  await expect.poll(query).toBe('{ asset_id: {{wells}} }');
  await press(words.wells.removeAll);
  await scope(words.query.scope.noneSelected);
  await press(words.query.run);
  await within(await answer()).findByRole('alert');
});

it('labels the platform id of a well, and has context menus in the sidebar', async () => {
  const { user, press, pickOn, fill, query } = await openConnected();
  await waitForWells(8);
  await press(words.wells.details('Cottonwood A-105H'));
  const details = await screen.findByRole('dialog', { name: 'Cottonwood A-105H' });
  await expect.poll(() => details).toHaveTextContent(`5005 (${words.wells.assetIdNote})`);
  expect(details).toHaveTextContent(`(${words.wells.platformIdNote})`);
  expect(await findings('region')).toEqual([]);
  await user.keyboard('{Escape}');
  await expect.poll(() => details.isConnected).toBe(false);

  const name = 'Ridge A-101H';
  const well = () => choose(name);
  await pickOn(await well(), words.wells.pin);
  await expect.poll(well).toHaveTextContent(words.wells.pinned);
  await expect.poll(well).toHaveFocus();
  expect(await well()).toHaveAttribute('aria-selected', 'false');
  await pickOn(await well(), words.wells.unpin);
  await expect.poll(well).not.toHaveTextContent(words.wells.pinned);
  expect(await findings()).toEqual([]);

  await fill(words.datasets.search, 'demo/wits');
  const datasets = await screen.findByRole('grid', { name: words.datasets.heading });
  await pickOn(
    await within(datasets).findByRole('row', { name: /demo\/wits$/ }),
    words.datasets.rowMenu.query,
  );
  await expect.poll(query).toBe('{}');
});

it('opens saved queries as they were shown, with their wells’ records, their channels, and their axis', async () => {
  const opened = await openConnected();
  const { user, press, fill, openDataset } = opened;
  await user.click(await choose('Cottonwood A-105H'));
  await openDataset('demo/wits');
  const plot = { x: 'timestamp', align: 'recorded' } as const;
  const looks: readonly ResultsLook[] = [
    {
      view: 'both',
      plot: { ...plot, kind: 'tracks', y: ['data.rop', 'load'] },
      calculated: [{ name: 'load', expression: 'rolling_mean(weight_on_bit * rop, 10)', unit: 'own' }],
    },
    { view: 'table', plot: { ...plot, kind: 'lines', y: ['data.hook_load'] }, calculated: [] },
  ];
  const { id } = shownTab(opened);
  for (const [at, look] of looks.entries()) {
    queryOf(shownTab(opened)).results.actions.setLook(look);
    await press(words.saved.saveQuery);
    const dialog = await screen.findByRole('dialog', { name: words.saved.saveHeading });
    await fill(words.saved.name, `shift ${at}`, dialog);
    await press(words.saved.save, dialog);
  }
  await user.click(await screen.findByRole('tab', { name: words.saved.heading }));
  const list = await screen.findByRole('grid', { name: words.saved.heading });
  for (const [at, look] of looks.entries()) {
    await user.click(await within(list).findByRole('row', { name: new RegExp(`^shift ${at}`) }));
    await expect.poll(() => shownTab(opened).name).toBe(`shift ${at}`);
    const tab = shownTab(opened);
    expect(tab.id).not.toBe(id);
    expect(queryOf(tab).results.actions.look()).toEqual(look);
    // It runs, because it is the user's own.
    await expect.poll(() => queryOf(tab).results.store.getState().lastResult?.records).toBeGreaterThan(0);
    // Each tab has its own calculated columns.
    await expect
      .poll(() => queryOf(tab).results.store.getState().units.get('load'))
      .toBe(at === 0 ? 'own' : undefined);
  }
});

it('saves a query for only the selected wells on request, whose columns are calculated for each well, with their units', async () => {
  const opened = await openSeveralWells();
  const { user, press } = opened;
  await press(words.query.run);
  await addColumn(opened, 'step', 'difference(rop)');
  const valuesOf = () => cellsOf(opened, 'step');
  await expect.poll(valuesOf).toContainEqual(expect.stringMatching(/\d/));
  await expect.poll(valuesOf).not.toContain('');
  const before = await valuesOf();
  const saved = shownTab(opened);

  await press(words.saved.saveQuery);
  const dialog = await screen.findByRole('dialog', { name: words.saved.saveHeading });
  const names = ['Ridge A-101H', 'Cottonwood A-105H'];
  await user.click(await within(dialog).findByRole('checkbox', { name: words.saved.keepWells(names, 0) }));
  await press(words.saved.save, dialog);
  await user.click(await screen.findByRole('tab', { name: words.saved.heading }));
  const list = await screen.findByRole('grid', { name: words.saved.heading });
  const [row = list] = within(list).getAllByRole('row').toReversed();
  await user.click(row);
  await expect.poll(() => shownTab(opened).id).not.toBe(saved.id);
  await expect.poll(opened.query).toBe('{ asset_id: {"$in":[5001,5005]} }');

  const { results } = queryOf(shownTab(opened));
  await expect.poll(() => results.store.getState().units.get('step')).toBe('ft/h');
  await expect.poll(valuesOf).toEqual(before);
  // The newest record is first, and the wells take turns.
  const [wells, rops] = [await cellsOf(opened, 'asset_id'), (await cellsOf(opened, 'data.rop')).map(Number)];
  for (const well of ['5001', '5005']) {
    const rows = [...wells.keys()].filter((at) => wells[at] === well);
    expect(rows.length).toBeGreaterThan(5);
    for (const [nth, at] of rows.slice(0, -1).entries())
      expect(Number(before[at])).toBeCloseTo((rops[at] ?? NaN) - (rops[rows[nth + 1] ?? -1] ?? NaN), 3);
  }
});

it('says above the table why a calculated column is empty', async () => {
  const opened = await openConnected(await openDemo({ records: 5000 }));
  const { press, openDataset, answer } = opened;
  await openDataset('demo/wits');
  const { results } = queryOf(shownTab(opened));
  const names = { long: 'rolling_mean(rop, 1000)', lost: 'nothing * 2', short: 'rop * 2' };
  results.actions.setLook({
    view: 'table',
    plot: null,
    calculated: Object.entries(names).map(([name, expression]) => ({ name, expression })),
  });
  await press(words.query.run);
  await within(await answer()).findAllByRole('gridcell');
  await screen.findByText(words.results.calculatedEmpty('long', words.results.outOfReach));
  await screen.findByText(/lost has no values\. There is no column “nothing”/);
  expect(screen.queryByText(/short has no values/)).toBeNull();
  expect(results.calculated.store.getState().facts.get('long')?.isOutOfReach).toBe(true);

  // The service can't summarize what it doesn't have.
  const w = words.results.summary;
  for (const [column, isAsked] of [
    ['short', false],
    ['data.rop', true],
  ] as const) {
    results.actions.showSummary(column.split('.'));
    await screen.findByRole('heading', { name: new RegExp(`^${column.split('.').at(-1)}`) });
    const summary = await screen.findByRole('region', { name: w.region });
    await within(summary).findByText(w.distinct);
    expect(within(summary).queryByRole('button', { name: w.askWhole }) !== null).toBe(isAsked);
  }

  // A summary has none of these columns, and what is hidden in the table of records is in it.
  await opened.pickOn(
    await screen.findByRole('columnheader', { name: /^asset_id/ }),
    words.results.menu.hide,
  );
  await opened.pickOn(await screen.findByRole('columnheader', { name: /^rop/ }), words.summary.meanByWell);
  await within(await answer()).findByRole('columnheader', { name: /^rop_mean/ });
  await within(await answer()).findByRole('columnheader', { name: /^asset_id/ });
  const longs = words.results.calculatedEmpty('long', words.results.outOfReach);
  expect(screen.queryByText(longs)).toBeNull();
});

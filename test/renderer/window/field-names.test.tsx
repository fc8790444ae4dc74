import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { openLive } from '../../../src/renderer/features/live/live-kind.ts';
import { openDataset } from '../../../src/renderer/features/query/open-query.ts';
import { plotWords } from '../../../src/renderer/words/plot.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { any, like } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openSeveralQueries, queryOf, run, shownTab } from './support/several.ts';

const w = words.datasets;

/** Queries of two datasets with the same fields, with names as they are by default. */
async function openNamed() {
  const opened = await openSeveralQueries('plain');
  // Cells are drawn again once the fields of their dataset are known.
  const { results } = queryOf(opened.tabs.query);
  await expect.poll(() => results.store.getState().units.size).toBeGreaterThan(0);
  const summary = await opened.datasetAt('demo/wits.summary-1ft');
  await opened.openTab(() => void openDataset(opened.session(), summary));
  const { actions } = queryOf(shownTab(opened));
  actions.type('find', { query: '{ asset_id: 5001 }', limit: '5' });
  await run(queryOf(shownTab(opened)));
  return { ...opened, summary, summaryTab: shownTab(opened) };
}

it('names fields as engineers say them, in tables, records, plots, filters, and summaries; exports have the ids of the wells whose names are shown, unless they are hidden', async () => {
  const opened = await openNamed();
  const { answer, user, press } = opened;
  await opened.show(opened.tabs.query);
  const head = async (name: RegExp) => within(await answer()).findByRole('columnheader', { name });
  await head(/^Time/);
  expect((await head(/^Weight on bit/)).textContent).not.toContain('weight_on_bit');
  const rop = (await within(await answer()).findAllByRole('gridcell')).find(
    (cell) => cell.getAttribute('col-id') === 'data.rop',
  );
  if (!rop) throw new Error('there is no ROP');
  await user.dblClick(rop);
  const record = await screen.findByRole('region', { name: words.record.region });
  await within(record).findByRole('row', { name: /^Hook load \d/ });
  await press(words.record.close);

  // The names of wells stand for their ids, which aren't searched.
  const find = words.results.find;
  for (const [text, hits] of [
    ['5001', find.hits(0, 5)],
    ['Ridge A', find.hits(5, 5)],
  ] as const) {
    await opened.fill(find.label, text, await answer());
    await within(await answer()).findByText(hits);
  }

  // Found by either name.
  await press(words.results.columns.heading, await opened.tab());
  for (const typed of ['weight_on_bit', 'Weight on']) {
    await opened.fill(words.results.columns.search, typed);
    await screen.findByRole('row', { name: 'Weight on bit' });
  }
  // The first one empties the search.
  await user.keyboard('{Escape}{Escape}');
  await user.click(within(await opened.tab()).getByRole('radio', { name: words.results.views.plot }));
  await within(await answer()).findByRole('radio', { name: plotWords.kinds.lines });
  expect((await within(await answer()).findAllByText('ROP (ft/h)')).length).toBeGreaterThan(0);

  await press(words.query.filter.add, await opened.tab());
  const field = await screen.findByRole('combobox', { name: words.query.filter.field });
  await user.click(field);
  await user.paste('weight_on');
  await user.click(await screen.findByRole('option', { name: /^Weight on bit/ }));
  await opened.fill(words.query.filter.value, '20');
  await press(words.query.filter.apply);
  const filter = like(words.query.filter.button(`Weight on bit ${any}20${any}`));
  await screen.findByRole('button', { name: filter });
  expect(await findings('region')).toEqual([]);

  await user.click(within(await opened.tab()).getByRole('radio', { name: words.results.views.table }));
  const query = queryOf(opened.tabs.query);
  const exported = async (start: () => Promise<void>) => {
    query.actions.showExport(false);
    await start();
    await screen.findByRole('dialog');
    return query.store.getState().exporting?.result?.fields;
  };
  const columns = () =>
    exported(async () => {
      const { heading, some, export: start } = words.results.columns;
      const hidden = query.results.store.getState().grid.hidden.length;
      await press(hidden > 0 ? some(hidden) : heading, await opened.tab());
      await press(start);
    });
  const rows = () =>
    exported(async () =>
      opened.pick(words.results.copying.label, words.results.copying.export, await opened.tab()),
    );
  expect(await columns()).toContain('asset_id');
  query.results.actions.arrange({ hidden: ['data.rop'] });
  expect(await columns()).toContain('asset_id');
  expect(await rows()).toContain('asset_id');
  query.results.actions.arrange({ hidden: ['well_name'] });
  expect(await columns()).not.toContain('asset_id');
  expect(await rows()).not.toContain('asset_id');
});

it('has the name that the user gave to a field of one dataset, and shows those of the dataset on request', async () => {
  const opened = await openNamed();
  const { answer, press, fill, application, wits } = opened;
  await opened.show(opened.tabs.query);
  const head = async (name: RegExp) => within(await answer()).findByRole('columnheader', { name });
  const cell = (await within(await answer()).findAllByRole('gridcell')).find(
    (drawn) => drawn.getAttribute('col-id') === 'data.rop',
  );
  if (!cell) throw new Error('there is no ROP');
  await opened.user.click(cell);
  opened.pressMenuKey();
  await opened.takeItem(words.results.menu.setField);
  const form = await screen.findByRole('dialog', { name: w.fieldForm.heading('data.rop') });
  await fill(w.fieldForm.name, 'Drill rate', form);
  await press(w.fieldForm.set, form);
  await head(/^Drill rate/);
  await opened.show(opened.tabs.otherQuery);
  await head(/^Drill rate/);
  await opened.show(opened.summaryTab);
  await head(/^ROP mean/);
  expect(within(await answer()).queryByRole('columnheader', { name: /^Drill rate/ })).toBeNull();
  const { fieldNames } = await application.client.settings.get({});
  expect(fieldNames).toEqual({ 'demo/wits': { 'data.rop': 'Drill rate' } });

  await opened.openTab(() => openLive(opened.session(), wits, { query: '{ asset_id: 5001 }', fields: [] }));
  const latest = await within(await opened.tab()).findByRole('region', { name: words.live.latest });
  await within(latest).findByRole('columnheader', { name: /Drill rate/ });

  await application.client.settings.change({ set: { names: 'both' } });
  await opened.show(opened.tabs.query);
  expect((await head(/^Drill rate/)).textContent).toContain('rop');
  await application.client.settings.change({ set: { names: 'fields' } });
  await head(/^rop/);
});

import { screen, within } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import { formatCalculated } from '../../../src/renderer/format/numbers.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { readSummary } from '../../../src/shared/language/text/summary.ts';
import { findings } from './support/findings.ts';
import type { TestWindow } from './support/open-window.tsx';
import { addColumn, cellsOf, drillingOf, openSeveralWells } from './support/several-wells.ts';
import { queryOf, shownTab } from './support/several.ts';

const w = words.summary;
const { modes } = words.query;

const summaryOf = (opened: TestWindow) =>
  readSummary(queryOf(shownTab(opened)).store.getState().text.pipeline.stages);
const form = () => screen.findByRole('region', { name: w.region });

/** The records of a well, as the service has them. */
const ropsOf = async (opened: TestWindow, well: number): Promise<number[]> =>
  (await drillingOf(opened, well)).map(({ rop }) => rop);

it('summarizes the records of the query by well, says over how many, and shows its text', async () => {
  const opened = await openSeveralWells();
  const { press, tick, user, answer } = opened;
  await tick(w.mode);
  const bar = await form();
  await within(bar).findByText(w.well);
  expect(summaryOf(opened)).toMatchObject({
    match: '{ asset_id: {{wells}} }',
    measures: [{ kind: 'mean', path: 'data.rop' }],
    groups: [{ path: 'asset_id', step: null }],
  });
  await press(w.addMeasure, bar);
  await press(words.query.run);
  const rops = await Promise.all([5001, 5005].map((well) => ropsOf(opened, well)));
  await within(await answer()).findByText(words.results.records(2));
  await within(await answer()).findByText(new RegExp(words.results.computedFrom(w.over(rops.flat().length))));
  const means = rops.map((all) => all.reduce((sum, rop) => sum + rop, 0) / all.length);
  const shown = await cellsOf(opened, 'rop_mean');
  expect(shown).toHaveLength(2);
  // As many digits as an instrument has, in the unit of the field, below each other.
  const decimals = shown.map((text) => text.split('.')[1]?.length);
  expect([new Set(decimals).size, (decimals[0] ?? 9) <= 3]).toEqual([1, true]);
  shown.forEach((text, at) => expect(Number(text)).toBeCloseTo(means[at] ?? NaN, (decimals[0] ?? 9) - 1));
  const unitOf = async (column: string) =>
    (await within(await answer()).findByRole('columnheader', { name: new RegExp(`^${column}`) })).textContent;
  await expect.poll(() => unitOf('rop_mean')).toContain('(ft/h)');
  await opened.application.client.settings.change({ set: { units: 'metric' } });
  await expect.poll(() => unitOf('rop_mean')).toContain('(m/h)');
  const metric = await cellsOf(opened, 'rop_mean');
  metric.forEach((text, at) => expect(Number(text) / 0.3048).toBeCloseTo(means[at] ?? NaN, 0));
  await opened.application.client.settings.change({ set: { units: 'stored' } });
  await expect
    .poll(async () => (await cellsOf(opened, 'rop_min')).map(Number))
    .toEqual(rops.map((all) => Math.min(...all)));

  // A second group, then the text, in which a limit makes it another query.
  await press(w.addGroup, await form());
  await user.click(await screen.findByRole('menuitem', { name: w.every(3_600_000, false, undefined) }));
  await expect
    .poll(() => summaryOf(opened)?.groups)
    .toEqual([
      { path: 'asset_id', step: null },
      { path: 'timestamp', step: 3_600_000 },
    ]);
  await press(w.showQuery, await form());
  await expect.poll(opened.query).toContain('$floor');
  expect(await opened.query()).not.toContain('$limit');
  await opened.typeQuery((await opened.query()).replace(/\]\s*$/, '{ $limit: 1 } ]'));
  await tick(w.mode);
  await screen.findByText(w.unreadable);
  await press(w.replace);
  await within(await form()).findByText(w.well);
});

it('computes the mean of a column by well, and by well and hour, and counts its values, from its menu, in maximized results too, and says there why a count before a run fails', async () => {
  const opened = await openSeveralWells();
  const { press, pickOn, answer, tick } = opened;
  const head = async (name: RegExp) => within(await answer()).findByRole('columnheader', { name });
  await press(words.query.run);
  await expect.poll(() => cellsOf(opened, 'data.state')).not.toHaveLength(0);
  await press(words.results.maximize);
  await pickOn(await head(/^weight_on_bit/), w.meanByWell);
  await expect.poll(() => cellsOf(opened, 'weight_on_bit_mean')).toHaveLength(2);
  await press(words.results.restore);
  await within(await form()).findByText(w.well);
  expect(summaryOf(opened)?.match).toBe('{ asset_id: {{wells}} }');

  await tick(modes.find);
  await press(words.query.run);
  await expect.poll(() => cellsOf(opened, 'data.state')).not.toHaveLength(0);
  await pickOn(await head(/^weight_on_bit/), w.meanByWellAndStep(3_600_000, false));
  await expect
    .poll(() => summaryOf(opened)?.groups)
    .toEqual([
      { path: 'asset_id', step: null },
      { path: 'timestamp', step: 3_600_000 },
    ]);
  await expect.poll(async () => (await cellsOf(opened, 'weight_on_bit_mean')).length).toBeGreaterThan(2);

  await tick(modes.find);
  await press(words.query.run);
  await expect.poll(() => cellsOf(opened, 'data.state')).not.toHaveLength(0);
  await pickOn(await head(/^state/), w.countByValue);
  await expect.poll(() => summaryOf(opened)?.measures).toEqual([]);
  const total = (await Promise.all([5001, 5005].map((well) => ropsOf(opened, well)))).flat().length;
  await expect
    .poll(async () => (await cellsOf(opened, 'records')).reduce((sum, text) => sum + Number(text), 0))
    .toBe(total);

  await tick(modes.find);
  const { actions } = queryOf(shownTab(opened));
  actions.set({ countFirst: true });
  actions.type('find', { query: '{ asset_id: 5001, half' });
  await press(words.results.maximize);
  await actions.run();
  await screen.findByText(/^query, line 1/);
});

it('has the mean of a calculated column by well, in its unit, as a pipeline that is read again', async () => {
  const opened = await openSeveralWells();
  const { press, pickOn, answer, select } = opened;
  await press(words.query.run);
  await addColumn(opened, 'ratio', 'rop / weight_on_bit');
  await addColumn(opened, 'step', 'difference(rop)');
  await expect.poll(async () => (await cellsOf(opened, 'ratio')).some((text) => text !== '')).toBe(true);
  const head = async (name: RegExp) => within(await answer()).findByRole('columnheader', { name });
  await pickOn(await head(/^ratio/), w.meanByWell);
  await within(await answer()).findByText(words.results.records(2));
  const means = await Promise.all(
    [5001, 5005].map(async (well) => {
      const ratios = (await drillingOf(opened, well)).flatMap(({ rop, weight_on_bit: weight }) =>
        weight === 0 ? [] : [rop / weight],
      );
      return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    }),
  );
  await expect.poll(() => cellsOf(opened, 'ratio_mean')).toHaveLength(2);
  (await cellsOf(opened, 'ratio_mean')).forEach((text, at) =>
    expect(Number(text)).toBeCloseTo(means[at] ?? NaN, 2),
  );
  expect((await head(/^ratio_mean/)).textContent).toContain('ft/(h·klbf)');
  expect(summaryOf(opened)?.measures).toMatchObject([{ kind: 'mean', path: 'ratio' }]);
  // A column that needs rows before isn't offered, and the form says so.
  await within(await form()).findByText(new RegExp(w.notCalculable(['step'])));
  expect(await cellsOf(opened, 'step')).toEqual([]);
  await select(new RegExp(w.kindOf('ratio')), w.kinds.max, await form());
  await press(words.query.run);
  await expect.poll(() => cellsOf(opened, 'ratio_max')).toHaveLength(2);
});

it('shows how the values of each column are distributed under its header, in the shown unit, until it is switched off', async () => {
  const opened = await openSeveralWells();
  const { press, tick, user, answer } = opened;
  const say = words.results.distribution;
  await press(words.query.run);
  const head = async (name: RegExp) =>
    (await within(await answer()).findByRole('columnheader', { name })).textContent;
  const rops = (await Promise.all([5001, 5005].map((well) => ropsOf(opened, well)))).flat();
  const figure = (rop: number, factor: number) => formatCalculated(rop * factor);
  const rangeIn = (factor: number) =>
    `${figure(Math.min(...rops), factor)} ${say.to(figure(Math.max(...rops), factor))}`;
  const { results } = queryOf(shownTab(opened));
  await within(await answer()).findByText(words.results.records(rops.length));
  expect(await head(/^rop/)).not.toContain(rangeIn(1));
  const toggle = async () => {
    await press(words.results.columns.heading, await answer());
    await tick(words.results.columns.distributions);
    await user.keyboard('{Escape}');
  };
  await toggle();
  await expect.poll(() => head(/^rop/)).toContain(rangeIn(1));
  expect(await head(/^rop/)).toContain(say.rows(rops.length));
  await within(await answer()).findByText(say.covered(rops.length, true));
  expect(results.store.getState().grid.distributions).toBe(true);
  expect(await findings('region')).toEqual([]);
  // A layout that changes reads nothing again; other values of a column are read.
  const { lastResult } = results.store.getState();
  if (!lastResult) throw new Error('there is no result');
  const summaries = vi.spyOn(lastResult.held, 'summary');
  results.actions.arrange({ widths: { 'data.rop': 200 } });
  await expect.poll(() => results.store.getState().grid.widths).toEqual({ 'data.rop': 200 });
  expect(await head(/^rop/)).toContain(rangeIn(1));
  expect(summaries).not.toHaveBeenCalled();
  for (const factor of [2, 4]) {
    await results.calculated.actions.set([{ name: 'scaled', expression: `rop * ${factor}` }]);
    await expect.poll(() => head(/^scaled/)).toContain(say.to(figure(Math.max(...rops), factor)));
  }
  await opened.application.client.settings.change({ set: { units: 'metric' } });
  await expect.poll(() => head(/^rop/)).toContain(rangeIn(0.3048));
  await toggle();
  await expect.poll(() => head(/^rop/)).not.toContain(say.rows(rops.length));
});

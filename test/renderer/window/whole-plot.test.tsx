import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { screen } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { loadWhole, stepsSource } from '../../../src/renderer/features/results/whole-range.ts';
import type { QueryTab } from '../../../src/renderer/features/query/query-tab.ts';
import { plotWords } from '../../../src/renderer/words/plot.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { cleanups } from './support/cleanups.ts';
import { drillingOf } from './support/several-wells.ts';
import { including } from '../../support/wording.ts';
import { openSeveralQueries, queryOf, run } from './support/several.ts';

const w = plotWords.whole;

/** The requests of plots from now on: for the first and the last record, and for steps. */
function watchRequests(): string[] {
  const requests: string[] = [];
  const onRequest = (message: unknown): void => {
    const { request } = message as { request: { path: string; body: unknown } };
    const text = decodeURIComponent(`${request.path} ${String(request.body)}`);
    if (/limit=1&|group0/.test(text)) requests.push(text);
  };
  subscribe('undici:request:create', onRequest);
  cleanups.push(() => void unsubscribe('undici:request:create', onRequest));
  return requests;
}

/** The find of a result, and what its plot shows. */
function specOf({ results }: QueryTab) {
  const sent = results.store.getState().lastResult?.request;
  if (sent?.kind !== 'find') throw new Error('there is no find');
  return {
    find: sent.request,
    index: 'timestamp',
    isTime: true,
    groups: ['asset_id'],
    fields: ['data.rop'],
  };
}

/** Opens queries of two wells, of which each has 2,200 more records, one a second: too many to be plotted one by one. */
async function openQueries() {
  const opened = await openSeveralQueries();
  const { demo } = opened;
  for (const well of [5001, 5002]) {
    const rows = Array.from({ length: 2200 }, (_, at) => ({
      version: 1,
      asset_id: well,
      timestamp: Date.UTC(2026, 10, 20) + at * 1000,
      data: { rop: at % 90, weight_on_bit: 3 },
    }));
    demo.change('demo/wits', { insert: rows });
  }
  return opened;
}

const startingLike = (text: string) => (content: string) => content.startsWith(text);

it('plots of two results with a limit show all their records, of their wells, and more detail of a zoomed range', async () => {
  const opened = await openQueries();
  const { tabs, show, press, session } = opened;
  const [first, second] = [queryOf(tabs.query), queryOf(tabs.otherQuery)];
  first.results.actions.setView('plot');
  const requests = watchRequests();
  await show(tabs.query);
  const records = await drillingOf(opened, 5001);
  const all = new RegExp(`^${w.all(records.length, '')}\\d+ m?s$`);
  await screen.findByText(all);
  expect(requests.filter((text) => text.includes('5002'))).toEqual([]);
  expect(requests.filter((text) => text.includes('limit=1&'))).toHaveLength(2);
  expect(requests.filter((text) => text.includes('group0'))).toHaveLength(1);

  // The plot is shown again.
  first.results.actions.setView('table');
  await expect.poll(() => screen.queryByText(all)).toBeNull();
  first.results.actions.setView('plot');
  await screen.findByText(all);
  expect(requests).toHaveLength(3);

  // As the service computes them.
  const spec = specOf(first);
  const whole = await loadWhole(session().app.api.query, spec, new AbortController().signal);
  const source = whole && stepsSource(whole.steps, spec, { fields: [], part: null });
  const [rop = new Float64Array()] = (await source?.numbers(['data.rop'])) ?? [];
  const rops = records.map(({ rop: value }) => value).filter((value) => value > -999);
  const numbers = rop.filter((value) => !Number.isNaN(value));
  expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([Math.min(...rops), Math.max(...rops)]);

  if (!whole) throw new Error('there are no records');
  const { from, to } = whole.range;
  requests.length = 0;
  const axis = JSON.stringify(['lines', 'timestamp', 'recorded', null, null, null]);
  const part = { x: { from: from + (to - from) * 0.9, to: from + (to - from) * 0.95 } };
  first.results.plot.actions.keepZoom({ axis, part });
  await screen.findByText(w.inView(null));
  expect(requests).toHaveLength(1);
  expect(requests[0]).toContain('$project');
  first.results.plot.actions.keepZoom({ axis, part: { x: { from: part.x.from, to: part.x.to - 1 } } });
  first.results.plot.actions.keepZoom(null);
  await screen.findByText(all);
  expect(requests).toHaveLength(1);

  await press(w.showRows);
  await screen.findByText(plotWords.reach.limited(5));
  const before = requests.length;
  await show(tabs.otherQuery);
  second.results.actions.setView('both');
  await screen.findByText(startingLike(w.all((await drillingOf(opened, 5002)).length, '')));
  expect(requests.slice(before).filter((text) => text.includes('5001'))).toEqual([]);

  // The other plot still has its loaded rows, or begins with all if it was unmounted.
  await press(w.showRows);
  await press(w.showAll);
  await screen.findByText(startingLike(w.all((await drillingOf(opened, 5002)).length, '')));

  // A plot that was aligned for several wells can be shown as recorded for one.
  const aligned = { kind: 'lines', x: 'timestamp', y: ['data.rop'] } as const;
  second.results.plot.actions.choose({ ...aligned, y: [...aligned.y], align: 'elapsed' });
  await screen.findByRole('button', { name: including(plotWords.align) });
});

it('bars of loaded rows say how many they are, and load the rest', async () => {
  const { tabs, show, press, tab } = await openSeveralQueries();
  const { results } = queryOf(tabs.query);
  results.plot.actions.choose({ kind: 'bars', x: 'timestamp', y: ['data.rop'], align: 'recorded' });
  results.actions.setView('plot');
  await show(tabs.query);
  await screen.findByText(plotWords.reach.limited(5));
  await press(plotWords.reach.load(null), await tab());
  await expect.poll(() => screen.queryByText(plotWords.reach.limited(5))).toBeNull();
  await screen.findByRole('region', { name: plotWords.bars.region });
});

it('keeps the loaded rows if the service refuses, with the reason, says so of the detail of a zoomed range, and tries either again', async () => {
  const { tabs, show, press, demo, session } = await openQueries();
  const query = queryOf(tabs.query);
  query.actions.type('find', { query: '{ timestamp: { $gt: 0 } }', limit: '5' });
  await run(query);
  demo.faults.require_scope = true;
  query.results.actions.setView('plot');
  await show(tabs.query);
  await screen.findByText(startingLike(w.failed(5)));
  demo.faults.require_scope = false;
  await press(words.tryAgain);
  await screen.findByText((text) => text.includes(w.extremes('')));
  const whole = await loadWhole(session().app.api.query, specOf(query), new AbortController().signal);
  if (!whole) throw new Error('there are no records');
  // The records of one a second are in few steps.
  const { from, to } = whole.steps.reduce((most, step) => (step.count > most.count ? step : most));
  const axis = JSON.stringify(['lines', 'timestamp', 'recorded', null, null, null]);
  demo.faults.require_scope = true;
  query.results.plot.actions.keepZoom({ axis, part: { x: { from, to } } });
  await screen.findByText(startingLike(w.detailFailed));
  demo.faults.require_scope = false;
  await press(words.tryAgain);
  await expect.poll(() => screen.queryByText(startingLike(w.detailFailed))).toBeNull();
  await screen.findByText(startingLike(w.inView(null).slice(0, 8)));
});

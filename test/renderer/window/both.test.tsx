import { expect, it } from 'vitest';
import { openSeveralQueries, queryOf } from './support/several.ts';

it('moves of the pointer over a table beside a plot render neither the table nor the bar of the plot', async () => {
  const { tabs, show } = await openSeveralQueries();
  const { query } = tabs;
  const { results } = queryOf(query);
  results.actions.setView('both');
  await show(query);
  await expect.poll(() => document.querySelectorAll('.ag-row').length).toBeGreaterThan(0);
  await expect.poll(() => document.querySelector('.plot-place')).not.toBeNull();
  // Each render of the table reads its calculated columns, and each render of the plot reads its choice.
  const renders = { table: 0, plot: 0 };
  const { calculated, plot } = results;
  Object.defineProperties(results, {
    calculated: { get: () => ((renders.table += 1), calculated) },
    plot: { get: () => ((renders.plot += 1), plot) },
  });
  results.actions.showNotice('rendered');
  results.actions.arrange({ ...results.store.getState().grid });
  await expect.poll(() => renders.table).toBeGreaterThan(0);
  let before = { table: 0, plot: 0 };
  // The plot is rendered again when its data arrive.
  const isSettled = () => {
    const last = before;
    before = { ...renders };
    return last.table === before.table && last.plot === before.plot;
  };
  await expect.poll(isSettled, { interval: 2000, timeout: 30_000 }).toBe(true);
  for (let row = 0; row < 5; row += 1) {
    results.tableLink.setState({ plotRow: row });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(document.querySelector('.row-pointed')?.getAttribute('row-index')).toBe(String(row));
    results.tableLink.setState({ tableRow: row });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(renders).toEqual(before);
});

import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { openLive } from '../../../src/renderer/features/live/live-kind.ts';
import { findings } from './support/findings.ts';
import { openSeveralQueries, shownTab } from './support/several.ts';
import { firstTab } from './support/tabs.ts';

const w = words.live;

it('has wells in rows and channels in columns, and marks and announces values beyond limits that stay with the view', async () => {
  const opened = await openSeveralQueries();
  const { session, press, fill, reload, wits, show } = opened;
  const table = async () => within(await opened.tab()).findByRole('region', { name: w.latest });
  openLive(session(), wits, { query: '{ asset_id: 5001 }', fields: [] });
  const otherView = shownTab(opened);
  openLive(session(), wits, { query: '{ asset_id: { $in: [5001, 5004] } }', fields: [] });
  const row = async (name: string) =>
    within(await table()).findByRole('row', { name: new RegExp(`^${name}`) });
  await expect.poll(async () => within(await table()).getAllByRole('row')).toHaveLength(3);
  const [first, second] = [await row('Ridge A-101H'), await row('Ridge D-104H')];
  // The records of the sample are days old.
  expect(first).toHaveTextContent(w.ages.silent);
  expect(within(await table()).getByRole('columnheader', { name: w.state })).toBeInTheDocument();

  await press(w.limits.open('hole_depth (ft)'), await opened.tab());
  for (const typed of ['deep', '3,5']) {
    await fill(w.limits.max('ft'), typed);
    expect(await screen.findByRole('button', { name: w.limits.set })).toBeDisabled();
  }
  await fill(w.limits.min('ft'), '20,000');
  await fill(w.limits.max('ft'), '12000');
  await screen.findByText(w.limits.reversed);
  await fill(w.limits.min('ft'), '');
  expect(await findings('region', 'empty-heading')).toEqual([]);
  await fill(w.limits.max('ft'), '12000');
  await press(w.limits.set);
  await expect.poll(() => within(first).queryByText(w.limits.sides.above)).not.toBeNull();
  expect(within(second).queryByText(w.limits.sides.above)).toBeNull();
  // The line, and what screen readers are told once.
  const [start = '', end = ''] = w.limits
    .alarm('Ridge A-101H', 'hole_depth', '|', 'above', '12,000 ft')
    .split('|');
  const isAlarm = (text: string) => text.startsWith(start) && text.endsWith(` ft${end}`);
  expect(await screen.findAllByText(isAlarm)).toHaveLength(2);
  expect(await findings('empty-heading')).toEqual([]);
  // Another live view of the same well has no limits.
  const view = shownTab(opened);
  await show(otherView);
  expect(within(await row('Ridge A-101H')).queryByText(w.limits.sides.above)).toBeNull();
  await show(view);
  // The list of wells has the age of the records.
  const { recordTimes } = session().wells.store.getState();
  expect([...recordTimes.keys()].toSorted((a, b) => a - b)).toEqual(expect.arrayContaining([5001, 5004]));

  await reload();
  await firstTab();
  await expect
    .poll(async () => within(await row('Ridge A-101H')).queryByText(w.limits.sides.above))
    .not.toBeNull();
  await press(w.limits.open('hole_depth (ft)'), await opened.tab());
  expect(await screen.findByLabelText(w.limits.max('ft'), { selector: 'input' })).toHaveValue('12000');
  await press(w.limits.remove);
  await expect
    .poll(async () => within(await row('Ridge A-101H')).queryByText(w.limits.sides.above))
    .toBeNull();

  // The deepest log of several hides the growth of the others.
  const depths = await opened.datasetAt('demo/drilling.wits.depth');
  openLive(session(), depths, { query: '{ asset_id: 5001 }', fields: [] });
  await expect.poll(async () => within(await opened.tab()).queryByText(w.oneLog)).not.toBeNull();
  openLive(session(), depths, {
    query: '{ log_identifier: {$in: ["a"]}, asset_id: {$eq: 5001} }',
    fields: [],
  });
  await expect.poll(async () => within(await opened.tab()).queryByText(w.oneLog)).toBeNull();
});

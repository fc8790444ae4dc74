import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { openLive } from '../../../src/renderer/features/live/live-kind.ts';
import { findings } from './support/findings.ts';
import { openConnected, waitForWells } from './support/open-window.tsx';
import { firstTab } from './support/tabs.ts';

const w = words.live;
const table = () => screen.findByRole('region', { name: w.latest });

it('has wells in rows and channels in columns, and marks and announces values beyond limits that stay with the view', async () => {
  const opened = await openConnected();
  const { session, press, fill, reload } = opened;
  await waitForWells(8);
  await expect.poll(() => session().datasets.store.getState().list.status).toBe('loaded');
  const { list } = session().datasets.store.getState();
  const wits = list.status === 'loaded' && list.value.find(({ dataset }) => dataset === 'wits');
  if (!wits) throw new Error('the dataset is missing');
  openLive(session(), wits, { query: '{ asset_id: { $in: [5001, 5004] } }', fields: [] });
  const row = async (name: string) =>
    within(await table()).findByRole('row', { name: new RegExp(`^${name}`) });
  await expect.poll(async () => within(await table()).getAllByRole('row')).toHaveLength(3);
  const [first, second] = [await row('Ridge A-101H'), await row('Ridge D-104H')];
  // The records of the sample are days old.
  expect(first).toHaveTextContent(w.ages.silent);
  expect(within(await table()).getByRole('columnheader', { name: w.state })).toBeInTheDocument();
  expect(await findings('empty-heading')).toEqual([]);

  await press(w.limits.open('hole_depth (ft)'));
  await fill(w.limits.max('ft'), 'deep');
  expect(await screen.findByRole('button', { name: w.limits.set })).toBeDisabled();
  expect(await findings('region', 'empty-heading')).toEqual([]);
  await fill(w.limits.max('ft'), '12000');
  await press(w.limits.set);
  await expect.poll(() => within(first).queryByText(w.limits.sides.above)).not.toBeNull();
  expect(within(second).queryByText(w.limits.sides.above)).toBeNull();
  await screen.findByText(w.limits.alarm('Ridge A-101H', 'hole_depth (ft)', w.limits.sides.above));
  expect(await findings('empty-heading')).toEqual([]);
  // The list of wells has the age of the records.
  const { recordTimes } = session().wells.store.getState();
  expect([...recordTimes.keys()].toSorted((a, b) => a - b)).toEqual(expect.arrayContaining([5001, 5004]));

  await reload();
  await firstTab();
  await expect
    .poll(async () => within(await row('Ridge A-101H')).queryByText(w.limits.sides.above))
    .not.toBeNull();
  await press(w.limits.open('hole_depth (ft)'));
  expect(await screen.findByLabelText(w.limits.max('ft'), { selector: 'input' })).toHaveValue('12000');
  await press(w.limits.remove);
  await expect
    .poll(async () => within(await row('Ridge A-101H')).queryByText(w.limits.sides.above))
    .toBeNull();
});

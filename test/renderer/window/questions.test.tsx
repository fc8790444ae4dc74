import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { firstTab, openTabs } from './support/tabs.ts';
import { findings } from './support/findings.ts';
import { openConnected, openDemo, wellsListed } from './support/open-window.tsx';

const choose = async (well: string) => screen.findByRole('row', { name: new RegExp(`^${well}`) });

it('opens each type of dataset with a query that its service understands', async () => {
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
    'demo/wits': '{ asset_id: 5005 }',
    'demo/drilling.wits.depth': '{ asset_id: 5005 }',
    'demo/data.actual_survey': '{ asset_id: 5005 }',
    'demo/sensors.pad': '{ "metadata.asset_id": 5005 }',
  });
});

it('puts the selected wells into an open query on request', async () => {
  const { user, press, openDataset, query } = await openConnected();
  await openDataset('demo/wits');
  expect(await query()).toBe('{}');
  await user.click(await choose('Cottonwood A-105H'));
  await press(words.query.takeWells);
  await expect.poll(query).toBe('{ asset_id: 5005 }');
  const scope = within(screen.getByRole('banner')).getByRole('row', { name: 'Cottonwood A-105H' });
  await press(/./, scope);
  await screen.findByText(words.query.otherWells);
});

it('shows the platform id of a well as such', async () => {
  const { press } = await openConnected();
  await press(words.wells.details('Cottonwood A-105H'));
  const details = await screen.findByRole('dialog', { name: 'Cottonwood A-105H' });
  await expect.poll(() => details).toHaveTextContent(`5005 (${words.wells.assetIdNote})`);
  expect(details).toHaveTextContent(`(${words.wells.platformIdNote})`);
  expect(await findings('region')).toEqual([]);
});

it('has menus at what is at the left', async () => {
  const { pickOn, fill, query } = await openConnected();
  await wellsListed(8);
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

import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { including, startingLike } from '../../support/wording.ts';
import { openConnected, openDemo, waitForWells } from './support/open-window.tsx';

const { zones } = words.results;

it('shows times in UTC, in the zone of their wells, and in any other by its name', async () => {
  // The last well is in another zone.
  const opened = await openConnected(await openDemo({ wells: 12 }));
  const { user, press, fill, openDataset, answer, typeQuery } = opened;
  await fill(words.wells.search, 'Cottonwood A');
  const [well] = await waitForWells(1);
  await user.click(well ?? document.body);
  await openDataset('demo/wits');
  await press(words.query.run);
  const head = async () => within(await answer()).findByRole('columnheader', { name: /^timestamp/ });
  const first = async () =>
    (await within(await answer()).findAllByRole('gridcell')).find(
      (cell) => cell.getAttribute('col-id') === 'timestamp',
    );
  const times = () => screen.getByRole('button', { name: including(zones.label) });
  await expect.poll(head).toHaveTextContent('(UTC)');
  const utc = (await first())?.textContent ?? '';

  // The platform has the zone of a well.
  await user.click(times());
  await user.click(await screen.findByRole('option', { name: startingLike(zones.well('America/Chicago')) }));
  await expect.poll(head).toHaveTextContent('(America/Chicago)');
  await expect.poll(first).not.toHaveTextContent(utc);

  // Another zone is found by typing.
  await user.click(times());
  await user.click(await screen.findByRole('option', { name: zones.other }));
  await expect.poll(() => screen.findByRole('combobox', { name: zones.zone })).toHaveFocus();
  await user.keyboard('anchor');
  await screen.findByRole('option', { name: 'America/Anchorage' });
  await user.keyboard('{ArrowDown}{Enter}');
  await expect.poll(head).toHaveTextContent('(America/Anchorage)');
  await expect.poll(times).toHaveFocus();

  // The palette leads there, too.
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('searchbox', { name: words.commands.search }), 'zone other');
  await user.keyboard('{Enter}');
  await expect.poll(() => screen.findByRole('combobox', { name: zones.zone })).toHaveFocus();
  await user.keyboard('{Escape}{Escape}');

  // Wells in several zones are identified by their names.
  await typeQuery('{ asset_id: { $in: [5005, 5012] } }');
  await press(words.query.run);
  await expect
    .poll(async () => (await within(await answer()).findAllByRole('gridcell')).length)
    .toBeGreaterThan(0);
  await user.click(times());
  await screen.findByRole('option', { name: /^America\/Denver: Åsgard/ });
});

it('a range of times with offsets, which are compared as text, says that it isn’t exact', async () => {
  const opened = await openConnected();
  const { demo, press, openDataset, typeQuery, answer, tab } = opened;
  const records = ['2026-11-20T00:00:00-06:00', '2026-11-20T12:00:00-06:00'].map((datetime) => ({
    version: 1,
    metadata: { asset_id: 5001 },
    datetime,
    data: { gas: 1 },
  }));
  demo.change('demo/uploads.timeseries', { insert: records });
  await openDataset('demo/uploads.timeseries');
  const rows = async () => within(await answer()).findAllByRole('gridcell');
  await typeQuery('{ datetime: { $gte: ISODate("2026-11-20T11:00:00Z") } }');
  await press(words.query.run, await tab());
  await rows();
  await screen.findByText(words.results.textRange);
  await typeQuery('{ "metadata.asset_id": 5001 }');
  await press(words.query.run, await tab());
  await expect.poll(() => screen.queryByText(words.results.textRange)).toBeNull();
  await rows();
});

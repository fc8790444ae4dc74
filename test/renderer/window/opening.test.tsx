import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { anyCount } from '../../support/wording.ts';
import { openConnected } from './support/open-window.tsx';

const rowOf = (address: string) =>
  within(screen.getByRole('grid', { name: words.datasets.heading })).getByRole('row', {
    name: new RegExp(`${address}$`),
  });
const answers = () => screen.queryAllByText(new RegExp(`^${words.results.records(anyCount)}`));

it('loads the first records of a dataset when it opens, with the focus in its editor', async () => {
  const { application, openDataset } = await openConnected();
  await application.client.settings.change({ set: { runOnOpen: true } });
  await openDataset('demo/wits');
  await within(await screen.findByRole('region', { name: words.results.region })).findAllByRole('gridcell');
  const editor = screen.getByRole('textbox', { name: new RegExp(`^${words.query.editor}`) });
  await expect.poll(() => editor).toHaveFocus();
  expect(rowOf('demo/wits')).toHaveAttribute('aria-current', 'true');

  await openDataset('demo/drilling.wits.depth');
  expect(rowOf('demo/drilling.wits.depth')).toHaveAttribute('aria-current', 'true');
});

it('runs the query of the active tab by its shortcut wherever the focus is', async () => {
  const { openDataset, user } = await openConnected();
  await openDataset('demo/wits');
  const search = screen.getByRole('searchbox', { name: words.wells.search });
  search.focus();
  expect(answers()).toEqual([]);
  await user.keyboard('{Control>}{Enter}{/Control}');
  const region = await screen.findByRole('region', { name: words.results.region });
  await within(region).findAllByRole('gridcell');
  expect(search).toHaveFocus();
});

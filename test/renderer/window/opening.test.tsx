import { screen, waitFor, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { anyCount, startingLike } from '../../support/wording.ts';
import { openConnected } from './support/open-window.tsx';
import { openTabs } from './support/tabs.ts';

const rowOf = (address: string) =>
  within(screen.getByRole('grid', { name: words.datasets.heading })).getByRole('row', {
    name: new RegExp(`${address}$`),
  });
const answers = () => screen.queryAllByText(new RegExp(`^${words.results.records(anyCount)}`));

it('loads the first records of a dataset when it opens, with the focus on Run, or in its editor if that is open', async () => {
  const { application, fill, user, openText, tab, reload } = await openConnected();
  await application.client.settings.change({ set: { runOnOpen: true } });
  const open = async (address: string) => {
    await fill(words.datasets.search, address);
    await user.click(await waitFor(() => rowOf(address)));
  };
  await open('demo/wits');
  await within(await screen.findByRole('region', { name: words.results.region })).findAllByRole('gridcell');
  await expect.poll(() => screen.getByRole('button', { name: words.query.run })).toHaveFocus();
  expect(rowOf('demo/wits')).toHaveAttribute('aria-current', 'true');
  await openText();

  // Every query is open then, here and after a reload.
  await open('demo/drilling.wits.depth');
  expect(rowOf('demo/drilling.wits.depth')).toHaveAttribute('aria-current', 'true');
  const editor = async () =>
    within(await tab()).getByRole('textbox', { name: startingLike(words.query.editor) });
  await expect.poll(editor).toHaveFocus();
  await reload();
  await expect.poll(editor).toBeTruthy();
});

it('runs the query of the active tab by its shortcut wherever the focus is', async () => {
  const { fill, openText, user } = await openConnected();
  await fill(words.datasets.search, 'demo/wits');
  // A double click opens a tab that stays.
  await user.dblClick(await waitFor(() => rowOf('demo/wits')));
  await openText();
  expect(openTabs()).toHaveLength(1);
  const search = await screen.findByRole('searchbox', { name: words.wells.search });
  search.focus();
  expect(answers()).toEqual([]);
  await user.keyboard('{Control>}{Enter}{/Control}');
  const region = await screen.findByRole('region', { name: words.results.region });
  await within(region).findAllByRole('gridcell');
  expect(search).toHaveFocus();
});

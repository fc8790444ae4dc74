import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { titleOf } from '../../../src/renderer/features/help/pages.ts';
import { startingLike } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { selectedWells } from './support/tabs.ts';
import { openConnected, openWindow, waitForWells } from './support/open-window.tsx';

const w = words.help;
const guide = () => screen.findByRole('complementary', { name: w.region });
const closed = () => expect.poll(() => screen.queryByRole('complementary', { name: w.region })).toBeNull();
const { commands } = words;

it('is next to the work: by F1, by search, by links, and from an error', async () => {
  const { user, press, fill, demo } = await openWindow();
  await screen.findByRole('button', { name: words.connection.connect });
  await user.keyboard('{F1}');
  const help = await guide();
  const heading = (page: string) => within(help).findByRole('heading', { name: page });
  const page = await within(help).findByRole('article');
  // The page about the current screen, and from there the contents.
  await expect.poll(() => within(page).getAllByRole('heading')[0]).toHaveFocus();
  expect(within(page).getAllByRole('heading')[0]).toHaveTextContent(titleOf('proxy.md'));
  await press(w.contents);
  const title = titleOf('find-a-well.md');
  await user.click(await within(page).findByRole('button', { name: title }));
  await expect.poll(() => within(page).getAllByRole('heading')[0]?.textContent).toBe(title);

  await fill(w.search, 'rows stored twice');
  const [first] = await within(await within(help).findByRole('list')).findAllByRole('button');
  await user.click(first ?? help);
  await within(help).findByRole('article');
  await user.keyboard('{Escape}');
  await closed();

  await fill(words.connection.name, 'Test bed');
  await fill(words.connection.dataUrl, demo.dataUrl);
  await fill(words.connection.platformUrl, demo.platformUrl);
  await fill(words.connection.apiKey, 'not:one-of-theirs');
  await press(words.connection.connect);
  await press(words.connection.saveAnyway);
  const [more] = await screen.findAllByRole('button', { name: w.more });
  await user.click(more ?? document.body);
  await expect
    .poll(async () => within(await guide()).getByRole('heading', { name: 'not_authenticated' }))
    .toHaveFocus();
  await press(w.close);
  await closed();
  void heading;
});

it('opens at the page about the part that has the focus, or closes there', async () => {
  const { user, openDataset, tab } = await openConnected();
  const title = async () => (await within(await guide()).findAllByRole('heading'))[0]?.textContent;
  await openDataset('demo/wits');
  await user.keyboard('{F1}');
  await expect.poll(title).toBe(titleOf('ask.md'));
  const wells = await screen.findByRole('tab', { name: words.wells.heading });
  await user.click(wells);
  await user.click(await screen.findByRole('searchbox', { name: words.wells.search }));
  await user.keyboard('{F1}');
  await expect.poll(title).toBe(titleOf('find-a-well.md'));
  await user.keyboard('{F1}');
  await closed();
  await user.click(
    await within(await tab()).findByRole('textbox', { name: startingLike(words.query.editor) }),
  );
  await user.keyboard('{F1}');
  await expect.poll(title).toBe(titleOf('ask.md'));
  // Keys move the divider, whose position is stored.
  const divider = await screen.findByRole('separator', { name: words.panelWidth });
  const before = Number(divider.getAttribute('aria-valuenow'));
  divider.focus();
  await user.keyboard('{ArrowLeft}');
  await expect.poll(() => Number(divider.getAttribute('aria-valuenow'))).toBeGreaterThan(before);
});

it('runs and opens everything by its name', async () => {
  const { user, press } = await openConnected();
  await waitForWells(8);
  const choose = async (text: string, entry: RegExp) => {
    await user.keyboard('{Control>}k{/Control}');
    await expect.poll(() => screen.findByRole('searchbox', { name: commands.search })).toHaveFocus();
    await user.keyboard(text);
    const palette = await screen.findByRole('dialog', { name: commands.region });
    await expect
      .poll(async () => (await within(palette).findAllByRole('menuitem', { name: entry }))[0])
      .toHaveAttribute('data-focused');
    await user.keyboard('{Enter}');
    await expect.poll(() => screen.queryByRole('dialog', { name: commands.region })).toBeNull();
  };
  await choose('demo/wits', /^demo\/wits/);
  await screen.findByRole('tab', { name: words.tabs.query('WITS', 1, []) });

  await press(commands.open);
  await expect.poll(() => screen.findByRole('searchbox', { name: commands.search })).toHaveFocus();
  expect(await findings()).toEqual([]);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.getByRole('button', { name: commands.open })).toHaveFocus();

  await choose('export', new RegExp(`^${commands.titles.export}$`));
  await screen.findByRole('textbox', { name: words.export.fileName });
  await user.keyboard('{Escape}');
  await choose('save', new RegExp(`^${commands.titles.save}`));
  await screen.findByRole('dialog', { name: words.saved.saveHeading });
  await user.keyboard('{Escape}');
  await choose('cottonwood 1', /^Cottonwood/);
  await expect.poll(selectedWells).toHaveLength(1);
});

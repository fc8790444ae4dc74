import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { screen, within } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { sourceAt } from '../../../src/main/core/files/files.ts';
import { titleOf } from '../../../src/renderer/features/help/pages.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { useFolders } from '../../support/folders.ts';
import { anyCount, like } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openConnected, openWindow, type TestWindow } from './support/open-window.tsx';

const w = words.settings;
const { titles } = words.commands;
const folders = useFolders();
const html = document.documentElement;
const panel = () => screen.findByRole('complementary', { name: w.region });
const panelGone = () => expect.poll(() => screen.queryByRole('complementary', { name: w.region })).toBeNull();

async function open({ user }: TestWindow): Promise<HTMLElement> {
  await user.keyboard('{Control>},{/Control}');
  const shown = await panel();
  await expect.poll(() => within(shown).getByRole('searchbox')).toHaveFocus();
  return shown;
}
/** Selects an option of a setting. */
const choose = async (window: TestWindow, setting: keyof typeof w.names, option: string) =>
  window.select(new RegExp(`${w.names[setting].name}$`), option, await panel());
/** The button of a command's shortcut, whatever it is. */
const keysOf = async (command: keyof typeof titles) =>
  within(await panel()).findByRole('button', {
    name: new RegExp(`^${w.keys.change(titles[command], '').split(',')[0]},`),
  });

it('applies a setting immediately, reports the change, and resets it', async () => {
  const opened = await openWindow();
  const { user, press, fill, reload, application } = opened;
  await screen.findByRole('button', { name: words.connection.connect });
  await application.client.settings.change({ reset: ['runOnOpen'] });
  const shown = await open(opened);
  await choose(opened, 'theme', w.options.theme.dark);
  await expect.poll(() => html).toHaveAttribute('data-theme', 'dark');
  await choose(opened, 'csvDecimal', w.options.csvDecimal[',']);
  await within(shown).findByText(w.delimiterToo(w.options.csvDelimiter[';']), { exact: false });
  expect(await findings()).toEqual([]);

  await fill(w.search, 'theme');
  await expect
    .poll(() => within(shown).queryByRole('button', { name: new RegExp(`${w.names.csvDelimiter.name}$`) }))
    .toBeNull();
  await press(w.reset(w.names.theme.name));
  await expect.poll(() => html).not.toHaveAttribute('data-theme');
  await press(words.undo);
  await expect.poll(() => html).toHaveAttribute('data-theme', 'dark');

  // Stored settings apply from the first frame on, and Escape closes the panel.
  const stored = async () => (await application.client.settings.get({})).values.theme;
  await expect.poll(stored).toBe('dark');
  await reload();
  expect(html).toHaveAttribute('data-theme', 'dark');
  await press(w.open);
  const changed = () => screen.queryAllByText(w.changed);
  await expect.poll(changed).toHaveLength(4);
  await press(w.resetAll);
  await expect.poll(() => html).not.toHaveAttribute('data-theme');
  await expect.poll(changed).toHaveLength(0);
  await press(words.undo);
  await expect.poll(changed).toHaveLength(4);
  await user.keyboard('{Escape}');
  await panelGone();
  expect(await screen.findByRole('button', { name: w.open })).toHaveFocus();
});

it('applies time zones, numbers, and defaults of a query where they appear', async () => {
  const opened = await openConnected();
  const { press, fill, tick, openDataset, answer } = opened;
  await openDataset('demo/wits');
  await press(words.query.run);
  const head = async () => within(await answer()).findByRole('columnheader', { name: /^timestamp/ });
  await expect.poll(head).toHaveTextContent('(UTC)');
  await open(opened);
  await choose(opened, 'times', w.options.times.raw);
  await expect.poll(head).not.toHaveTextContent('(UTC)');
  await choose(opened, 'numbers', w.options.numbers.plain);

  const shown = await panel();
  const limit = w.names.limit.name;
  await fill(limit, '0', shown);
  await within(shown).findByText(w.ranges.limit);
  await fill(limit, '25', shown);
  await tick(w.names.countFirst.name, shown);
  await press(w.close);
  await openDataset('demo/wits');
  const query = await opened.tab();
  expect(await within(query).findByLabelText(words.query.limit)).toHaveValue('25');
  await press(words.query.run, query);
  await screen.findByText(words.results.records(25));
  await within(query).findByText(like(words.query.counted(anyCount)));
});

it('changes the shortcut of a command, and shows the new one everywhere', async () => {
  const opened = await openConnected();
  const { user, press, fill, openDataset } = opened;
  await openDataset('demo/wits');
  const shown = await open(opened);
  await fill(w.search, 'ctrl+s');
  (await keysOf('save')).focus();
  await user.keyboard('{Enter}');
  const catcher = await within(shown).findByRole('textbox', { name: w.keys.catching(titles.save) });
  await expect.poll(() => catcher).toHaveFocus();
  // Keys that type a character or that are reserved are rejected with the reason; the first of two keys is
  // incomplete.
  for (const [keys, reason] of [
    ['j', w.keys.refused.typing],
    ['{Control>}t{/Control}', w.keys.refused.browser],
    ['{Control>}c{/Control}', w.keys.refused.editing],
  ] as const) {
    await user.keyboard(keys);
    await within(shown).findByText(reason);
  }
  expect(await findings()).toEqual([]);
  await user.keyboard('{Escape}');
  await expect.poll(() => keysOf('save')).toHaveFocus();

  await user.keyboard('{Enter}');
  await user.keyboard('{Control>}j{/Control}');
  await within(shown).findByText(w.keys.set(titles.save, 'Ctrl+J'));
  await press(w.close);
  await user.keyboard('{Control>}j{/Control}');
  await screen.findByRole('dialog', { name: words.saved.saveHeading });
  await user.keyboard('{Escape}');
  await user.keyboard('{Control>}k{/Control}');
  await expect.poll(() => screen.findByRole('searchbox', { name: words.commands.search })).toHaveFocus();
  await user.paste(titles.save);
  const entry = await screen.findByRole('menuitem', { name: new RegExp(`^${titles.save}`) });
  expect(entry).toHaveTextContent('Ctrl+J');
  // The first Escape clears the search.
  await user.keyboard('{Escape}{Escape}{F1}');
  const guide = await screen.findByRole('complementary', { name: words.help.region });
  await press(words.help.contents, guide);
  await press(titleOf('keyboard.md'), guide);
  await screen.findByRole('row', { name: `Ctrl+J ${titles.save}` });
});

it('takes a shortcut from another command, and resets all of them; shows changes from another window', async () => {
  const opened = await openWindow();
  const { user, press, reload, application } = opened;
  await screen.findByRole('button', { name: words.connection.connect });
  const shown = await open(opened);
  await user.click(await keysOf('help'));
  await user.keyboard('{Control>}k{/Control}');
  await within(shown).findByText(w.keys.taken('Ctrl+K', titles.palette));
  expect(await findings()).toEqual([]);
  await press(w.keys.reassign, shown);
  await expect.poll(() => keysOf('help')).toHaveTextContent('Ctrl+K');
  expect(await keysOf('palette')).toHaveTextContent('Ctrl+Shift+P');
  expect(await screen.findByRole('button', { name: words.commands.open })).toHaveAttribute(
    'aria-keyshortcuts',
    'Control+Shift+P',
  );

  // They are stored: after a reload the new shortcut opens the guide, which replaces the settings.
  await reload();
  await screen.findByRole('button', { name: words.connection.connect });
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('complementary', { name: words.help.region });
  await open(opened);
  expect(screen.queryByRole('complementary', { name: words.help.region })).toBeNull();
  await press(w.reset(titles.help));
  await expect.poll(() => keysOf('help')).toHaveTextContent('F1');
  await user.click(await keysOf('shortcuts'));
  await user.keyboard('{Control>}{Shift>}y{/Shift}{/Control}');
  await user.click(await keysOf('shortcuts'));
  await user.keyboard('{Backspace}');
  await expect.poll(() => keysOf('shortcuts')).toHaveTextContent(w.keys.none);
  await press(w.resetAll);
  await expect.poll(() => keysOf('palette')).toHaveTextContent('Ctrl+KCtrl+Shift+P');
  await within(await panel()).findByRole('button', { name: words.undo });

  await application.client.settings.change({ set: { theme: 'dark' } });
  await expect.poll(() => html).toHaveAttribute('data-theme', 'dark');
});

it('offers CSV with the settings’ format', async () => {
  const opened = await openConnected();
  const { press, user, openDataset, jobFile } = opened;
  await open(opened);
  await choose(opened, 'csvDelimiter', w.options.csvDelimiter['|']);
  await user.keyboard('{Escape}');
  await openDataset('demo/wits');
  await press(words.query.export);
  expect(await screen.findByLabelText(words.export.csvStyles.own)).toBeChecked();
  await press(words.export.start);
  const link = await screen.findByRole('link', { name: /\.csv$/ });
  const [first = ''] = (await jobFile(link)).split('\r\n');
  expect(first).toContain('|');
  expect(first).not.toContain(',');
});

describe('the user’s names of channels', () => {
  const names = w.channelNames;
  const channel = 'weight on bit';
  const stored = async ({ application }: TestWindow) =>
    (await application.client.settings.get({})).channelNames ?? {};
  const columnOf = async ({ application, connection }: Awaited<ReturnType<typeof openConnected>>) => {
    const path = join(await folders(), 'rig.csv');
    await writeFile(path, 'Bohrdruck (kN),Zeit\n12,1\n');
    const { token } = await application.files.grantSource(sourceAt(path));
    const { columns } = await application.client.upload.propose({
      connection,
      source: token,
      provider: 'demo',
      dataset: 'drilling.wits.depth',
    });
    return columns[0]?.match;
  };

  it('are added, changed, and removed in the settings, and uploads use them immediately', async () => {
    const opened = await openConnected();
    const { user, press, fill } = opened;
    const shown = await open(opened);
    await fill(w.search, 'channel');
    expect(await columnOf(opened)).toBeNull();
    await user.type(await within(shown).findByRole('combobox', { name: names.channel }), 'WOB');
    await user.click(await screen.findByRole('option', { name: channel }));
    await fill(names.names, 'Bohrdruck, Andruck');
    expect(await findings()).toEqual([]);
    await press(names.add, shown);
    await expect.poll(() => stored(opened)).toEqual({ weight_on_bit: ['Bohrdruck', 'Andruck'] });
    expect(await columnOf(opened)).toMatchObject({ field: 'data.wobavg', why: 'channel Bohrdruck' });

    const field = await fill(names.namesOf(channel), '--', shown);
    await within(shown).findByText(names.empty('--'));
    await user.clear(field);
    await user.type(field, 'Bohrdruck{Tab}');
    await expect.poll(() => stored(opened)).toEqual({ weight_on_bit: ['Bohrdruck'] });
    await press(names.remove(channel), shown);
    await expect.poll(() => stored(opened)).toEqual({});
    await press(words.undo, shown);
    await expect.poll(() => stored(opened)).toEqual({ weight_on_bit: ['Bohrdruck'] });
  });

  it('are imported from a colleague’s file, and a name of another channel is rejected with its position', async () => {
    const opened = await openWindow();
    await screen.findByRole('button', { name: words.connection.connect });
    await opened.application.client.settings.change({ channelNames: { hook_load: ['Hakenlast'] } });
    const shown = await open(opened);
    const hand = (channels: object) =>
      opened.pickFile(
        names.importFile,
        new File([JSON.stringify({ kind: 'wellbench-channel-names', format: 1, channels })], 'rig.json'),
        shown,
      );
    await hand({ weight_on_bit: ['Bohrdruck'], rop: ['Hakenlast'] });
    await within(shown).findByText(/rig\.json, channels\.rop: .*hook_load/);
    expect(await stored(opened)).toEqual({ hook_load: ['Hakenlast'] });
    await hand({ weight_on_bit: ['Bohrdruck'], hook_load: ['Hakenlast'] });
    await within(shown).findByText(names.imported(1));
    await within(shown).findByLabelText(names.namesOf(channel));
  });
});

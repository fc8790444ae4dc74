import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { activeTab } from '../../../src/renderer/features/tabs/tabs.ts';
import { openDetails } from '../../../src/renderer/features/dataset-tab/dataset-kind.ts';
import { openLive } from '../../../src/renderer/features/live/live-kind.ts';
import { openQuality } from '../../../src/renderer/features/quality-tab/quality-kind.ts';
import { listedWells } from '../../../src/renderer/features/wells/wells-state.ts';
import { hasAssetId } from '../../../src/shared/wells/wells.ts';
import { openUpload } from '../../../src/renderer/features/upload/open-upload.ts';
import { uploadKind } from '../../../src/renderer/features/upload/upload-kind.ts';
import { rigRows } from './support/upload.ts';
import { firstTab, openTabs } from './support/tabs.ts';
import { watchDownloads } from './support/downloads.ts';
import { findings } from './support/findings.ts';
import { openConnected, waitForWells, type TestWindow } from './support/open-window.tsx';

const w = words.tabs;
const names = () => openTabs().map(({ textContent }) => textContent);
const copy = w.copy('Rig 12');
const wits = (count: number) => w.query('WITS', count, []);

async function openQuery({ openDataset }: TestWindow): Promise<void> {
  await openDataset('demo/wits');
}

it('renames, duplicates, moves, closes, and reopens tabs', async () => {
  const opened = await openConnected();
  const { user, typeQuery, query, pickOn } = opened;
  await openQuery(opened);
  await typeQuery('{ mine: 1 }');
  const tab = async (at: number) => {
    await firstTab();
    return openTabs().at(at) ?? document.body;
  };

  (await tab(0)).focus();
  await user.keyboard('{F2}');
  const name = await screen.findByRole('textbox', { name: w.name });
  await user.clear(name);
  await user.type(name, 'Rig 12{Enter}');
  await expect.poll(names).toEqual(['Rig 12']);

  await pickOn(await tab(0), w.actions.tabDuplicate);
  await expect.poll(names).toEqual(['Rig 12', copy]);
  await expect.poll(query).toBe('{ mine: 1 }');
  await user.keyboard('{Alt>}t{/Alt}');
  await expect.poll(names).toEqual(['Rig 12', copy, wits(3)]);
  await user.keyboard('{Alt>}{Shift>}{PageUp}{/Shift}{/Alt}');
  await expect.poll(names).toEqual(['Rig 12', wits(3), copy]);

  await user.pointer({ target: await tab(-1), keys: '[MouseMiddle]' });
  await expect.poll(names).toEqual(['Rig 12', wits(3)]);
  await user.keyboard('{Alt>}w{/Alt}');
  await expect.poll(names).toHaveLength(1);
  // The focus moves to the tab that is shown now.
  await expect.poll(() => document.activeElement).toBe(await tab(0));
  await user.keyboard('{Alt>}{Shift>}t{/Shift}{/Alt}');
  await user.keyboard('{Alt>}{Shift>}t{/Shift}{/Alt}');
  await expect.poll(names).toHaveLength(3);
});

it('names tabs by their dataset as it is named elsewhere, and no two of it and a well alike', async () => {
  const opened = await openConnected();
  await waitForWells(8);
  const { session } = opened;
  await openQuery(opened);
  const { tabs, wells } = session();
  const [well, otherWell] = listedWells(wells.store.getState()).wells.filter(hasAssetId);
  const { active } = tabs.store.getState();
  const dataset = activeTab(tabs.store.getState())?.content?.dataset();
  if (!well || !otherWell || !dataset || active === null) throw new Error('no query of two wells is open');
  wells.actions.selectWells([well]);
  tabs.actions.duplicate(active);
  for (const of of [well, well, otherWell])
    openLive(session(), dataset, { query: `{ asset_id: ${of.assetId} }`, fields: [] });
  openQuality(session(), dataset);
  openQuality(session(), dataset);
  tabs.actions.duplicate(activeTab(tabs.store.getState())?.id ?? '');
  openDetails(session(), dataset);
  const check = words.quality.tab.title;
  await expect
    .poll(names)
    .toEqual([
      w.query('WITS', 1, [well]),
      w.query('WITS', 2, [well]),
      ...[1, 2].map((number) => words.live.tab(w.query('WITS', number, [well]))),
      words.live.tab(w.query('WITS', 1, [otherWell])),
      check(wits(1)),
      check(wits(2)),
      w.copy(check(wits(2))),
      w.dataset('WITS'),
    ]);
});

it('asks once before it closes several tabs whose files aren’t sent, and names them', async () => {
  const opened = await openConnected();
  const { pickOn, press, session } = opened;
  await openQuery(opened);
  for (const name of ['north.csv', 'south.csv']) {
    openUpload(session());
    const model = uploadKind.of(activeTab(session().tabs.store.getState()));
    await model?.actions.addFile(new File([`Time,ROP\n${rigRows(2).join('\n')}`], name));
  }
  const [query = '', north = '', south = ''] = names();
  const question = () => screen.findByRole('alertdialog', { name: w.closing.heading(2) });
  const closeOthersOf = (at: number) => pickOn(openTabs()[at] ?? document.body, w.actions.tabOthers);
  const named = async () =>
    within(await question())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  await closeOthersOf(0);
  expect(await named()).toEqual([north, south]);
  expect(await findings('aria-hidden-focus')).toEqual([]);
  await press(words.cancel, await question());
  expect(names()).toEqual([query, north, south]);

  await closeOthersOf(2);
  expect(await named()).toEqual([north]);
  await press(w.closing.finished(1), await question());
  await expect.poll(names).toEqual([north, south]);
});

it('keeps the focus when a view changes under it', async () => {
  const opened = await openConnected();
  const { answer, demo, user, enabled } = opened;
  await waitForWells(8);
  const isKept = () => document.activeElement !== null && document.activeElement !== document.body;
  await openQuery(opened);
  demo.faults.latency_ms = 60_000;
  const pressByKey = async (button: string, part?: HTMLElement) => {
    (await enabled(button, part)).focus();
    await user.keyboard('{Enter}');
  };
  await pressByKey(words.query.run);
  await pressByKey(words.cancel, await screen.findByRole('region', { name: words.query.region }));
  await expect.poll(() => screen.getByRole('button', { name: words.query.run })).toHaveFocus();
  await pressByKey(words.tryAgain, await answer());
  await within(await answer()).findByRole('progressbar');
  await expect.poll(isKept).toBe(true);
  await pressByKey(words.cancel, await answer());
  await within(await answer()).findByText(words.results.cancelled);
  await expect.poll(isKept).toBe(true);
  (await firstTab()).focus();
  await user.keyboard('{Delete}');
  await screen.findByText(words.home.emptyHeading);
  await expect.poll(isKept).toBe(true);
});

const { history, saved } = words;
const section = (name: string) =>
  document.querySelector<HTMLElement>(`[data-section=${name}]`) ?? document.body;
const folder = 'drilling';
const queryText = '{ asset_id: 5005, "data.rop": { $gt: 50 } }';
const runs = () => within(screen.getByRole('grid', { name: history.heading })).queryAllByRole('row');

/** Opens the window and runs two queries, of one well. */
async function openAsked(): Promise<TestWindow> {
  const opened = await openConnected();
  const { user, press, typeQuery, answer } = opened;
  await user.click(await screen.findByRole('row', { name: /^Cottonwood A-105H/ }));
  await openQuery(opened);
  for (const text of ['{ asset_id: 5005 }', queryText]) {
    await typeQuery(text);
    await press(words.query.run);
    await within(await answer()).findAllByRole('gridcell');
  }
  return opened;
}

it('finds an earlier query in the history, runs it again, and removes it; saves queries, exports them, and imports them', async () => {
  const { user, press, fill, pick, pickOn, query } = await openAsked();
  await user.click(await screen.findByRole('tab', { name: history.heading }));
  await expect.poll(runs).toHaveLength(2);
  await fill(history.search, 'cottonwood data.rop');
  await expect.poll(runs).toHaveLength(1);
  expect(runs()[0]).toHaveTextContent('Cottonwood A-105H');
  await pickOn(runs()[0] ?? document.body, history.again);
  await expect.poll(names).toHaveLength(2);
  await expect.poll(query).toBe(queryText);
  await fill(history.search, '');
  await expect.poll(runs).toHaveLength(3);
  await pickOn(runs()[0] ?? document.body, history.remove);
  await expect.poll(runs).toHaveLength(2);
  await press(words.undo);
  await expect.poll(runs).toHaveLength(3);
  await pick(history.more, history.removeAll, section('history'));
  await screen.findByText(history.removed(3));
  const undo = await screen.findByRole('button', { name: words.undo });
  await screen.findByText(history.empty);
  expect(undo).toBeInTheDocument();
  await press(words.undo);
  await expect.poll(runs).toHaveLength(3);

  // The query is saved.
  const downloads = watchDownloads();
  await user.keyboard('{Control>}s{/Control}');
  await fill(saved.name, 'Fast drilling');
  await user.click(await screen.findByRole('combobox', { name: saved.folder }));
  await user.paste(`${folder}/rop`);
  await user.tab();
  await press(saved.save);
  await expect.poll(() => names().at(-1)).toBe('Fast drilling');
  await user.click(await screen.findByRole('tab', { name: saved.heading }));
  const queries = () => screen.queryByRole('grid', { name: saved.heading });
  await expect.poll(() => within(queries() ?? document.body).getAllByRole('row')).toHaveLength(3);

  await pick(saved.more, saved.exportAll, section('saved'));
  await expect.poll(() => downloads).toHaveLength(1);
  expect(downloads[0]?.name).toBe('queries.wellbench');
  const file = (await downloads[0]?.content.text()) ?? '';
  const take = async (name: string, content: string) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file][accept*=json]');
    if (!input) throw new Error('there is nothing to pick a file with');
    await user.upload(input, new File([content], name));
  };

  await pickOn(await screen.findByRole('row', { name: `${saved.folder} ${folder}` }), saved.remove);
  await expect.poll(queries).toBeNull();
  await take('queries.wellbench', file);
  await screen.findByText(saved.imported(1));
  await user.click(await screen.findByRole('row', { name: 'Fast drilling' }));
  await expect.poll(names).toHaveLength(3);
  await expect.poll(query).toBe(queryText);

  // A different query of the same name is offered; an invalid file is rejected with the position.
  await take('other.json', file.replace('50', '90'));
  await screen.findByText(saved.conflicts(1, 'Fast drilling'));
  await press(saved.keepBoth);
  await screen.findByRole('row', { name: 'Fast drilling (2)' });
  await take('bad.json', file.replace('"Fast drilling"', '7'));
  await screen.findByText(/queries\.0\.name/);
});

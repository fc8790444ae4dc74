import { expect, it, vi } from 'vitest';
import { type Tab, selectedWells } from '../../../src/renderer/features/tabs/tabs.ts';
import { tabTitle } from '../../../src/renderer/features/tabs/tab-title.ts';
import {
  commandIds,
  commandTable,
  type CommandId,
} from '../../../src/renderer/features/commands/command-table.ts';
import { liveKind } from '../../../src/renderer/features/live/live-kind.ts';
import { qualityKind } from '../../../src/renderer/features/quality-tab/quality-kind.ts';
import { queryKind } from '../../../src/renderer/features/query/query-kind.ts';
import { uploadKind } from '../../../src/renderer/features/upload/upload-kind.ts';
import { calculatedWords } from '../../../src/renderer/words/results.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { sampleOf } from '../../support/sample.ts';
import {
  openSeveral,
  openSeveralQueries,
  queryOf,
  run,
  shownTab,
  type SeveralQueries,
  type SeveralTabs,
} from './support/several.ts';

const { titles } = words.commands;
type QueryModel = ReturnType<typeof queryOf>;

// By selectors: a search by roles takes a second in a window with eight tabs.
const palette = () => document.querySelector('.palette-list');
const dialog = (name?: string) =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].find(
    (shown) => name === undefined || shown.querySelector('[slot=title]')?.textContent === name,
  ) ?? null;
const entries = () => [...(palette()?.querySelectorAll('.palette-text') ?? [])];
const entryOf = (id: CommandId) => entries().find(({ textContent }) => textContent.trim() === titles[id]);

/** Opens the palette and searches. */
async function openPalette({ user }: SeveralQueries, text: string): Promise<void> {
  await user.keyboard('{Control>}k{/Control}');
  await expect.poll(() => document.activeElement?.closest('.palette-search') !== null).toBe(true);
  if (text !== '') await user.paste(text);
}

const closed = () => expect.poll(palette).toBeNull();

async function runByPalette(opened: SeveralQueries, id: CommandId): Promise<void> {
  // At once with its text: drawn first with all of its entries, which other tests do, it takes twice as long.
  const { show, seek } = opened.commands().actions;
  show(true);
  seek(titles[id]);
  await expect.poll(() => entryOf(id), { message: id }).toBeDefined();
  const item = entryOf(id)?.closest('[role=menuitem]');
  if (item) await opened.user.click(item);
  await closed();
}

/** Commands on a tab that are run in the drawn palette; the others by what it calls, since drawing it takes most of the time. */
const drawn = new Set(sampleOf(commandIds, 6));

async function runCommand(opened: SeveralQueries, id: CommandId): Promise<void> {
  if (drawn.has(id)) return runByPalette(opened, id);
  const { seek, choose, runPending } = opened.commands().actions;
  seek(titles[id]);
  choose(id);
  runPending();
}

/** The first Escape may close the list of a combo box in it. */
async function closeDialogs({ user }: SeveralQueries): Promise<void> {
  for (let n = 0; n < 3 && dialog(); n += 1) await user.keyboard('{Escape}');
  await expect.poll(() => dialog()).toBeNull();
}

/** The states of all tabs: one that isn't changed stays the same object. */
const statesOf = ({ session }: SeveralQueries): Map<string, unknown[]> =>
  new Map(
    session()
      .tabs.store.getState()
      .tabs.map((tab) => [
        tab.id,
        [
          tab.wells,
          (
            queryKind.of(tab) ??
            liveKind.of(tab) ??
            qualityKind.of(tab) ??
            uploadKind.of(tab)
          )?.store.getState(),
          queryKind.of(tab)?.results.store.getState(),
        ],
      ]),
  );

/** The states of all tabs when nothing arrives late that an earlier command asked for. */
async function settledStates(opened: SeveralQueries): Promise<Map<string, unknown[]>> {
  let states = statesOf(opened);
  const isSettled = () => {
    const before = states;
    states = statesOf(opened);
    return [...states].every(([tab, parts]) => parts.every((part, at) => part === before.get(tab)?.[at]));
  };
  await expect.poll(isSettled, { interval: 60 }).toBe(true);
  return states;
}

/** Runs a command on the tab in view, waits for its effect, and makes sure that no other tab has changed. */
async function check(
  opened: SeveralQueries,
  id: CommandId,
  effect: () => unknown,
  isExpected: unknown,
): Promise<void> {
  const { id: shown } = shownTab(opened);
  const before = await settledStates(opened);
  await runCommand(opened, id);
  await expect.poll(effect, { message: id }).toEqual(isExpected);
  for (const [tab, states] of statesOf(opened))
    if (tab !== shown && before.has(tab))
      states.forEach((state, at) => {
        const earlier = before.get(tab)?.[at];
        // What is loaded late may replace a state by an equal one.
        if (state !== earlier) expect(state, `${id} changes another tab`).toEqual(earlier);
      });
}

/** The wells of a tab now. */
const scopeOf = ({ session }: SeveralQueries, { id }: Tab): Tab['wells'] =>
  session()
    .tabs.store.getState()
    .tabs.find((tab) => tab.id === id)?.wells ?? [];

const isInView = (element: Element | null): boolean =>
  element !== null && element.closest('[inert]') === null && element.closest('.tab-panel') !== null;

const commandsInView = async (opened: SeveralQueries): Promise<CommandId[]> => {
  await openPalette(opened, '');
  await expect.poll(() => entries().length).toBeGreaterThan(0);
  const listed = new Set(entries().map(({ textContent }) => textContent.trim()));
  await opened.user.keyboard('{Escape}');
  await closed();
  return commandIds.filter(
    (id) => ['tab', 'editor'].includes(commandTable[id].scope) && listed.has(titles[id]),
  );
};

/** The effect of each command of a query, with its value. */
function queryEffects(model: QueryModel, copied: () => string | undefined) {
  const { store, results } = model;
  const state = () => store.getState();
  const result = () => results.store.getState();
  const { lastResult } = result();
  let isNoting = false;
  // The plot, whose notes take it, isn't drawn here.
  results.plot.addNote.mount(() => (isNoting = true));
  const copiedWells = () => [...new Set(copied()?.match(/(?<!\d)500\d(?!\d)/g))];
  return {
    viewPlot: [() => result().view, 'plot'],
    addNote: [() => isNoting, true],
    viewBoth: [() => result().view, 'both'],
    viewQuality: [() => result().view, 'quality'],
    viewTable: [() => result().view, 'table'],
    zoneLocal: [() => result().zone, 'local'],
    zoneWell: [() => result().zone, 'well'],
    zoneUtc: [() => result().zone, 'utc'],
    zoneOther: [() => dialog(words.results.zones.pick) !== null, true],
    find: [
      () => isInView(document.activeElement) && document.activeElement?.getAttribute('type') === 'search',
      true,
    ],
    copyTsv: [copiedWells, ['5001']],
    copyCsv: [copiedWells, ['5001']],
    copyJson: [copiedWells, ['5001']],
    copyMarkdown: [copiedWells, ['5001']],
    copyCurl: [copiedWells, ['5001']],
    copyPowershell: [copiedWells, ['5001']],
    copyPython: [copiedWells, ['5001']],
    copyTypescript: [copiedWells, ['5001']],
    copyCommand: [copiedWells, ['5001']],
    distributions: [() => result().grid.distributions, true],
    calculate: [() => dialog(calculatedWords.add) !== null, true],
    maximize: [() => result().isMaximized, true],
    export: [() => state().exporting !== null, true],
    save: [() => dialog(words.saved.saveHeading) !== null, true],
    count: [() => state().count.status, 'loaded'],
    run: [() => result().run.status === 'loaded' && result().lastResult !== lastResult, true],
    showAll: [() => result().lastResult?.isUnlimited, true],
    askSummary: [() => state().text.pipeline.view, 'summary'],
    askSql: [() => state().text.mode, 'sql'],
    askPipeline: [() => state().text.mode, 'pipeline'],
    askFind: [() => state().text.mode, 'find'],
  } satisfies Partial<Record<CommandId, readonly [() => unknown, unknown]>>;
}

/** Calls back with each text that is copied, also beside HTML. */
function onCopy(act: (text: string) => void): void {
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => act(text));
  vi.spyOn(navigator.clipboard, 'write').mockImplementation(async (items) => {
    for (const item of items) act(await (await item.getType('text/plain')).text());
  });
}

it('commands of a query act on the one in view, whatever else is open and drawn', async () => {
  const opened = await openSeveral();
  const { tabs, show } = opened;
  const { query } = tabs;
  const model = queryOf(query);
  let copied: string | undefined;
  onCopy((text) => (copied = text));
  // The other query is drawn last, and the first is in view.
  await show(tabs.otherQuery);
  await show(query);
  const effects = queryEffects(model, () => copied);
  // The formats to copy take the same path.
  const formats = Object.keys(effects).filter((id) => id.startsWith('copy'));
  const formatsHere = sampleOf(formats, 3);
  for (const [id, [effect, value]] of Object.entries(effects)) {
    if (formats.includes(id) && !formatsHere.includes(id)) continue;
    copied = undefined;
    await check(opened, id as CommandId, effect, value);
    await closeDialogs(opened);
    if (id === 'maximize') model.results.actions.maximize(false);
  }

  opened.demo.faults.latency_ms = 60_000;
  void model.actions.run();
  await check(opened, 'stop', () => model.results.store.getState().run.status, 'cancelled');
  opened.demo.faults.latency_ms = 0;
  await model.actions.run();
  await check(opened, 'follow', () => shownTab(opened).kind, 'live');
  const followed = shownTab(opened);
  expect(liveKind.of(followed)?.subject.query).toContain('5001');

  const listed = Object.keys(effects).concat('stop', 'follow');
  expect(commandIds.filter((id) => ['tab', 'editor'].includes(commandTable[id].scope)).toSorted()).toEqual(
    listed.toSorted(),
  );
  // Some thirty commands, each through the list of commands.
}, 180_000);

it('commands of each other kind of tab act on the one in view, and a tab has no command of another kind', async () => {
  const opened = await openSeveral();
  const { tabs, show } = opened;
  const { live, statement } = tabs;
  const sql = queryOf(statement);
  await run(sql);
  let copied = '';
  onCopy((text) => (copied = text));

  for (const tab of [tabs.quality, tabs.upload, tabs.otherUpload]) {
    await show(tab);
    expect(await commandsInView(opened), tab.title).toEqual([]);
  }

  await show(live);
  const shown = () => liveKind.of(live)?.store.getState();
  expect(await commandsInView(opened)).toEqual([
    'viewTable',
    'addNote',
    'zoneLocal',
    'zoneWell',
    'zoneOther',
  ]);
  await check(opened, 'viewTable', () => shown()?.view, 'table');
  await check(opened, 'viewPlot', () => shown()?.view, 'plot');
  await check(opened, 'zoneLocal', () => shown()?.zone, 'local');
  await check(opened, 'zoneOther', () => dialog(words.results.zones.pick) !== null, true);
  await closeDialogs(opened);

  await show(statement);
  const commands = await commandsInView(opened);
  for (const id of ['count', 'export', 'showAll', 'follow', 'askSql'] as const)
    expect(commands).not.toContain(id);
  await check(opened, 'copyCsv', () => copied.includes('4242'), true);
  const { lastResult } = sql.results.store.getState();
  await check(opened, 'run', () => sql.results.store.getState().lastResult !== lastResult, true);
});

type Row = readonly [CommandId, effect: () => unknown, value: unknown];

const partsOfWindow = ['tabs', 'places', 'window'] as const;

/** Effects of commands on tabs, on what is beside them, and on the window, with another query in view. */
function windowRows(opened: SeveralTabs): Record<(typeof partsOfWindow)[number], readonly Row[]> {
  const { tabs, session } = opened;
  const { query, otherQuery } = tabs;
  const state = () => session().tabs.store.getState();
  const order = () => state().tabs.map(({ id }) => id);
  const placeOf = (tab: Tab) => order().indexOf(tab.id);
  const focusedSection = () =>
    document.activeElement?.closest('[data-section]')?.getAttribute('data-section') ?? null;
  const isPanelShown = (name: string) => document.querySelector(`aside[aria-label="${name}"]`) !== null;
  const count = order().length;
  // The third of its dataset shows SQL.
  const copy = words.tabs.query('WITS', 3, otherQuery.wells);
  return {
    tabs: [
      [
        'tabRename',
        () => dialog(words.tabs.renameHeading)?.querySelector('input')?.value,
        tabTitle(otherQuery),
      ],
      ['tabLeft', () => placeOf(otherQuery), 0],
      ['tabRight', () => placeOf(otherQuery), 1],
      ['tabPrevious', () => shownTab(opened).id, query.id],
      ['tabNext', () => shownTab(opened).id, otherQuery.id],
      ['tabBeside', () => state().neighbor?.id, tabs.statement.id],
      ['tabAlone', () => state().neighbor, null],
      ['tabDuplicate', () => [tabTitle(shownTab(opened)), order().length], [copy, count + 1]],
      ['tabClose', () => [order().length, state().closed.length], [count, 1]],
      ['tabReopen', () => [tabTitle(shownTab(opened)), order().length], [copy, count + 1]],
      ['tabNew', () => [shownTab(opened).kind, order().length], ['query', count + 2]],
      // One of them is an upload that isn’t sent.
      ['tabOthers', () => dialog(words.tabs.closing.heading(count + 1)) !== null, true],
      ['tabAll', () => dialog(words.tabs.closing.heading(count + 2)) !== null, true],
    ],
    places: [
      ['noWells', () => [shownTab(opened).wells.length, scopeOf(opened, query).length], [0, 1]],
      ['side', () => document.querySelector('.side')?.hasAttribute('inert'), true],
      ['wells', focusedSection, 'wells'],
      ['datasets', focusedSection, 'datasets'],
      ['saved', focusedSection, 'saved'],
      ['history', focusedSection, 'history'],
      ['browse', () => shownTab(opened).kind, 'browse'],
      ['upload', () => shownTab(opened).kind, 'upload'],
      ['jobs', () => document.querySelectorAll('.jobs-panel').length, 1],
      ['mirrors', () => dialog() !== null, true],
    ],
    window: [
      ['help', () => isPanelShown(words.help.region), true],
      ['shortcuts', () => isPanelShown(words.help.region), true],
      ['settings', () => isPanelShown(words.settings.region), true],
      ['themeDark', () => document.documentElement.dataset['theme'], 'dark'],
      ['themeLight', () => document.documentElement.dataset['theme'], 'light'],
      ['themeSystem', () => document.documentElement.dataset['theme'] === 'light', false],
      ['connectionDoctor', () => document.querySelectorAll('.connection-diagnostics').length, 1],
    ],
  };
}

it('commands on tabs, of what is beside them, and of the window act on the tab in view', async () => {
  const opened = await openSeveral();
  const rows = windowRows(opened);
  for (const part of partsOfWindow) {
    await opened.show(opened.tabs.otherQuery);
    for (const [id, effect, value] of rows[part]) {
      await check(opened, id, effect, value);
      await closeDialogs(opened);
    }
  }
  // The palette itself, those that leave the connection or open one, and the one of the preview.
  const commandsWithoutTabs = [
    'palette',
    'sample',
    'connections',
    'connectionEdit',
    'connectionClose',
    'tabKeep',
  ];
  const inRows = partsOfWindow
    .flatMap((name) => rows[name].map(([id]) => id))
    .concat(commandsWithoutTabs as CommandId[]);
  const others = commandIds.filter((id) => ['app', 'tabs'].includes(commandTable[id].scope));
  expect(inRows.toSorted()).toEqual(others.toSorted());
  // Some thirty commands, each through the list of commands.
}, 180_000);

it('shortcuts act on the tab with the focus of two side by side, and so does the selection of wells; behind an open dialog none acts', async () => {
  const opened = await openSeveralQueries();
  const { tabs, show, session, user } = opened;
  const { query, otherQuery } = tabs;
  const resultOf = (tab: Tab) => queryOf(tab).results.store.getState().lastResult;
  await show(query);
  await opened.openText();
  session().tabs.actions.showBeside(otherQuery.id);
  const panelOf = (side: string) => document.querySelector(`.tab-panel-${side}`);
  await expect.poll(() => panelOf('right')?.querySelector('textarea')).toBeTruthy();
  for (const [side, tab, other, well] of [
    ['right', otherQuery, query, 5002],
    ['left', query, otherQuery, 5001],
  ] as const) {
    const panel = panelOf(side);
    panel?.querySelector('textarea')?.focus();
    await expect.poll(() => shownTab(opened).id).toBe(tab.id);
    expect(selectedWells(session().tabs.store.getState()).map(({ assetId }) => assetId)).toEqual([well]);
    // The elements stay, and with them scroll positions and the undo history.
    expect(panelOf(side)).toBe(panel);
    const before = [tab, other].map(resultOf);
    await user.keyboard('{Control>}{Enter}{/Control}');
    await expect.poll(() => resultOf(tab)).not.toBe(before[0]);
    expect(resultOf(other)).toBe(before[1]);
  }

  session().tabs.actions.showBeside(null);
  queryOf(query).actions.showExport(true);
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).toBeTruthy();
  // Their units come with the fields of their dataset.
  for (const tab of [query, otherQuery])
    await expect.poll(() => queryOf(tab).results.store.getState().units.size).toBeGreaterThan(0);
  const before = await settledStates(opened);
  const { active, tabs: open } = session().tabs.store.getState();
  for (const keys of [
    '{Alt>}w{/Alt}',
    '{Alt>}t{/Alt}',
    '{Control>}k{/Control}',
    '{Control>}{Enter}{/Control}',
  ])
    await user.keyboard(keys);
  await user.keyboard('{Control>}s{/Control}{Control>}f{/Control}{Control>}b{/Control}');
  expect(session().tabs.store.getState()).toMatchObject({ active, tabs: open, openForm: null });
  expect(statesOf(opened)).toEqual(before);
  expect([palette(), document.querySelector('.side')?.hasAttribute('inert')]).toEqual([null, false]);
  await closeDialogs(opened);
  await user.keyboard('{Alt>}w{/Alt}');
  await expect.poll(() => session().tabs.store.getState().tabs.length).toBe(open.length - 1);
});

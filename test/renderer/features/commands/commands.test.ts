import { describe, expect, it, vi } from 'vitest';
import {
  commandIds,
  commandTable,
  type Action,
  type AppCommands,
  type CommandId,
  type TabCommands,
  type TabsCommands,
  searchEntries,
  type Entry,
} from '../../../../src/renderer/features/commands/command-table.ts';
import {
  createCommands,
  type CommandsDependencies,
} from '../../../../src/renderer/features/commands/commands.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const keys = (code: string, held: Partial<KeyboardEvent> = {}) => ({
  code,
  key: code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});
const control = { ctrlKey: true };
const act = () => undefined;
const { titles } = words.commands;

/** No command is available, except those that are given. */
type Given = Partial<Record<CommandId, () => Action>>;
const create = ({
  app = {},
  tabs = {},
  ...rest
}: Omit<Partial<CommandsDependencies>, 'app' | 'tabs'> & { app?: Given; tabs?: Given } = {}) => {
  const none = Object.fromEntries(commandIds.map((id) => [id, () => null]));
  return createCommands({
    app: { ...(none as AppCommands), ...app },
    tabs: () => tabs as TabsCommands,
    tab: () => null,
    sources: [],
    ...rest,
  });
};
const nowhere = { isInEditor: () => false, isInDialog: () => false };
const listed = ({ store }: ReturnType<typeof create>) => store.getState().entries.map(({ text }) => text);

describe('commands', () => {
  it('are listed while they are available, and run once the palette is closed', () => {
    const upload = vi.fn();
    const feature = create({ app: { upload: () => upload }, tabs: { tabClose: () => null } });
    const { store, actions } = feature;
    actions.show(true);
    expect(listed(feature)).toEqual([titles.upload]);
    actions.choose('upload');
    expect(store.getState().open).toBe(false);
    expect(upload).not.toHaveBeenCalled();
    actions.runPending();
    actions.runPending();
    expect(upload).toHaveBeenCalledTimes(1);
  });

  it('are found by the words of engineers, after those whose names have them', () => {
    const available = Object.fromEntries(commandIds.map((id) => [id, () => act]));
    const feature = create({ tab: () => available });
    const { actions, store } = feature;
    actions.show(true);
    const idsOf = (text: string): readonly string[] => {
      actions.seek(text);
      return store.getState().entries.map(({ id }) => id);
    };
    const wanted: readonly (readonly [string, CommandId])[] = [
      ['recipe', 'askSql'],
      ['state', 'askSql'],
      ['days against', 'askSql'],
      ['print', 'viewPlot'],
      ['depth tracks', 'viewPlot'],
      ['chart', 'viewPlot'],
      ['average', 'askSummary'],
      ['alarm', 'follow'],
      ['las', 'upload'],
      ['excel', 'export'],
      ['pads', 'browse'],
      ['proxy', 'connectionDoctor'],
      ['formula', 'calculate'],
    ];
    for (const [text, id] of wanted)
      expect([text, idsOf(text)]).toEqual([text, expect.arrayContaining([id])]);
    expect(idsOf('upload')[0]).toBe('upload');
  });

  it('run by their shortcuts, unless the palette is open', () => {
    const tabClose = vi.fn();
    const { store, actions } = create({ tabs: { tabClose: () => tabClose, tabNext: () => null } });
    expect(actions.press(keys('KeyW', { altKey: true }), nowhere)).toBe(true);
    expect(tabClose).toHaveBeenCalledTimes(1);
    expect(actions.press(keys('PageDown', { altKey: true }), nowhere)).toBe(true);
    expect(actions.press(keys('KeyJ', control), nowhere)).toBe(false);
    expect(actions.press(keys('KeyK', control), nowhere)).toBe(true);
    expect(store.getState().open).toBe(true);
    expect(actions.press(keys('KeyW', { altKey: true }), nowhere)).toBe(true);
    expect(tabClose).toHaveBeenCalledTimes(1);
    actions.press(keys('KeyP', { metaKey: true, shiftKey: true }), nowhere);
    expect(store.getState().open).toBe(false);
  });

  it('are listed once when a text is typed again before its entries arrive', async () => {
    const waiting: (() => void)[] = [];
    const entry: Entry = { id: 'page', group: 'page', text: 'Plots', act };
    const other: Entry = { id: 'query', group: 'savedQuery', text: 'Plots of ROP', act };
    const sources = [entry, other].map(
      (result) => (text: string) =>
        text === ''
          ? []
          : new Promise<Entry[]>((resolve) => {
              waiting.push(() => resolve([result]));
            }),
    );
    const feature = create({ sources });
    feature.actions.show(true);
    for (const text of ['p', 'pl', 'p']) feature.actions.seek(text);
    for (const arrive of waiting) arrive();
    await vi.waitFor(() => expect(listed(feature)).toContain('Plots of ROP'));
    expect(listed(feature)).toEqual(['Plots', 'Plots of ROP']);
  });

  it('don’t act behind an open dialog, whatever they act on', () => {
    const acts: string[] = [];
    const log = (id: string) => () => () => void acts.push(id);
    const { store, actions } = create({
      app: { settings: log('settings') },
      tabs: { tabClose: log('tabClose') },
      tab: () => ({ run: log('run'), find: log('find') }),
    });
    const dialog = { isInEditor: () => false, isInDialog: () => true };
    const pressed = [
      keys('Comma', { ...control, key: ',' }),
      keys('KeyW', { altKey: true }),
      keys('Enter', control),
      keys('KeyF', control),
      keys('KeyK', control),
    ];
    // The browser doesn't act either: Ctrl+S would save the page.
    for (const key of pressed) expect(actions.press(key, dialog)).toBe(true);
    expect([acts, store.getState().open]).toEqual([[], false]);
    // An editor in a dialog has its own.
    expect(actions.press(keys('Enter', control), { isInEditor: () => true, isInDialog: () => true })).toBe(
      false,
    );
    for (const key of pressed) actions.press(key, nowhere);
    expect(acts).toEqual(['settings', 'tabClose', 'run', 'find']);
  });

  it('of an editor are its own while it has the focus', () => {
    const acts: string[] = [];
    const { actions } = create({
      tab: () => ({ run: () => () => void acts.push('run'), find: () => () => void acts.push('find') }),
    });
    const editor = { isInEditor: () => true, isInDialog: () => false };
    expect(actions.press(keys('KeyF', control), editor)).toBe(false);
    expect(actions.press(keys('Enter', control), editor)).toBe(true);
    expect(acts).toEqual(['run']);
  });

  it('are those of the tab with the focus, and a tab of another kind has none of them', () => {
    const copied: string[] = [];
    const copyOf = (tab: string): TabCommands => ({ copyCsv: () => () => void copied.push(tab) });
    const ofTabs: Record<string, TabCommands> = {
      first: copyOf('first'),
      second: copyOf('second'),
      upload: {},
    };
    let focused = 'first';
    const { actions } = create({ tab: () => ofTabs[focused] ?? null });
    const runCopy = () => {
      actions.show(true);
      actions.choose('copyCsv');
      actions.runPending();
      actions.show(false);
    };
    for (const tab of ['first', 'second', 'upload', 'first']) {
      focused = tab;
      runCopy();
    }
    expect(copied).toEqual(['first', 'second', 'first']);
  });

  it('have unique shortcuts', () => {
    const all = commandIds.flatMap((id): readonly string[] => commandTable[id].shortcuts);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('items to open by name', () => {
  const entry = (text: string, note?: string): Entry => ({
    id: text,
    group: 'well',
    text,
    act,
    ...(note === undefined ? {} : { note }),
  });

  it('match every word, and those that start with the words come first', () => {
    const all = [entry('Reopen a tab'), entry('Export'), entry('Open', 'a tab'), entry('Unopened')];
    const names = (text: string) => searchEntries(all, text).map(({ text: name }) => name);
    expect(names('OPEN')).toEqual(['Open', 'Reopen a tab', 'Unopened']);
    expect(names('tab open')).toEqual(['Reopen a tab', 'Open']);
    expect(names('')).toHaveLength(4);
    expect(names('nothing')).toEqual([]);
  });

  it('match by another word before they match by letters within a word', () => {
    const other = { ...entry('Bring 7'), also: 'zap las9 dlis9' };
    const names = searchEntries([entry('Galas9'), entry('Atlas9'), other], 'LAS9');
    expect(names.map(({ text }) => text)).toEqual(['Bring 7', 'Galas9', 'Atlas9']);
  });

  it('follow later when they are slow, and never for an earlier search text', async () => {
    const waiting = new Map<string, (found: Entry[]) => void>();
    const feature = create({
      app: { wells: () => act },
      sources: [(text) => new Promise((resolve) => waiting.set(text, resolve))],
    });
    feature.actions.show(true);
    const last = titles.wells.split(' ').at(-1) ?? '';
    const before = last.slice(0, -1);
    feature.actions.seek(before);
    feature.actions.seek(`${last} `);
    expect(listed(feature)).toEqual([titles.wells]);
    waiting.get(before)?.([entry(`${before} 1`)]);
    waiting.get(last)?.([entry(`${last} 7`)]);
    await vi.waitFor(() => expect(listed(feature)).toEqual([titles.wells, `${last} 7`]));
  });

  it('are in the order of the sources, whichever responds first, without failed sources', async () => {
    let answer: (found: Entry[]) => void = () => undefined;
    const feature = create({
      sources: [
        () => new Promise((resolve) => (answer = resolve)),
        () => Promise.reject(new Error('unreachable')),
        async () => [entry('Saved 7')],
      ],
    });
    feature.actions.show(true);
    feature.actions.seek('7');
    await new Promise((resolve) => setTimeout(resolve));
    answer([entry('Well 7')]);
    await vi.waitFor(() => expect(listed(feature)).toEqual(['Well 7', 'Saved 7']));
  });
});

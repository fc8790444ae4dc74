import { describe, expect, it, vi } from 'vitest';
import { commandIds, commandTable } from '../../../../src/renderer/features/commands/command-table.ts';
import {
  createCommands,
  type CommandsDependencies,
} from '../../../../src/renderer/features/commands/commands.ts';
import { searchEntries, type Entry } from '../../../../src/renderer/features/commands/entries.ts';
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

const create = (needs: Partial<CommandsDependencies>) =>
  createCommands({ abilities: {}, sources: [], activeTab: () => null, ...needs });
const listed = ({ store }: ReturnType<typeof create>) => store.getState().entries.map(({ text }) => text);

describe('commands', () => {
  it('are listed while they are available, and run once the palette is closed', () => {
    const upload = vi.fn();
    const feature = create({ abilities: { upload: () => upload, tabClose: () => null } });
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

  it('run by their shortcuts, unless the palette is open', () => {
    const tabClose = vi.fn();
    const { store, actions } = create({ abilities: { tabClose: () => tabClose, tabNext: () => null } });
    expect(actions.press(keys('KeyW', { altKey: true }))).toBe(true);
    expect(tabClose).toHaveBeenCalledTimes(1);
    expect(actions.press(keys('PageDown', { altKey: true }))).toBe(true);
    expect(actions.press(keys('KeyS', control))).toBe(false);
    expect(actions.press(keys('KeyK', control))).toBe(true);
    expect(store.getState().open).toBe(true);
    expect(actions.press(keys('KeyW', { altKey: true }))).toBe(true);
    expect(tabClose).toHaveBeenCalledTimes(1);
    actions.press(keys('KeyP', { metaKey: true, shiftKey: true }));
    expect(store.getState().open).toBe(false);
  });

  it('of a dialog apply only while the dialog has the focus', () => {
    const run = vi.fn();
    const { actions } = create({ abilities: { run: () => run } });
    expect(actions.commandOf(keys('Enter', control))).toBe('run');
    expect(actions.commandOf(keys('Enter', { ...control, shiftKey: true }))).toBe('count');
    expect(actions.press(keys('Enter', control), true)).toBe(false);
    expect(run).not.toHaveBeenCalled();
    expect(actions.press(keys('Enter', control))).toBe(true);
    expect(run).toHaveBeenCalledOnce();
  });

  it('exist as long as the part of the window that registers them', () => {
    const feature = create({});
    const { actions } = feature;
    const first = actions.register('save', null, () => act);
    const second = actions.register('save', null, () => act);
    first();
    actions.seek(titles.save);
    expect(listed(feature)).toEqual([titles.save]);
    second();
    actions.seek(titles.save);
    expect(listed(feature)).toEqual([]);
  });

  it('act on the active tab, whichever was shown last, and on none where it has no such command', () => {
    let activeTab: string | null = 'first';
    const copied: string[] = [];
    const feature = create({ activeTab: () => activeTab });
    const { actions } = feature;
    const closeFirst = actions.register('copyCsv', 'first', () => () => void copied.push('first'));
    const closeSecond = actions.register('copyCsv', 'second', () => () => void copied.push('second'));
    const runCopy = () => {
      actions.show(true);
      actions.choose('copyCsv');
      actions.runPending();
    };
    runCopy();
    activeTab = 'second';
    runCopy();
    activeTab = 'third';
    runCopy();
    actions.show(false);
    expect(copied).toEqual(['first', 'second']);
    activeTab = 'first';
    closeSecond();
    runCopy();
    expect(copied).toEqual(['first', 'second', 'first']);
    closeFirst();
    actions.seek(titles.copyCsv);
    expect(listed(feature)).toEqual([]);
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

  it('follow later when they are slow, and never for an earlier search text', async () => {
    const waiting = new Map<string, (found: Entry[]) => void>();
    const feature = create({
      abilities: { wells: () => act },
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

import { expect, it } from 'vitest';
import { selectedWells } from '../../../../src/renderer/features/tabs/tabs.ts';
import { wellWith } from '../../../support/wells.ts';
import { createNote, noteKind, tabsAlone } from './support/note-kind.tsx';

const [north, south] = [wellWith(5001), wellWith(5002)];

/** Tabs, whose wells the sidebar selects. */
function withTabs() {
  const selections: number[][] = [];
  const ids = () => selectedWells(tabs.store.getState()).map(({ assetId }) => Number(assetId));
  const tabs = tabsAlone({ onWells: () => selections.push(ids()) });
  const open = () => {
    const note = createNote('a');
    tabs.actions.open(noteKind.open(note), { title: 'a' });
    return { id: tabs.store.getState().active ?? '', note: note.store };
  };
  const wells = () =>
    tabs.store.getState().tabs.map((tab) => tab.wells.map(({ assetId }) => Number(assetId)));
  return { ...tabs, open, wells, ids, selections };
}

it('selected wells belong to the active tab, and to no other', () => {
  const { open, actions, wells } = withTabs();
  const first = open();
  actions.selectWells([north]);
  const second = open();
  actions.selectWells([north, south]);
  expect(wells()).toEqual([[5001], [5001, 5002]]);
  expect([first, second].map(({ note }) => note.getState().selections)).toEqual([1, 1]);
});

it('another tab that becomes active selects its wells, and says so once', () => {
  const { open, actions, ids, selections } = withTabs();
  const first = open();
  actions.selectWells([north]);
  open();
  actions.selectWells([south]);
  actions.show(first.id);
  expect(ids()).toEqual([5001]);
  actions.close(first.id);
  expect(ids()).toEqual([5002]);
  expect(selections).toEqual([[5001], [5002], [5001], [5002]]);
});

it('the wells of the tab beside change without a new selection', () => {
  const { open, actions, wells, ids, selections } = withTabs();
  const first = open();
  const second = open();
  actions.showBeside(first.id);
  actions.selectWells([north], first.id);
  expect(wells()).toEqual([[5001], []]);
  expect(ids()).toEqual([]);
  expect(selections).toEqual([]);
  expect([first, second].map(({ note }) => note.getState().selections)).toEqual([0, 0]);
});

it('wells that are selected without a tab are those of the next one, and those of the last one stay selected', () => {
  const { open, actions, wells, ids } = withTabs();
  actions.selectWells([north]);
  expect(ids()).toEqual([5001]);
  const { id } = open();
  expect(wells()).toEqual([[5001]]);
  actions.selectWells([south]);
  actions.close(id);
  expect(ids()).toEqual([5002]);
});

it('wells of all tabs, open, stored, and reopened, follow the list', () => {
  const renamed = { ...north, name: 'Renamed' };
  const tabs = tabsAlone({
    current: (wells) => (wells.includes(renamed) ? wells : wells.map(() => renamed)),
  });
  tabs.actions.open(noteKind.open(createNote('a')), { title: 'a', wells: [north] });
  const kept = { kind: 'note', title: 'b', name: null, scope: [north], state: {} };
  tabs.actions.restore({
    open: [{ id: 'b', ...kept }],
    closed: [{ id: 'c', ...kept }],
    active: null,
    neighbor: null,
    preview: null,
  });
  tabs.actions.reopen();
  tabs.actions.updateWells();
  expect(tabs.store.getState().tabs.map(({ wells }) => wells)).toEqual([[renamed], [renamed], [renamed]]);
});

it('the setting of the time zone applies to all tabs, and to stored ones when they are loaded', () => {
  const { open, actions } = withTabs();
  const stored = { id: 'b', kind: 'note', title: 'b', name: null, scope: [], state: {} };
  actions.restore({ open: [stored], closed: [], active: null, neighbor: null, preview: null });
  const notes = [open().note, open().note];
  actions.showTimes('local');
  const late = createNote('b');
  actions.load('b', noteKind.open(late).content);
  expect(late.store.getState().times).toBe('local');
  expect(notes.map((note) => note.getState().times)).toEqual(['local', 'local']);
});

it('both tabs in view are visible, and no other', () => {
  const { open, actions } = withTabs();
  const notes = [open(), open(), open()];
  const visible = () => notes.map(({ note }) => note.getState().isVisible);
  expect(visible()).toEqual([false, false, true]);
  actions.showBeside(notes[0]?.id ?? '');
  expect(visible()).toEqual([true, false, true]);
});

it('no tab is visible while the window shows those of another connection, or none', () => {
  const { open, actions } = withTabs();
  const { note } = open();
  actions.setInView(false);
  expect(note.getState().isVisible).toBe(false);
  actions.setInView(true);
  expect(note.getState().isVisible).toBe(true);
});

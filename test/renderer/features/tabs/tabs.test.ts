import { describe, expect, it } from 'vitest';
import type { KeptTab } from '../../../../src/shared/tabs/tabs.ts';
import { createNote, noteKind, tabsAlone } from './support/note-kind.tsx';

function withTabs(...titles: string[]) {
  const closed: string[] = [];
  const tabs = tabsAlone();
  const openNote = (title: string) => {
    const note = createNote(title, (text) => closed.push(text));
    tabs.actions.open(noteKind.open(note), { title });
    return note;
  };
  titles.forEach(openNote);
  const shown = () => {
    const { tabs: open, active } = tabs.store.getState();
    return open
      .map(({ id, title, name }) => (id === active ? `[${name ?? title}]` : (name ?? title)))
      .join(' ');
  };
  const idOf = (title: string) => tabs.store.getState().tabs.find((tab) => tab.title === title)?.id ?? '';
  return { ...tabs.actions, openNote, store: tabs.store, shown, idOf, closed };
}

/** A stored tab. */
const kept = (id: string): KeptTab => ({ id, kind: 'query', title: id, name: null, scope: [], state: {} });

describe('tabs', () => {
  it('show the newest', () => {
    expect(withTabs('a', 'b').shown()).toBe('a [b]');
  });

  it('show the neighbor of a closed one, and end its requests', () => {
    const tabs = withTabs('a', 'b', 'c');
    tabs.show(tabs.idOf('b'));
    tabs.close(tabs.idOf('b'));
    expect(tabs.shown()).toBe('a [c]');
    tabs.close(tabs.idOf('c'));
    expect(tabs.shown()).toBe('[a]');
    tabs.close(tabs.idOf('a'));
    expect(tabs.shown()).toBe('');
    expect(tabs.closed).toEqual(['b', 'c', 'a']);
  });

  it('stay in view when another is closed', () => {
    const tabs = withTabs('a', 'b', 'c');
    tabs.close(tabs.idOf('a'));
    expect(tabs.shown()).toBe('b [c]');
  });

  it('are adjacent, and change places', () => {
    const tabs = withTabs('a', 'b', 'c');
    /** The titles of the tabs in view, from left to right, the active one in brackets. */
    const sides = () => {
      const { tabs: open, active, neighbor } = tabs.store.getState();
      const titleOf = (id?: string | null) => open.find((tab) => tab.id === id)?.title;
      const inView = [`[${titleOf(active)}]`, ...(neighbor ? [titleOf(neighbor.id)] : [])];
      return (neighbor?.side === 'left' ? inView.toReversed() : inView).join(' ');
    };
    tabs.showBeside(tabs.idOf('c'));
    expect(sides()).toBe('[c]');
    tabs.showBeside(tabs.idOf('a'));
    expect(sides()).toBe('[c] a');
    tabs.show(tabs.idOf('b'));
    expect(sides()).toBe('[b] a');
    // The focus moves; the tabs stay where they are.
    tabs.show(tabs.idOf('a'));
    expect(sides()).toBe('b [a]');
    tabs.show(tabs.idOf('c'));
    expect(sides()).toBe('b [c]');
    tabs.swapSides();
    expect(sides()).toBe('[c] b');
    tabs.close(tabs.idOf('b'));
    expect(sides()).toBe('[c]');
    tabs.showBeside(tabs.idOf('a'));
    tabs.show(tabs.idOf('a'));
    tabs.close(tabs.idOf('a'));
    expect(sides()).toBe('[c]');
    tabs.reopen();
    tabs.showBeside(tabs.idOf('c'));
    tabs.show(tabs.idOf('c'));
    tabs.showBeside(null);
    expect(sides()).toBe('[a]');
  });

  it('that were adjacent are restored at their sides, unless one of them is gone', () => {
    const neighbor = { id: 'x', side: 'left' } as const;
    const tabs = withTabs();
    tabs.restore({ open: [kept('x'), kept('y')], closed: [], active: 'y', neighbor });
    expect(tabs.store.getState()).toMatchObject({ active: 'y', neighbor });
    const others = withTabs();
    others.restore({ open: [kept('y')], closed: [], active: 'y', neighbor });
    expect(others.store.getState()).toMatchObject({ active: 'y', neighbor: null });
  });

  it('are all closed at once, and then none can be reopened', () => {
    const tabs = withTabs('a', 'b');
    tabs.closeAll();
    expect(tabs.shown()).toBe('');
    expect(tabs.closed).toEqual(['a', 'b']);
    tabs.reopen();
    expect(tabs.shown()).toBe('');
  });

  it('that were closed can be reopened, the last one first, as they were stored', () => {
    const tabs = withTabs('a', 'b', 'c');
    tabs.rename(tabs.idOf('b'), ' mine ');
    tabs.close(tabs.idOf('b'));
    tabs.closeOthers(tabs.idOf('a'));
    expect(tabs.shown()).toBe('[a]');
    tabs.reopen();
    expect(tabs.shown()).toBe('a [c]');
    tabs.reopen();
    expect(tabs.shown()).toBe('a c [mine]');
    const back = tabs.store.getState().tabs.at(-1);
    expect(back?.stored).toEqual({ status: 'stored', state: { text: 'b' } });
    tabs.reopen();
    expect(tabs.shown()).toBe('a c [mine]');
  });

  it('of files that aren’t sent stay when others are closed', () => {
    const tabs = withTabs('a', 'b');
    const { store } = tabs.openNote('unsent');
    store.setState({ isUnsent: true });
    tabs.openNote('sent');
    tabs.closeOthers(tabs.idOf('a'));
    expect(tabs.shown()).toBe('[a] unsent');
    expect(tabs.closed).toEqual(['b', 'sent']);
  });

  it('keep no more closed ones than can be stored', () => {
    const tabs = withTabs(...Array.from({ length: 40 }, (_, at) => `t${at}`));
    tabs.closeOthers(tabs.idOf('t0'));
    expect(tabs.store.getState().closed).toHaveLength(25);
    expect(tabs.store.getState().closed.at(-1)?.title).toBe('t39');
  });

  it('are renamed, and named by their content again', () => {
    const tabs = withTabs('a');
    tabs.rename(tabs.idOf('a'), 'mine');
    expect(tabs.shown()).toBe('[mine]');
    tabs.rename(tabs.idOf('a'), '  ');
    expect(tabs.shown()).toBe('[a]');
  });

  it('are moved, at most to either end', () => {
    const tabs = withTabs('a', 'b', 'c');
    tabs.move(tabs.idOf('c'), 1);
    expect(tabs.shown()).toBe('a [c] b');
    tabs.move(tabs.idOf('a'), -1);
    tabs.move(tabs.idOf('a'), 9);
    expect(tabs.shown()).toBe('[c] b a');
  });

  it('are duplicated next to themselves, with their own id', () => {
    const tabs = withTabs('a', 'b');
    tabs.duplicate(tabs.idOf('a'));
    expect(tabs.shown()).toBe('a [a] b');
    expect(new Set(tabs.store.getState().tabs.map(({ id }) => id)).size).toBe(3);
  });

  it('are cycled through at the ends', () => {
    const tabs = withTabs('a', 'b', 'c');
    tabs.showNext(1);
    expect(tabs.shown()).toBe('[a] b c');
    tabs.showNext(-1);
    expect(tabs.shown()).toBe('a b [c]');
  });

  it('stay drawn only when they were shown recently', () => {
    const tabs = withTabs(...Array.from({ length: 100 }, (_, at) => `t${at}`));
    expect(tabs.store.getState().recent).toHaveLength(4);
    tabs.show(tabs.idOf('t3'));
    expect(tabs.store.getState().recent[0]).toBe(tabs.idOf('t3'));
    tabs.close(tabs.idOf('t99'));
    expect(tabs.store.getState().recent).not.toContain(tabs.idOf('t99'));
  });

  it('that were stored come before already open ones, which stay in view', () => {
    const tabs = withTabs('new');
    tabs.restore({ open: [kept('x'), kept('y')], closed: [kept('z')], active: 'y', neighbor: null });
    expect(tabs.shown()).toBe('x y [new]');
    tabs.reopen();
    expect(tabs.shown()).toBe('x y new [z]');
  });

  it('that were stored show the one that was in view, or else the first', () => {
    const tabs = withTabs();
    tabs.restore({ open: [kept('x'), kept('y')], closed: [], active: 'y', neighbor: null });
    expect(tabs.shown()).toBe('x [y]');
    const others = withTabs();
    others.restore({ open: [kept('x'), kept('y')], closed: [], active: 'missing', neighbor: null });
    expect(others.shown()).toBe('[x] y');
  });
});

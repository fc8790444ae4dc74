import { describe, expect, it } from 'vitest';
import { words } from '../../../../src/renderer/words/words.ts';
import type { KeptTab } from '../../../../src/shared/tabs/tabs.ts';
import { keepEditedPreview } from '../../../../src/renderer/features/tabs/tab-storage.ts';
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
    tabs.restore({ open: [kept('x'), kept('y')], closed: [], active: 'y', neighbor, preview: null });
    expect(tabs.store.getState()).toMatchObject({ active: 'y', neighbor });
    const others = withTabs();
    others.restore({ open: [kept('y')], closed: [], active: 'y', neighbor, preview: null });
    expect(others.store.getState()).toMatchObject({ active: 'y', neighbor: null });
  });

  it('are all cleared at once, and then none can be reopened', () => {
    const tabs = withTabs('a', 'b');
    tabs.clear();
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

  describe('of files that aren’t sent', () => {
    /** Two tabs, two unfinished ones, of which one isn't loaded, and a last one. */
    function withUnsent() {
      const tabs = withTabs('a', 'b');
      tabs.openNote('unsent').store.setState({ isUnsent: true });
      const stored = { ...kept('stored'), kind: 'note', state: { text: 's', isUnsent: true } };
      tabs.restore({ open: [stored], closed: [], active: null, neighbor: null, preview: null });
      tabs.openNote('sent');
      return tabs;
    }
    const question = ({ store }: ReturnType<typeof withTabs>) => store.getState().closing;

    it('are asked about once when others are closed, and stay, close, or end the closing', () => {
      const tabs = withUnsent();
      tabs.closeOthers(tabs.idOf('a'));
      expect(question(tabs)).toEqual(['stored', 'b', 'unsent', 'sent'].map(tabs.idOf));
      expect(tabs.shown()).toBe('stored [a] b unsent sent');
      tabs.answerClosing('none');
      expect(tabs.shown()).toBe('stored [a] b unsent sent');
      expect(question(tabs)).toBeNull();

      tabs.closeOthers(tabs.idOf('a'));
      tabs.answerClosing('finished');
      expect(tabs.shown()).toBe('stored [a] unsent');
      tabs.closeAll();
      expect(question(tabs)).toEqual(['stored', 'a', 'unsent'].map(tabs.idOf));
      tabs.answerClosing('all');
      expect(tabs.shown()).toBe('');
      expect(tabs.closed).toEqual(['b', 'sent', 'a', 'unsent']);
    });

    it('are asked about before their connection closes if their work ends with it, and stay open otherwise', () => {
      const tabs = withUnsent();
      const closed: string[] = [];
      tabs.askBefore(() => closed.push('at once'));
      expect([closed, question(tabs)]).toEqual([['at once'], null]);
      tabs.openNote('running');
      const ask = () => tabs.askBefore(() => closed.push('when asked'));
      ask();
      expect(question(tabs)).toEqual([tabs.idOf('running')]);
      tabs.answerClosing('none');
      expect(closed).toEqual(['at once']);
      ask();
      tabs.answerClosing('all');
      expect([closed.at(-1), question(tabs)]).toEqual(['when asked', null]);
      // They are stored as they are, and come back with the connection.
      expect(tabs.shown()).toBe('stored a b unsent sent [running]');
    });

    it('close alone without a question, except while work would end', () => {
      const tabs = withUnsent();
      const { actions } = tabs.openNote('running');
      tabs.close(tabs.idOf('unsent'));
      tabs.close(tabs.idOf('stored'));
      expect(tabs.shown()).toBe('a b sent [running]');
      tabs.close(tabs.idOf('running'));
      expect(question(tabs)).toEqual([tabs.idOf('running')]);
      actions.type('done');
      tabs.answerClosing('finished');
      expect(tabs.shown()).toBe('a b [sent]');
      tabs.closeAll();
      expect(tabs.shown()).toBe('');
    });
  });

  describe('in preview', () => {
    function withPreview(...titles: string[]) {
      const tabs = withTabs(...titles);
      const preview = (title: string) => {
        const note = createNote(title, (text) => tabs.closed.push(text));
        tabs.open(noteKind.open(note), { title }, true);
        return note;
      };
      const previewed = () => {
        const { tabs: open, preview: id } = tabs.store.getState();
        return open.find((tab) => tab.id === id)?.title ?? null;
      };
      return { ...tabs, preview, previewed };
    }

    it('is replaced at its place by the next one, and can’t be reopened', () => {
      const tabs = withPreview('a');
      tabs.preview('x');
      tabs.openNote('b');
      tabs.preview('y');
      expect(tabs.shown()).toBe('a [y] b');
      expect(tabs.closed).toEqual(['x']);
      expect(tabs.store.getState().recent).toHaveLength(3);
      expect(tabs.store.getState().closed).toEqual([]);
      tabs.pin(tabs.idOf('y'));
      tabs.preview('z');
      expect(tabs.shown()).toBe('a y b [z]');
      tabs.close(tabs.idOf('z'));
      expect(tabs.previewed()).toBeNull();
      tabs.preview('w');
      expect(tabs.shown()).toBe('a y b [w]');
    });

    it.each<[string, (tabs: ReturnType<typeof withPreview>, id: string) => void]>([
      ['a name', ({ rename }, id) => rename(id, 'mine')],
      ['another place', ({ move }, id) => move(id, 0)],
      ['a tab beside it', ({ showBeside, idOf }) => showBeside(idOf('a'))],
      ['its own side', ({ show, showBeside, idOf }, id) => (show(idOf('a')), showBeside(id))],
    ])('is kept by %s', (_, act) => {
      const tabs = withPreview('a', 'b');
      tabs.preview('x');
      act(tabs, tabs.idOf('x'));
      expect(tabs.previewed()).toBeNull();
    });

    it('is kept by an edit, but not by what its kind changes itself, nor by an edit of another', () => {
      const tabs = withPreview();
      const other = tabs.openNote('a');
      const stop = keepEditedPreview({ store: tabs.store, actions: tabs });
      const first = tabs.preview('x');
      first.store.setState({ isPristine: true, text: 'filled in' });
      other.actions.type('other');
      expect(tabs.previewed()).toBe('x');
      first.store.setState({ isPristine: false });
      expect(tabs.previewed()).toBe('x');
      first.actions.type('typed');
      expect(tabs.previewed()).toBeNull();
      tabs.preview('y');
      stop();
      tabs.preview('z').actions.type('typed');
      expect(tabs.previewed()).toBe('z');
    });

    it('is still replaced after its wells changed: clicks in the list of wells select them', () => {
      const tabs = withPreview('a');
      tabs.preview('x');
      tabs.selectWells([], tabs.idOf('x'));
      expect(tabs.previewed()).toBe('x');
    });

    it('is restored, unless there is one, or it is gone', () => {
      const stored = { open: [kept('x'), kept('y')], closed: [], active: 'x', neighbor: null, preview: 'y' };
      const tabs = withPreview();
      tabs.restore(stored);
      expect(tabs.previewed()).toBe('y');
      tabs.preview('z');
      expect(tabs.shown()).toBe('x [z]');
      tabs.restore({ ...stored, open: [kept('v')], preview: 'v' });
      expect(tabs.previewed()).toBe('z');
      const others = withPreview();
      others.restore({ ...stored, preview: 'gone' });
      expect(others.previewed()).toBeNull();
    });
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

  it('are duplicated next to themselves, with their own id, and a name of their own', () => {
    const tabs = withTabs('a', 'b');
    tabs.duplicate(tabs.idOf('a'));
    expect(tabs.shown()).toBe(`a [${words.tabs.copy('a')}] b`);
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
    tabs.close(tabs.idOf('t3'));
    expect(tabs.store.getState().recent).toEqual(['t4', 't98', 't97'].map(tabs.idOf));
  });

  it('that were stored come before already open ones, which stay in view', () => {
    const tabs = withTabs('new');
    tabs.restore({
      open: [kept('x'), kept('y')],
      closed: [kept('z')],
      active: 'y',
      neighbor: null,
      preview: null,
    });
    expect(tabs.shown()).toBe('x y [new]');
    tabs.reopen();
    expect(tabs.shown()).toBe('x y new [z]');
  });

  it('that were stored show the one that was in view, or else the first', () => {
    const tabs = withTabs();
    tabs.restore({ open: [kept('x'), kept('y')], closed: [], active: 'y', neighbor: null, preview: null });
    expect(tabs.shown()).toBe('x [y]');
    const others = withTabs();
    others.restore({
      open: [kept('x'), kept('y')],
      closed: [],
      active: 'missing',
      neighbor: null,
      preview: null,
    });
    expect(others.shown()).toBe('[x] y');
  });
});

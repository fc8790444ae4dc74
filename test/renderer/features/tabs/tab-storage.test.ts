import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { KeptTab } from '../../../../src/shared/tabs/tabs.ts';
import type { HeldTabs, TabsChange } from '../../../../src/shared/contract/workspace.ts';
import type { Session } from '../../../../src/renderer/contexts.ts';
import type { TabContent } from '../../../../src/renderer/features/tabs/tab-kind.ts';
import { createTabStorage, createOutbox } from '../../../../src/renderer/features/tabs/tab-storage.ts';
import { createNote, noteKind, outage, tabsAlone } from './support/note-kind.tsx';

const opened: AbortController[] = [];
afterEach(() => {
  outage.isOn = false;
  for (const window of opened.splice(0)) window.abort();
});

/** A window of one connection whose main process has `held` for it, and handles changes with `onKeep`. */
function windowOn(held: HeldTabs, onKeep: (change: TabsChange) => Promise<void> = async () => undefined) {
  const sentChanges: TabsChange[] = [];
  const reads: (string | null)[] = [];
  const timers = new Map<number, () => void>();
  const delays: number[] = [];
  let count = 0;
  let remembered: string | null = null;
  const tabs = tabsAlone();
  const api = {
    tabs: {
      async keep(change: TabsChange) {
        sentChanges.push(change);
        await onKeep(change);
        return {};
      },
    },
    events: {
      async tabs({ set }: { set: string | null }, options?: { signal?: AbortSignal }) {
        reads.push(set);
        return (async function* stream() {
          yield held;
          await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve));
        })();
      },
    },
  };
  const windowMemory = { recall: () => remembered, remember: (set: string) => void (remembered = set) };
  const session = { app: { api }, connection: 'c', tabs, windowMemory } as unknown as Session;
  const keeping = createTabStorage(
    session,
    [noteKind],
    () => undefined,
    (ms, act) => {
      const id = (count += 1);
      delays.push(ms);
      timers.set(id, act);
      return () => void timers.delete(id);
    },
  );
  const window = new AbortController();
  opened.push(window);
  keeping.start(window.signal);
  return {
    tabs,
    keeping,
    sentChanges,
    delays,
    reads,
    remembered: () => remembered,
    started: () => new Promise((resolve) => setTimeout(resolve, 5)),
    /** Advances the time by the delay of a change. */
    async pass() {
      const due = [...timers.values()];
      timers.clear();
      for (const act of due) act();
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    openNote() {
      const note = createNote('');
      tabs.actions.open(noteKind.open(note), { title: 'a note' });
      return note;
    },
  };
}
const none: HeldTabs = {
  set: 's1',
  kept: { open: [], closed: [], active: null, neighbor: null, preview: null },
  problem: null,
};
const textOf = (tab: KeptTab) => (tab.state as { text: string }).text;
const keptNote = (id: string, text: string): KeptTab => ({
  id,
  kind: 'note',
  title: 'a note',
  name: null,
  scope: [],
  state: { text },
});

/** The progress of loading each tab; null: it is loaded. */
const statusesIn = ({ tabs }: ReturnType<typeof windowOn>) =>
  tabs.store.getState().tabs.map(({ stored }) => stored?.status ?? null);

describe('storing tabs', () => {
  it('sends all tabs to the main process, and then only changes', async () => {
    const window = windowOn(none);
    await window.started();
    const [one, other] = [window.openNote(), window.openNote()];
    await window.pass();
    expect(window.sentChanges).toHaveLength(1);
    expect(window.sentChanges[0]?.changed).toHaveLength(2);
    one.actions.type('{ a: 1');
    one.actions.type('{ a: 12');
    await window.pass();
    expect(window.sentChanges).toHaveLength(2);
    expect(window.sentChanges[1]?.changed.map(textOf)).toEqual(['{ a: 12']);
    await window.pass();
    expect(window.sentChanges).toHaveLength(2);
    other.actions.close();
  });

  it('is immediate when the page is about to close', async () => {
    const window = windowOn(none);
    await window.started();
    window.openNote().actions.type('{ half');
    void window.keeping.flush();
    expect(window.sentChanges.flatMap(({ changed }) => changed.map(textOf))).toEqual(['{ half']);
  });

  it('is immediate when the page is about to close while the main process is still writing', async () => {
    const window = windowOn(none, () => new Promise(() => undefined));
    await window.started();
    const tab = window.openNote();
    await window.pass();
    tab.actions.type('{ half');
    void window.keeping.flush();
    expect(window.sentChanges.at(-1)?.changed.map(textOf)).toEqual(['{ half']);
  });

  it('restores tabs, inactive until they are shown, with their content', async () => {
    const window = windowOn({
      ...none,
      kept: {
        open: [keptNote('a', '{ x: 1'), keptNote('b', '{ y: 2')],
        closed: [],
        active: 'b',
        neighbor: null,
        preview: null,
      },
    });
    await window.started();
    expect(window.remembered()).toBe('s1');
    expect(statusesIn(window)).toEqual(['stored', null]);
    const [a, b] = window.tabs.store.getState().tabs;
    expect(a?.stored?.status).toBe('stored');
    expect(noteKind.of(b ?? null)?.store.getState().text).toBe('{ y: 2');
    window.tabs.actions.showBeside('a');
    await window.started();
    expect(statusesIn(window)).toEqual([null, null]);
  });

  it('loads tabs that work in the background with the window, and hides them', async () => {
    const open = [keptNote('a', 'watch'), keptNote('b', 'shown'), keptNote('c', 'other')];
    const window = windowOn({
      ...none,
      kept: { open, closed: [], active: 'b', neighbor: null, preview: null },
    });
    await window.started();
    expect(statusesIn(window)).toEqual([null, null, 'stored']);
    const [watching, shown] = window.tabs.store
      .getState()
      .tabs.map((tab) => noteKind.of(tab)?.store.getState());
    expect([watching?.isVisible, shown?.isVisible]).toEqual([false, true]);
  });

  it('loads a hidden tab that works there once the service can be reached, and no other hidden tab', async () => {
    outage.isOn = true;
    const open = [keptNote('a', 'watch'), keptNote('b', 'shown'), keptNote('c', 'watch')];
    const kept = { open, closed: [], active: 'b', neighbor: null, preview: null };
    const window = windowOn({ ...none, kept });
    await window.started();
    expect(statusesIn(window)).toEqual(['failed', 'failed', 'failed']);
    await window.pass();
    expect(statusesIn(window)).toEqual(['failed', 'failed', 'failed']);
    outage.isOn = false;
    await window.pass();
    expect(statusesIn(window)).toEqual([null, 'failed', null]);
  });

  it('ends what it loads for a tab that is closed meanwhile', async () => {
    const open = [keptNote('a', 'closed'), keptNote('b', 'shown'), keptNote('c', 'stays')];
    const window = windowOn({
      ...none,
      kept: { open, closed: [], active: 'b', neighbor: null, preview: null },
    });
    await window.started();
    const close = vi.fn();
    vi.spyOn(noteKind, 'restore').mockResolvedValueOnce({ close } as unknown as TabContent);
    const loads = ['a', 'c'].map(window.keeping.actions.restore);
    window.tabs.actions.close('a');
    await Promise.all(loads);
    expect(close).toHaveBeenCalledTimes(1);
    expect(statusesIn(window)).toEqual([null, null]);
  });

  it('loses nothing of a tab whose content no longer exists, whose kind is unknown, or whose state can’t be read', async () => {
    const open = [
      keptNote('missing', 'gone'),
      { ...keptNote('later', ''), kind: 'orrery' },
      { ...keptNote('odd', ''), state: { text: 7 } },
    ];
    const window = windowOn({
      ...none,
      kept: { open, closed: [], active: null, neighbor: null, preview: null },
    });
    await window.started();
    for (const { id } of open) await window.keeping.actions.restore(id);
    expect(statusesIn(window)).toEqual(['failed', 'unknown', 'unreadable']);
    await window.pass();
    expect(window.sentChanges.at(-1)?.changed).toEqual(open);
  });

  it('reports when nothing can be stored, retries, and sends everything again', async () => {
    let full = true;
    const error = new AppError('disk_full', { file: 'tabs', writtenBytes: 0 });
    const window = windowOn(none, async () => {
      if (full) throw error;
    });
    await window.started();
    window.openNote();
    await window.pass();
    expect(window.keeping.store.getState().problem).toContain(error.message);
    full = false;
    await window.pass();
    expect(window.keeping.store.getState().problem).toBeNull();
    expect(window.sentChanges.at(-1)?.changed).toHaveLength(1);
  });

  it('retries within five seconds, although a tab changes every two', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const window = windowOn(none, () =>
      Promise.reject(new AppError('disk_full', { file: '', writtenBytes: 0 })),
    );
    await window.started();
    const [note, other] = [window.openNote(), window.openNote()];
    await window.pass();
    now.mockReturnValue(2000);
    note.actions.type('a');
    now.mockReturnValue(4000);
    other.actions.type('b');
    expect(window.delays.slice(-3)).toEqual([5000, 3000, 1000]);
    now.mockRestore();
  });

  it('reports which earlier tabs were lost', async () => {
    const window = windowOn({ ...none, problem: 'They are now x.damaged-1.' });
    await window.started();
    await window.pass();
    expect(window.keeping.store.getState().problem).toBe('They are now x.damaged-1.');
    window.keeping.actions.dismiss();
    expect(window.keeping.store.getState().problem).toBeNull();
  });

  it('includes what was typed just before a tab was closed', async () => {
    const window = windowOn(none);
    await window.started();
    const [note, other] = [window.openNote(), window.openNote()];
    await window.pass();
    note.actions.type('{ nearly: lost');
    const [tab] = window.tabs.store.getState().tabs;
    window.tabs.actions.close(tab?.id ?? '');
    await window.pass();
    expect(window.sentChanges.at(-1)?.changed.map(textOf)).toEqual(['{ nearly: lost']);
    other.actions.close();
  });

  it('includes closed tabs when the setting for times changes', async () => {
    const window = windowOn(none);
    await window.started();
    window.openNote();
    await window.pass();
    window.tabs.actions.close(window.tabs.store.getState().active ?? '');
    await window.pass();
    window.tabs.actions.showTimes('utc');
    await window.pass();
    expect(window.sentChanges.at(-1)).toMatchObject({ open: [], changed: [{ times: 'utc' }] });
  });

  it('reopens a closed tab with its latest text', async () => {
    const window = windowOn(none);
    await window.started();
    window.openNote().actions.type('{ nearly: lost');
    const id = window.tabs.store.getState().active ?? '';
    window.tabs.actions.close(id);
    await window.pass();
    expect(window.sentChanges.at(-1)).toMatchObject({ open: [], closed: [id] });
    window.tabs.actions.reopen();
    await window.started();
    const [tab] = window.tabs.store.getState().tabs;
    expect(noteKind.of(tab ?? null)?.store.getState().text).toBe('{ nearly: lost');
  });
});

describe('changes sent to the main process', () => {
  const ids = (...open: string[]) => ({ open, closed: [], active: null, neighbor: null, preview: null });
  it('fit into calls, whatever their size', () => {
    const outbox = createOutbox(2000);
    const all = ['a', 'b', 'c', 'd'].map((id) => keptNote(id, 'x'.repeat(id === 'c' ? 5000 : 1200)));
    const parts = outbox.changesToSend(ids('a', 'b', 'c', 'd'), all);
    expect(parts?.map(({ changed }) => changed.map(({ id }) => id))).toEqual([['a'], ['b'], ['c'], ['d']]);
    expect(outbox.changesToSend(ids('a', 'b', 'c', 'd'), all)).toBeNull();
  });

  it('are sent again after they were dropped, and include a new order', () => {
    const outbox = createOutbox(2000);
    const all = [keptNote('a', ''), keptNote('b', '')];
    outbox.changesToSend(ids('a', 'b'), all);
    expect(outbox.changesToSend(ids('b', 'a'), all)).toMatchObject([{ open: ['b', 'a'], changed: [] }]);
    outbox.forget();
    expect(outbox.changesToSend(ids('b', 'a'), all)?.[0]?.changed).toHaveLength(2);
  });
});

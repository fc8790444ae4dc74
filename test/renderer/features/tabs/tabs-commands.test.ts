import { describe, expect, it } from 'vitest';
import type { KeptTab } from '../../../../src/shared/tabs/tabs.ts';
import { tabsCommands } from '../../../../src/renderer/features/tabs/tabs-commands.ts';
import type { TabsCommands } from '../../../../src/renderer/features/commands/command-table.ts';
import { tabsAlone } from './support/note-kind.tsx';

/** Restored tabs, the middle one of them in view. */
function withTabs(...ids: string[]) {
  const tabs = tabsAlone();
  const open = ids.map((id): KeptTab => ({ id, kind: 'query', title: id, name: null, scope: [], state: {} }));
  tabs.actions.restore({ open, closed: [], active: ids[1] ?? null, neighbor: null, preview: null });
  const commands = tabsCommands(tabs);
  const can = () => Object.entries(commands).flatMap(([id, actionOf]) => (actionOf() ? [id] : []));
  const shown = () => {
    const { tabs: all, active } = tabs.store.getState();
    return all.map(({ id }) => (id === active ? `[${id}]` : id)).join(' ');
  };
  const act = (id: keyof TabsCommands) => {
    commands[id]()?.();
    return shown();
  };
  return { can, act, show: tabs.actions.show, neighbor: () => tabs.store.getState().neighbor?.id ?? null };
}

describe('commands of tabs', () => {
  it('act on the tab in view', () => {
    const { act, show, neighbor } = withTabs('a', 'b', 'c');
    expect(act('tabNext')).toBe('a b [c]');
    expect(act('tabPrevious')).toBe('a [b] c');
    expect(act('tabLeft')).toBe('[b] a c');
    expect(act('tabRight')).toBe('a [b] c');
    act('tabBeside');
    expect(neighbor()).toBe('c');
    // The focus moves to the tab at the right, and so do the commands.
    show('c');
    expect(act('tabLeft')).toBe('a [c] b');
    expect(act('tabRight')).toBe('a b [c]');
    show('b');
    act('tabAlone');
    expect(neighbor()).toBeNull();
    expect(act('tabClose')).toBe('a [c]');
    expect(act('tabReopen')).toBe('a c [b]');
    expect(act('tabOthers')).toBe('[b]');
    expect(act('tabAll')).toBe('');
  });

  it('include only those with an effect', () => {
    expect(withTabs().can()).toEqual([]);
    expect(withTabs('a', 'b').can()).not.toContain('tabRight');
    expect(withTabs('a').can()).toEqual(['tabClose', 'tabAll', 'tabRename', 'tabDuplicate']);
  });
});

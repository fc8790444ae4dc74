import { describe, expect, it } from 'vitest';
import type { KeptTab } from '../../../../src/shared/tabs/tabs.ts';
import { tabAbilities } from '../../../../src/renderer/app/commands/compose-commands.ts';
import { createTabs, type Tab } from '../../../../src/renderer/app/tabs.ts';
import type { CommandId } from '../../../../src/renderer/features/commands/command-table.ts';

const store = ({ id, title, name }: Tab): KeptTab => ({
  id,
  kind: 'query',
  title,
  name,
  scope: [],
  state: {},
});

/** Restored tabs, the middle one of them in view. */
function withTabs(...ids: string[]) {
  const tabs = createTabs({ store, selectedWells: () => [] });
  const open = ids.map((id): KeptTab => ({ id, kind: 'query', title: id, name: null, scope: [], state: {} }));
  tabs.actions.restore({ open, closed: [], active: ids[1] ?? null });
  let another = 0;
  const abilities = tabAbilities(() => ({ tabs, openAnother: () => (another += 1) > 0 }));
  const can = () =>
    Object.entries(abilities).flatMap(([id, ability]) => (id.startsWith('tab') && ability() ? [id] : []));
  const shown = () => {
    const { tabs: all, active } = tabs.store.getState();
    return all.map(({ id }) => (id === active ? `[${id}]` : id)).join(' ');
  };
  const act = (id: CommandId) => {
    abilities[id]?.()?.();
    return shown();
  };
  return { can, act, another: () => another, beside: () => tabs.store.getState().secondTab };
}

describe('commands of tabs', () => {
  it('act on the tab in view', () => {
    const { act, beside } = withTabs('a', 'b', 'c');
    expect(act('tabNext')).toBe('a b [c]');
    expect(act('tabPrevious')).toBe('a [b] c');
    expect(act('tabLeft')).toBe('[b] a c');
    expect(act('tabRight')).toBe('a [b] c');
    act('tabBeside');
    expect(beside()).toBe('c');
    act('tabAlone');
    expect(beside()).toBeNull();
    expect(act('tabClose')).toBe('a [c]');
    expect(act('tabReopen')).toBe('a c [b]');
    expect(act('tabOthers')).toBe('[b]');
  });

  it('include only those with an effect', () => {
    expect(withTabs().can()).toEqual([]);
    expect(withTabs('a', 'b').can()).not.toContain('tabRight');
    expect(tabAbilities(() => null)['tabClose']?.()).toBeNull();
  });
});

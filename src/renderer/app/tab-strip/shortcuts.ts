import { useEffect, useEffectEvent } from 'react';
import { useTabs, useTabsActions, type TabsActions } from '../tabs.ts';

/** What the keyboard can do with tabs, from wherever the focus is. */
export type TabCommand = 'new' | 'close' | 'next' | 'previous' | 'reopen' | 'left' | 'right';

type Keys = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * What keys ask for. The shortcuts of browsers hold where the window gets them: in Electron. A browser keeps them for
 * its own tabs, so that each has another one with Alt.
 */
export function tabCommand({ code, ctrlKey, metaKey, altKey, shiftKey }: Keys): TabCommand | null {
  const alone = altKey && !ctrlKey && !metaKey;
  const control = (ctrlKey || metaKey) && !altKey;
  if (code === 'Tab' && ctrlKey && !altKey && !metaKey) return shiftKey ? 'previous' : 'next';
  if (code === 'KeyT' && (control || alone)) return shiftKey ? 'reopen' : 'new';
  if (code === 'KeyW' && (control || alone) && !shiftKey) return 'close';
  if (code === 'PageDown' && (control || alone)) return shiftKey ? 'right' : 'next';
  if (code === 'PageUp' && (control || alone)) return shiftKey ? 'left' : 'previous';
  return null;
}

/** Carries a command out on the tab in view. */
export function carryOut(
  command: TabCommand,
  { ids, active }: { readonly ids: readonly string[]; readonly active: string | null },
  actions: Pick<TabsActions, 'close' | 'showNext' | 'reopen' | 'move'>,
  onNew: () => void,
): void {
  const at = active === null ? -1 : ids.indexOf(active);
  switch (command) {
    case 'new':
      return onNew();
    case 'close':
      return active === null ? undefined : actions.close(active);
    case 'next':
      return actions.showNext(1);
    case 'previous':
      return actions.showNext(-1);
    case 'reopen':
      return actions.reopen();
    case 'left':
      return active === null ? undefined : actions.move(active, at - 1);
    case 'right':
      return active === null ? undefined : actions.move(active, at + 1);
  }
}

/** Listens for the shortcuts before editor and grid do. */
export function useTabShortcuts(onNew: () => void): void {
  const tabs = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  const actions = useTabsActions();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const command = tabCommand(event);
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    carryOut(command, { ids: tabs.map(({ id }) => id), active }, actions, onNew);
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
}

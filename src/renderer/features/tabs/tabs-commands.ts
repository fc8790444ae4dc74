import type { Action, TabsCommands } from '../commands/command-table.ts';
import type { Tabs } from './tabs.ts';

/** What can be done with a tab now, by command; null: nothing. */
export function tabActions({ store, actions }: Pick<Tabs, 'store' | 'actions'>, id: string) {
  const { tabs, preview, closed } = store.getState();
  const at = tabs.findIndex((tab) => tab.id === id);
  return {
    tabRename: () => actions.showForm({ tab: id, form: 'rename' }),
    tabDuplicate: () => actions.duplicate(id),
    tabLeft: at > 0 ? () => actions.move(id, at - 1) : null,
    tabRight: at < tabs.length - 1 ? () => actions.move(id, at + 1) : null,
    tabKeep: preview === id ? () => actions.pin(id) : null,
    tabClose: () => actions.close(id),
    tabOthers: tabs.length > 1 ? () => actions.closeOthers(id) : null,
    tabAll: actions.closeAll,
    tabReopen: closed.length > 0 ? actions.reopen : null,
  } satisfies Partial<Record<keyof TabsCommands, Action>>;
}

/** The commands for the tabs of a connection; they act on the tab with the focus. */
export function tabsCommands(model: Pick<Tabs, 'store' | 'actions'>): TabsCommands {
  const { store, actions } = model;
  const ofActive = (command: keyof ReturnType<typeof tabActions>) => (): Action => {
    const { active } = store.getState();
    return active === null ? null : tabActions(model, active)[command];
  };
  const ofSeveral = (act: () => void) => (): Action => (store.getState().tabs.length > 1 ? act : null);
  return {
    tabClose: ofActive('tabClose'),
    tabOthers: ofActive('tabOthers'),
    tabAll: ofActive('tabAll'),
    tabKeep: ofActive('tabKeep'),
    tabReopen: () => (store.getState().closed.length > 0 ? actions.reopen : null),
    tabRename: ofActive('tabRename'),
    tabDuplicate: ofActive('tabDuplicate'),
    tabNext: ofSeveral(() => actions.showNext(1)),
    tabPrevious: ofSeveral(() => actions.showNext(-1)),
    tabRight: ofActive('tabRight'),
    tabLeft: ofActive('tabLeft'),
    tabBeside() {
      const { tabs, active, neighbor } = store.getState();
      const next = tabs[(tabs.findIndex(({ id }) => id === active) + 1) % tabs.length];
      return next && next.id !== active && next.id !== neighbor?.id
        ? () => actions.showBeside(next.id)
        : null;
    },
    tabAlone: () => (store.getState().neighbor === null ? null : () => actions.showBeside(null)),
  };
}

import type { Action, TabsCommands } from '../commands/command-table.ts';
import { activeTab, type Tab, type Tabs } from './tabs.ts';

interface TabAction {
  readonly tab: Tab;
  /** Its index among the tabs. */
  readonly at: number;
  readonly count: number;
}

/** The commands for the tabs of a connection; they act on the tab with the focus. */
export function tabsCommands({ store, actions }: Pick<Tabs, 'store' | 'actions'>): TabsCommands {
  const ofTab = (action: (active: TabAction) => Action) => (): Action => {
    const { tabs } = store.getState();
    const tab = activeTab(store.getState());
    return tab && action({ tab, at: tabs.indexOf(tab), count: tabs.length });
  };
  const ofSeveral = (action: (active: TabAction) => Action) =>
    ofTab((active) => (active.count > 1 ? action(active) : null));
  const withId =
    (act: (id: string) => void) =>
    ({ tab }: TabAction): Action =>
    () =>
      act(tab.id);
  return {
    tabClose: ofTab(withId(actions.close)),
    tabOthers: ofSeveral(withId(actions.closeOthers)),
    tabAll: ofTab(() => actions.closeAll),
    tabKeep: ofTab((active) =>
      store.getState().preview === active.tab.id ? withId(actions.pin)(active) : null,
    ),
    tabReopen: () => (store.getState().closed.length > 0 ? actions.reopen : null),
    tabRename: ofTab(withId((tab) => actions.showForm({ tab, form: 'rename' }))),
    tabDuplicate: ofTab(withId(actions.duplicate)),
    tabNext: ofSeveral(() => () => actions.showNext(1)),
    tabPrevious: ofSeveral(() => () => actions.showNext(-1)),
    tabRight: ofTab(({ tab, at, count }) => (at < count - 1 ? () => actions.move(tab.id, at + 1) : null)),
    tabLeft: ofTab(({ tab, at }) => (at > 0 ? () => actions.move(tab.id, at - 1) : null)),
    tabBeside: ofSeveral(({ at, count }) => {
      const { tabs, neighbor } = store.getState();
      const next = tabs[(at + 1) % count];
      return next && next.id !== neighbor?.id ? () => actions.showBeside(next.id) : null;
    }),
    tabAlone: () => (store.getState().neighbor === null ? null : () => actions.showBeside(null)),
  };
}

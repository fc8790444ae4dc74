import type { Abilities } from '../../features/commands/commands.ts';
import { focusSection } from '../focus-section.ts';
import type { Session } from '../session.ts';
import type { Tab } from '../tabs.ts';

type TabsOfSession = Pick<Session, 'tabs' | 'openAnother'>;

/** A tab in view and what is around it. */
interface InView {
  readonly session: TabsOfSession;
  readonly tab: Tab;
  /** Its place among the tabs, counted from 0. */
  readonly at: number;
  readonly count: number;
}

/** What can be done with the tabs of the connection in view. */
export function tabAbilities(session: () => TabsOfSession | null): Abilities {
  /** Something that is done to the tab in view; null where there is none, or it can't be done to that one. */
  const ofTab = (can: (view: InView) => (() => void) | null) => () => {
    const shown = session();
    if (!shown) return null;
    const { tabs, active } = shown.tabs.store.getState();
    const at = tabs.findIndex(({ id }) => id === active);
    const tab = tabs[at];
    return tab ? can({ session: shown, tab, at, count: tabs.length }) : null;
  };
  /** Something that the question in view does. */
  const ofQuery = (can: (model: (Tab & { kind: 'query' })['model']) => (() => void) | null) =>
    ofTab(({ tab }) => (tab.kind === 'query' ? can(tab.model) : null));
  const ask = (mode: 'find' | 'aggregate' | 'pipeline') =>
    ofQuery(({ store, actions }) =>
      store.getState().text.mode === mode ? null : () => actions.switchTo(mode),
    );

  return {
    run: ofQuery(
      ({ actions }) =>
        () =>
          void actions.run(),
    ),
    count: ofQuery(({ store, actions }) =>
      store.getState().text.mode === 'pipeline' ? null : () => void actions.count(),
    ),
    stop: ofQuery(({ store, results, actions }) => {
      const runs = results.store.getState().answer.face === 'running';
      return runs || store.getState().counted.face === 'running' ? actions.cancel : null;
    }),
    export: ofQuery(
      ({ actions }) =>
        () =>
          actions.showExport(true),
    ),
    askFind: ask('find'),
    askAggregate: ask('aggregate'),
    askPipeline: ask('pipeline'),
    tabNew: () => {
      const shown = session();
      return shown && (() => void (shown.openAnother() || focusSection('datasets')));
    },
    tabClose: ofTab(
      ({ session: { tabs }, tab }) =>
        () =>
          tabs.actions.close(tab.id),
    ),
    tabOthers: ofTab(({ session: { tabs }, tab, count }) =>
      count > 1 ? () => tabs.actions.closeOthers(tab.id) : null,
    ),
    tabReopen: () => {
      const tabs = session()?.tabs;
      return tabs && tabs.store.getState().closed.length > 0 ? tabs.actions.reopen : null;
    },
    tabDuplicate: ofTab(
      ({ session: { tabs }, tab }) =>
        () =>
          tabs.actions.duplicate(tab.id),
    ),
    tabNext: ofTab(({ session: { tabs }, count }) => (count > 1 ? () => tabs.actions.showNext(1) : null)),
    tabPrevious: ofTab(({ session: { tabs }, count }) =>
      count > 1 ? () => tabs.actions.showNext(-1) : null,
    ),
    tabRight: ofTab(({ session: { tabs }, tab, at, count }) =>
      at < count - 1 ? () => tabs.actions.move(tab.id, at + 1) : null,
    ),
    tabLeft: ofTab(({ session: { tabs }, tab, at }) =>
      at > 0 ? () => tabs.actions.move(tab.id, at - 1) : null,
    ),
    tabBeside: ofTab(({ session: { tabs }, at, count }) => {
      const { tabs: all, beside } = tabs.store.getState();
      const next = all[(at + 1) % count];
      return next && count > 1 && next.id !== beside ? () => tabs.actions.showBeside(next.id) : null;
    }),
    tabAlone: ofTab(({ session: { tabs } }) =>
      tabs.store.getState().beside === null ? null : () => tabs.actions.showBeside(null),
    ),
  };
}

import type { QuestionMode } from '../../../shared/query/question.ts';
import type { Theme } from '../../../shared/settings/settings.ts';
import { createCommands, type Abilities, type Commands } from '../../features/commands/commands.ts';
import type { Connections } from '../../features/connections/connections.ts';
import type { Diagnostics } from '../../features/connections/diagnostics.ts';
import type { Help } from '../../features/help/help.ts';
import { helpHere } from '../../features/help/help-here.ts';
import type { Jobs } from '../../features/jobs/jobs.ts';
import type { Mirrors } from '../../features/mirrors/mirrors.ts';
import type { Settings } from '../../features/settings/settings.ts';
import type { Session } from '../session.ts';
import type { Tab } from '../tabs.ts';
import type { Composition } from '../compose.ts';
import { entrySources } from './entry-sources.ts';
import { resultAbilities } from './result-abilities.ts';

/** The guide about where the user is. */
const toggleHelp = ({ actions }: Help): void =>
  actions.toggle(helpHere(), document.activeElement?.closest('.side-panel') != null);

interface WindowParts {
  readonly help: Help;
  readonly connections: Connections;
  readonly diagnostics: Diagnostics;
  readonly jobs: Jobs;
  readonly mirrors: Mirrors;
  readonly settings: Settings;
  /** The session of the current connection; null: the start screen. */
  readonly session: () => Session | null;
}

function windowAbilities(parts: WindowParts): Abilities {
  const { help, connections, diagnostics, jobs, mirrors, settings, session } = parts;
  const current = () => connections.store.getState().current;
  const theme = (wanted: Theme) => () =>
    settings.store.getState().values.theme === wanted ? null : () => settings.actions.set({ theme: wanted });
  return {
    browse: () => session()?.openBrowse ?? null,
    upload: () => {
      const shown = session();
      return shown && !current()?.readOnly ? () => shown.uploads.open() : null;
    },
    jobs: () => session() && (() => jobs.actions.show(!jobs.store.getState().isOpen)),
    mirrors: () => session() && (() => mirrors.actions.show(null)),
    noWells: () => {
      const wells = session()?.wells;
      return wells && wells.store.getState().selected.length > 0 ? wells.actions.deselectAll : null;
    },
    sample: () => (current() ? null : () => void connections.actions.openSample()),
    connections: () => (current() ? connections.actions.leave : null),
    connectionEdit: () => {
      const shown = current();
      const isOwn = shown && !shown.sample && shown.secret !== 'environment';
      return isOwn ? () => connections.actions.edit(shown.id) : null;
    },
    connectionDoctor: () => {
      const shown = current();
      if (!shown) return null;
      const { id, name } = shown;
      return () => void diagnostics.actions.start({ id, name, subject: { connection: id } });
    },
    connectionClose: () => {
      const shown = current();
      return shown && (() => connections.actions.close(shown.id));
    },
    help: () => () => toggleHelp(help),
    settings: () => () => settings.actions.show(!settings.store.getState().isOpen),
    shortcuts: () => () => help.actions.open({ page: 'keyboard.md', heading: null }),
    themeSystem: theme('system'),
    themeLight: theme('light'),
    themeDark: theme('dark'),
  };
}

type SessionTabs = Pick<Session, 'tabs' | 'openAnother'>;

interface ActiveTab {
  readonly session: SessionTabs;
  readonly tab: Tab;
  /** Its index among the tabs. */
  readonly at: number;
  readonly count: number;
}

/** Commands for the tabs of the current connection. */
export function tabAbilities(session: () => SessionTabs | null): Abilities {
  /** A command for the active tab; null if it doesn't apply. */
  const ofTab = (can: (view: ActiveTab) => (() => void) | null) => () => {
    const shown = session();
    if (!shown) return null;
    const { tabs, active } = shown.tabs.store.getState();
    const at = tabs.findIndex(({ id }) => id === active);
    const tab = tabs[at];
    return tab ? can({ session: shown, tab, at, count: tabs.length }) : null;
  };
  /** A command for the active query. */
  const ofQuery = (can: (model: (Tab & { kind: 'query' })['model']) => (() => void) | null) =>
    ofTab(({ tab }) => (tab.kind === 'query' ? can(tab.model) : null));
  const ask = (mode: QuestionMode) =>
    ofQuery(({ store, actions }) =>
      store.getState().text.mode === mode ? null : () => actions.switchTo(mode),
    );

  return {
    run: ofQuery(
      ({ actions }) =>
        () =>
          void actions.run(),
    ),
    count: ofQuery(({ actions }) => (actions.canCount() ? () => void actions.count() : null)),
    stop: ofQuery(({ store, results, actions }) => {
      const runs = results.store.getState().answer.status === 'running';
      return runs || store.getState().count.status === 'running' ? actions.cancel : null;
    }),
    // The rows of a statement have a button of their own.
    export: ofQuery(({ store, actions }) =>
      store.getState().text.mode === 'sql' ? null : () => actions.showExport(true),
    ),
    askFind: ask('find'),
    askAggregate: ask('aggregate'),
    askPipeline: ask('pipeline'),
    askSql: ask('sql'),
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
      const { tabs: all, secondTab } = tabs.store.getState();
      const next = all[(at + 1) % count];
      return next && count > 1 && next.id !== secondTab ? () => tabs.actions.showBeside(next.id) : null;
    }),
    tabAlone: ofTab(({ session: { tabs } }) =>
      tabs.store.getState().secondTab === null ? null : () => tabs.actions.showBeside(null),
    ),
  };
}

/** All commands and palette entries. */
export function composeCommands(parts: Composition): Commands {
  const watchSession = { ...parts, session: () => parts.sessions.getState().current };
  const commands = createCommands({
    abilities: {
      ...windowAbilities(watchSession),
      ...tabAbilities(watchSession.session),
      ...resultAbilities(watchSession.session),
    },
    sources: entrySources(watchSession),
    activeTab: () => watchSession.session()?.tabs.store.getState().active ?? null,
  });
  const { store } = parts.settings;
  commands.actions.setShortcuts(store.getState().stored.shortcuts);
  store.subscribe(({ stored }, before) => {
    if (stored !== before.stored) commands.actions.setShortcuts(stored.shortcuts);
  });
  return commands;
}

import type { Theme } from '../../../shared/settings/settings.ts';
import type { AppCommands } from '../../features/commands/command-table.ts';
import { createCommands, type Commands } from '../../features/commands/commands.ts';
import { isEditable } from '../../features/connections/connections.ts';
import { helpHere } from '../../features/help/help-here.ts';
import type { Help } from '../../features/help/help.ts';
import type { Composition } from '../compose.ts';
import { followShortcuts } from '../follow.ts';
import type { SectionId } from '../../features/sidebar/sidebar.ts';
import type { SessionCommands } from './session-commands.ts';
import { entrySources } from './entry-sources.ts';

/** The guide about where the user is. */
const toggleHelp = ({ actions }: Help): void =>
  actions.toggle(helpHere(), document.activeElement?.closest('.side-panel') != null);

function appCommands(parts: Composition): AppCommands {
  const { help, connections, diagnostics, jobs, mirrors, settings, sidebar, sessions } = parts;
  const session = () => sessions.getState().current;
  const ofSession = (id: keyof SessionCommands['app']) => () => session()?.commands.app[id]() ?? null;
  const current = () => connections.store.getState().current;
  const setTheme = (theme: Theme) => () =>
    settings.store.getState().values.theme === theme ? null : () => settings.actions.set({ theme });
  const showSection = (id: SectionId) => () => session() && (() => sidebar.actions.focus(id));
  return {
    tabNew: ofSession('tabNew'),
    side: () => session() && sidebar.actions.toggle,
    wells: showSection('wells'),
    datasets: showSection('datasets'),
    saved: showSection('saved'),
    history: showSection('history'),
    browse: ofSession('browse'),
    upload: ofSession('upload'),
    jobs: () => session() && (() => jobs.actions.show(!jobs.store.getState().isOpen)),
    mirrors: () => session() && (() => mirrors.actions.show(null)),
    noWells: ofSession('noWells'),
    sample: () => (current() ? null : () => void connections.actions.openSample()),
    connections: () => (current() ? connections.actions.leave : null),
    connectionEdit: () => {
      const shown = current();
      return shown && isEditable(shown) ? () => connections.actions.edit(shown.id) : null;
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
    tour: () => session()?.tour().actions.start ?? null,
    settings: () => () => settings.actions.show(!settings.store.getState().isOpen),
    shortcuts: () => () => help.actions.open({ page: 'keyboard.md', heading: null }),
    themeSystem: setTheme('system'),
    themeLight: setTheme('light'),
    themeDark: setTheme('dark'),
  };
}

/** All commands and palette entries. */
export function composeCommands(parts: Composition): Commands {
  const session = () => parts.sessions.getState().current;
  const commands = createCommands({
    app: appCommands(parts),
    tabs: () => session()?.commands.tabs ?? null,
    tab: () => session()?.commands.tab() ?? null,
    sources: entrySources({
      ...parts,
      session,
      // Loaded with the open connection.
      openDataset: (shown, dataset) =>
        void import('../../features/query/open-query.ts').then((queries) =>
          queries.openDataset(shown, dataset),
        ),
    }),
  });
  followShortcuts(commands, parts.settings);
  return commands;
}

import type { Theme } from '../../../shared/settings/settings.ts';
import {
  type AppCommands,
  searchEntries,
  type Entry,
  type EntrySource,
} from '../../features/commands/command-table.ts';
import { createCommands, type Commands } from '../../features/commands/commands.ts';
import { closeConnection, isEditable, type Connections } from '../../features/connections/connections.ts';
import { helpHere } from '../../features/help/help-button.tsx';
import type { Help } from '../../features/help/help.ts';
import type { Composition } from '../compose.ts';
import { followShortcuts } from '../follow.ts';
import type { SectionId } from '../../features/sidebar/sidebar.ts';
import type { SessionCommands } from './session-commands.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { SavedQuery } from '../../../shared/saved/saved.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { addressText, searchDatasets } from '../../features/datasets/search.ts';
import type { Saved } from '../../features/saved/saved.ts';
import type { Settings } from '../../features/settings/settings.ts';
import { settingSections } from '../../features/settings/setting-table.ts';
import { valueOr } from '../../state/loadable.ts';
import { listedWells } from '../../features/wells/wells-state.ts';
import { reportWords } from '../../words/report.ts';
import { words } from '../../words/words.ts';
import type { Session } from '../../contexts.ts';
import { tabTitle } from '../../features/tabs/tab-title.ts';

export interface SourceParts {
  readonly connections: Connections;
  readonly saved: Saved;
  readonly help: Help;
  readonly settings: Settings;
  /** The session of the current connection; null: the start screen. */
  readonly session: () => Session | null;
  readonly openDataset: (session: Session, dataset: Dataset) => void;
  readonly openReport: (session: Session, folder: string) => void;
}

/** The maximum number of entries of each kind. */
const maxEntries = 20;

function openTabs(tabs: Session['tabs'] | undefined): Entry[] {
  const { tabs: open = [], active } = tabs?.store.getState() ?? {};
  return open
    .filter(({ id }) => id !== active)
    .map((tab) => ({
      id: `tab ${tab.id}`,
      group: 'openTab',
      text: tabTitle(tab),
      act: () => tabs?.actions.show(tab.id),
    }));
}

async function pages(help: Help, text: string): Promise<Entry[]> {
  if (text === '') return [];
  // The guide loads on first use.
  const { search } = await import('../../features/help/pages.ts');
  return search(text)
    .filter((part) => part.text === '')
    .slice(0, maxEntries)
    .map(({ page, heading }) => ({
      id: `page ${page} ${heading ?? ''}`,
      group: 'page',
      text: heading ?? page,
      act: () => help.actions.open({ page, heading }),
    }));
}

function settingEntries(settings: Settings, text: string): Entry[] {
  if (text === '') return [];
  const all = settingSections.flatMap(({ id, names }) =>
    names.map((name): Entry => {
      const { name: title } = words.settings.names[name];
      return {
        id: `setting ${name}`,
        group: 'setting',
        text: title,
        note: words.settings.sections[id],
        act: () => settings.actions.find(title),
      };
    }),
  );
  return searchEntries(all, text);
}

export function entrySources(parts: SourceParts): EntrySource[] {
  const { connections, saved, help, settings, session, openDataset, openReport } = parts;
  function datasets(text: string): Entry[] {
    const shown = session();
    if (!shown || text === '') return [];
    return searchDatasets(valueOr(shown.datasets.store.getState().list, []), text, 'all')
      .slice(0, maxEntries)
      .map((dataset) => ({
        id: `dataset ${addressText(dataset)}`,
        group: 'dataset',
        text: addressText(dataset),
        ...(dataset.friendlyName === '' ? {} : { note: dataset.friendlyName }),
        act: () => openDataset(shown, dataset),
      }));
  }
  function wells(text: string): Entry[] {
    const shown = session()?.wells;
    if (!shown || text === '') return [];
    return listedWells(shown.store.getState())
      .search(text, maxEntries)
      .map((well) => ({
        id: `well ${String(well.platformId)}`,
        group: 'well',
        text: well.name,
        note: noteOf(well, text),
        act: () => shown.actions.changeSelection([well]),
      }));
  }
  function otherConnections(): Entry[] {
    const { list, current } = connections.store.getState();
    return valueOr(list, [])
      .filter(({ id, secret }) => id !== current?.id && secret !== 'missing')
      .map((connection) => ({
        id: `connection ${connection.id}`,
        group: 'connectTo',
        text: connection.name,
        act: () => connections.actions.open(connection),
      }));
  }
  async function savedQueries(text: string): Promise<Entry[]> {
    const shown = session();
    if (!shown || text === '') return [];
    if (saved.store.getState().list.status === 'idle') await saved.actions.load();
    const queries = valueOr(saved.store.getState().list, null)?.queries ?? [];
    const folders = [...new Set(queries.map(({ folder }) => folder))].filter(Boolean);
    const reports = folders.map((folder): Entry => ({
      id: `report ${folder}`,
      group: 'savedQuery',
      text: reportWords.openNamed(folder),
      also: reportWords.also,
      act: () => openReport(shown, folder),
    }));
    const open = (query: SavedQuery) => void saved.actions.open(query);
    return [...searchEntries(reports, text), ...savedQueryEntries(queries, text, open)];
  }
  // Wells come before saved queries: typed names are mostly wells.
  return [
    wells,
    () => openTabs(session()?.tabs),
    datasets,
    (text) => settingEntries(settings, text),
    otherConnections,
    savedQueries,
    (text) => pages(help, text),
  ];
}

/** Of a well found by the digits of its API number, that number too. */
function noteOf({ assetId, apiNumber }: Well, text: string): string {
  const id = assetId === null ? words.commands.noAssetId : String(assetId);
  return apiNumber !== null && /\d{5}|\d-\d/.test(text) ? `${id} · ${apiNumber}` : id;
}

/** The saved queries whose name or dataset contains every word. */
export function savedQueryEntries(
  queries: readonly SavedQuery[],
  text: string,
  open: (query: SavedQuery) => void,
): Entry[] {
  const entries = queries.map((query): Entry => ({
    id: `saved ${query.id}`,
    group: 'savedQuery',
    text: query.name,
    note: addressText(query),
    act: () => open(query),
  }));
  return searchEntries(entries, text).slice(0, maxEntries);
}

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
      return shown && (() => closeConnection(parts, shown.id));
    },
    help: () => () => toggleHelp(help),
    settings: () => () => settings.actions.show(!settings.store.getState().isOpen),
    shortcuts: () => () => help.actions.open({ page: 'keyboard.md', heading: null }),
    themeSystem: setTheme('system'),
    themeLight: setTheme('light'),
    themeDark: setTheme('dark'),
  };
}

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
      openReport: (shown, folder) =>
        void import('../../features/report/report-kind.ts').then((reports) =>
          reports.openReport(shown, folder),
        ),
    }),
  });
  followShortcuts(commands, parts.settings);
  return commands;
}

import { createContext, use } from 'react';
import { useStore, type ExtractState } from 'zustand';
import type { Api } from './api/api.ts';
import type { SessionCommands } from './app/commands/session-commands.ts';
import type { handOverFile, SaveFile } from './api/files.ts';
import type { Commands } from './features/commands/commands.ts';
import type { Connections, ProfileShares, Sessions } from './features/connections/connections.ts';
import type { Diagnostics } from './features/connections/diagnostics.ts';
import type { DatasetTab } from './features/dataset-tab/dataset-tab.ts';
import type { Datasets } from './features/datasets/datasets.ts';
import type { FieldCatalogue } from './features/datasets/field-catalogue.ts';
import type { Logs } from './features/datasets/logs.ts';
import type { Exporting } from './features/export/export.ts';
import type { Help } from './features/help/help.ts';
import type { History } from './features/history/history.ts';
import type { EndNotices } from './features/jobs/end-notices.ts';
import type { Jobs } from './features/jobs/jobs.ts';
import type { Mirrors } from './features/mirrors/mirrors.ts';
import type { OpenedFeature } from './features/opened/opened.ts';
import type { Notes } from './features/notes/notes.tsx';
import type { Overlays } from './features/plot/overlays/overlays.ts';
import type { QueryTab } from './features/query/query-tab.ts';
import type { SqlTables } from './features/query/sql/sql-tables.ts';
import type { RecordView } from './features/records/shown-cells.ts';
import type { RecordsThread } from './features/records/records.ts';
import type { QueryLinks, Results } from './features/results/results.ts';
import type { ViewStore } from './features/results/view-store.ts';
import type { Saved } from './features/saved/saved.ts';
import type { Settings } from './features/settings/settings.ts';
import type { Sidebar } from './features/sidebar/sidebar.ts';
import type { TabStorage, WindowMemory } from './features/tabs/tab-storage.ts';
import type { Tabs } from './features/tabs/tabs.ts';
import type { UploadQueue } from './features/upload/queue/upload-queue.ts';
import type { UploadTab } from './features/upload/upload-tab.ts';
import type { Directory } from './features/wells/directory.ts';
import type { Wells } from './features/wells/wells.ts';
import type { Workspace } from './features/workspace/workspace.ts';

/** The parts of the window, which live as long as it does. `app/compose.ts` builds them. */
export interface App {
  readonly api: Api;
  readonly records: RecordsThread;
  readonly connections: Connections;
  readonly diagnostics: Diagnostics;
  readonly shares: ProfileShares;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly commands: Commands;
  readonly help: Help;
  readonly sidebar: Sidebar;
  readonly opened: OpenedFeature;
  readonly saved: Saved;
  readonly jobs: Jobs;
  readonly endNotices: EndNotices;
  readonly mirrors: Mirrors;
  readonly exporting: Exporting;
  readonly queue: UploadQueue;
  readonly fields: FieldCatalogue;
  readonly sqlTables: SqlTables;
  readonly save: SaveFile;
  readonly transferFile: typeof handOverFile;
}

/** The parts of one open connection. `app/session.ts` builds them. */
export interface Session {
  readonly app: SessionApp;
  readonly connection: string;
  readonly wells: Wells;
  readonly directory: Directory;
  readonly datasets: Datasets;
  readonly views: ViewStore;
  readonly logs: Logs;
  readonly overlays: Overlays;
  readonly notes: Notes;
  readonly tabs: Tabs;
  readonly tabStorage: TabStorage;
  readonly windowMemory: WindowMemory;
  readonly history: History;
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal;
  readonly commands: SessionCommands;
  /** Loads the lists, or loads them again. Open tabs stay. */
  readonly load: () => void;
  /** Ends it at once. Settles when its tabs are stored, or can't be. */
  readonly close: () => Promise<void>;
}

export type SessionApp = Pick<
  App,
  | 'api'
  | 'records'
  | 'fields'
  | 'settings'
  | 'jobs'
  | 'queue'
  | 'sidebar'
  | 'connections'
  | 'sessions'
  | 'transferFile'
>;

/** Parts that a tab may provide. */
export interface TabParts {
  readonly query: QueryTab;
  readonly upload: UploadTab;
  readonly dataset: DatasetTab;
  readonly links: QueryLinks;
  readonly results: Results;
  readonly shown: RecordView;
}

export const AppContext = createContext<App | null>(null);
export const SessionContext = createContext<Session | null>(null);
export const TabContext = createContext<Partial<TabParts>>({});
/** The id of the tab that a component is in; null: none. */
export const TabIdContext = createContext<string | null>(null);

type KeysWithStore<T> = { [Key in keyof T]: T[Key] extends { store: unknown } ? Key : never }[keyof T];
type StateOf<T extends { store: unknown }> = ExtractState<T['store']>;

/** @throws Error outside the window */
export function useApp(): App {
  const app = use(AppContext);
  if (!app) throw new Error('no window is provided here');
  return app;
}

export function useAppState<Key extends KeysWithStore<App>, Part>(
  key: Key,
  select: (state: StateOf<App[Key]>) => Part,
): Part {
  return useStore<App[Key]['store'], Part>(useApp()[key].store, select);
}

/** @throws Error where no connection is open */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('no open connection is provided here');
  return session;
}

export function useSessionState<Key extends KeysWithStore<Session>, Part>(
  key: Key,
  select: (state: StateOf<Session[Key]>) => Part,
): Part {
  return useStore<Session[Key]['store'], Part>(useSession()[key].store, select);
}

/** @throws Error outside such a tab */
export function useTab<Key extends keyof TabParts>(key: Key): NonNullable<Partial<TabParts>[Key]> {
  const part = use(TabContext)[key];
  if (part === undefined) throw new Error(`no ${key} is provided here`);
  return part;
}

export function useTabState<Key extends KeysWithStore<TabParts>, Part>(
  key: Key,
  select: (state: StateOf<TabParts[Key]>) => Part,
): Part {
  return useStore<TabParts[Key]['store'], Part>(useTab(key).store, select);
}

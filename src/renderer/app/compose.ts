import { webPort } from '../../shared/threads.ts';
import type { SharedQuery } from '../../shared/saved/saved.ts';
import { createApi } from '../api/api.ts';
import type { App, Session } from '../contexts.ts';
import { createSave, downloadAddress, downloadBlob, handOverFile, startDownload } from '../api/files.ts';
import { createSqlTables } from '../features/query/sql/sql-tables.ts';
import { systemNotices } from '../api/system-notices.ts';
import type { ReconnectingLink } from '../api/reconnecting.ts';
import {
  createConnections,
  createLastConnection,
  type Connections,
  type ConnectionsState,
  createRecentConnections,
  createProfileShares,
  isOfJob,
  type Sessions,
  type SessionsState,
} from '../features/connections/connections.ts';
import { createDiagnostics } from '../features/connections/diagnostics.ts';
import { createExport } from '../features/export/export.ts';
import { createHelp } from '../features/help/help.ts';
import { createEndNotices } from '../features/jobs/end-notices.ts';
import { activeJobs } from '../features/jobs/job-list.ts';
import { createMirrors } from '../features/mirrors/mirrors.ts';
import { createOpened } from '../features/opened/opened.ts';
import { createJobs } from '../features/jobs/jobs.ts';
import { createUploadQueue } from '../features/upload/queue/upload-queue.ts';
import { createFieldCatalogue } from '../features/datasets/field-catalogue.ts';
import { createRecordsThread } from '../features/records/records.ts';
import { createSaved } from '../features/saved/saved.ts';
import { createSettings, createSettingsMemory } from '../features/settings/settings.ts';
import { createWorkspace } from '../features/workspace/workspace.ts';
import { copyText } from '../ui/clipboard.ts';
import { afterFirstScreen } from './first-screen.ts';
import { createSidebar } from '../features/sidebar/sidebar.ts';
import { applyAppearance, followStores } from './follow.ts';
import { createStore } from 'zustand/vanilla';
import type { Connection } from '../../shared/connections/connections.ts';

export type MakeSession = (connection: string) => Session;

/**
 * Keeps a session for each open connection, and the current one. Lists are reloaded when a connection's
 * addresses or credentials change.
 * @param loading resolves when the code of sessions is loaded
 */
export function createSessions(
  connections: Pick<Connections, 'store'>,
  loading: Promise<MakeSession>,
): Sessions {
  const store = createStore<SessionsState>()(() => ({ open: new Map(), current: null }));
  void loading.then((make) => {
    const none: OpenConnections = { open: new Map(), current: null };
    const adjust = (now: OpenConnections, before: OpenConnections) =>
      store.setState(updateSessions(store.getState(), make, now, before));
    adjust(connections.store.getState(), none);
    connections.store.subscribe((now, before) => {
      if (now.open !== before.open || now.current !== before.current) adjust(now, before);
    });
  });
  return store;
}

type OpenConnections = Pick<ConnectionsState, 'open' | 'current'>;

function updateSessions(
  { open }: SessionsState,
  make: MakeSession,
  now: OpenConnections,
  before: OpenConnections,
): SessionsState {
  const sessions = new Map(open);
  for (const [id, session] of sessions) {
    if (now.open.has(id)) continue;
    void session.close();
    sessions.delete(id);
  }
  for (const [id, connection] of now.open) {
    const openSession = sessions.get(id);
    const session = openSession ?? make(id);
    sessions.set(id, session);
    const earlier = before.open.get(id);
    if (!openSession || (earlier && needsReload(earlier, connection))) session.load();
  }
  return { open: sessions, current: (now.current && sessions.get(now.current.id)) ?? null };
}

function needsReload(before: Connection, now: Connection): boolean {
  const source = ({ dataUrl, platformUrl, replacedAt }: Connection) =>
    JSON.stringify([dataUrl, platformUrl, replacedAt]);
  const needsSecret = ({ secret, refused }: Connection) => secret === 'missing' || refused !== undefined;
  return source(before) !== source(now) || (needsSecret(before) && !needsSecret(now));
}

// The start screen doesn't need it.
const loadingSession = afterFirstScreen.then(() => import('./session.ts'));

// In one expression, so that the build detects the worker.
const startRecords = () =>
  webPort(
    new Worker(new URL('../features/records/worker.ts', import.meta.url), {
      type: 'module',
      name: 'records',
    }),
  );

/** The parts of the window but its commands, which need them. */
export interface Composition extends Omit<App, 'commands'> {
  readonly link: ReconnectingLink;
  /** Loads and updates everything until the signal aborts. */
  readonly start: (signal: AbortSignal) => void;
}

/**
 * Builds the features over a link and connects them. No other module knows more than one feature.
 * @param connect opens ports for workers that can't connect themselves
 */
export function compose(link: ReconnectingLink, connect?: () => Promise<MessagePort>): Composition {
  const api = createApi(link.link);
  const diagnostics = createDiagnostics(api);
  const save = createSave(api, downloadBlob);
  const shares = createProfileShares(api, save);
  const help = createHelp();
  const jobs = createJobs(
    api,
    ({ token, name }) => {
      if (workspace.store.getState().files === 'stream') startDownload(downloadAddress(token), name);
    },
    (upload) => {
      for (const [id, connection] of connections.store.getState().open)
        if (isOfJob(upload, connection))
          sessions.getState().open.get(id)?.datasets.actions.onRecordsAdded(upload.address);
    },
  );
  const workspace = createWorkspace({ api, now: Date.now, after: (ms, act) => setTimeout(act, ms) });
  const settings = createSettings({ api, memory: createSettingsMemory(localStorage) });
  const endNotices = createEndNotices(systemNotices(), settings);
  const recent = createRecentConnections(settings.actions.places.connections);
  const connections = createConnections(api, createLastConnection(sessionStorage), recent);
  const exporting = createExport(api);
  const queue = createUploadQueue();
  const sidebar = createSidebar();
  const records = createRecordsThread(startRecords, connect);

  const fields = createFieldCatalogue(api);
  const sessionMakers = loadingSession.then(({ createSession, tabKinds }): MakeSession => {
    return (connection) => {
      const key = `wellbench.tabs.${connection}`;
      const windowMemory = {
        recall: () => sessionStorage.getItem(key),
        remember: (set: string) => sessionStorage.setItem(key, set),
      };
      return createSession(composition, tabKinds, { connection, windowMemory });
    };
  });
  const sessions = createSessions(connections, sessionMakers);

  /** Opens a query in a tab of the current connection. */
  const openQuery = async (query: SharedQuery, how: { readonly run: boolean }): Promise<void> =>
    (await import('../features/query/open-query.ts')).openSharedQuery({ sessions }, query, how);
  const saved = createSaved({
    api,
    newId: () => crypto.randomUUID(),
    now: Date.now,
    open: (query) => openQuery(query, { run: true }),
    saveText: (name, text) => save(name, new Blob([text], { type: 'application/json' })),
    copy: copyText,
  });
  const opened = createOpened({
    api,
    open: (query) => openQuery(query, { run: false }),
    openRows(file) {
      const session = sessions.getState().current;
      if (!session || connections.store.getState().current?.readOnly === true) return false;
      void import('../features/upload/open-upload.ts').then(({ openGrantedFiles }) =>
        openGrantedFiles(session, [file], null),
      );
      return true;
    },
    saveQueries: saved.actions.importQueries,
    showSettings: () => settings.actions.show(true),
  });
  const sqlTables = createSqlTables({ api, transferFile: handOverFile });
  followStores({ settings, help, jobs, endNotices, fields, sqlTables });

  /** Stores all tabs immediately: the page may close. */
  function saveTabs(): void {
    for (const { tabStorage } of sessions.getState().open.values()) void tabStorage.flush();
  }

  /** Whether closing the page would lose uploads. */
  function hasUnsavedUploads(): boolean {
    const open = [...sessions.getState().open.values()];
    if (open.some(({ tabs }) => tabs.actions.unsaved().length > 0)) return true;
    // Where jobs stop with the window, they can be resumed; where they don't, they continue.
    const { endsWithWindow, files } = workspace.store.getState();
    const jobsThatStop = endsWithWindow ? activeJobs(jobs.store.getState().jobs) : [];
    // Electron asks about other jobs itself.
    return jobsThatStop.some(({ kind }) => kind === 'upload' || files === 'stream');
  }

  function start(signal: AbortSignal): void {
    applyAppearance(settings, document.documentElement);
    void settings.actions.follow(signal);
    void workspace.actions.load();
    void connections.actions.load();
    void connections.actions.follow(signal);
    void jobs.actions.follow(signal);
    void workspace.actions.follow(signal);
    window.addEventListener(
      'beforeunload',
      (event) => {
        if (settings.store.getState().values.askBeforeLeaving && hasUnsavedUploads()) event.preventDefault();
      },
      { signal },
    );
    void opened.actions.follow(signal);
    window.addEventListener('pagehide', saveTabs, { signal });
    document.addEventListener('visibilitychange', saveTabs, { signal });
  }

  const composition: Composition = {
    api,
    records,
    transferFile: handOverFile,
    link,
    help,
    connections,
    diagnostics,
    shares,
    sessions,
    saved,
    opened,
    jobs,
    endNotices,
    settings,
    sidebar,
    workspace,
    queue,
    exporting,
    mirrors: createMirrors(api),
    fields,
    sqlTables,
    save,
    start,
  };
  return composition;
}

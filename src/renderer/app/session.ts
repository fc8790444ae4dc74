import { refreshed } from '../../shared/wells/wells.ts';
import type { Session, SessionApp } from '../contexts.ts';
import { createDatasets } from '../features/datasets/datasets.ts';
import { createLogs } from '../features/datasets/logs.ts';
import { createOverlays } from '../features/plot/overlays/overlays.ts';
import { createNotes } from '../features/notes/notes.tsx';
import { createHistory } from '../features/history/history.ts';
import { createViewStore } from '../features/results/view-store.ts';
import { createTabs } from '../features/tabs/tabs.ts';
import { createTabStorage, keepEditedPreview, type RestorableKind } from '../features/tabs/tab-storage.ts';
import { resumeQueue } from '../features/upload/open-upload.ts';
import { createDirectory } from '../features/wells/directory.ts';
import { listedWells } from '../features/wells/wells-state.ts';
import { createWells } from '../features/wells/wells.ts';
import { sessionCommands } from './commands/session-commands.ts';

/**
 * The features of one open connection: wells, datasets, tabs. They stay while another connection is shown,
 * until this one is closed.
 */
export function createSession(
  app: SessionApp,
  kinds: readonly RestorableKind[],
  { connection, windowMemory }: Pick<Session, 'connection' | 'windowMemory'>,
): Session {
  const { api } = app;
  const controller = new AbortController();
  /** Ends with the session, once its tabs are stored. */
  const storing = new AbortController();
  const tabs = createTabs({
    current: (selected) => refreshed(selected, listedWells(wells.store.getState())),
    onWells() {
      wells.actions.onSelected();
      datasets.actions.onWellsSelected();
    },
    losesWorkOnClose: (tab) => kinds.find(({ kind }) => kind === tab.kind)?.losesWorkOnClose(tab) ?? false,
  });
  const wells = createWells(api, tabs);
  const directory = createDirectory(api);
  const datasets = createDatasets(api, connection, tabs);
  const session: Session = {
    app,
    connection,
    windowMemory,
    tabs,
    wells,
    directory,
    datasets,
    signal: controller.signal,
    views: createViewStore(api),
    history: createHistory(api, connection),
    logs: createLogs(api, connection),
    overlays: createOverlays(api, connection, app.fields),
    notes: createNotes(api, connection),
    get tabStorage() {
      return tabStorage;
    },
    get commands() {
      return commands;
    },
    load() {
      app.fields.invalidate((key) => key.connection === connection);
      void wells.actions.load(connection);
      directory.actions.load(connection);
      void datasets.actions.load();
    },
    close() {
      stopTimeZone();
      stopFollowing();
      stopKeeping();
      // Storing them waits for a link that is lost, but their records and requests end now.
      const stored = tabStorage.close().finally(() => storing.abort());
      controller.abort();
      tabs.actions.clear();
      wells.actions.clear();
      directory.actions.clear();
      datasets.actions.clear();
      return stored;
    },
  };
  const commands = sessionCommands(session);
  const tabStorage = createTabStorage(session, kinds, () => void resumeQueue(session));
  const stopTimeZone = app.settings.store.subscribe(({ values: { times } }, before) => {
    if (times !== before.values.times) tabs.actions.showTimes(times);
  });
  const stopFollowing = app.sessions.subscribe(({ current }) => tabs.actions.setInView(current === session));
  const stopKeeping = keepEditedPreview(tabs);
  tabStorage.start(storing.signal);
  return session;
}

export { tabKinds } from './tab-kinds.ts';

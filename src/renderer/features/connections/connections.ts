import { createStore, type StoreApi } from 'zustand/vanilla';
import * as z from 'zod';
import type {
  Connection,
  ConnectionChange,
  ConnectionDraft,
  Credential,
} from '../../../shared/connections/connections.ts';
import type { ConnectionOrDraft } from '../../../shared/contract/connections.ts';
import { type AppError, type KeychainTrouble, toAppError } from '../../../shared/errors/errors.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { Api } from '../../api/api.ts';
import { failed, loaded, idle, type Loadable, loading, valueOr } from '../../state/loadable.ts';
import { followStream } from '../../state/follow-stream.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { Session } from '../../contexts.ts';
import type { SaveFile } from '../../api/files.ts';

export interface ConnectionsState {
  readonly list: Loadable<Connection[]>;
  /** The current connection; null: the start screen. */
  readonly current: Connection | null;
  /** The connections that are open in this window, by id; each has its own lists and tabs. */
  readonly open: ReadonlyMap<string, Connection>;
  readonly sample:
    | { readonly status: 'idle' | 'loading' }
    | { readonly status: 'failed'; readonly error: AppError };
  /** The connection whose form is open on the start screen. */
  readonly editing: string | null;
  /** Why the last connection could not be duplicated; null: it could. */
  readonly notDuplicated: AppError | null;
  /** Why credentials can't be stored on this computer; null: they can, as far as known. */
  readonly keychain: KeychainTrouble | null;
}

const defaults: ConnectionsState = {
  list: idle,
  current: null,
  open: new Map(),
  sample: idle,
  editing: null,
  notDuplicated: null,
  keychain: null,
};

type ConnectionsApi = Pick<Api, 'connections'> & { readonly events: Pick<Api['events'], 'connections'> };

export function createConnections(
  api: ConnectionsApi,
  lastConnection: ReturnType<typeof createLastConnection>,
  recent: ReturnType<typeof createRecentConnections>,
) {
  const store = createStore<ConnectionsState>()(() => defaults);
  const listTask = createLatestTask();

  const setConnection = (connection: Connection) =>
    store.setState(({ list, current, open }) => ({
      list: loaded(replaceConnection(valueOr(list, []), connection)),
      current: current?.id === connection.id ? connection : current,
      open: open.has(connection.id) ? new Map(open).set(connection.id, connection) : open,
    }));

  const show = (connection: Connection) => {
    lastConnection.write(connection.id);
    store.setState((state) => ({
      current: connection,
      editing: null,
      notDuplicated: null,
      open: new Map(state.open).set(connection.id, connection),
      list: loaded(replaceConnection(valueOr(state.list, []), connection)),
    }));
  };

  const open = (connection: Connection) => {
    if (!connection.sample) recent.use(connection.id);
    show(connection);
  };

  const close = () => {
    lastConnection.forget();
    store.setState({ current: null });
  };

  /** Open connections stay open after their removal elsewhere, until the user closes them. */
  const updateList = (list: Connection[]) => {
    const now = new Map(list.map((connection) => [connection.id, connection]));
    store.setState(({ current, open: before }) => ({
      list: loaded(list),
      current: current && (now.get(current.id) ?? current),
      open: new Map([...before].map(([id, connection]) => [id, now.get(id) ?? connection])),
    }));
  };

  const actions = {
    /** Lists the connections and opens the window's last one, if it exists. */
    async load() {
      // A retry keeps the start screen, and what is typed in its form.
      if (store.getState().list.status !== 'failed') store.setState({ list: loading });
      await listTask.run((signal) => api.connections.list({}, { signal }), {
        onDone(list) {
          updateList(list);
          const again = list.find(({ id }) => id === lastConnection.read());
          // This doesn't count as a new use; the order of use may not be loaded yet.
          if (again && again.secret !== 'missing' && store.getState().current === null) show(again);
        },
        onFailed: (error) => store.setState({ list: failed(error) }),
        onCanceled: () => store.setState({ list: idle }),
      });
    },
    follow: (signal: AbortSignal) =>
      followStream(() => api.events.connections({}, { signal }), updateList, { signal }),
    async openSample() {
      store.setState({ sample: loading });
      try {
        open(await api.connections.openSample({}));
        store.setState({ sample: idle });
      } catch (error) {
        store.setState({ sample: failed(toAppError(error)) });
      }
    },
    /** Adds and opens a connection. @throws AppError */
    async add(draft: ConnectionDraft, signal: AbortSignal) {
      open(await api.connections.add(draft, { signal }));
    },
    /** Changes a connection and reloads the list. @throws AppError */
    async change(change: ConnectionChange, signal: AbortSignal) {
      setConnection(await api.connections.change(change, { signal }));
      store.setState({ editing: null });
    },
    /** Replaces a connection's credentials once the service accepts the new ones. @throws AppError */
    async authenticate(secret: { connection: string; credential: Credential }, signal: AbortSignal) {
      const connection = await api.connections.authenticate(secret, { signal });
      setConnection(connection);
      return connection;
    },
    /** Tests both services. @throws AppError */
    test: (of: ConnectionOrDraft, signal: AbortSignal) => api.connections.test(of, { signal }),
    /** Removes a connection and closes it in this window. @throws AppError */
    async remove(id: string, leaveSecret: boolean) {
      await api.connections.remove({ connection: id, leaveSecret });
      actions.close(id);
      store.setState(({ list }) => ({ list: loaded(valueOr(list, []).filter((other) => other.id !== id)) }));
    },
    open,
    /** Shows the start screen. Connections stay open. */
    leave: close,
    /** Closes a connection and its tabs in this window, and shows another open one. */
    close(id: string) {
      const { current, open: before } = store.getState();
      const remaining = new Map(before);
      remaining.delete(id);
      if (current?.id !== id) return store.setState({ open: remaining });
      const next = [...remaining.values()].at(-1) ?? null;
      if (next) lastConnection.write(next.id);
      else lastConnection.forget();
      store.setState({ open: remaining, current: next });
    },
    /** Opens a connection's form on the start screen; null: closes it. */
    edit(id: string | null) {
      if (id !== null) close();
      store.setState({ editing: id, notDuplicated: null });
    },
    /** Adds a copy of a connection and opens its form on the start screen, which shows failures. Never rejects. */
    async duplicate(id: string) {
      try {
        const copy = await api.connections.duplicate({ connection: id });
        setConnection(copy);
        actions.edit(copy.id);
      } catch (error) {
        close();
        store.setState({ notDuplicated: toAppError(error) });
      }
    },
    /** Checks whether credentials can be stored. Never rejects. */
    async lookAtKeychain() {
      // If the check fails, storing credentials reports the problem.
      const keychain = await api.connections.keychain({}).catch(() => null);
      store.setState({ keychain: keychain?.trouble ?? null });
    },
  };
  return { store, actions, byLastUse: recent.sort };
}

export type Connections = ReturnType<typeof createConnections>;

/** Whether a connection is changed here: those of the environment are changed there. */
export const isEditable = ({ sample, secret }: Connection): boolean => !sample && secret !== 'environment';

function replaceConnection(list: readonly Connection[], connection: Connection): Connection[] {
  const isListed = list.some(({ id }) => id === connection.id);
  return isListed
    ? list.map((listed) => (listed.id === connection.id ? connection : listed))
    : [...list, connection];
}

const key = 'wellbench.connection';

/** Stores the id of the window's current connection, so that a reload returns to it. Never stores credentials. */
export function createLastConnection(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    read: () => storage.getItem(key),
    write: (id: string) => storage.setItem(key, id),
    forget: () => storage.removeItem(key),
  };
}

const recentIds = z.array(z.string());
const maxRecent = 50;

/** The order in which connections were opened. Unreadable orders are ignored. */
export function createRecentConnections(memory: Pick<Storage, 'getItem' | 'setItem'>) {
  const place = 'wellbench.connections';
  const read = (): string[] => {
    try {
      return recentIds.parse(JSON.parse(memory.getItem(place) ?? '[]'));
    } catch {
      return [];
    }
  };
  return {
    use(id: string) {
      const otherIds = read().filter((otherId) => otherId !== id);
      memory.setItem(place, JSON.stringify([id, ...otherIds].slice(0, maxRecent)));
    },
    /** The last opened ones first, then the others in their order. */
    sort(connections: readonly Connection[]): Connection[] {
      const rank = new Map(read().map((id, at) => [id, at]));
      const rankOf = ({ id }: Connection) => rank.get(id) ?? maxRecent;
      return connections.toSorted((a, b) => rankOf(a) - rankOf(b));
    },
  };
}

/** The inputs of credentials; the other method's inputs stay. */
export interface SecretInputs {
  readonly method: Connection['method'];
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
}

/** The credentials of the selected method. Main accepts keys with a leading `API `. */
export function toCredential({ method, apiKey, email, password }: SecretInputs): Credential {
  return method === 'api_key' ? { method, apiKey: apiKey.trim() } : { method, email: email.trim(), password };
}

export const initialSecretInputs = ({ method, email = '' }: Connection): SecretInputs => ({
  method,
  apiKey: '',
  email,
  password: '',
});

/** Why a connection needs credentials again; null: it doesn't, as far as known. */
export function signInReason({ refused, secret, sample }: Connection) {
  if (sample) return null;
  return refused ?? (secret === 'missing' ? 'secret_missing' : null);
}

export interface SessionsState {
  /** By connection id, in the order of opening. */
  readonly open: ReadonlyMap<string, Session>;
  /** The session of the current connection; null: the start screen. */
  readonly current: Session | null;
}

export type Sessions = StoreApi<SessionsState>;

interface OpenSessions {
  readonly connections: Connections;
  readonly sessions: Sessions;
}

/** Closes the connection that is shown, after a question if that ends work in its tabs. */
export function closeConnection({ connections, sessions }: OpenSessions, id: string): void {
  const close = () => connections.actions.close(id);
  const session = sessions.getState().open.get(id);
  if (session) session.tabs.actions.askBefore(close);
  else close();
}

type ConnectionOfJob = Pick<Job, 'connection' | 'connectionId'>;

/** Whether a job ran over a connection, which may have another name since. */
export const isOfJob = (
  { connection, connectionId }: ConnectionOfJob,
  { id, name }: Pick<Connection, 'id' | 'name'>,
): boolean => (connectionId === undefined ? name === connection : id === connectionId);

/**
 * Shows the session of the connection of a job, and continues there once its tabs are listed, unless the user has shown another
 * by then.
 * @returns null: it is the current one, or it isn't saved
 */
export function showSession(
  { connections, sessions }: OpenSessions,
  job: ConnectionOfJob,
  onShown: (session: Session) => void | Promise<void>,
): Promise<void> | null {
  const { list, current } = connections.store.getState();
  const ofJob = valueOr(list, []).find((connection) => isOfJob(job, connection));
  if (!ofJob || ofJob.id === current?.id) return null;
  connections.actions.open(ofJob);
  const session = sessions.getState().current;
  const showIfCurrent = () =>
    session && sessions.getState().current === session ? onShown(session) : undefined;
  return session && session.tabStorage.restored.then(showIfCurrent);
}

export function createProfileShares(
  api: { readonly connections: Pick<Api['connections'], 'exportProfiles' | 'importProfiles' | 'list'> },
  save: SaveFile,
) {
  return {
    /** Exports all connections without credentials. @returns their number; 0: canceled @throws AppError */
    async exportAll(signal: AbortSignal) {
      const all = (await api.connections.list({}, { signal })).filter(({ saved }) => saved);
      const selected = { connections: all.map(({ id }) => id) };
      const { suggestedName, text } = await api.connections.exportProfiles(selected, { signal });
      const isSaved = await save(suggestedName, new Blob([text], { type: 'application/json' }));
      return isSaved ? all.length : 0;
    },
    /** Imports the connections of a file, without credentials. @throws AppError */
    importFile: async (file: Blob, signal: AbortSignal) =>
      api.connections.importProfiles({ text: await file.text() }, { signal }),
  };
}

export type ProfileShares = ReturnType<typeof createProfileShares>;

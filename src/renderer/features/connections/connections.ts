import { createStore } from 'zustand/vanilla';
import type {
  Connection,
  ConnectionChange,
  ConnectionDraft,
  ConnectionOrDraft,
  Credential,
} from '../../../shared/connections/connections.ts';
import { type AppError, type KeychainTrouble, toAppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import { failed, loaded, idle, type Loadable, loading, valueOr } from '../../state/loadable.ts';
import { followStream } from '../../state/follow-stream.ts';
import { createLatestTask } from '../../state/latest-task.ts';

export interface ConnectionsState {
  readonly list: Loadable<Connection[]>;
  /** The connection that the window shows; null: the start screen. */
  readonly current: Connection | null;
  /** The connections that are open in this window, by id; each keeps its own lists and tabs. */
  readonly open: ReadonlyMap<string, Connection>;
  readonly sample:
    { readonly status: 'idle' | 'loading' } | { readonly status: 'failed'; readonly error: AppError };
  /** The connection that is edited on the start screen. */
  readonly editing: string | null;
  /** The connection that was removed here last, until its removal is undone or no longer spoken of. */
  readonly removed: Connection | null;
  /** Why secrets can't be kept on this computer; null: they can, as far as it is known. */
  readonly keychain: KeychainTrouble | null;
}

/** A credential and the connection it is for. */
export interface GivenSecret {
  readonly connection: string;
  readonly credential: Credential;
}

const defaults: ConnectionsState = {
  list: idle,
  current: null,
  open: new Map(),
  sample: idle,
  editing: null,
  removed: null,
  keychain: null,
};

export type ConnectionsApi = Pick<Api, 'connections'> & {
  readonly events: Pick<Api['events'], 'connections'>;
};

/** Which connections there are, which are open in this window and which one it shows. */
export function createConnections(api: ConnectionsApi, last: ReturnType<typeof lastConnectionIn>) {
  const store = createStore<ConnectionsState>()(() => defaults);
  const listing = createLatestTask();

  const put = (connection: Connection) =>
    store.setState(({ list, current, open }) => ({
      list: loaded(withOne(valueOr(list, []), connection)),
      current: current?.id === connection.id ? connection : current,
      open: open.has(connection.id) ? new Map(open).set(connection.id, connection) : open,
    }));

  const open = (connection: Connection) => {
    last.remember(connection.id);
    store.setState((state) => ({
      current: connection,
      editing: null,
      open: new Map(state.open).set(connection.id, connection),
      list: loaded(withOne(valueOr(state.list, []), connection)),
    }));
  };

  const leave = () => {
    last.forget();
    store.setState({ current: null });
  };

  /** What is open stays so although it may be listed no more: the person closes it. */
  const learn = (list: Connection[]) => {
    const now = new Map(list.map((connection) => [connection.id, connection]));
    store.setState(({ current, open: before }) => ({
      list: loaded(list),
      current: current && (now.get(current.id) ?? current),
      open: new Map([...before].map(([id, connection]) => [id, now.get(id) ?? connection])),
    }));
  };

  const actions = {
    /** Lists the connections and opens the one that this window showed last, if it is still there. */
    async load() {
      store.setState({ list: loading });
      await listing.run((signal) => api.connections.list({}, { signal }), {
        onDone(list) {
          learn(list);
          const again = list.find(({ id }) => id === last.recall());
          if (again && again.secret !== 'missing' && store.getState().current === null) open(again);
        },
        onFailed: (error) => store.setState({ list: failed(error) }),
        onCanceled: () => store.setState({ list: idle }),
      });
    },
    /** Listens to the connections until the signal aborts. */
    follow: (signal: AbortSignal) =>
      followStream(() => api.events.connections({}, { signal }), learn, { signal }),
    async openSample() {
      store.setState({ sample: loading });
      try {
        open(await api.connections.openSample({}));
        store.setState({ sample: idle });
      } catch (error) {
        store.setState({ sample: failed(toAppError(error)) });
      }
    },
    /** Adds a connection and opens it. @throws AppError */
    async add(draft: ConnectionDraft, signal: AbortSignal) {
      open(await api.connections.add(draft, { signal }));
    },
    /** Changes a connection and shows the list again. @throws AppError */
    async change(change: ConnectionChange, signal: AbortSignal) {
      put(await api.connections.change(change, { signal }));
      store.setState({ editing: null });
    },
    /** Gives a connection another key or login; the old one stays until it is accepted. @throws AppError */
    async authenticate(given: GivenSecret, signal: AbortSignal) {
      const connection = await api.connections.authenticate(given, { signal });
      put(connection);
      return connection;
    },
    /** Tries both services. @throws AppError */
    test: (of: ConnectionOrDraft, signal: AbortSignal) => api.connections.test(of, { signal }),
    /** Forgets a connection, here and everywhere, and closes what it has in this window. @throws AppError */
    async remove(id: string, leaveSecret: boolean) {
      const removed = valueOr(store.getState().list, []).find((one) => one.id === id) ?? null;
      await api.connections.remove({ connection: id, leaveSecret });
      actions.close(id);
      store.setState(({ list }) => ({
        removed,
        list: loaded(valueOr(list, []).filter((one) => one.id !== id)),
      }));
    },
    /** Brings back what was removed last, with its key or login. @throws AppError */
    async undoRemoval() {
      const { removed } = store.getState();
      if (!removed) return;
      put(await api.connections.restore({ connection: removed.id }));
      store.setState({ removed: null });
    },
    /** Speaks no more of what was removed. */
    dismissRemoval: () => store.setState({ removed: null }),
    /** Shows it; what it had in this window before is there again. */
    open,
    /** Back to the start screen; what is open stays open. */
    leave,
    /** Lets go of what a connection has in this window, its tabs too; another open one is shown in its place. */
    close(id: string) {
      const { current, open: before } = store.getState();
      const left = new Map(before);
      left.delete(id);
      const next = [...left.values()].at(-1) ?? null;
      const stays = current?.id !== id;
      if (!stays && next) last.remember(next.id);
      if (!stays && !next) last.forget();
      store.setState({ open: left, current: stays ? current : next });
    },
    /** Shows the form of a connection on the start screen; null: no form. */
    edit(id: string | null) {
      if (id !== null) leave();
      store.setState({ editing: id });
    },
    /** Finds out whether secrets can be kept here. Never rejects. */
    async lookAtKeychain() {
      // What can't be found out is told when a secret could not be kept.
      const found = await api.connections.keychain({}).catch(() => null);
      store.setState({ keychain: found?.trouble ?? null });
    },
  };
  return { store, actions };
}

export type Connections = ReturnType<typeof createConnections>;

/** The connection in its old place, or at the end. */
function withOne(list: readonly Connection[], connection: Connection): Connection[] {
  const known = list.some(({ id }) => id === connection.id);
  return known ? list.map((one) => (one.id === connection.id ? connection : one)) : [...list, connection];
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly connections: Connections;
  }
}

const key = 'wellbench.connection';

/**
 * Remembers, for this window alone, which connection it shows, so that a reload comes back to it: the id only, never a
 * secret.
 */
export function lastConnectionIn(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    recall: () => storage.getItem(key),
    remember: (id: string) => storage.setItem(key, id),
    forget: () => storage.removeItem(key),
  };
}

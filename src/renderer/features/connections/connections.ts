import { createStore } from 'zustand/vanilla';
import type {
  Connection,
  ConnectionCheck,
  ConnectionDraft,
  Credential,
} from '../../../shared/connections.ts';
import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { Api } from '../../api/api.ts';
import { failed, full, idle, loading, valueOr, type Loadable } from '../../state/loadable.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import type { LastConnection } from './last-connection.ts';

export interface ConnectionsState {
  readonly list: Loadable<Connection[]>;
  /** The connection that the window shows; null: the start screen. */
  readonly current: Connection | null;
  readonly sample:
    { readonly face: 'idle' | 'loading' } | { readonly face: 'failed'; readonly error: AppError };
}

/** A secret and the connection it is for. */
export interface GivenSecret {
  readonly connection: Connection;
  readonly secret: string;
}

export interface ConnectionsActions {
  /** Lists the connections and opens the one that this window showed last, if it is still there. */
  readonly load: () => Promise<void>;
  readonly openSample: () => Promise<void>;
  /** Adds a connection and opens it. @throws AppError */
  readonly add: (draft: ConnectionDraft, signal: AbortSignal) => Promise<void>;
  /** Gives a saved connection its secret again, and opens it. @throws AppError */
  readonly giveSecret: (given: GivenSecret, signal: AbortSignal) => Promise<void>;
  /** Tries both services of a draft. @throws AppError */
  readonly test: (draft: ConnectionDraft, signal: AbortSignal) => Promise<ConnectionCheck>;
  readonly open: (connection: Connection) => void;
  /** Back to the start screen; the connection stays listed. */
  readonly leave: () => void;
}

export type Connections = Feature<ConnectionsState, ConnectionsActions>;

const defaults: ConnectionsState = { list: idle, current: null, sample: idle };

/** Which connections there are and which one this window shows. */
export function createConnections(api: Pick<Api, 'connections'>, last: LastConnection): Connections {
  const store = createStore<ConnectionsState>()(() => defaults);
  const listing = latest();

  const open = (connection: Connection) => {
    last.remember(connection.id);
    store.setState(({ list }) => ({
      current: connection,
      list: full([...valueOr(list, []).filter(({ id }) => id !== connection.id), connection]),
    }));
  };

  const actions: ConnectionsActions = {
    async load() {
      store.setState({ list: loading });
      await listing.run((signal) => api.connections.list({}, { signal }), {
        done(list) {
          store.setState({ list: full(list) });
          const again = list.find(({ id }) => id === last.recall());
          if (again && again.secret !== 'missing' && store.getState().current === null) open(again);
        },
        failed: (error) => store.setState({ list: failed(error) }),
        cancelled: () => store.setState({ list: idle }),
      });
    },
    async openSample() {
      store.setState({ sample: loading });
      try {
        open(await api.connections.openSample({}));
        store.setState({ sample: idle });
      } catch (error) {
        store.setState({ sample: failed(toAppError(error)) });
      }
    },
    async add(draft, signal) {
      open(await api.connections.add(draft, { signal }));
    },
    async giveSecret({ connection: { id, method, email = '' }, secret }, signal) {
      const credential: Credential =
        method === 'api_key' ? { method, apiKey: secret } : { method, email, password: secret };
      open(await api.connections.change({ connection: id, credential }, { signal }));
    },
    test: (draft, signal) => api.connections.test({ draft }, { signal }),
    open,
    leave() {
      last.forget();
      store.setState({ current: null });
    },
  };
  return { store, actions };
}

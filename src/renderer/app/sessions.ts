import { createStore } from 'zustand/vanilla';
import type { Connection } from '../../shared/connections/connections.ts';
import type { Session } from '../contexts.ts';
import type { Connections, ConnectionsState } from '../features/connections/connections.ts';
import type { Sessions, SessionsState } from '../features/connections/sessions.ts';

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

/** Whether lists of a connection are outdated. */
function needsReload(before: Connection, now: Connection): boolean {
  const addresses = ({ dataUrl, platformUrl }: Connection) => `${dataUrl} ${platformUrl}`;
  const needsSecret = ({ secret, refused }: Connection) => secret === 'missing' || refused !== undefined;
  return addresses(before) !== addresses(now) || (needsSecret(before) && !needsSecret(now));
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Connection } from '../../shared/connections.ts';
import type { Connections } from '../features/connections/connections.ts';
import type { Session } from './session.ts';

export interface SessionsState {
  /** By the id of their connection, in the order in which they were opened. */
  readonly open: ReadonlyMap<string, Session>;
  /** The session of the connection that the window shows; null: the start screen. */
  readonly shown: Session | null;
}

export type Sessions = StoreApi<SessionsState>;

/**
 * Keeps one session for each connection that is open in the window, and says which one is shown: nothing else decides
 * on either. Lists are fetched anew when a connection leads elsewhere, or has a secret again.
 */
export function createSessions(
  connections: Pick<Connections, 'store'>,
  make: (connection: string) => Session,
): Sessions {
  const store = createStore<SessionsState>()(() => ({ open: new Map(), shown: null }));
  connections.store.subscribe(({ open, current }, before) => {
    if (open === before.open && current === before.current) return;
    const sessions = new Map(store.getState().open);
    for (const [id, session] of sessions) {
      if (open.has(id)) continue;
      session.close();
      sessions.delete(id);
    }
    for (const [id, connection] of open) {
      const known = sessions.get(id);
      const session = known ?? make(id);
      sessions.set(id, session);
      const earlier = before.open.get(id);
      if (!known || (earlier && hasToLoad(earlier, connection))) session.load();
    }
    store.setState({ open: sessions, shown: (current && sessions.get(current.id)) ?? null });
  });
  return store;
}

/** Whether what was fetched over a connection says nothing about it any more. */
function hasToLoad(before: Connection, now: Connection): boolean {
  const way = ({ dataUrl, platformUrl }: Connection) => `${dataUrl} ${platformUrl}`;
  const isShut = ({ secret, refused }: Connection) => secret === 'missing' || refused !== undefined;
  return way(before) !== way(now) || (isShut(before) && !isShut(now));
}

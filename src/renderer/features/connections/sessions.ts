import type { StoreApi } from 'zustand/vanilla';
import type { Session } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import type { Connections } from './connections.ts';

export interface SessionsState {
  /** By connection id, in the order of opening. */
  readonly open: ReadonlyMap<string, Session>;
  /** The session of the current connection; null: the start screen. */
  readonly current: Session | null;
}

export type Sessions = StoreApi<SessionsState>;

/**
 * Shows the session of another connection.
 * @param name the connection's name
 * @returns its session; null: it is the current one, or it isn't saved
 */
export function showSession(
  { connections, sessions }: { readonly connections: Connections; readonly sessions: Sessions },
  name: string,
): Session | null {
  const { list, current } = connections.store.getState();
  const namedConnection = valueOr(list, []).find((connection) => connection.name === name);
  if (!namedConnection || namedConnection.id === current?.id) return null;
  connections.actions.open(namedConnection);
  return sessions.getState().current;
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { UploadJob } from '../../shared/jobs/jobs.ts';
import { isCheck, isStoppable } from '../features/jobs/job-list.ts';
import type { JobsState } from '../features/jobs/jobs.ts';
import type { Connection } from '../../shared/connections/connections.ts';
import type { Connections, ConnectionsState } from '../features/connections/connections.ts';
import type { Session } from './session.ts';

/** Tells of each upload that has come to rest, and may have stored rows. */
export function tellUploads(
  jobs: Pick<StoreApi<JobsState>, 'subscribe'>,
  told: (upload: UploadJob) => void,
): void {
  jobs.subscribe((now, before) => {
    if (now.jobs === before.jobs) return;
    const underWay = new Set(before.jobs.filter(({ state }) => isStoppable(state)).map(({ id }) => id));
    for (const job of now.jobs)
      if (job.kind === 'upload' && underWay.has(job.id) && !isStoppable(job.state) && !isCheck(job))
        told(job);
  });
}

export interface SessionsState {
  /** By the id of their connection, in the order in which they were opened. */
  readonly open: ReadonlyMap<string, Session>;
  /** The session of the connection that the window shows; null: the start screen. */
  readonly shown: Session | null;
}

export type Sessions = StoreApi<SessionsState>;

/** Makes the session of a connection, by its id. */
export type MakeSession = (connection: string) => Session;

/**
 * Keeps one session for each connection that is open in the window, and says which one is shown: nothing else decides
 * on either. Lists are fetched anew when a connection leads elsewhere, or has a secret again.
 * @param loading the first screen stands without what makes sessions; a connection opened before it has come waits for it
 */
export function createSessions(
  connections: Pick<Connections, 'store'>,
  loading: Promise<MakeSession>,
): Sessions {
  const store = createStore<SessionsState>()(() => ({ open: new Map(), shown: null }));
  void loading.then((make) => {
    const none: Opened = { open: new Map(), current: null };
    const adjust = (now: Opened, before: Opened) =>
      store.setState(adjusted(store.getState(), make, now, before));
    adjust(connections.store.getState(), none);
    connections.store.subscribe((now, before) => {
      if (now.open !== before.open || now.current !== before.current) adjust(now, before);
    });
  });
  return store;
}

type Opened = Pick<ConnectionsState, 'open' | 'current'>;

function adjusted(has: SessionsState, make: MakeSession, now: Opened, before: Opened): SessionsState {
  const sessions = new Map(has.open);
  for (const [id, session] of sessions) {
    if (now.open.has(id)) continue;
    session.close();
    sessions.delete(id);
  }
  for (const [id, connection] of now.open) {
    const known = sessions.get(id);
    const session = known ?? make(id);
    sessions.set(id, session);
    const earlier = before.open.get(id);
    if (!known || (earlier && hasToLoad(earlier, connection))) session.load();
  }
  return { open: sessions, shown: (now.current && sessions.get(now.current.id)) ?? null };
}

/** Whether what was fetched over a connection says nothing about it any more. */
function hasToLoad(before: Connection, now: Connection): boolean {
  const way = ({ dataUrl, platformUrl }: Connection) => `${dataUrl} ${platformUrl}`;
  const isShut = ({ secret, refused }: Connection) => secret === 'missing' || refused !== undefined;
  return way(before) !== way(now) || (isShut(before) && !isShut(now));
}

import { implement, type Router } from '@orpc/server';
import { events } from '../../shared/contract/events.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `events`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof events>) {
  const os = implement(events).$context<Host>();
  return {
    jobs: os.jobs.handler(call(room.jobs)),
    notices: os.notices.handler(call(room.notices)),
    settings: os.settings.handler(call(room.settings)),
    connections: os.connections.handler(call(room.connections)),
    opened: os.opened.handler(call(room.opened)),
    tabs: os.tabs.handler(call(room.tabs)),
  } satisfies Router<typeof events, Host>;
}

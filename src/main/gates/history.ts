import { implement, type Router } from '@orpc/server';
import { historyCalls } from '../../shared/contract/history.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `history`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof historyCalls>) {
  const os = implement(historyCalls).$context<Host>();
  return {
    note: os.note.handler(call(room.note)),
    list: os.list.handler(call(room.list)),
    get: os.get.handler(call(room.get)),
    remove: os.remove.handler(call(room.remove)),
    restore: os.restore.handler(call(room.restore)),
  } satisfies Router<typeof historyCalls, Host>;
}

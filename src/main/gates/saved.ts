import { implement, type Router } from '@orpc/server';
import { savedCalls } from '../../shared/contract/saved.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `saved`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof savedCalls>) {
  const os = implement(savedCalls).$context<Host>();
  return {
    list: os.list.handler(call(room.list)),
    put: os.put.handler(call(room.put)),
    renameFolder: os.renameFolder.handler(call(room.renameFolder)),
    remove: os.remove.handler(call(room.remove)),
  } satisfies Router<typeof savedCalls, Host>;
}

import { implement, type Router } from '@orpc/server';
import { wellsCalls } from '../../shared/contract/wells.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `wells`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof wellsCalls>) {
  const os = implement(wellsCalls).$context<Host>();
  return {
    list: os.list.handler(call(room.list)),
    entities: os.entities.handler(call(room.entities)),
    resolve: os.resolve.handler(call(room.resolve)),
    marks: os.marks.handler(call(room.marks)),
    mark: os.mark.handler(call(room.mark)),
  } satisfies Router<typeof wellsCalls, Host>;
}

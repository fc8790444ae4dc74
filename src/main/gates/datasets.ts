import { implement, type Router } from '@orpc/server';
import { datasetsCalls } from '../../shared/contract/datasets.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `datasets`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof datasetsCalls>) {
  const os = implement(datasetsCalls).$context<Host>();
  return {
    list: os.list.handler(call(room.list)),
    get: os.get.handler(call(room.get)),
    fields: os.fields.handler(call(room.fields)),
    extent: os.extent.handler(call(room.extent)),
    holdings: os.holdings.handler(call(room.holdings)),
  } satisfies Router<typeof datasetsCalls, Host>;
}

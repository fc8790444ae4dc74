import { implement, type Router } from '@orpc/server';
import { queryCalls } from '../../shared/contract/query.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `query`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof queryCalls>) {
  const os = implement(queryCalls).$context<Host>();
  return {
    find: os.find.handler(call(room.find)),
    parts: os.parts.handler(call(room.parts)),
    page: os.page.handler(call(room.page)),
    count: os.count.handler(call(room.count)),
    aggregate: os.aggregate.handler(call(room.aggregate)),
    pipeline: os.pipeline.handler(call(room.pipeline)),
    live: os.live.handler(call(room.live)),
    describe: os.describe.handler(call(room.describe)),
  } satisfies Router<typeof queryCalls, Host>;
}

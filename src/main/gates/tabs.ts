import { implement, type Router } from '@orpc/server';
import { tabsCalls } from '../../shared/contract/tabs.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `tabs`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof tabsCalls>) {
  const os = implement(tabsCalls).$context<Host>();
  return { keep: os.keep.handler(call(room.keep)) } satisfies Router<typeof tabsCalls, Host>;
}

import { implement, type Router } from '@orpc/server';
import { exportCalls } from '../../shared/contract/export.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `export`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof exportCalls>) {
  const os = implement(exportCalls).$context<Host>();
  return { start: os.start.handler(call(room.start)) } satisfies Router<typeof exportCalls, Host>;
}

import { implement, type Router } from '@orpc/server';
import { settingsCalls } from '../../shared/contract/settings.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `settings`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof settingsCalls>) {
  const os = implement(settingsCalls).$context<Host>();
  return {
    get: os.get.handler(call(room.get)),
    change: os.change.handler(call(room.change)),
  } satisfies Router<typeof settingsCalls, Host>;
}

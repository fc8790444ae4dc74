import { implement, type Router } from '@orpc/server';
import { connectionsCalls } from '../../shared/contract/connections.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `connections`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof connectionsCalls>) {
  const os = implement(connectionsCalls).$context<Host>();
  return {
    list: os.list.handler(call(room.list)),
    add: os.add.handler(call(room.add)),
    openSample: os.openSample.handler(call(room.openSample)),
    test: os.test.handler(call(room.test)),
    remove: os.remove.handler(call(room.remove)),
    restore: os.restore.handler(call(room.restore)),
    change: os.change.handler(call(room.change)),
    authenticate: os.authenticate.handler(call(room.authenticate)),
    diagnose: os.diagnose.handler(call(room.diagnose)),
    exportProfiles: os.exportProfiles.handler(call(room.exportProfiles)),
    importProfiles: os.importProfiles.handler(call(room.importProfiles)),
    keychain: os.keychain.handler(call(room.keychain)),
  } satisfies Router<typeof connectionsCalls, Host>;
}

import { implement, type Router } from '@orpc/server';
import { filesCalls } from '../../shared/contract/files.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `files`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof filesCalls>) {
  const os = implement(filesCalls).$context<Host>();
  return {
    chooseTarget: os.chooseTarget.handler(call(room.chooseTarget)),
    chooseSources: os.chooseSources.handler(call(room.chooseSources)),
    find: os.find.handler(call(room.find)),
    write: os.write.handler(call(room.write)),
    saveCopy: os.saveCopy.handler(call(room.saveCopy)),
    saveText: os.saveText.handler(call(room.saveText)),
  } satisfies Router<typeof filesCalls, Host>;
}

import { implement, type Router } from '@orpc/server';
import { workspaceCalls } from '../../shared/contract/workspace.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `workspace`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof workspaceCalls>) {
  const os = implement(workspaceCalls).$context<Host>();
  return {
    about: os.about.handler(call(room.about)),
    diagnostics: os.diagnostics.handler(call(room.diagnostics)),
    view: os.view.handler(call(room.view)),
    keepView: os.keepView.handler(call(room.keepView)),
  } satisfies Router<typeof workspaceCalls, Host>;
}

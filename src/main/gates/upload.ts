import { implement, type Router } from '@orpc/server';
import { uploadCalls } from '../../shared/contract/upload.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `upload`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof uploadCalls>) {
  const os = implement(uploadCalls).$context<Host>();
  return {
    inspect: os.inspect.handler(call(room.inspect)),
    preview: os.preview.handler(call(room.preview)),
    match: os.match.handler(call(room.match)),
    wells: os.wells.handler(call(room.wells)),
    origin: os.origin.handler(call(room.origin)),
    start: os.start.handler(call(room.start)),
    templates: os.templates.handler(call(room.templates)),
    keepTemplate: os.keepTemplate.handler(call(room.keepTemplate)),
    removeTemplate: os.removeTemplate.handler(call(room.removeTemplate)),
  } satisfies Router<typeof uploadCalls, Host>;
}

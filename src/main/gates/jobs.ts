import { implement, type Router } from '@orpc/server';
import { jobsCalls } from '../../shared/contract/jobs.ts';
import type { RoomHandlers } from '../handlers.ts';
import { call, type Host } from './call.ts';

/** The calls of `jobs`, each with the room's function behind it. */
export function gate(room: RoomHandlers<typeof jobsCalls>) {
  const os = implement(jobsCalls).$context<Host>();
  return {
    list: os.list.handler(call(room.list)),
    show: os.show.handler(call(room.show)),
    resume: os.resume.handler(call(room.resume)),
    pause: os.pause.handler(call(room.pause)),
    answer: os.answer.handler(call(room.answer)),
    cancel: os.cancel.handler(call(room.cancel)),
    discard: os.discard.handler(call(room.discard)),
  } satisfies Router<typeof jobsCalls, Host>;
}
